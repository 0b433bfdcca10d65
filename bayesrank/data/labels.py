"""Labels of items, agents and rankings: numbering them and choosing among them."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from bayesrank.text import listing

__all__ = [
    "choose_labels",
    "is_missing",
    "kept_labels",
    "map_positions",
    "number_in_order",
    "number_labels",
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


def kept_labels(labels: Iterable[Any], keep: Iterable[Any]) -> list[Any]:
    """Return the labels that a mask keeps."""
    return [label for label, kept in zip(labels, keep, strict=True) if kept]


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, NaT or NA: what is missing is not equal to itself."""
    if isinstance(value, np.generic):
        value = value.item()
    return value is None or (value != value) is not False
