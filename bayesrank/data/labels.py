"""Labels of items, agents and rankings: numbering them and choosing among them."""

import numpy as np

from bayesrank.text import listing

__all__ = ["choose_labels", "is_missing", "kept_labels", "number_labels"]


def number_labels(labels):
    """Return the sorted distinct labels and the position of each label among them."""
    if isinstance(labels, np.ndarray):
        # Python has no nanoseconds: such times would turn into bare integers.
        times = labels.dtype == np.dtype("datetime64[ns]")
        labels = labels.astype("datetime64[us]").tolist() if times else labels.tolist()
    try:
        distinct = sorted(set(labels))
    except TypeError:  # labels of different types have no order of their own
        distinct = sorted(set(labels), key=lambda label: (type(label).__name__, str(label)))
    position = {label: i for i, label in enumerate(distinct)}
    return distinct, np.fromiter(map(position.__getitem__, labels), np.int64, len(labels))


def choose_labels(argument, wanted, labels):
    """Return the mask of wanted labels, or say which are unknown."""
    wanted, known = list(wanted), set(labels)
    unknown = [label for label in wanted if label not in known]
    if unknown:
        raise ValueError(f"`{argument}` has labels that do not occur: {listing(unknown)}.")
    wanted = set(wanted)
    return np.array([label in wanted for label in labels])


def kept_labels(labels, keep):
    """Return the labels of a mask."""
    return [label for label, kept in zip(labels, keep, strict=True) if kept]


def is_missing(value):
    """Whether a value is None, NaN, NaT or NA: what is missing is not equal to itself."""
    if isinstance(value, np.generic):
        value = value.item()
    return value is None or (value != value) is not False
