"""What comparisons cost."""

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from bayesrank.text import argument, listing

__all__ = ["Price"]


class Price:
    """What comparisons cost.

    Parameters
    ----------
    cost : mapping or function, optional
    labels : list

    Attributes
    ----------
    by_item : ndarray, optional
        What each item costs, if that is what was given.
    """

    def __init__(self, cost: Any, labels: list[Any]) -> None:
        self.cost, self.labels, self.by_item = cost, labels, None
        if cost is None or callable(cost):
            return
        if not (isinstance(cost, Mapping) or hasattr(cost, "items")):
            raise TypeError(
                f"{argument('cost')} must be a mapping from items to numbers, or a function of a "
                f"tuple of items, got {cost!r}."
            )
        known = dict(cost.items())
        missing = [label for label in labels if label not in known]
        if missing:
            raise ValueError(f"{argument('cost')} has no number for {listing(missing)}.")
        self.by_item = np.array([_positive(known[label], label) for label in labels])

    def of(self, items: np.ndarray) -> np.ndarray | None:
        """Return the cost of each comparison, comparisons by items; None without costs."""
        if self.cost is None:
            return None
        items = items % len(self.labels)
        if self.by_item is not None:
            total: np.ndarray = self.by_item[items].sum(axis=1)
            return total
        groups = [tuple(self.labels[place] for place in row) for row in items]
        return np.array([_positive(self.cost(group), group) for group in groups])


def _positive(value: Any, of: Any) -> float:
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not (real and 0.0 < float(value) < np.inf):
        raise ValueError(f"{argument('cost')} must be positive numbers, got {value!r} for {of!r}.")
    return float(value)
