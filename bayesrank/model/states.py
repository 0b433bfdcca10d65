"""Which states scores that move have: one for each item at each time at which it is seen."""

from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from bayesrank.data.times import time_texts, years_of
from bayesrank.text import in_terminal, option

__all__ = ["States"]

_MANY = 1_000_000  # states beyond which a period is needed
# Years, a thirtieth of a second: times that differ by less, as by rounding, are taken as so far
# apart, since nobody could tell steps of no length from each other.
_LEAST = 1e-9


class States:
    """The states of some data, sorted by item, then by time.

    Parameters
    ----------
    data : Comparisons or Rankings
        With times.

    Attributes
    ----------
    item, time : ndarray of int
        Positions, among the items and times of the data, of each state's.
    first : ndarray of bool
        Whether it is the first state of its item.
    gap : ndarray of float
        Years since the item's state before, a thirtieth of a second at least; 0 for the first.
    years : ndarray of float
        Each time of the data in years.
    """

    def __init__(self, data: Any) -> None:
        if data.time is None:
            raise ValueError(
                "Scores that move need to know when each result was: give a column of times as "
                f"{option('time', 'date')} when you read the data, and if you like "
                f"{option('every', 'month')} to share a state within a period."
            )
        if data.instances is not None:
            how = "--where" if in_terminal() else "data.subset(instances=[...])"
            raise ValueError(
                f"Scores that move are for one instance, not for several; take one of the "
                f"{len(data.instances):,} by {how}."
            )
        self.data = data
        key, self._slots = np.unique(
            self._key(data, _slot_items(data), _slot_times(data)), return_inverse=True
        )
        if key.size > _MANY:
            raise ValueError(
                f"There are {key.size:,} states, one for each item at each time it was seen, more "
                f"than {_MANY:,}. {self.fewer}"
            )
        self.item, self.time = np.divmod(key, len(data.times))
        self.years = years_of(data.times)
        self.first = np.append(True, self.item[1:] != self.item[:-1])
        gap = np.maximum(np.diff(self.years[self.time], prepend=0.0), _LEAST)
        self.gap = np.where(self.first, 0.0, gap)

    @staticmethod
    def _key(data: Any, item: np.ndarray, time: np.ndarray) -> np.ndarray:
        return item.astype(np.int64) * len(data.times) + time

    def __len__(self) -> int:
        return len(self.item)

    @property
    def fewer(self) -> str:
        """Advice on how to have fewer states."""
        period = "month" if isinstance(self.data.times[0], datetime) else 1.0
        return (
            f"Share states within a period, such as {option('every', period)}, when you read the "
            "data."
        )

    @cached_property
    def labels(self) -> list[str]:
        """Each state as a text: item and time."""
        texts, items = time_texts(self.data.times), self.data.items
        return [f"{items[i]} / {texts[t]}" for i, t in zip(self.item, self.time, strict=True)]

    @cached_property
    def results(self) -> Any:
        """The data with states in the place of items."""
        data, slots = self.data, self._slots
        known = {"items": self.labels, "time": None, "times": None}
        if data.row == "pair":
            return replace(data, left=slots[: len(data)], right=slots[len(data) :], **known)
        return data._changed(entry_item=slots, **known)

    @cached_property
    def groups(self) -> np.ndarray:
        """For each state the number of its group, where results link the states of a group."""
        return _groups(self.results)

    @cached_property
    def item_groups(self) -> np.ndarray:
        """For each state the number of its item's group, where results link items at any time."""
        return _groups(self.data)[self.item]

    @cached_property
    def starts(self) -> np.ndarray:
        """Where the states of each item that was seen start, and where the last one's end."""
        return np.append(np.flatnonzero(self.first), len(self))

    @cached_property
    def seen(self) -> np.ndarray:
        """Positions of the items that were seen, in the order of ``starts``."""
        return self.item[self.first]


def _slot_items(data: Any) -> np.ndarray:
    return np.concatenate([data.left, data.right]) if data.row == "pair" else data.entry_item


def _slot_times(data: Any) -> np.ndarray:
    return np.tile(data.time, 2) if data.row == "pair" else data.time[data.entry_ranking]


def _groups(data: Any) -> np.ndarray:
    """Return for each item the number of the group of items that it is linked to."""
    if data.row == "pair":
        one, other = data.left, data.right
    else:
        one, other = data.entry_item, np.repeat(data.entry_item[data.start[:-1]], data.sizes)
    size = len(data.items)
    links = coo_array((np.ones(len(one)), (one, other)), shape=(size, size))
    return connected_components(links, directed=False)[1]
