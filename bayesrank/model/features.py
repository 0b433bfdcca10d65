"""What is known of the items, or of the entries of each ranking, as matrices of numbers."""

import warnings

import numpy as np

from bayesrank.text import listing

__all__ = ["centred_features", "entry_matrix", "slot_features"]

# Differences below this share of a column's size are rounding, and no information.
_ROUNDING = 1e-12
# A column of which so little of the variance is not a sum of other columns adds nothing to them.
_UNEXPLAINED = 1e-10


def centred_features(features, items, instance=None):
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
        missing = [item for item in items if item not in labels]
        if missing:
            raise ValueError(
                f"`features` has no row for {listing(missing)}; its index, or a column "
                '"item", must name every item.'
            )
        twice = [item for item in items if labels.count(item) > 1]
        if twice:
            raise ValueError(f"`features` has more than one row for {listing(twice)}.")
        texts = [name for name in frame.columns if not frame.schema[name].is_numeric()]
        if texts:
            raise ValueError(f"`features` must hold numbers only, but {listing(texts)} does not.")
        names = list(frame.columns)
        matrix = frame.to_numpy()[[labels.index(item) for item in items]]
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
    keep = _useful(centred, np.abs(matrix).max(axis=0), names, "for every item")
    kept = [names[k] for k in keep]
    return centred[:, keep], matrix.mean(axis=0)[keep], kept, names


def _useful(centred, size, names, where):
    """Return the positions of the columns that can change a ranking; warn of the others.

    Parameters
    ----------
    centred : ndarray, rows by columns
        Differences from the mean of the ranking or of the instance.
    size : ndarray
        Largest absolute value of each column before that.
    names : list
    where : str
        Where a useless column has the same value.
    """
    spread = np.sqrt(np.mean(centred**2, axis=0))
    varies = spread > _ROUNDING * size
    constant = [names[k] for k in np.flatnonzero(~varies)]
    if not varies.any():
        raise ValueError(
            f"`features` has the same value {where} in {listing(constant)}: such a column cannot "
            "change a ranking, and there is no other."
        )
    keep = _independent(centred, spread, np.flatnonzero(varies))
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


def _independent(centred, spread, candidates):
    """Return those candidates that are not sums of others before them, by a Cholesky factor."""
    unit = centred[:, candidates] / spread[candidates]
    products = unit.T @ unit / len(unit)
    factor, kept = np.zeros((0, len(candidates))), []
    for k in range(len(candidates)):
        row = products[k] - factor[:, k] @ factor
        if row[k] > _UNEXPLAINED:
            factor = np.vstack([factor, row / np.sqrt(row[k])])
            kept.append(int(candidates[k]))
    return kept


def slot_features(features, data):
    """Return features of all entries, centred within each ranking, in units of their spread.

    A ranking does not change when all its scores move together, so only differences within it
    count. Returns None three times where there are no features, and otherwise the matrix, entries
    by columns, the positions of the columns that are in it, and their spreads. Columns without
    differences, or that follow from others, are left out, with a warning.

    Parameters
    ----------
    features : (ndarray, list of str), optional
        Rankings by slots by columns, and the names of the columns.
    data : Rankings
    """
    if features is None:
        return None, None, None
    matrix, names = features
    if matrix.ndim != 3 or matrix.shape[:2] != data.entries.shape:
        raise ValueError(
            f"`features` must have a row for each of the {data.entries.shape[0]} rankings and "
            f"{data.entries.shape[1]} slots, got shape {matrix.shape}."
        )
    offered = data.offered[:, :, None]
    bad = ~np.isfinite(np.where(offered, matrix, 0.0)).all(axis=(0, 1))
    if bad.any():
        wrong = listing([names[k] for k in np.flatnonzero(bad)])
        raise ValueError(f"`features` has missing or infinite values in {wrong}.")
    matrix = np.where(offered, matrix, 0.0)
    centre = matrix.sum(axis=1, keepdims=True) / offered.sum(axis=1, keepdims=True)
    # Of rankings of different lengths most slots may be empty.
    entries = (matrix - centre)[data.offered]
    size = np.abs(matrix).max(axis=(0, 1))
    keep = _useful(entries, size, list(names), "throughout every ranking")
    entries = entries[:, keep]
    spread = np.sqrt(np.mean(entries**2, axis=0))
    return entries / spread, keep, spread


def entry_matrix(features, names, all_names):
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
