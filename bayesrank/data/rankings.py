"""Rankings as ordered partitions: who was offered in each, and the ranks they got."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data.adding import Addition
from bayesrank.data.instances import choose_items, item_texts, without_rare
from bayesrank.data.ranking_entries import require_ranks
from bayesrank.data.ranking_links import RankingLinks
from bayesrank.data.ranking_slots import RankingSlots
from bayesrank.data.ranking_sources import RankingSources
from bayesrank.data.ranking_views import describe, rows_of_subset, tidy_frame

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

__all__ = ["Rankings"]

# The fields, by how two of them are compared.
_LISTS = ("items", "names", "agents", "feature_names", "instances", "times", "categories")
_ARRAYS = ("start", "entry_slot", "weights", "agent", "instance", "time", "category")


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Rankings(RankingSlots, RankingLinks, RankingSources, Addition):
    """Observed rankings with ties and items left unranked.

    Build it with `from_frame` (tidy, one row per entry), `from_lists`, `from_matrix` (wide),
    `from_ratings` or `from_preferences`. The items of a ranking then stand best first, unranked
    ones after the ranked ones, and tied ones in the order of ``items``. ``+`` adds rankings to
    others, and ``sum`` adds up a list; an item that only one has was not on offer in the other.

    Entries lie one after the other, those of ranking n from ``start[n]`` to ``start[n + 1]``, so
    that memory grows with their number, however long the longest ranking is. ``entries``,
    ``ranks``, ``offered``, ``features`` and ``ratings`` are the same as matrices with one row per
    ranking and one column per slot, as PyMC models want them; they are made when asked for.
    Arrays without empty slots are kept as they were given, not copied.

    Parameters
    ----------
    entries : ndarray of int, rankings by slots
        Position in ``items`` of the item in each slot; -1 is no item.
    ranks : ndarray of int, rankings by slots
        1 is best, equal is tied, without gaps (1, 2, 2, 3); 0 is offered but unranked: below all
        ranked items, in unknown order; -1 is no item.
    items : list
        Labels of the items, sorted; with instances sorted by instance first, and the same label
        may be in several.
    names : list
        Labels of the rankings.
    weights : ndarray
        How often each ranking counts; 1 by default.
    agent : ndarray of int, optional
        Position in ``agents`` of who made each ranking.
    agents : list, optional
        Labels of the agents, sorted.
    features : ndarray, rankings by slots by columns, optional
        What is known of each entry, for learning to rank; 0 where there is no item.
    feature_names : list of str, optional
    ratings : ndarray, rankings by slots, optional
        The ratings that the ranks come from; 0 where there is no item.
    instance : ndarray of int, one for each item, optional
        Position in ``instances`` of the instance that the item belongs to: a separate problem,
        such as a search query. Each ranking is of one instance; instances share their agents.
    instances : list, optional
        Labels of the instances, sorted; None if there is only one.
    time : ndarray of int, optional
        Position in ``times`` of when each ranking was made.
    times : list, optional
        The times, sorted: date-times, or numbers of years.
    category : ndarray of int, optional
        Position in ``categories`` of what each ranking was about, such as a topic.
    categories : list, optional
        Labels of the categories, sorted.

    Attributes
    ----------
    start : ndarray of int
        Where the entries of each ranking start, and where the last ones end.
    entry_item : ndarray of int
        Position in ``items`` of each entry's item.
    entry_rank : ndarray of int
        Rank of each entry; 0 is offered but unranked.
    entry_features : ndarray, entries by columns, optional
    entry_ratings : ndarray, optional

    Examples
    --------
    >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
    >>> votes
    Rankings: 4 items, 2 rankings of 2 to 4 items, 6 entries, 2 tied (33%)
      items: a, b, c, d
      never above another: d
    >>> votes.ranks
    array([[ 1,  2,  2,  3],
           [ 1,  2, -1, -1]])
    >>> votes.entry_rank, votes.start
    (array([1, 2, 2, 3, 1, 2]), array([0, 4, 6]))
    """

    # What `dataclasses.replace` may change; those of slots are made when asked for.
    entries: np.ndarray
    ranks: np.ndarray
    items: list[Any]
    names: list[Any]
    weights: np.ndarray
    agent: np.ndarray | None
    agents: list[Any] | None
    features: np.ndarray | None
    feature_names: list[Any] | None
    ratings: np.ndarray | None
    instance: np.ndarray | None
    instances: list[Any] | None
    time: np.ndarray | None
    times: list[Any] | None
    category: np.ndarray | None
    categories: list[Any] | None
    row = "ranking"  # what a row is, as in `coords`

    def __init__(
        self,
        entries: "ArrayLike",
        ranks: "ArrayLike",
        items: list[Any],
        names: list[Any] | None = None,
        weights: np.ndarray | None = None,
        agent: np.ndarray | None = None,
        agents: list[Any] | None = None,
        features: "ArrayLike | None" = None,
        feature_names: list[str] | None = None,
        ratings: "ArrayLike | None" = None,
        instance: np.ndarray | None = None,
        instances: list[Any] | None = None,
        time: np.ndarray | None = None,
        times: list[Any] | None = None,
        category: np.ndarray | None = None,
        categories: list[Any] | None = None,
    ) -> None:
        entries, ranks = np.asarray(entries), np.asarray(ranks)
        require_ranks(entries, ranks)
        flat = self._flattened(entries, ranks, features, ratings)
        self._fill(
            **flat, items=items, names=names, weights=weights, agent=agent, agents=agents,
            feature_names=feature_names, instance=instance, instances=instances, time=time,
            times=times, category=category, categories=categories,
        )  # fmt: skip

    def __repr__(self) -> str:
        return describe(self)

    @property
    def coords(self) -> dict[str, list[Any]]:
        """Coordinates for a PyMC model: item, ranking, slot; agent and others if any.

        The others are feature, instance and category. With instances an item is called
        "instance / item".

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.coords
        {'item': ['a', 'b', 'c', 'd'], 'ranking': [0, 1], 'slot': [0, 1, 2, 3]}
        """
        coords = {
            "item": item_texts(self),
            "ranking": list(self.names),
            "slot": list(range(self.n_slots)),
        }
        if self.agents is not None:
            coords["agent"] = list(self.agents)
        if self.entry_features is not None and self.feature_names is not None:
            coords["feature"] = list(self.feature_names)
        if self.instances is not None:
            coords["instance"] = list(self.instances)
        if self.categories is not None:
            coords["category"] = list(self.categories)
        return coords

    def same_as(self, other: object) -> bool:
        """Whether another object holds the same rankings.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.same_as(votes.subset(["a", "b"]))
        False
        """
        return (
            type(self) is type(other)
            and all(getattr(self, name) == getattr(other, name) for name in _LISTS)
            and all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in (*self._ENTRIES, *_ARRAYS)
            )
        )

    def subset(
        self,
        items: Sequence[Any] | None = None,
        *,
        agents: Sequence[Any] | None = None,
        rankings: "ArrayLike | None" = None,
        instances: Sequence[Any] | None = None,
        categories: Sequence[Any] | None = None,
        min_count: int | None = None,
    ) -> "Rankings":
        """Return the rankings among the given items, by the given agents, at the given places.

        Rankings that are left with fewer than two items, or without a ranked one, are dropped.

        Parameters
        ----------
        items, agents, instances, categories : list, optional
            Labels to keep; an item's label stands for the items of that name in all instances.
        rankings : array, optional
            Positions to keep, or a mask.
        min_count : int, optional
            Keep items that have a rank in at least so many rankings, by their weights, with
            others that are kept.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.subset(["a", "b"]).ranks
        array([[1, 2],
               [1, 2]])
        """
        keep = choose_items(self, items, instances)
        rows = rows_of_subset(self, keep, agents, rankings, categories)
        part = Rankings._from_entries(**rows)
        return part if min_count is None else without_rare(part, min_count)

    def _item_counts(self) -> np.ndarray:
        """Return in how many rankings each item has a rank, by their weights."""
        ranked = self.entry_rank > 0
        weight = self.weights[self.entry_ranking[ranked]]
        return np.bincount(self.entry_item[ranked], weight, len(self.items))

    def _only(self, keep: np.ndarray) -> "Rankings":
        """Return the rankings of the items of a mask."""
        return Rankings._from_entries(**rows_of_subset(self, keep))

    def with_outcomes(self, ranks: np.ndarray) -> "Rankings":
        """Return other ranks of the same entries.

        Parameters
        ----------
        ranks : ndarray, rankings by slots
            -1 where there is no item.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.with_outcomes([[4, 3, 2, 1], [1, 2, -1, -1]]).entry_rank
        array([4, 3, 2, 1, 1, 2])
        """
        ranks = np.asarray(ranks)
        require_ranks(self.entries, ranks)
        return self._changed(entry_rank=ranks[self.entry_ranking, self.entry_slot])

    def to_frame(self) -> "pd.DataFrame":
        """Return a tidy pandas frame, which ``from_frame(frame, group="ranking")`` reads back.

        Its columns are ranking, item and rank (missing where unranked), and instance, agent,
        time, category, weight, rating and the features if there are any. Items that are in no
        ranking are in no row.

        Examples
        --------
        >>> votes = br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        >>> votes.to_frame()
           ranking item  rank
        0        0    a     1
        1        0    b     2
        2        0    c     2
        3        0    d     3
        4        1    b     1
        5        1    a     2
        """
        return tidy_frame(self)
