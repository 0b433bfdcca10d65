"""What is known of the items, or of the entries of each ranking, as matrices of numbers."""

import warnings
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.labels import map_positions
from bayesrank.text import listing

if TYPE_CHECKING:
    from bayesrank.data.rankings import Rankings

__all__ = [
    "centred_features",
    "entries_of_slots",
    "entry_columns",
    "entry_matrix",
    "row_columns",
]

# Differences below this share of a column's size are rounding, and no information.
_ROUNDING = 1e-12
# A column of which so little of the variance is not a sum of other columns adds nothing to them.
_UNEXPLAINED = 1e-10
# Means of so many spreads may stay in a column: they shift a ranking's scores together.
_MILD = 1e3
_PIECE = 30_000  # entries that are looked at together


def centred_features(
    features: Any, items: Sequence[Any], instance: np.ndarray | None = None
) -> tuple[np.ndarray | None, np.ndarray | None, list[str] | None, list[str] | None]:
    """Return features as a column-centred array in the order of the items, means and names.

    Items of several instances are named by pairs (instance, item), and their features are centred
    in each instance; the means are over all items. Columns that cannot be told apart from a
    constant, or from a sum of the columns before them, are left out, with a warning.

    Returns
    -------
    tuple
        The matrix, the means, the names of its columns, and the names of all columns that came.
    """
    if features is None:
        return None, None, None, None
    if hasattr(features, "columns"):
        import narwhals as nw

        frame = nw.from_native(features, eager_only=True)
        if "item" in frame.columns:
            labels, frame = frame["item"].to_list(), frame.drop("item")
        elif hasattr(features, "index"):
            labels = list(features.index)
        else:
            raise ValueError('`features` must have a column "item" that names the items.')
        # No item is called by a label that cannot be looked up, such as a list.
        labels = [label if isinstance(label, Hashable) else None for label in labels]
        row, times = map_positions(labels), Counter(labels)
        missing = [item for item in items if item not in row]
        if missing:
            raise ValueError(
                f"`features` has no row for {listing(missing)}; its index, or a column "
                '"item", must name every item.'
            )
        twice = [item for item in items if times[item] > 1]
        if twice:
            raise ValueError(f"`features` has more than one row for {listing(twice)}.")
        texts = [name for name in frame.columns if not frame.schema[name].is_numeric()]
        if texts:
            raise ValueError(f"`features` must hold numbers only, but {listing(texts)} does not.")
        names = list(frame.columns)
        matrix = frame.to_numpy()[[row[item] for item in items]]
    else:
        matrix = np.asarray(features)
        if matrix.ndim != 2 or len(matrix) != len(items):
            raise ValueError(
                f"`features` must have a row for each of the {len(items)} items, "
                f"got shape {matrix.shape}."
            )
        names = [f"x{k + 1}" for k in range(matrix.shape[1])]
    try:
        matrix = matrix.astype(float)
    except (TypeError, ValueError):
        raise ValueError("`features` must hold numbers only.") from None
    bad = [names[k] for k in np.flatnonzero(~np.isfinite(matrix).all(axis=0))]
    if bad:
        raise ValueError(f"`features` has missing or infinite values in {listing(bad)}.")
    where = np.zeros(len(items), dtype=np.int64) if instance is None else instance
    own = [np.bincount(where, column) / np.bincount(where) for column in matrix.T]
    centred = matrix - np.stack(own, axis=1)[where]
    products = centred.T @ centred / len(centred)
    keep = _useful(products, np.abs(matrix).max(axis=0), names, "for every item")
    kept = [names[k] for k in keep]
    return centred[:, keep], matrix.mean(axis=0)[keep], kept, names


def _useful(products: np.ndarray, size: np.ndarray, names: list[str], where: str) -> list[int]:
    """Return the positions of the columns that can change a ranking; warn of the others.

    Parameters
    ----------
    products : ndarray, columns by columns
        Mean products of differences from the mean of the ranking or of the instance.
    size : ndarray
        Largest absolute value of each column before that.
    names : list
    where : str
        Where a useless column has the same value.
    """
    spread = np.sqrt(np.diag(products))
    varies = spread > _ROUNDING * size
    constant = [names[k] for k in np.flatnonzero(~varies)]
    if not varies.any():
        raise ValueError(
            f"`features` has the same value {where} in {listing(constant)}: such a column cannot "
            "change a ranking, and there is no other."
        )
    keep = _independent(products, np.flatnonzero(varies))
    repeated = [names[k] for k in np.flatnonzero(varies) if k not in set(keep)]
    if constant:
        warnings.warn(
            f"`features` has the same value {where} in {listing(constant, 99)}. Such columns "
            "cannot change a ranking; they are left out.",
            stacklevel=5,
        )
    if repeated:
        warnings.warn(
            f"`features` has columns that follow from the columns before them: "
            f"{listing(repeated, 99)}. What they say is said already; they are left out.",
            stacklevel=5,
        )
    return keep


def _independent(products: np.ndarray, candidates: np.ndarray) -> list[int]:
    """Return those candidates that are not sums of others before them, by a Cholesky factor."""
    products = products[np.ix_(candidates, candidates)]
    spread = np.sqrt(np.diag(products))
    products = products / spread / spread[:, None]
    factor, kept = np.zeros((0, len(candidates))), []
    for k in range(len(candidates)):
        row = products[k] - factor[:, k] @ factor
        if row[k] > _UNEXPLAINED:
            factor = np.vstack([factor, row / np.sqrt(row[k])])
            kept.append(int(candidates[k]))
    return kept


