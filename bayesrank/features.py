"""What is known of the items, or of the entries of each ranking, as matrices of numbers."""

import numpy as np

from bayesrank.wording import listing

__all__ = ["centred_features", "entry_matrix", "slot_features"]


def centred_features(features, items, instance=None):
    """Return features as a column-centred array in the order of the items, means and names.

    Items of several instances are named by pairs (instance, item), and their features are centred
    in each instance; the means are over all items.
    """
    if features is None:
        return None, None, None
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
    first = np.searchsorted(where, where)  # the first item of each item's instance
    constant = [names[k] for k in np.flatnonzero((matrix == matrix[first]).all(axis=0))]
    if constant:
        raise ValueError(
            f"`features` has the same value for every item in {listing(constant)}: such a "
            "column cannot change a ranking."
        )
    own = [np.bincount(where, column) / np.bincount(where) for column in matrix.T]
    return matrix - np.stack(own, axis=1)[where], matrix.mean(axis=0), names


def slot_features(features, data):
    """Return entry features centred within each ranking, in units of their spread.

    A ranking does not change when all its scores move together, so only differences within it
    count. Returns None three times where there are no features.

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
    matrix = np.where(offered, matrix - centre, 0.0)
    spread = np.sqrt((matrix**2).sum(axis=(0, 1)) / offered.sum())
    constant = [names[k] for k in np.flatnonzero(spread == 0.0)]
    if constant:
        raise ValueError(
            f"`features` has the same value throughout every ranking in {listing(constant)}: such "
            "a column cannot change a ranking."
        )
    return matrix / spread, list(names), spread


def entry_matrix(features, names):
    """Return features of new entries as an array, rows by the columns that a fit knows."""
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
