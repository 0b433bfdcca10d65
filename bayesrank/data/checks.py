"""Checks of arguments that many functions share."""

from numbers import Integral
from typing import Any

import numpy as np

__all__ = ["as_floats", "is_whole_number", "whole_number"]


def as_floats(values: Any) -> np.ndarray:
    """Return numbers as floats; whole ones of Python that are larger than any float are infinite.

    Whoever calls refuses what is not finite, and names the rows.
    """
    try:
        return np.asarray(values, dtype=float)
    except OverflowError:
        array = np.asarray(values, dtype=object)
        return np.array([_as_float(value) for value in array.ravel()]).reshape(array.shape)


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def is_whole_number(value: Any, least: int, *, booleans: bool = False) -> bool:
    """Return whether a value is a whole number from ``least`` up.

    Parameters
    ----------
    value : object
    least : int
    booleans : bool
        Whether True and False are the numbers 1 and 0.
    """
    if isinstance(value, bool) and not booleans:
        return False
    return isinstance(value, Integral) and bool(value >= least)  # type: ignore[operator]


def whole_number(name: str, value: Any, least: int, *, booleans: bool = False) -> int:
    """Return an argument, or say that it must be a whole number from ``least`` up.

    Parameters
    ----------
    name : str
        What the argument is called.
    value : object
    least : int
    booleans : bool
        Whether True and False are the numbers 1 and 0.
    """
    if not is_whole_number(value, least, booleans=booleans):
        raise ValueError(f"`{name}` must be a whole number from {least} up, got {value!r}.")
    return value
