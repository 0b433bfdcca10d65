"""Ranks of documents in the lists of their queries, as rules that combine lists take them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.metrics.queries import midranks
from bayesrank.text import listing

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["list_ranks"]


def list_ranks(
    places: Any,
    query: "ArrayLike | None" = None,
    *,
    best: str = "smallest",
    absent: str = "below",
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield, query by query, where its documents are and their ranks in the lists.

    Rank 1 is the best, equal places share their mean rank.

    Parameters
    ----------
    places, query, best, absent
        As in `bayesrank.baselines.borda`. Documents that a list does not have share the ranks
        after all those it has ("below"), or are NaN ("ignored").

    Yields
    ------
    members : ndarray of int
        Rows of the query's documents.
    ranks : ndarray, members by lists
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
    endless = np.flatnonzero(np.isinf(places).any(axis=1))
    if endless.size:
        raise ValueError(
            "`places` must be finite, or NaN where a list does not have a document; they are "
            f"infinite in rows {listing(endless.tolist())} (the first is 0)."
        )
    query = np.zeros(len(places)) if query is None else np.asarray(query)
    if query.shape != (len(places),):
        raise ValueError(
            f"`query` must hold one label for each of the {len(places)} documents, "
            f"got shape {query.shape}."
        )
    number = np.unique(query, return_inverse=True)[1]
    lists = places.shape[1]
    group = (number[:, None] * lists + np.arange(lists)).ravel()
    level = (places if best == "smallest" else -places).ravel()
    missing = np.isnan(level)
    ranks = midranks(np.where(missing, np.inf, level), group)
    if absent == "ignored":
        ranks[missing] = np.nan
    ranks = ranks.reshape(places.shape)
    rows = np.argsort(number, kind="stable")
    for members in np.split(rows, np.cumsum(np.bincount(number))[:-1]):
        yield members, ranks[members]
