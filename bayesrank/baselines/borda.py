"""Borda's count, as LETOR's benchmarks of rank aggregation have it."""

import numpy as np

from bayesrank.metrics.queries import midranks

__all__ = ["borda"]


def borda(places, query=None, *, best="smallest", absent="below"):
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
        What a list says of the documents that it does not have: that they share the places after
        all those it has, which is LETOR's way; or nothing, so that they get its average points.

    Examples
    --------
    >>> borda([[1, np.nan], [2, 1], [3, np.nan]])
    array([2.5, 3. , 0.5])
    """
    if best not in ("smallest", "largest"):
        raise ValueError(f'`best` must be "smallest" or "largest", got {best!r}.')
    if absent not in ("below", "ignored"):
        raise ValueError(f'`absent` must be "below" or "ignored", got {absent!r}.')
    places = np.asarray(places, dtype=float)
    if places.ndim != 2 or 0 in places.shape:
        raise ValueError(
            "`places` must have a row for each document and a column for each list, "
            f"got shape {places.shape}."
        )
    query = np.zeros(len(places)) if query is None else np.asarray(query)
    if query.shape != (len(places),):
        raise ValueError(
            f"`query` must hold one label for each of the {len(places)} documents, "
            f"got shape {query.shape}."
        )
    number = np.unique(query, return_inverse=True)[1]
    documents, lists = places.shape
    # A group is what one list says of one query.
    group = (number[:, None] * lists + np.arange(lists)).ravel()
    places = (places if best == "smallest" else -places).ravel()
    missing = np.isnan(places)
    if absent == "below":
        places = np.where(missing, np.inf, places)
        missing = np.zeros(missing.shape, dtype=bool)
    known = ~missing
    sizes = np.bincount(group[known], minlength=group.max() + 1)
    points = np.maximum(sizes[group] - 1, 0) / 2
    points[known] = sizes[group[known]] - midranks(places[known], group[known])
    return points.reshape(documents, lists).sum(axis=1)
