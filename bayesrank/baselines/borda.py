"""Borda's count, as LETOR's benchmarks of rank aggregation have it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.baselines.list_ranks import list_ranks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["borda"]


def borda(
    places: Any,
    query: "ArrayLike | None" = None,
    *,
    best: str = "smallest",
    absent: str = "below",
) -> np.ndarray:
    """Return each document's points: how many documents the lists put below it, in all.

    A document in the same place as another gets half a point for it.

    Parameters
    ----------
    places : array, documents by lists
        Place of each document in each list; NaN where the list does not have it. Only the order
        counts, so scores serve as well.
    query : array, optional
        Which query each document belongs to; documents of different queries are not compared.
    best : {"smallest", "largest"}
        Which end of a list is its top. LETOR's official numbers of Borda's count come out with
        "largest", although by its labels the smallest places are the best by far.
    absent : {"below", "ignored"}
        How a list treats the documents that it does not have: they share the places after
        all those it has, which is LETOR's way; or they get its average points.

    Examples
    --------
    >>> borda([[1, np.nan], [2, 1], [3, np.nan]])
    array([2.5, 3. , 0.5])
    """
    points = np.empty(len(places))
    for members, ranks in list_ranks(places, query, best=best, absent=absent):
        missing = np.isnan(ranks)
        known = (~missing).sum(axis=0)
        average = np.maximum(known - 1, 0) / 2
        points[members] = np.where(missing, average, known - ranks).sum(axis=1)
    return points
