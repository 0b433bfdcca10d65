"""From draws of scores to statements about ranks; knows nothing of how the draws were made.

The functions take plain arrays, one row per draw and one column per item, and check nothing:
`bayesrank.ScoreDraws` is the door for draws of any form, with labels, and a fit has its methods.
"""

from bayesrank.consensus.intervals import (
    confidence_set,
    credible_set,
    interval,
    rank_intervals,
)
from bayesrank.consensus.orders import (
    LOSSES,
    UNITS,
    Consensus,
    best_order,
    expected_loss,
    require_loss,
)
from bayesrank.consensus.ranks import (
    expected_ranks,
    probability_above,
    probability_top,
    rank_draws,
    rank_probabilities,
    sucra,
)
from bayesrank.consensus.score_draws import ScoreDraws
from bayesrank.consensus.tables import ranking_table
from bayesrank.consensus.tiers import require_tiers_rule, tiers, tiers_promise
from bayesrank.consensus.worths import quasi_variances, worth_draws

__all__ = [
    "LOSSES",
    "UNITS",
    "Consensus",
    "ScoreDraws",
    "best_order",
    "confidence_set",
    "credible_set",
    "expected_loss",
    "expected_ranks",
    "interval",
    "probability_above",
    "probability_top",
    "quasi_variances",
    "rank_draws",
    "rank_intervals",
    "rank_probabilities",
    "ranking_table",
    "require_loss",
    "require_tiers_rule",
    "sucra",
    "tiers",
    "tiers_promise",
    "worth_draws",
]
