"""Labels of items, agents and rankings: numbering them and choosing among them."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from bayesrank.text import listing

__all__ = [
    "choose_labels",
    "choose_rows",
    "is_missing",
    "kept_labels",
    "map_positions",
    "number_in_order",
    "number_labels",
    "number_rows",
]


def map_positions(labels: Iterable[Any]) -> dict[Any, int]:
    """Return a dict from each label to its position."""
    return {label: k for k, label in enumerate(labels)}


def number_labels(labels: Any) -> tuple[list[Any], np.ndarray]:
    """Return the sorted distinct labels and the position of each label among them."""
    if isinstance(labels, np.ndarray):
        # Python has no nanoseconds: such times would become plain integers.
        times = labels.dtype == np.dtype("datetime64[ns]")
        labels = labels.astype("datetime64[us]").tolist() if times else labels.tolist()
    try:
        distinct = sorted(set(labels))
    except TypeError:  # labels of different types have no order of their own
        distinct = sorted(set(labels), key=lambda label: (type(label).__name__, str(label)))
    return distinct, _look_up(map_positions(distinct), labels)


def number_in_order(labels: Any) -> tuple[list[Any], np.ndarray]:
    """Return the distinct labels as they first occur, and the position of each among them."""
    distinct = list(dict.fromkeys(labels))
    return distinct, _look_up(map_positions(distinct), labels)


def _look_up(position: dict[Any, int], labels: Any) -> np.ndarray:
    return np.fromiter(map(position.__getitem__, labels), np.int64, len(labels))


def choose_labels(argument: str, wanted: Iterable[Any], labels: Any) -> np.ndarray:
    """Return the mask of the wanted labels, or say which are unknown."""
    wanted, known = list(wanted), set(labels)
    unknown = [label for label in wanted if label not in known]
    if unknown:
        raise ValueError(f"`{argument}` has labels that do not occur: {listing(unknown)}.")
    wanted = set(wanted)
    return np.array([label in wanted for label in labels])


def choose_rows(
    argument: str, wanted: Iterable[Any] | None, position: Any, labels: Any, what: str
) -> tuple[Any, Any, Any]:
    """Return which rows have a wanted label, and the rows' positions among the labels that stay.

    Parameters
    ----------
    argument : str
        What the user calls the labels.
    wanted : list or None
        All, if it is None.
    position : ndarray of int or None
        Of each row's label.
    labels : list or None
    what : str
        What has labels, such as "rankings".

    Returns
    -------
    tuple
        A mask, or True; the positions of all rows; the labels that stay.
    """
    if wanted is None:
        return True, position, labels
    if labels is None:
        raise ValueError(f"`{argument}` was given, but these {what} have no {argument}.")
    keep = choose_labels(argument, wanted, labels)
    return keep[position], (np.cumsum(keep) - 1)[position], kept_labels(labels, keep)


def number_rows(*codes: np.ndarray) -> np.ndarray:
    """Return a number for each row, the same where rows agree in all of some whole numbers.

    The numbers grow with the codes, of which the first counts most.
    """
    key = codes[0].astype(np.int64)
    for code in (code.astype(np.int64) for code in codes[1:]):
        if (1 + int(key.max(initial=0))) * (1 + int(code.max(initial=0))) >= 2**62:
            key, code = (np.unique(numbers, return_inverse=True)[1] for numbers in (key, code))
        key = key * (1 + code.max(initial=0)) + code
    return key


def kept_labels(labels: Iterable[Any], keep: Iterable[Any]) -> list[Any]:
    """Return the labels that a mask keeps."""
    return [label for label, kept in zip(labels, keep, strict=True) if kept]


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, NaT or NA: what is missing is not equal to itself."""
    if isinstance(value, np.generic):
        value = value.item()
    return value is None or (value != value) is not False
