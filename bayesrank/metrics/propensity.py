r"""Metrics that count a rare label for more, by how likely it was to be noticed at all.

Jain, Prabhu and Varma (2016) model the probability that a label which holds was recorded by how
often it occurs, N_l times among N training instances:

    p_l  =  1 / (1 + C (N_l + B)^-A),    C = (log N - 1)(B + 1)^A

and divide the gain of a label by it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bayesrank.metrics.queries import OrderedDocuments, checked_cutoffs, flatten

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["propensities", "propensity_ndcg", "propensity_precision"]


def propensities(
    counts: "ArrayLike", instances: int, *, a: float = 0.55, b: float = 1.5
) -> np.ndarray:
    """Return the propensity of each label.

    Parameters
    ----------
    counts : array
        How many training instances have each label.
    instances : int (instances >= 3)
        Number of training instances.
    a, b : float
        Constants; 0.55 and 1.5 unless there is reason for others.

    Examples
    --------
    >>> propensities([0, 10, 100], 100).round(3)
    array([0.173, 0.391, 0.68 ])
    """
    counts = np.asarray(counts, dtype=float)
    # From e on the constant C is positive, and a propensity a probability.
    if instances < 3:
        raise ValueError(f"`instances` must be at least 3, got {instances!r}.")
    if not (np.all(counts >= 0) and np.all(counts <= instances)):
        raise ValueError(
            f"`counts` must be between 0 and the {instances} `instances`, got {counts.min():g} to "
            f"{counts.max():g}."
        )
    constant = (np.log(instances) - 1.0) * (b + 1.0) ** a
    return 1.0 / (1.0 + constant * (counts + b) ** -a)


def propensity_precision(
    score: "ArrayLike",
    relevance: "ArrayLike",
    propensity: "ArrayLike",
    query: "ArrayLike | None" = None,
    k: int | Sequence[int] | None = 5,
    *,
    ties: str = "file",
) -> np.ndarray:
    """Return the propensity-scored precision of each query.

    The gain of a relevant document (relevance of at least 1) is 1/propensity, and a query's value
    is the mean gain of its first k, divided by *the mean over all queries* of the best possible.
    So the mean over the queries is the ratio of the two means, which is what the field's
    scripts print; the value of a single query may be above 1.

    Parameters
    ----------
    score, relevance, query, k, ties
        As in `bayesrank.metrics.ndcg`.
    propensity : array
        Of each document, or of each column where `score` has one row per query
        (0 < propensity <= 1).

    Examples
    --------
    >>> score, relevant = [3.0, 2.0, 1.0], [0, 1, 1]
    >>> propensity_precision(score, relevant, [0.5, 0.5, 0.2], k=[1, 2]).round(3)
    array([[0.   , 0.286]])
    """
    return _ratio(score, relevance, propensity, query, k, ties, discounted=False)


def propensity_ndcg(
    score: "ArrayLike",
    relevance: "ArrayLike",
    propensity: "ArrayLike",
    query: "ArrayLike | None" = None,
    k: int | Sequence[int] | None = 5,
    *,
    ties: str = "file",
) -> np.ndarray:
    """Return the propensity-scored NDCG of each query.

    As `propensity_precision`, with gains discounted by log2(1 + rank) and divided by the largest
    DCG of the query's relevant documents without propensities.

    Parameters
    ----------
    score, relevance, propensity, query, k, ties
        As in `propensity_precision`.

    Examples
    --------
    >>> score, relevant = [3.0, 2.0, 1.0], [0, 1, 1]
    >>> propensity_ndcg(score, relevant, [0.5, 0.5, 0.2], k=[1, 2]).round(3)
    array([[0.   , 0.202]])
    """
    return _ratio(score, relevance, propensity, query, k, ties, discounted=True)


def _ratio(
    score: "ArrayLike",
    relevance: "ArrayLike",
    propensity: "ArrayLike",
    query: "ArrayLike | None",
    k: int | Sequence[int] | None,
    ties: str,
    discounted: bool,
) -> np.ndarray:
    try:
        propensity = np.broadcast_to(np.asarray(propensity, dtype=float), np.shape(score))
    except ValueError:
        raise ValueError(
            "`propensity` must be one for each document or column: it has shape "
            f"{np.shape(propensity)} where `score` has {np.shape(score)}."
        ) from None
    query, score, relevance, propensity = flatten(
        query, score=score, relevance=relevance, propensity=propensity
    )
    if not (np.all(propensity > 0) and np.all(propensity <= 1)):
        raise ValueError(
            "`propensity` must be above 0 and at most 1, got "
            f"{propensity.min():g} to {propensity.max():g}."
        )
    hits = (relevance >= 1).astype(float)
    if not hits.any():
        raise ValueError("`relevance` has no relevant document: there is nothing to divide by.")
    gain = hits / propensity
    documents = OrderedDocuments(query, score)
    cutoffs, one = checked_cutoffs(k, documents.sizes.max())
    columns = int(cutoffs.max())
    ranks = np.arange(1, columns + 1)
    weight = 1.0 / np.log2(1 + ranks) if discounted else np.ones(columns)

    def total(sorted_gain: np.ndarray) -> np.ndarray:
        return (documents.rectangle(sorted_gain, columns) * weight).cumsum(axis=1)[:, cutoffs - 1]

    scale = cutoffs
    if discounted:
        # A query without a relevant document has gain 0, whatever it is divided by.
        ideal = total(OrderedDocuments(query, hits).sort(hits))
        scale = np.where(ideal > 0, ideal, 1.0)
    reached = total(documents.sort(gain, ties)) / scale
    best = total(OrderedDocuments(query, gain).sort(gain)) / scale
    value = reached / best.mean(axis=0)
    return value[:, 0] if one else value
