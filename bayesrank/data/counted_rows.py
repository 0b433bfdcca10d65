"""Rows of comparisons that agree in all but their counts, counted together."""

from typing import Any

import numpy as np

from bayesrank.data.labels import number_rows
from bayesrank.data.pair_counts import checked_counts

__all__ = ["counted_rows"]


def counted_rows(
    left: np.ndarray,
    right: np.ndarray,
    counts: np.ndarray,
    items: int,
    *,
    parts: dict[str, np.ndarray],
    features: np.ndarray | None = None,
    both_bad: np.ndarray | None = None,
) -> tuple[dict[str, Any], np.ndarray]:
    """Return the fields of different rows, sorted, and which of these each row is counted in.

    Parameters
    ----------
    left, right : ndarray of int
        Positions of the items.
    counts : ndarray, rows by 3
    items : int
        How many items there are.
    parts : dict of ndarray of int
        What else tells rows apart, by field; rows are sorted by the first, then by the second,
        and so on, then by their items, then by their features.
    features, both_bad : ndarray, optional
    """
    parts = dict(parts)
    codes = [*parts.values(), left.astype(np.int64) * items + right]
    if features is not None:
        parts["features"] = features + 0.0  # no negative zeros
        codes += [np.unique(values, return_inverse=True)[1] for values in features.T]
    _, first, row = np.unique(number_rows(*codes), return_index=True, return_inverse=True)
    columns = [*counts.T] if both_bad is None else [*counts.T, both_bad]
    total = np.stack([np.bincount(row, column, first.size) for column in columns], axis=1)
    fields = {"left": left[first], "right": right[first], "counts": checked_counts(total[:, :3])}
    if both_bad is not None:
        fields["both_bad"] = checked_counts(total[:, 3])
    return fields | {name: part[first] for name, part in parts.items()}, row
