"""What is known of the items, as a matrix in their order."""

import numpy as np

from bayesrank.data.connectivity import listing

__all__ = ["centred_features"]


def centred_features(features, items):
    """Return features as a column-centred array in the order of the items, and their names."""
    if features is None:
        return None, None
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
    constant = [names[k] for k in np.flatnonzero(np.ptp(matrix, axis=0) == 0)]
    if constant:
        raise ValueError(
            f"`features` has the same value for every item in {listing(constant)}: such a "
            "column cannot change a ranking."
        )
    return matrix - matrix.mean(axis=0), names
