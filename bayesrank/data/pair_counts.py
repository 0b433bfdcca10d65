"""Counts of wins, losses and ties: which are refused, and when they are whole numbers."""

from typing import Any

import numpy as np

from bayesrank.data.checks import as_floats
from bayesrank.data.columns import require_finite_total
from bayesrank.data.positions import require_length
from bayesrank.text import listing

__all__ = ["checked_both_bad", "checked_counts", "plain_counts", "require_counts"]

_EXACT = 2**53  # from here on floats are not exact; integers would soon wrap around in sums


def plain_counts(counts: np.ndarray, name: str = "counts") -> np.ndarray:
    """Return counts of any type as int64 numbers, or as floats where their sum is too large."""
    if counts.dtype.kind in "iub" and counts.sum(dtype=float) < _EXACT:
        return counts.astype(np.int64, copy=False)
    try:
        return as_floats(counts)
    except (TypeError, ValueError):
        raise TypeError(f"`{name}` must hold numbers, got {counts.dtype} values.") from None


def require_counts(counts: np.ndarray, rows: int) -> None:
    """Refuse counts that are not three finite numbers from 0 up in each row, whoever made them."""
    if counts.shape != (rows, 3):
        raise ValueError(
            "`counts` must hold (left wins, right wins, ties) for each of the "
            f"{rows} rows, got shape {counts.shape}."
        )
    bad = ~(np.isfinite(counts) & (counts >= 0)).all(axis=1)
    if bad.any():
        shown = [f"{counts[k].tolist()} in row {k}" for k in np.flatnonzero(bad)[:3]]
        more = f"; and {bad.sum() - 3:,} more rows" if bad.sum() > 3 else ""
        raise ValueError(
            f"`counts` must be finite and not negative: {'; '.join(shown)}{more} (the first "
            "row is 0)."
        )


def checked_both_bad(values: Any, rows: int) -> np.ndarray:
    """Return counts of votes that both were bad, one finite number from 0 up for each row."""
    counts = plain_counts(np.asarray(values), "both_bad")
    require_length("both_bad", counts, "rows", rows)
    bad = np.flatnonzero(~(np.isfinite(counts) & (counts >= 0)))
    if bad.size:
        shown = listing([f"{counts[k]} in row {k}" for k in bad])
        raise ValueError(
            f"`both_bad` must be finite and not negative: {shown} (the first row is 0)."
        )
    return counts


def checked_counts(counts: np.ndarray) -> np.ndarray:
    """Return counts as integers if all are whole; refuse counts whose sum is not finite."""
    require_finite_total("Counts", counts)
    if np.all(counts == np.round(counts)) and counts.sum() < _EXACT:
        return np.round(counts).astype(np.int64)
    return counts
