"""Labels that a user gives, as positions among the items."""

from collections import Counter
from collections.abc import Hashable, Iterable, Set
from typing import Any

import numpy as np

from bayesrank.data.labels import map_positions
from bayesrank.text import listing

__all__ = ["positions", "require_sequence"]


def require_sequence(argument: str, labels: Any) -> None:
    """Refuse what holds no labels, or holds them in no order."""
    if isinstance(labels, str | Set) or not isinstance(labels, Iterable):
        raise TypeError(f"`{argument}` must be a list of labels, got {labels!r}.")


def positions(argument: str, labels: Any, items: Any, *, all_of_them: bool = True) -> np.ndarray:
    """Return the places of labels among the items, each at most once.

    Parameters
    ----------
    argument : str
        What the labels are called.
    labels : list
    items : list or pandas index
    all_of_them : bool
        Whether no item may be missing.
    """
    require_sequence(argument, labels)
    labels = list(labels)
    place = map_positions(items)
    known = [isinstance(label, Hashable) and label in place for label in labels]
    times = Counter(label for label, here in zip(labels, known, strict=True) if here)
    missing = [item for item in place if item not in times] if all_of_them else []
    for said, wrong in (
        ("unknown", [label for label, here in zip(labels, known, strict=True) if not here]),
        ("missing", missing),
        ("repeated", [label for label, count in times.items() if count > 1]),
    ):
        if wrong:
            rule = f"each of the {len(items)} items once" if all_of_them else "items, each once"
            raise ValueError(f"`{argument}` must hold {rule}; {said}: {listing(wrong)}.")
    return np.array([place[label] for label in labels], dtype=int)
