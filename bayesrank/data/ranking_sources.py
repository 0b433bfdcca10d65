"""Where rankings come from: tidy and wide tables, ratings, lists, preferences between pairs."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesrank.data.columns import require_finite_total
from bayesrank.data.entries import Entries, with_the_rest
from bayesrank.data.pairwise_preferences import implied_lists
from bayesrank.data.ranking_frames import ranked_entries, rated_entries
from bayesrank.data.ranking_lists import listed_entries, matrix_entries

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

from bayesrank.data.ranking_entries import RankingEntries

__all__ = ["RankingSources"]


class RankingSources(RankingEntries):
    """The constructors of `Rankings`."""

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        group: str = "group", item: str = "item", rank: str = "rank",
        *,
        agent: str | None = None, weight: str | None = None, features: Sequence[str] | None = None,
        unranked: str | None = None, instance: str | None = None, fold_names: bool = False,
        close_gaps: bool = False, time: str | None = None, every: str | float | None = None,
        category: str | None = None,
    ) -> Self:  # fmt: skip
        """Read a tidy table with one row for each item of each ranking.

        Parameters
        ----------
        frame : any frame that narwhals knows (pandas, Polars, PyArrow, DuckDB, Dask, Spark, ...)
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
        unranked : {"not offered", "below", "rows below"}, optional
            What an item without a rank in a group is. "not offered", the default: an item
            without a row was not offered, and a missing rank is an error. "below": all items of
            the table (of the same instance) were offered to every group, and those that it does
            not rank, with or without a row, are below those that it ranks, in unknown order, as
            on a ballot that lists three of eight. "rows below": a row without a rank is below
            the ranked ones, like a driver who retired; an item without a row was not offered.
            A warning asks where nothing is said and every group lists fewer than all items.
        instance : str, optional
            Column with the instance (such as a query) that the ranking and its items belong to.
        fold_names : bool
            Whether names that differ in capitals, spaces or the coding of accents only are one
            item, called by the most frequent spelling; otherwise a warning names them.
        close_gaps : bool
            Whether only the order of the ranks counts, so that they may skip numbers.
        time : str, optional
            Column with when it was: dates, date-times (those with a zone are taken to universal
            time), texts such as 2019-06-01, or numbers, which count years; 20190601 is a date.
            It must be the same in all rows of a group.
        every : str or float, optional
            The period whose rankings share a time: "day", "week", "month", "quarter" or "year";
            for numbers so many years.
        category : str, optional
            Column with what it was about, such as a topic; the same in all rows of a group.

        Examples
        --------
        >>> df = pd.DataFrame(
        ...     [[1, "x", 1], [1, "y", 2], [1, "z", 3], [2, "y", 1], [2, "x", 2]],
        ...     columns=["race", "driver", "position"],
        ... )
        >>> br.Rankings.from_frame(df, group="race", item="driver", rank="position")
        Rankings: 3 items, 2 rankings of 2 to 3 items, 5 entries
          items: x, y, z
          never above another: z
        """
        entries = ranked_entries(
            frame, group, item, rank, agent, weight, features, unranked, instance, fold_names,
            close_gaps, time, every, category,
        )  # fmt: skip
        return cls._from_entries(**entries)

    @classmethod
    def from_ratings(
        cls,
        frame: Any,
        agent: str = "agent",
        item: str = "item",
        rating: str = "rating",
        *,
        features: Sequence[str] | None = None,
        weight: str | None = None,
        instance: str | None = None,
        fold_names: bool = False,
        time: str | None = None,
        every: str | float | None = None,
        category: str | None = None,
    ) -> Self:
        """Rank the items of each agent (or query) by their ratings, the highest first.

        Equal ratings are ties. Where an agent rated one item only there is no ranking, and a
        warning says so; the item and the agent are kept.

        Parameters
        ----------
        frame : any data frame that narwhals knows
        agent, item, rating : str
            Columns with who rated, what, and the rating.
        features : list of str, optional
            Columns of numbers with what is known of each row, for learning to rank.
        weight : str, optional
            Column with how often a ranking counts; the same in all its rows.
        instance : str, optional
            Column with the instance (such as a query) that the item belongs to. Each agent then
            has a ranking in each instance, which is called "instance / agent".
        fold_names : bool
            As in `from_frame`.
        time, every : optional
            As in `from_frame`. Each agent then has a ranking at each time, which is called
            "agent / time".
        category : str, optional
            Column with what a rating was about, such as taste or looks. Each agent then has a
            ranking of each category, which is called "agent / category".

        Examples
        --------
        >>> df = pd.DataFrame(
        ...     [[1, "x", 5], [1, "y", 3], [1, "z", 3], [2, "y", 4], [2, "x", 2]],
        ...     columns=["user", "film", "stars"],
        ... )
        >>> br.Rankings.from_ratings(df, agent="user", item="film", rating="stars")
        Rankings: 3 items, 2 rankings of 2 to 3 items, 2 agents, 5 entries, 2 tied (40%)
          items: x, y, z
          connected: every item is linked to every other by wins in both directions
        """
        return cls._from_entries(
            **rated_entries(
                frame, agent, item, rating, weight, features, instance, fold_names, time, every,
                category,
            )
        )  # fmt: skip

    @classmethod
    def from_lists(
        cls,
        lists: Iterable[Any],
        *,
        weights: "ArrayLike | None" = None,
        items: Sequence[Any] | None = None,
        unranked: str | None = None,
        agents: Sequence[Any] | None = None,
        names: Sequence[Any] | None = None,
        instances: Sequence[Any] | None = None,
        times: Sequence[Any] | None = None,
        every: str | float | None = None,
        categories: Sequence[Any] | None = None,
    ) -> Self:
        """Read rankings that list their items, best first.

        Parameters
        ----------
        lists : list of list
            Each element of a ranking is a label, or a block of tied labels: a set, a frozenset, a
            list or a tuple (which therefore cannot be labels).
        weights : array, optional
            How often each ranking counts.
        items : list, optional
            All items there are (in each instance); by default those that occur.
        unranked : {"not offered", "below"}, optional
            Whether items that a ranking does not list were not offered in it, as by default, or
            were offered and are below those it lists. A warning asks where nothing is said and
            every ranking lists fewer than all items.
        agents, names : list, optional
            Who made each ranking, and what it is called; by default the names are 0, 1, 2, ...
        instances : list, optional
            Which instance (such as a query) each ranking and its items belong to.
        times : list, optional
            When each ranking was made: dates, date-times or numbers, which count years.
        every : str or float, optional
            As in `from_frame`.
        categories : list, optional
            What each ranking was about, such as a topic.

        Examples
        --------
        >>> br.Rankings.from_lists([["a", {"b", "c"}, "d"], ["b", "a"]])
        Rankings: 4 items, 2 rankings of 2 to 4 items, 6 entries, 2 tied (33%)
          items: a, b, c, d
          never above another: d
        """
        return cls._from_entries(
            **listed_entries(
                lists, weights, items, unranked, agents, names, instances, times, every,
                categories,
            )
        )  # fmt: skip

    @classmethod
    def from_matrix(
        cls,
        ranks: Any,
        items: Sequence[Any] | None = None,
        *,
        weights: "ArrayLike | None" = None,
        agents: Sequence[Any] | None = None,
        names: Sequence[Any] | None = None,
        unranked: str | None = None,
        instances: Sequence[Any] | None = None,
        categories: Sequence[Any] | None = None,
    ) -> Self:
        """Read a wide table with one row per ranking and one column per item.

        Parameters
        ----------
        ranks : array or data frame, rankings by items
            Ranks as in `from_frame`; 0 or missing where the item has none.
        items : list, optional
            Labels of the columns of an array; of a data frame, the columns to read (all of them
            by default).
        weights, agents, names, categories : optional
            As in `from_lists`.
        unranked : {"not offered", "below"}, optional
            Whether an item without a rank was not offered, as by default, or was offered and is
            below those with one. A warning asks where nothing is said and every row leaves out
            an item.
        instances : list, optional
            Which instance (such as a query) each row belongs to; a column is then an item of
            those instances that offer it in some row.

        Examples
        --------
        >>> br.Rankings.from_matrix([[1, 2, 0], [2, 1, 1]], ["a", "b", "c"])
        Rankings: 3 items, 2 rankings of 2 to 3 items, 5 entries, 2 tied (40%)
          items: a, b, c
          connected: every item is linked to every other by wins in both directions
        """
        return cls._from_entries(
            **matrix_entries(ranks, items, weights, agents, names, unranked, instances, categories)
        )

    @classmethod
    def from_preferences(
        cls,
        preferences: Iterable[Any],
        *,
        items: Sequence[Any] | None = None,
        weights: "ArrayLike | None" = None,
        agents: Sequence[Any] | None = None,
        names: Sequence[Any] | None = None,
    ) -> Self:
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
        Rankings: 3 items, 2 rankings of 2 to 3 items, 5 entries, 2 tied (40%)
          items: a, b, c
          never below another: a
        """
        lists = implied_lists(preferences, items, weights, agents, names)
        return cls._from_entries(**listed_entries(**lists, unranked="not offered"))

    @classmethod
    def _from_entries(
        cls,
        ranking: np.ndarray,
        item: np.ndarray,
        level: np.ndarray,
        *,
        names: list[Any],
        items: list[Any],
        place: str = "ranking",
        shown: Any = None,
        remedy: str = "",
        gaps: bool = False,
        unranked: str = "not offered",
        features: np.ndarray | None = None,
        ratings: np.ndarray | None = None,
        weights: Any = None,
        **about: Any,
    ) -> Self:
        """Make the container from rows, one per entry, after checking what they say together."""
        shown = names if shown is None else shown
        if unranked == "below":
            home = about.get("instance")
            home = np.zeros(len(items), dtype=np.int64) if home is None else home
            rows = ranking.size
            ranking, item, level = with_the_rest(ranking, item, level, len(names), home)
            if features is not None and ranking.size > rows:
                raise ValueError(
                    f'unranked="below" adds {ranking.size - rows:,} entries of items without a '
                    "row, and nothing is known of their `features`. Give each a row without a "
                    'rank and say unranked="rows below".'
                )
        entries = Entries.sort(ranking, item, level, len(names))
        entries.require_once(place, shown, items)
        entries.require_sense(place, shown, remedy)
        if not gaps:
            entries.require_no_gaps(place, shown)
        if unranked is None:
            entries.ask_who_was_offered(len(items), about.get("instance"))
        if weights is not None:
            require_finite_total("`weights`", weights)
        order = entries.order
        return cls._of_entries(
            np.concatenate([[0], np.cumsum(entries.sizes)]),
            entries.item,
            entries.rank,
            entry_features=None if features is None else _sorted(features, order),
            entry_ratings=None if ratings is None else np.asarray(ratings[order], dtype=float),
            items=items,
            names=names,
            weights=weights,
            **about,
        )


def _sorted(features: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Return features in another order; of those that are in it already no copy is made."""
    if features.dtype != np.float32:
        features = np.asarray(features, dtype=float)
    in_order = np.array_equal(order, np.arange(order.size))
    return features if in_order else features[order]
