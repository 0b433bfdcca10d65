"""Ranking likelihoods as PyMC distributions."""

from bayesrank.distributions.pairs import BradleyTerry, Davidson, RaoKupper, ThurstonePairs

__all__ = ["BradleyTerry", "Davidson", "RaoKupper", "ThurstonePairs"]
