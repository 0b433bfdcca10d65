"""Ranking likelihoods as PyMC distributions."""

from bayesrank.distributions.pairs import BradleyTerry, Davidson, RaoKupper, ThurstonePairs
from bayesrank.distributions.rankings import PMOP, PartitionedPlackettLuce, PlackettLuce

__all__ = [
    "PMOP",
    "BradleyTerry",
    "Davidson",
    "PartitionedPlackettLuce",
    "PlackettLuce",
    "RaoKupper",
    "ThurstonePairs",
]
