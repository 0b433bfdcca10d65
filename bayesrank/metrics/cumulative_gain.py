r"""Normalised discounted cumulative gain, with the conventions of the papers by name.

With r_i the relevance of the document at rank i,

    DCG@k  =  sum over i <= k of  (2^r_i - 1) * discount(i),      NDCG@k  =  DCG@k / largest DCG@k
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bayesrank.metrics.queries import OrderedDocuments, checked_cutoffs, judged

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["CONVENTIONS", "ndcg"]


@dataclass(frozen=True)
class Convention:
    """What the papers do differently in NDCG."""

    first_two_alike: bool = False  # discount 1, 1, 1/log2(3), ... and not 1, 1/log2(3), ...
    empty: float = 0.0  # value of a query without a relevant document
    short_is_zero: bool = False  # whether a query of fewer than k documents has the value 0


CONVENTIONS = {
    "standard": Convention(),
    "letor": Convention(first_two_alike=True),
    "letor-script": Convention(first_two_alike=True, short_is_zero=True),
    "pmop": Convention(empty=1.0),
}


def ndcg(
    score: "ArrayLike",
    relevance: "ArrayLike",
    query: "ArrayLike | None" = None,
    k: int | Sequence[int] | None = 10,
    *,
    convention: str = "standard",
    ties: str = "file",
    empty: float | None = None,
) -> np.ndarray:
    """Return the normalised discounted cumulative gain of each query.

    The gain of a document is 2^relevance - 1. The conventions differ in the rest:

    - "standard": discount 1/log2(1 + rank); 0 for a query without a relevant document;
    - "letor" (LETOR 4.0): the discounts are 1, 1, 1/log2(3), 1/log2(4), ...; 0 likewise;
    - "letor-script": the same, and 0 for a query of fewer than k documents, as the official
      script has it, whose NDCG@10 is therefore far below its NDCG@5;
    - "pmop" (Truyen, Phung and Venkatesh, 2011): the standard discount, and 1 for a query without
      a relevant document. The paper says only that "the gain is 1 if the rank is correct", and
      of such a query every ranking is.

    Parameters
    ----------
    score : array
        The highest is ranked first.
    relevance : array (relevance >= 0)
    query : array, optional
        Labels of the queries; see `bayesrank.metrics`.
    k : int or list of int, optional
        Cutoffs; None is no cutoff.
    convention : str
        One of `CONVENTIONS`.
    ties : {"file", "expected"}
        Equal scores keep their order, or the mean over all their orders.
    empty : float, optional
        Value of a query without a relevant document, in place of the convention's; with NaN it
        is left out by `numpy.nanmean`.

    Returns
    -------
    ndarray, queries or queries by cutoffs

    Examples
    --------
    >>> ndcg([3.0, 2.0, 1.0], [0, 1, 0], k=[1, 2], convention="letor")
    array([[0., 1.]])
    """
    if not isinstance(convention, str) or convention not in CONVENTIONS:
        known = ", ".join(f'"{name}"' for name in CONVENTIONS)
        raise ValueError(f"`convention` must be one of {known}, got {convention!r}.")
    rule = CONVENTIONS[convention]
    query, score, relevance = judged(query, score, relevance)
    documents = OrderedDocuments(query, score)
    cutoffs, one = checked_cutoffs(k, documents.sizes.max())
    gain = 2.0**relevance - 1.0
    columns = int(cutoffs.max())
    reached = documents.rectangle(documents.sort(gain, ties), columns)
    best = documents.rectangle(OrderedDocuments(query, gain).sort(gain), columns)
    ranks = np.arange(1, columns + 1)
    discount = 1.0 / np.log2(np.maximum(ranks, 2) if rule.first_two_alike else 1 + ranks)
    reached, best = ((gains * discount).cumsum(axis=1)[:, cutoffs - 1] for gains in (reached, best))
    value = np.full(best.shape, rule.empty if empty is None else float(empty))
    np.divide(reached, best, out=value, where=best > 0)
    if rule.short_is_zero:
        value[documents.sizes[:, None] < cutoffs] = 0.0
    return value[:, 0] if one else value
