r"""Expected reciprocal rank: how soon a reader who goes down the ranking is content.

With r_i the relevance of the document at rank i and m the highest grade of the scale,

    ERR  =  sum over i of  V(r_i) / i * product over j < i of (1 - V(r_j)),   V(r) = (2^r - 1) / 2^m
"""

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

__all__ = ["expected_reciprocal_rank"]


def expected_reciprocal_rank(
    score: "ArrayLike",
    relevance: "ArrayLike",
    query: "ArrayLike | None" = None,
    k: int | Sequence[int] | None = None,
    *,
    highest: int = 4,
    ties: str = "file",
) -> np.ndarray:
    """Return the expected reciprocal rank of each query (Chapelle and others, 2009).

    A reader goes down the ranking and stops at a document with probability
    (2^relevance - 1) / 2^highest. The value is the mean of 1/rank where he stops, 0 if nowhere.

    Parameters
    ----------
    score, relevance, query, k, ties
        As in `ndcg`; by default there is no cutoff.
    highest : int
        The highest grade of the scale, whether it occurs or not; 4 divides by 16.

    Examples
    --------
    >>> expected_reciprocal_rank([2.0, 1.0], [0, 4])
    array([0.46875])
    """
    query, score, relevance = judged(query, score, relevance)
    if relevance.max() > highest:
        raise ValueError(
            f"`highest` must be the highest grade: it is {highest}, and `relevance` has "
            f"{relevance.max():g}."
        )
    documents = OrderedDocuments(query, score)
    cutoffs, one = checked_cutoffs(k, documents.sizes.max())
    passes = documents.sort(1.0 - (2.0**relevance - 1.0) / 2.0**highest)
    if checked_ties(ties) == "expected":
        passes = _expected_passes(passes, documents.block)
    columns = int(cutoffs.max())
    survives = np.cumprod(documents.rectangle(passes, columns, padding=1.0), axis=1)
    stops = -np.diff(survives, axis=1, prepend=1.0)
    value = (stops / np.arange(1, columns + 1)).cumsum(axis=1)[:, cutoffs - 1]
    return value[:, 0] if one else value


def _expected_passes(passes: np.ndarray, block: np.ndarray) -> np.ndarray:
    """Return factors whose running product is the mean, over orders of a block, of the product.

    That mean after j of b documents is e_j / C(b, j), e_j the elementary symmetric polynomial.
    Adding documents one by one, it is a weighted mean of what it was: nothing cancels.
    """
    passes = passes.copy()
    sizes = np.bincount(block)
    first = np.cumsum(sizes) - sizes
    for start, size in zip(first[sizes > 1], sizes[sizes > 1], strict=True):
        members = passes[start : start + size]
        if (members == members[0]).all():
            continue
        mean = np.ones(1)
        for count, one in enumerate(members, 1):
            share = np.arange(count + 1) / count
            mean = (1 - share) * np.append(mean, 0.0) + share * one * np.append(0.0, mean)
        passes[start : start + size] = mean[1:] / mean[:-1]
    return passes
