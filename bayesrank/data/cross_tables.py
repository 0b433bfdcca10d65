"""Cross tables: how often each row's item beat each column's item."""

import numpy as np

from bayesrank.data.labels import is_missing
from bayesrank.text import listing

__all__ = ["cross_table", "is_cross_table"]


def is_cross_table(frame):
    """Return whether the names in a pandas frame's first column are those of its other columns."""
    if frame.shape[1] < 3 or len(frame) != frame.shape[1] - 1:
        return False
    names = [str(name).strip() for name in frame.iloc[:, 0].tolist()]
    return sorted(names) == sorted(str(name).strip() for name in frame.columns[1:])


def cross_table(wins, items=None, ties=None):
    """Return what a cross table says: arguments of `Comparisons._from_labels`."""
    wins, items = _matrix("wins", wins, items)
    tied = np.zeros_like(wins) if ties is None else _matrix("ties", ties, items)[0]
    one, other = np.triu_indices(len(items), 1)
    if (wins != np.round(wins)).any():
        wins, tied = _split_points(wins, tied, one, other)
    both = tied[one, other], tied[other, one]
    if ((both[0] != both[1]) & (both[0] > 0) & (both[1] > 0)).any():
        raise ValueError("`ties` must be the same in both halves, or 0 in one of them.")
    counts = np.stack([wins[one, other], wins[other, one], np.maximum(*both)], axis=1)
    labels = np.empty(len(items), dtype=object)
    labels[:] = items
    return {"left": labels[one], "right": labels[other], "counts": counts}


def _strip(label):
    return label.strip() if isinstance(label, str) else label


def _split_points(wins, tied, one, other):
    """Return wins and ties of a table of points, as in chess: 1, a half and 0."""
    points = np.stack([wins[one, other], wins[other, one]])
    whole = np.isin(points, (0.0, 0.5, 1.0)).all() and np.isin(points.sum(axis=0), (0, 1)).all()
    if not whole or tied.any():
        raise ValueError(
            "`wins` must hold whole counts, or points of single games: 1, 0.5 and 0. Half a win "
            "is not a tie; give those as `ties`."
        )
    tie = wins == 0.5
    return np.where(tie, 0.0, wins), tie.astype(float)


def _matrix(argument, table, items):
    """Return a square matrix of counts and the labels of its rows."""
    if hasattr(table, "columns"):
        import narwhals as nw

        frame = nw.from_native(table, eager_only=True).to_pandas()
        frame = frame.rename(columns=_strip)
        if frame.index.dtype == object or str(frame.index.dtype).startswith("str"):
            frame = frame.rename(index=_strip)
        if not np.array_equal(list(frame.index), list(frame.columns)):
            first = frame.columns[0]
            frame = frame.assign(**{first: frame[first].map(_strip)})
            if sorted(map(str, frame[first])) == sorted(map(str, frame.columns[1:])):
                frame = frame.set_index(first)
        names = list(frame.columns)
        missing = [name for name in names if name not in set(frame.index)]
        if missing or len(frame) != len(names):
            raise ValueError(
                f"`{argument}` must have the same names for its rows, in the index or the first "
                f"column, as for its columns; {listing(missing) or 'some row'} is not in both."
            )
        frame = frame.loc[names]
        if items is not None and set(items) != set(names):
            raise ValueError(f"`{argument}` must have the items of the other table.")
        frame = frame if items is None else frame.loc[items, items]
        items, values = list(frame.columns), frame.to_numpy(dtype=object)
    else:
        if items is None:
            raise ValueError(f"`items` must name the rows and columns of `{argument}`.")
        items, values = list(items), np.asarray(table, dtype=object)
    if values.ndim != 2 or values.shape != (len(items), len(items)):
        raise ValueError(
            f"`{argument}` must have a row and a column for each of the {len(items)} items, got "
            f"shape {values.shape}."
        )
    if len(items) < 2 or len(set(items)) < len(items):
        raise ValueError("`items` must name at least two items, each once.")
    counts = np.zeros(values.shape)
    for row, column in zip(*np.nonzero(~np.eye(len(items), dtype=bool)), strict=True):
        value = values[row, column]
        try:
            counts[row, column] = 0.0 if is_missing(value) else float(value)
        except OverflowError:  # whole numbers of Python may be larger than any float
            counts[row, column] = value = np.inf
        except (TypeError, ValueError):
            counts[row, column] = np.nan
        if not (np.isfinite(counts[row, column]) and counts[row, column] >= 0):
            raise ValueError(
                f"`{argument}` must hold counts, got {value!r} for {items[row]} against "
                f"{items[column]}."
            )
    return counts, items
