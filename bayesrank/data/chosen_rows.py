"""Some rows of the data, in any order, with all labels as they are."""

from dataclasses import replace
from typing import Any

import numpy as np

__all__ = ["chosen_rows", "places_of_entries"]


def chosen_rows(data: Any, rows: np.ndarray, outcomes: np.ndarray | None = None) -> Any:
    """Return some rows of comparisons or rankings.

    Parameters
    ----------
    data : Comparisons or Rankings
    rows : ndarray of int
        Positions, in the order that is wanted.
    outcomes : ndarray, rows by 3, optional
        Counts of these rows of comparisons; by default their own.
    """

    def of(values: Any) -> Any:
        return None if values is None else values[rows]

    about = {name: of(getattr(data, name)) for name in ("agent", "time", "category")}
    if data.row == "pair":
        rest = {name: of(getattr(data, name)) for name in ("left", "right", "features", "both_bad")}
        counts = data.counts[rows] if outcomes is None else outcomes
        return replace(data, counts=counts, **about, **rest)
    start, entries = places_of_entries(data.start, rows)
    for name in (*data._ENTRIES, "_slot"):
        values = getattr(data, name)
        about[name.lstrip("_")] = None if values is None else values[entries]
    names = [data.names[k] for k in rows.tolist()]
    return data._changed(start=start, names=names, weights=data.weights[rows], **about)


def places_of_entries(start: np.ndarray, rankings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return starts of some rankings one after the other, and where their entries are now."""
    sizes = np.diff(start)[rankings]
    new = np.concatenate([[0], np.cumsum(sizes)])
    return new, np.arange(new[-1]) + np.repeat(start[:-1][rankings] - new[:-1], sizes)
