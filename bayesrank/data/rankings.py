"""Rankings as ordered partitions: who was offered in each, and the ranks they got."""

import warnings
from dataclasses import dataclass

import numpy as np

from bayesrank.data.entries import Entries
from bayesrank.data.preferences import implied_lists
from bayesrank.data.ranking_frames import ranked_entries, rated_entries
from bayesrank.data.ranking_lists import listed_entries, matrix_entries
from bayesrank.data.ranking_pairs import all_pairs, ranking_connectivity
from bayesrank.data.ranking_views import describe, rows_of_subset, tidy_frame, tied_slots

__all__ = ["Rankings"]


@dataclass(frozen=True, eq=False, repr=False)
class Rankings:
    """Observed rankings, one row each, with ties and items left unranked.

    Build it with `from_frame` (tidy, one row an entry), `from_lists`, `from_matrix` (wide),
    `from_ratings` or `from_preferences`. In each row the items stand best first, unranked ones
    after the ranked ones, and tied ones in the order of ``items``.

    Attributes
    ----------
    entries : ndarray of int, rankings by slots
        Position in ``items`` of the item in each slot; -1 is no item.
    ranks : ndarray of int, rankings by slots
        1 is best, equal is tied, without gaps (1, 2, 2, 3); 0 is offered but unranked: below all
        ranked items, in unknown order; -1 is no item.
    items : list
        Labels of the items, sorted.
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
    """

    entries: np.ndarray
    ranks: np.ndarray
    items: list
    names: list | None = None
    weights: np.ndarray | None = None
    agent: np.ndarray | None = None
    agents: list | None = None
    features: np.ndarray | None = None
    feature_names: list | None = None
    ratings: np.ndarray | None = None

    def __post_init__(self):
        if self.names is None:
            object.__setattr__(self, "names", list(range(len(self.entries))))
        if self.weights is None:
            object.__setattr__(self, "weights", np.ones(len(self.entries)))

    @classmethod
    def from_frame(
        cls,
        frame,
        group="group",
        item="item",
        rank="rank",
        *,
        agent=None,
        weight=None,
        features=None,
        unranked="not offered",
    ):
        """Read a tidy table with one row for each item of each ranking.

        Parameters
        ----------
        frame : any data frame that narwhals knows (pandas, Polars, PyArrow, DuckDB, Dask, ...)
        group, item : str
            Columns that say which ranking and which item.
        rank : str
            Column with the ranks in the group: 1 is best, equal is tied. After a tie they may go
            on as 1, 2, 2, 3 or as 1, 2, 2, 4; other gaps are refused.
        agent, weight : str, optional
            Columns with who made the ranking, and how often it counts; the same in all rows of a
            group.
        features : list of str, optional
            Columns of numbers with what is known of each row, for learning to rank.
        unranked : {"not offered", "below"}
            Items that are not in a group were not offered in it. A missing rank is an error,
            unless "below" says that the item was offered but not ranked: it is below all items
            that have a rank, as in a top ten.

        Examples
        --------
        >>> br.Rankings.from_frame(df, group="race", item="driver", rank="position")
        """
        return cls._from_entries(
            **ranked_entries(frame, group, item, rank, agent, weight, features, unranked)
        )

    @classmethod
    def from_ratings(
        cls, frame, agent="agent", item="item", rating="rating", *, features=None, weight=None
    ):
        """Rank the items of each agent (or query) by their ratings, the highest first.

        Equal ratings are ties. Agents who rated one item only say nothing and are left out, with
        a warning.

        Parameters
        ----------
        frame : any data frame that narwhals knows
        agent, item, rating : str
            Columns with who rated, what, and the rating.
        features : list of str, optional
            Columns of numbers with what is known of each row, for learning to rank.
        weight : str, optional
            Column with how often the agent's ranking counts; the same in all rows of an agent.

        Examples
        --------
        >>> br.Rankings.from_ratings(df, agent="user", item="film", rating="stars")
        """
        return cls._from_entries(**rated_entries(frame, agent, item, rating, weight, features))

    @classmethod
    def from_lists(
        cls, lists, *, weights=None, items=None, unranked="not offered", agents=None, names=None
    ):
        """Read rankings that list their items, best first.

        Parameters
        ----------
        lists : list of list
            Each element of a ranking is a label, or a block of tied labels: a set, a frozenset, a
            list or a tuple (which therefore cannot be labels).
        weights : array, optional
            How often each ranking counts.
        items : list, optional
            All items there are; by default those that occur.
        unranked : {"not offered", "below"}
            Whether items that a ranking does not list were not offered in it, or were offered and
            are below those it lists.
        agents, names : list, optional
            Who made each ranking, and what it is called; by default the names are 0, 1, 2, ...

        Examples
        --------
        >>> br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        """
        return cls._from_entries(**listed_entries(lists, weights, items, unranked, agents, names))

    @classmethod
    def from_matrix(
        cls, ranks, items=None, *, weights=None, agents=None, names=None, unranked="not offered"
    ):
        """Read a wide table with one row a ranking and one column an item.

        Parameters
        ----------
        ranks : array or data frame, rankings by items
            Ranks as in `from_frame`; 0 or missing where the item has none.
        items : list, optional
            Labels of the columns of an array; of a data frame, the columns to read (all of them
            by default).
        weights, agents, names : optional
            As in `from_lists`.
        unranked : {"not offered", "below"}
            Whether an item without a rank was not offered, or was offered and is below those
            with one.

        Examples
        --------
        >>> br.Rankings.from_matrix([[1, 2, 0], [2, 1, 1]], ["a", "b", "c"])
        """
        return cls._from_entries(**matrix_entries(ranks, items, weights, agents, names, unranked))

    @classmethod
    def from_preferences(cls, preferences, *, items=None, weights=None, agents=None, names=None):
        """Turn each agent's preferences between pairs into the ranking they imply.

        That is the finest ordered partition in which every item of a block is preferred, directly
        or by a chain of preferences, to every item of every later block: see
        `bayesrank.data.maximal_partition`. Preferences that imply no such split say nothing as a
        ranking and are left out, with a warning.

        Parameters
        ----------
        preferences : list of list of pairs (better, worse)
        items : list, optional
            The items of all rankings; by default each ranking has the items of its own pairs.
        weights, agents, names : optional
            As in `from_lists`, one for each list of pairs.

        Examples
        --------
        >>> br.Rankings.from_preferences([[("a", "b"), ("a", "c")], [("c", "b")]])
        """
        lists = implied_lists(preferences, items, weights, agents, names)
        return cls._from_entries(**listed_entries(**lists, unranked="not offered"))

    @classmethod
    def _from_entries(
        cls,
        ranking,
        item,
        level,
        *,
        names,
        items,
        place="ranking",
        shown=None,
        remedy="",
        gaps=False,
        features=None,
        ratings=None,
        **about,
    ):
        """Make the container from rows, one an entry, after checking what they say together."""
        entries = Entries.sort(ranking, item, level, len(names))
        shown = names if shown is None else shown
        entries.require_once(place, shown, items)
        entries.require_sense(place, shown, remedy)
        if not gaps:
            entries.require_no_gaps(place, shown)
        order = entries.order
        return cls(
            entries=entries.fill(entries.item, -1, np.int64),
            ranks=entries.fill(entries.rank, -1, np.int64),
            items=items,
            names=names,
            features=None if features is None else entries.fill(features[order], 0, float),
            ratings=None if ratings is None else entries.fill(ratings[order], 0, float),
            **about,
        )

    def __len__(self):
        return len(self.entries)

    def __repr__(self):
        return describe(self)

    @property
    def offered(self):
        """Which slots hold an item."""
        return self.entries >= 0

    @property
    def n_entries(self):
        """Number of slots that hold an item."""
        return int(self.offered.sum())

    @property
    def coords(self):
        """Coordinates for a PyMC model: item, ranking, slot, and agent and feature if any."""
        coords = {
            "item": list(self.items),
            "ranking": list(self.names),
            "slot": list(range(self.entries.shape[1])),
        }
        if self.agents is not None:
            coords["agent"] = list(self.agents)
        if self.features is not None:
            coords["feature"] = list(self.feature_names)
        return coords

    @property
    def has_ties(self):
        """Whether any ranked items are tied; those left unranked are not."""
        return bool(tied_slots(self).any())

    def same_as(self, other):
        """Whether another object holds the same rankings."""
        return (
            type(self) is type(other)
            and all(
                getattr(self, name) == getattr(other, name)
                for name in ("items", "names", "agents", "feature_names")
            )
            and all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in ("entries", "ranks", "weights", "agent", "features", "ratings")
            )
        )

    @property
    def largest_tie(self):
        """Number of items in the largest tie; 1 where there is none."""
        tied = tied_slots(self)
        rows, slots = np.nonzero(tied)
        key = rows * (self.ranks.max() + 1) + self.ranks[rows, slots]
        return int(np.unique(key, return_counts=True)[1].max(initial=1))

    @property
    def repeats_items(self):
        """Whether any item is in more than one ranking."""
        return np.unique(self.entries[self.offered]).size < self.n_entries

    def connectivity(self, *, ties=True):
        """Return whether rankings link all items, and which are never below or above another.

        ``ties`` says whether a tie links its items, or says nothing of their order.
        """
        return ranking_connectivity(self, ties=ties)

    def to_comparisons(self, strength="unit", *, by_agent=False, warn=True):
        """Return all pairs of items of each ranking as `Comparisons`.

        The p(p - 1)/2 pairs of a ranking of p items are not independent, only p - 1 of them are
        free: as comparisons they give good point estimates, but posteriors that are far too
        narrow.

        Parameters
        ----------
        strength : {"unit", "difference"}
            "unit": each pair adds its ranking's weight as a win of the better item, or as a tie.
            "difference": the better item wins by the difference of the two ranks, or of the
            ratings where there are any, times the weight, and ties add nothing. Unranked items
            are one rank below the last ranked one, and are not compared with each other.
        by_agent : bool
            Keep the agents apart.
        warn : bool
            Whether to warn that pairs are not independent.
        """
        if strength not in ("unit", "difference"):
            raise ValueError(f'`strength` must be "unit" or "difference", got {strength!r}.')
        if by_agent and self.agents is None:
            raise ValueError("`by_agent` was asked for, but these rankings have no agents.")
        size = self.offered.sum(axis=1).max()
        if warn and size > 2:
            warnings.warn(
                "All pairs of a ranking of p items are p(p - 1)/2 results, of which only p - 1 are "
                f"free: the longest ranking here counts {size / 2:g} times. Use these comparisons "
                'for a point estimate (method="map"); a posterior from them is far too narrow. '
                "warn=False silences this.",
                stacklevel=2,
            )
        return all_pairs(self, strength, by_agent)

    def subset(self, items=None, *, agents=None, rankings=None):
        """Return the rankings among the given items, by the given agents, at the given places.

        Rankings that are left with fewer than two items, or without a ranked one, are dropped.

        Parameters
        ----------
        items, agents : list, optional
            Labels to keep.
        rankings : array, optional
            Positions to keep, or a mask.
        """
        return Rankings._from_entries(**rows_of_subset(self, items, agents, rankings))

    def to_frame(self):
        """Return a tidy pandas frame, which ``from_frame(frame, group="ranking")`` reads back.

        Its columns are ranking, item and rank (missing where unranked), and agent, weight, the
        features and rating if there are any.
        """
        return tidy_frame(self)
