"""How good a ranking is: against relevance, against another ranking, against true worths.

Everything takes flat arrays, one element per document, with the query that each belongs to, or
matrices with one row per query. The result is one value for each query, in the order in which the
queries first occur, or one row with a value for each cutoff. Their mean is the usual number.
"""

from bayesrank.metrics.cumulative_gain import CONVENTIONS, ndcg
from bayesrank.metrics.precisions import average_precision, precision
from bayesrank.metrics.propensity import propensities, propensity_ndcg, propensity_precision
from bayesrank.metrics.rank_distances import (
    footrule_distance,
    kendall_distance,
    kendall_tau,
    spearman_distance,
    spearman_rho,
)
from bayesrank.metrics.reciprocal_rank import expected_reciprocal_rank
from bayesrank.metrics.worths import worth_error

__all__ = [
    "CONVENTIONS",
    "average_precision",
    "expected_reciprocal_rank",
    "footrule_distance",
    "kendall_distance",
    "kendall_tau",
    "ndcg",
    "precision",
    "propensities",
    "propensity_ndcg",
    "propensity_precision",
    "spearman_distance",
    "spearman_rho",
    "worth_error",
]
