"""Ranking likelihoods as PyMC distributions."""

from bayesrank.distributions import jax_link  # noqa: F401 (it listens for JAX)
from bayesrank.distributions.mixture import Mixture
from bayesrank.distributions.mpm import MPM
from bayesrank.distributions.pairs import BradleyTerry, Davidson, RaoKupper, ThurstonePairs
from bayesrank.distributions.rankings import PMOP, PartitionedPlackettLuce, PlackettLuce
from bayesrank.distributions.thurstone import Thurstone

__all__ = [
    "MPM",
    "PMOP",
    "BradleyTerry",
    "Davidson",
    "Mixture",
    "PartitionedPlackettLuce",
    "PlackettLuce",
    "RaoKupper",
    "Thurstone",
    "ThurstonePairs",
]
