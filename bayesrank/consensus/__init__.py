"""From draws of scores to statements about ranks; knows nothing of how the draws were made."""

from bayesrank.consensus.ranks import (
    interval,
    probability_above,
    rank_draws,
    rank_probabilities,
    tiers,
)

__all__ = ["interval", "probability_above", "rank_draws", "rank_probabilities", "tiers"]
