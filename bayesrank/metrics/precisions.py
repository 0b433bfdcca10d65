"""Precision and average precision: relevant or not, whatever the grade."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bayesrank.metrics.queries import (
    OrderedDocuments,
    checked_cutoffs,
    checked_ties,
    judged,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["average_precision", "precision"]


def precision(
    score: "ArrayLike",
    relevance: "ArrayLike",
    query: "ArrayLike | None" = None,
    k: int | Sequence[int] | None = 10,
    *,
    ties: str = "file",
) -> np.ndarray:
    """Return the share of relevant documents (relevance of at least 1) among the first k.

    The first k are k also where a query has fewer documents.

    Parameters
    ----------
    score, relevance, query, k, ties
        As in `ndcg`.

    Examples
    --------
    >>> precision([3.0, 2.0, 1.0], [0, 1, 1], k=[1, 2])
    array([[0. , 0.5]])
    """
    query, score, relevance = judged(query, score, relevance)
    documents = OrderedDocuments(query, score)
    cutoffs, one = checked_cutoffs(k, documents.sizes.max())
    hits = documents.sort((relevance >= 1).astype(float), ties)
    found = documents.rectangle(hits, int(cutoffs.max())).cumsum(axis=1)[:, cutoffs - 1]
    value = found / cutoffs
    return value[:, 0] if one else value


def average_precision(
    score: "ArrayLike",
    relevance: "ArrayLike",
    query: "ArrayLike | None" = None,
    k: int | Sequence[int] | None = None,
    *,
    ties: str = "file",
    relevant: "ArrayLike | None" = None,
    empty: float = 0.0,
) -> np.ndarray:
    """Return the average precision of each query, whose mean is MAP.

    It is the sum of the precisions at the ranks of the relevant documents (relevance of at least
    1), divided by the number of relevant documents.

    Parameters
    ----------
    score, relevance, query, ties
        As in `ndcg`.
    k : int or list of int, optional
        Documents below the first k count as not found.
    relevant : array of int, optional
        Number of relevant documents of each query, where not all of them are among these
        documents; in the order in which the queries first occur.
    empty : float
        Value of a query without a relevant document; LETOR's is 0.

    Examples
    --------
    >>> average_precision([3.0, 2.0, 1.0], [0, 1, 1])
    array([0.58333333])
    """
    query, score, relevance = judged(query, score, relevance)
    hits = (relevance >= 1).astype(float)
    documents = OrderedDocuments(query, score)
    cutoffs, one = checked_cutoffs(k, documents.sizes.max())
    found = np.bincount(query, hits)
    if relevant is not None:
        relevant = np.asarray(relevant, dtype=float)
        if relevant.shape != found.shape or not np.all(relevant >= found):
            raise ValueError(
                "`relevant` must hold, for each query, at least the number of relevant documents "
                f"among its documents: got {relevant} where there are {found}."
            )
        found = relevant
    precisions = _precisions_of_hits(documents, hits, checked_ties(ties))
    columns = int(min(cutoffs.max(), documents.sizes.max()))
    total = documents.rectangle(precisions, columns).cumsum(axis=1)
    total = total[:, np.minimum(cutoffs, columns) - 1]
    value = np.full(total.shape, float(empty))
    np.divide(total, found[:, None], out=value, where=found[:, None] > 0)
    return value[:, 0] if one else value


def _precisions_of_hits(documents: OrderedDocuments, hits: np.ndarray, ties: str) -> np.ndarray:
    """Return, for each rank, the precision there if its document is relevant, else 0; or the mean.

    In a block of b documents, R of them relevant, the j-th is relevant with probability R/b, and
    then (j - 1)(R - 1)/(b - 1) of those before it in the block are, on average.
    """
    hits = hits[documents.order]
    if ties == "file":
        before = np.cumsum(hits)
        before -= np.repeat(before[documents.rank == 1] - hits[documents.rank == 1],
                            documents.sizes)  # fmt: skip
        return hits * before / documents.rank
    sizes, inside = np.bincount(documents.block), np.bincount(documents.block, hits)
    first = np.cumsum(sizes) - sizes
    above = np.cumsum(inside) - inside  # relevant ones in earlier blocks, of all queries
    above -= above[documents.block[np.cumsum(documents.sizes) - documents.sizes]][
        documents.query[first]
    ]
    place = np.arange(hits.size) - np.repeat(first, sizes)
    others = (inside - 1) / np.maximum(sizes - 1, 1)
    block = documents.block
    count = above[block] + 1 + place * others[block]
    return (inside / sizes)[block] * count / documents.rank