def entry_columns(
    matrix: np.ndarray, names: list[str], data: "Rankings"
) -> tuple[np.ndarray, list[int], np.ndarray, np.ndarray]:
    """Return features of all entries, the positions of their columns, centres and spreads.

    A ranking does not change when all its scores move together, so only differences within it
    count: spreads are those of differences from the ranking's mean. Columns without differences,
    or that follow from others, are left out, with a warning. The matrix is gone through in
    pieces, and copied only if a column is left out or if it holds other numbers than float64 or
    float32.

    Parameters
    ----------
    matrix : ndarray, entries by columns
    names : list of str
    data : Rankings
    """
    if matrix.dtype != np.float32:
        matrix = np.asarray(matrix, dtype=float)
    columns = matrix.shape[1]
    products, total, size = np.zeros((columns, columns)), np.zeros(columns), np.zeros(columns)
    bad = np.zeros(columns, dtype=bool)
    for first, last in _pieces(data.start):
        begin = data.start[first]
        part = matrix[begin : data.start[last]].astype(float)
        bad |= ~np.isfinite(part).all(axis=0)
        total += part.sum(axis=0)
        size = np.maximum(size, np.abs(part).max(axis=0, initial=0.0))
        sizes = data.sizes[first:last]
        means = np.add.reduceat(part, data.start[first:last] - begin) / sizes[:, None]
        part -= np.repeat(means, sizes, axis=0)
        products += part.T @ part
    if bad.any():
        wrong = listing([names[k] for k in np.flatnonzero(bad)])
        raise ValueError(f"`features` has missing or infinite values in {wrong}.")
    products /= data.n_entries
    keep = _useful(products, size, list(names), "throughout every ranking")
    centre, spread = total[keep] / data.n_entries, np.sqrt(np.diag(products))[keep]
    if np.all(np.abs(centre) < _MILD * spread):
        centre = np.zeros_like(centre)  # which is faster, and loses no digits that matter
    return (matrix if len(keep) == columns else matrix[:, keep]), keep, centre, spread


def row_columns(
    matrix: np.ndarray, names: list[str], weight: np.ndarray
) -> tuple[np.ndarray, list[int], np.ndarray]:
    """Return features of comparisons, left less right, the positions of their columns, and spreads.

    Differences are never centred: that would make a difference between left and right. Spreads are
    root mean squares over all comparisons. Columns that are zero everywhere, or that follow from
    others, are left out, with a warning.

    Parameters
    ----------
    matrix : ndarray, rows by columns
    names : list of str
    weight : ndarray
        How many comparisons each row stands for.
    """
    products = matrix.T @ (matrix * weight[:, None]) / weight.sum()
    size = np.abs(matrix).max(axis=0)
    keep = _useful(products, size, list(names), "on both sides of every comparison")
    return np.ascontiguousarray(matrix[:, keep]), keep, np.sqrt(np.diag(products))[keep]


def _pieces(start: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield between which rankings to go at a time, for some 30,000 entries."""
    first, last = 0, len(start) - 1
    while first < last:
        end = int(np.searchsorted(start, start[first] + _PIECE, side="right")) - 1
        end = min(max(end, first + 1), last)
        yield first, end
        first = end


def entries_of_slots(features: Any, data: "Rankings") -> np.ndarray:
    """Return features that were given for all slots, rankings by slots by columns, by entry."""
    matrix = np.asarray(features)
    if matrix.dtype != np.float32:
        matrix = np.asarray(matrix, dtype=float)
    if matrix.ndim == 2 and len(matrix) == data.n_entries and not data.fits_slots:
        return matrix
    if matrix.shape[:2] != (len(data), data.n_slots):
        raise ValueError(
            f"`features` must have a row for each of the {len(data)} rankings and "
            f"{data.n_slots} slots, got shape {matrix.shape}."
        )
    if data.n_entries == len(data) * data.n_slots:
        return matrix.reshape(-1, matrix.shape[2])
    return matrix[data.entry_ranking, data.entry_slot]


def entry_matrix(features: Any, names: list[str], all_names: list[str]) -> np.ndarray:
    """Return features of new entries as an array, rows by the columns that a fit knows.

    An array may also have all columns that the fit was given, of which it knows ``names``.
    """
    if hasattr(features, "columns"):
        import narwhals as nw

        frame = nw.from_native(features, eager_only=True)
        missing = [name for name in names if name not in frame.columns]
        if missing:
            raise ValueError(f"`features` has no column {listing(missing)}.")
        features = frame.select(*names).to_numpy()
    try:
        matrix = np.asarray(features, dtype=float)
    except (TypeError, ValueError):
        raise ValueError("`features` must hold numbers only.") from None
    if matrix.ndim == 2 and matrix.shape[1] == len(all_names) > len(names):
        matrix = matrix[:, [all_names.index(name) for name in names]]
    if matrix.ndim != 2 or matrix.shape[1] != len(names):
        raise ValueError(
            f"`features` must have {len(names)} columns ({listing(names)}), "
            f"got shape {matrix.shape}."
        )
    rows = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if rows.size:
        raise ValueError(
            f"`features` has missing or infinite values in row {listing(rows.tolist())}."
        )
    return matrix
