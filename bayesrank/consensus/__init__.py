"""From draws of scores to statements about ranks; knows nothing of how the draws were made."""

from bayesrank.consensus.ranks import (
    interval,
    probability_above,
    rank_draws,
    rank_probabilities,
    tiers,
)
from bayesrank.consensus.tables import ranking_table

__all__ = [
    "interval",
    "probability_above",
    "rank_draws",
    "rank_probabilities",
    "ranking_table",
    "tiers",
]
