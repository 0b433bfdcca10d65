"""Numbers that a user gives by item or by agent, checked and put in order."""

from collections.abc import Mapping
from numbers import Real as Number
from typing import Any

import numpy as np

from bayesrank.text import listing

__all__ = ["numbers_by_label"]


def numbers_by_label(
    argument: str, values: Any, labels: list[Any], kind: str, low: float, high: float
) -> np.ndarray:
    """Return given numbers by item or agent, in the order of the labels."""
    if isinstance(values, Number) and not isinstance(values, bool):
        array = np.full(len(labels), float(values))
    elif isinstance(values, Mapping) or hasattr(values, "to_dict"):
        if getattr(values, "ndim", 1) > 1:
            raise TypeError(f"`{argument}` must be numbers by {kind}, got a frame: give a column.")
        if getattr(getattr(values, "index", None), "has_duplicates", False):
            raise ValueError(f"`{argument}` has more than one number for the same {kind}.")
        by_label = values if isinstance(values, Mapping) else values.to_dict()
        lost = [label for label in labels if label not in by_label]
        if lost:
            raise ValueError(f"`{argument}` has no number for {kind} {listing(lost)}.")
        array = _numbers(argument, [by_label[label] for label in labels], kind)
    else:
        array = _numbers(argument, values, kind)
        if array.shape != (len(labels),):
            raise ValueError(
                f"`{argument}` must hold one number for each of the {len(labels)} {kind}s, got "
                f"shape {array.shape}."
            )
    bad = np.flatnonzero(~((array >= low) & (array <= high) & np.isfinite(array)))
    if bad.size:
        rule = "from 0 to 1" if high == 1.0 else "positive and finite"
        rule = "finite" if low == -np.inf else rule
        shown = listing([f"{array[k]:g} for {labels[k]}" for k in bad])
        raise ValueError(f"`{argument}` must be {rule}: {shown}.")
    return array


def _numbers(argument: str, values: Any, kind: str) -> np.ndarray:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(
            f"`{argument}` must hold numbers, one for each {kind}, got {values!r}."
        ) from None
