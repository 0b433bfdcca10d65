"""Pair comparisons as counts: for each ordered pair, left wins, right wins and ties."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from bayesrank.data.adding import Addition
from bayesrank.data.comparison_sources import ComparisonSources
from bayesrank.data.comparison_views import (
    all_pairs_of_items,
    count_frame,
    describe,
    rows_of_subset,
)
from bayesrank.data.connectivity import connectivity
from bayesrank.data.instances import choose_items, item_texts, without_rare
from bayesrank.data.pair_counts import (
    checked_both_bad,
    checked_counts,
    plain_counts,
    require_counts,
)
from bayesrank.data.positions import (
    require_categories,
    require_instances,
    require_length,
    require_positions,
    require_times,
)
from bayesrank.data.row_features import checked_features, turned
from bayesrank.data.times import time_texts

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from bayesrank.data.connectivity import Connectivity

__all__ = ["Comparisons", "checked_counts"]

OUTCOMES = ("win", "loss", "tie")
# The fields, by how two of them are compared.
_LISTS = (
    "items", "agents", "instances", "derived", "sided", "times", "categories", "feature_names",
)  # fmt: skip
_ARRAYS = (
    "left", "right", "counts", "agent", "instance", "time", "category", "features", "both_bad",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(ComparisonSources, Addition):
    """Counts of pair comparisons, one row for each ordered pair (and agent).

    Build it with `from_frame` (one row per comparison), `from_counts` (a table of counts) or
    `from_matrix` (a cross table). ``+`` adds comparisons to others, and ``sum`` adds up a list:
    items, agents, times and categories are those of either, and counts add up.

    Attributes
    ----------
    left, right : ndarray of int
        Position in ``items`` of the two items of each row.
    counts : ndarray, rows by 3
        How often the left item won, the right item won, and they tied; fractional only if
        the weights were.
    items : list
        Labels of the items, sorted; with instances sorted by instance first, and the same label
        may be in several.
    agent : ndarray of int, optional
        Position in ``agents`` of who judged each row.
    agents : list, optional
        Labels of the agents, sorted.
    instance : ndarray of int, one for each item, optional
        Position in ``instances`` of the instance that the item belongs to: a separate problem,
        such as a search query. Each pair is of one instance; instances share their agents.
    instances : list, optional
        Labels of the instances, sorted; None if there is only one.
    derived : bool
        Whether the counts were made from rankings or ratings, so that they are not
        independent results.
    sided : bool
        Whether it is known which item was on the left; otherwise there can be no order effect.
    time : ndarray of int, optional
        Position in ``times`` of when each row was.
    times : list, optional
        The times, sorted: date-times, or numbers of years.
    category : ndarray of int, optional
        Position in ``categories`` of what each row was about, such as a topic.
    categories : list, optional
        Labels of the categories, sorted.
    features : ndarray, rows by columns, optional
        What is known of each row, as the left side's value minus the right side's.
    feature_names : list of str, optional
    both_bad : ndarray, optional
        How often both sides of each row were said to be bad. Such votes are in no other count:
        nobody won, and they are not ties.

    Examples
    --------
    >>> games = br.load_dataset("pudding")
    >>> games
    Comparisons: 6 items, 15 ordered pairs, 745 comparisons, 202 ties (27%)
      items: 1, 2, 3, 4, 5, 6
      connected: every item is linked to every other by wins in both directions
    >>> games.counts[:2]
    array([[19, 22, 16],
           [16, 19, 12]])
    >>> str(games.items[games.left[0]]), str(games.items[games.right[0]])
    ('1', '2')
    """

    left: np.ndarray
    right: np.ndarray
    counts: np.ndarray
    items: list[Any]
    agent: np.ndarray | None = None
    agents: list[Any] | None = None
    instance: np.ndarray | None = None
    instances: list[Any] | None = None
    derived: bool = False
    sided: bool = True
    time: np.ndarray | None = None
    times: list[Any] | None = None
    category: np.ndarray | None = None
    categories: list[Any] | None = None
    features: np.ndarray | None = None
    feature_names: list[str] | None = None
    both_bad: np.ndarray | None = None
    row = "pair"  # what a row is, as in `coords`

    def __post_init__(self) -> None:
        for name in ("left", "right", "counts", "agent", "instance", "time", "category"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, np.asarray(value))
        object.__setattr__(self, "counts", plain_counts(self.counts))
        require_counts(self.counts, len(self.left))
        require_length("right", self.right, "rows", len(self.left))
        for name in ("left", "right"):
            require_positions(name, getattr(self, name), "items", len(self.items))
        require_length("agent", self.agent, "rows", len(self.left))
        if self.agent is not None and self.agents is not None:
            require_positions("agent", self.agent, "agents", len(self.agents))
        require_times(self.time, self.times, "rows", len(self.left))
        require_categories(self.category, self.categories, "rows", len(self.left))
        require_instances(self.instance, self.instances, len(self.items))
        features = checked_features(self.features, self.feature_names, len(self.left))
        if features is not None:
            for name, value in zip(("features", "feature_names"), features, strict=True):
                object.__setattr__(self, name, value)
        if self.both_bad is not None:
            object.__setattr__(self, "both_bad", checked_both_bad(self.both_bad, len(self.left)))

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        return describe(self)

    @property
    def coords(self) -> dict[str, list[Any]]:
        """Coordinates for a PyMC model: item, pair (the rows), outcome, agent and others if any.

        The others are instance, category and feature. With instances an item is called
        "instance / item".

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> list(games.coords)
        ['item', 'pair', 'outcome']
        """
        coords = {
            "item": item_texts(self),
            "pair": [self.pair_label(row) for row in range(len(self))],
            "outcome": list(OUTCOMES),
        }
        if self.agents is not None:
            coords["agent"] = list(self.agents)
        if self.instances is not None:
            coords["instance"] = list(self.instances)
        if self.categories is not None:
            coords["category"] = list(self.categories)
        if self.feature_names is not None:
            coords["feature"] = list(self.feature_names)
        return coords

    def pair_label(self, row: SupportsIndex) -> str:
        """Return a row's two items, their instance, who judged, what it was about, and when.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> games.pair_label(0)
        'Baltimore vs Boston'
        """
        i, j = self.left[row], self.right[row]
        pair = f"{self.items[i]} vs {self.items[j]}"
        if self.instances is not None and self.instance is not None:
            pair = f"{self.instances[self.instance[i]]} / {pair}"
        about = []
        if self.agent is not None and self.agents is not None:
            about.append(str(self.agents[self.agent[row]]))
        if self.category is not None and self.categories is not None:
            about.append(str(self.categories[self.category[row]]))
        if self.time is not None and self.times is not None:
            about.append(self._time_texts[self.time[row]])
        return f"{pair} ({', '.join(about)})" if about else pair

    @cached_property
    def _time_texts(self) -> list[str]:
        return time_texts(self.times or [])

    @property
    def has_ties(self) -> bool:
        """Whether any comparison ended in a tie.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> games.has_ties
        True
        """
        return bool(self.counts[:, 2].any())

    def same_as(self, other: object) -> bool:
        """Return whether another object holds the same rows, from the same kind of source.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> games.same_as(br.load_dataset("pudding")), games.same_as(games.swapped())
        (True, False)
        """
        return (
            type(self) is type(other)
            and all(getattr(self, name) == getattr(other, name) for name in _LISTS)
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _ARRAYS)
        )

    def connectivity(self) -> "Connectivity":
        """Return whether wins link all items (of each instance), and which never lose or win.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> games.connectivity().never_win, games.connectivity().never_lose
        ([], [])
        """
        return connectivity(
            self.left,
            self.right,
            self.counts,
            item_texts(self),
            instance=self.instance,
            instances=self.instances,
        )

    def swapped(self) -> "Comparisons":
        """Return the same comparisons with left and right exchanged, and features negated.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> games.counts[0], games.swapped().counts[0]
        (array([19, 22, 16]), array([22, 19, 16]))
        """
        return replace(
            self,
            left=self.right,
            right=self.left,
            counts=self.counts[:, [1, 0, 2]],
            features=None if self.features is None else turned(self.features),
        )

    def subset(
        self,
        items: Sequence[Any] | None = None,
        *,
        agents: Sequence[Any] | None = None,
        instances: Sequence[Any] | None = None,
        categories: Sequence[Any] | None = None,
        min_count: int | None = None,
    ) -> "Comparisons":
        """Return the comparisons among the given items, by the given agents.

        Parameters
        ----------
        items, agents, instances, categories : list, optional
            Labels to keep; an item's label stands for the items of that name in all instances.
        min_count : int, optional
            Keep items with at least this many comparisons with other items that are kept, votes
            that both were bad apart.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> games.subset(["Detroit", "Boston"])
        Comparisons: 2 items, 2 ordered pairs, 13 comparisons, 0 ties (0%)
          items: Boston, Detroit
          connected: every item is linked to every other by wins in both directions
        """
        keep = choose_items(self, items, instances)
        part = Comparisons(**rows_of_subset(self, keep, agents, categories))
        return part if min_count is None else without_rare(part, min_count)

    def _item_counts(self) -> np.ndarray:
        """Return how many comparisons each item is in."""
        total, n = self.counts.sum(axis=1), len(self.items)
        return np.bincount(self.left, total, n) + np.bincount(self.right, total, n)

    def _only(self, keep: np.ndarray) -> "Comparisons":
        """Return the comparisons among the items that a mask keeps."""
        return Comparisons(**rows_of_subset(self, keep))

    def completed(self) -> "Comparisons":
        """Return the same comparisons with a row for every pair of items and every agent.

        Each pair of items (of the same instance) has one row for each agent, the item that comes
        first in ``items`` on the left: rows given the other way are turned round and merged, and
        pairs that were not seen have zero counts. Which item was on the left, when it was, what it
        was about and the features of single rows are forgotten. An instance of m items has
        m(m - 1)/2 rows for each agent.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> len(games), len(games.completed())
        (42, 21)
        """
        forgotten: dict[str, Any] = dict.fromkeys(
            ("time", "times", "category", "categories", "features", "feature_names")
        )
        return replace(self, **all_pairs_of_items(self), **forgotten, sided=False)

    def with_outcomes(self, counts: "ArrayLike") -> "Comparisons":
        """Return other counts of the same comparisons; votes that both were bad stay.

        Parameters
        ----------
        counts : ndarray, rows by 3
            Wins, losses and ties.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> games.with_outcomes(2 * games.counts).counts.sum()
        np.int64(546)
        """
        return replace(self, counts=np.asarray(counts))

    def to_frame(self) -> "pd.DataFrame":
        """Return a pandas frame that `from_counts` reads back.

        Its columns are left, right, wins, losses and ties; agent, instance, time, category and
        both_bad if there are any, and one for each feature. It does not say whether the counts
        are ``derived``.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> games.to_frame().head(2)
          left right  wins  losses  ties
        0    1     2    19      22    16
        1    1     3    16      19    12
        """
        return count_frame(self)
