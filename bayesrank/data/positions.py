"""Positions and lengths: what compiled code would otherwise read past the end of an array."""

from typing import Any

import numpy as np

from bayesrank.data.labels import number_labels
from bayesrank.text import listing

__all__ = [
    "require_categories",
    "require_instances",
    "require_length",
    "require_positions",
    "require_times",
]


def require_positions(name: str, values: Any, what: str, count: int) -> None:
    """Refuse what are not positions in a list of so many."""
    values = np.asarray(values)
    if values.dtype.kind not in "iu":
        raise TypeError(f"`{name}` must hold whole numbers, got {values.dtype}.")
    if values.size and not 0 <= int(values.min()) <= int(values.max()) < count:
        raise ValueError(
            f"`{name}` must be positions in `{what}`, from 0 to {count - 1}, got "
            f"{values.min()} to {values.max()}."
        )


def require_length(name: str, values: Any, what: str, count: int) -> None:
    """Refuse an array, if there is one, that has not one element for each of so many."""
    if values is not None and np.shape(values) != (count,):
        raise ValueError(
            f"`{name}` must hold one element for each of the {count} {what}, got shape "
            f"{np.shape(values)}."
        )


def require_times(time: np.ndarray | None, times: list[Any] | None, what: str, size: int) -> None:
    """Refuse times that are not one for each row, or not in order."""
    if (time is None) != (times is None):
        raise ValueError("`time` and `times` go together: positions, and what they stand for.")
    if time is None or times is None:
        return
    require_length("time", time, what, size)
    require_positions("time", time, "times", len(times))
    later = [k for k in range(1, len(times)) if not times[k - 1] < times[k]]
    if later:
        shown = listing([str(times[k]) for k in later])
        raise ValueError(f"`times` must be sorted, each later than the one before: not {shown}.")


def require_categories(category: Any, categories: Any, what: str, size: int) -> None:
    """Refuse categories that are not one for each row, or not sorted."""
    if (category is None) != (categories is None):
        raise ValueError(
            "`category` and `categories` go together: positions, and what they stand for."
        )
    if category is None:
        return
    require_length("category", category, what, size)
    require_positions("category", category, "categories", len(categories))
    if number_labels(categories)[0] != list(categories):
        raise ValueError(f"`categories` must be sorted, each once, got {listing(categories)}.")


def require_instances(instance: Any, instances: Any, items: int) -> None:
    """Refuse instances of items that are not sorted, or among which one has no item."""
    if instance is None or instances is None:
        return
    require_length("instance", instance, "items", items)
    require_positions("instance", instance, "instances", len(instances))
    if np.any(np.diff(instance) < 0):
        raise ValueError("`instance` must not decrease: items are sorted by instance.")
    empty = np.flatnonzero(np.bincount(instance, minlength=len(instances)) == 0)
    if empty.size:
        names = listing([instances[k] for k in empty])
        raise ValueError(f"`instances` has some without an item: {names}.")
