"""The likelihood's part of a specification: data and a kernel, as PyMC variable and as numbers."""

from bayesrank.observations.pairs import PairObservation
from bayesrank.observations.preferences import PreferenceObservation
from bayesrank.observations.rankings import RankingObservation

__all__ = ["PairObservation", "PreferenceObservation", "RankingObservation"]
