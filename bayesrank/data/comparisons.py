"""Pair comparisons as counts: for each ordered pair, left wins, right wins and ties."""

from dataclasses import dataclass, replace

import numpy as np

from bayesrank.data.columns import require_finite_total
from bayesrank.data.comparison_views import (
    all_pairs_of_items,
    count_frame,
    describe,
    rows_of_subset,
)
from bayesrank.data.connectivity import connectivity
from bayesrank.data.cross_tables import cross_table
from bayesrank.data.frames import aggregate_counts, aggregate_outcomes
from bayesrank.data.instances import choose_items, item_texts, number_items, without_rare
from bayesrank.data.labels import number_labels

__all__ = ["Comparisons", "checked_counts"]

OUTCOMES = ("win", "loss", "tie")


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons:
    """Counts of pair comparisons, one row for each ordered pair (and agent).

    Build it with `from_frame` (one row a comparison) or `from_counts` (a table of counts).

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
        Whether the counts were made from rankings or ratings, so that they are no independent
        results.
    sided : bool
        Whether it is known which item was on the left; otherwise there can be no order effect.

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
    items: list
    agent: np.ndarray | None = None
    agents: list | None = None
    instance: np.ndarray | None = None
    instances: list | None = None
    derived: bool = False
    sided: bool = True

    def __post_init__(self):
        for name in ("left", "right", "counts", "agent", "instance"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, np.asarray(value))
        self._require_counts()

    def _require_counts(self):
        """Refuse counts that are none, whoever made them."""
        if self.counts.shape != (len(self.left), 3):
            raise ValueError(
                "`counts` must hold (left wins, right wins, ties) for each of the "
                f"{len(self.left)} rows, got shape {self.counts.shape}."
            )
        bad = ~(np.isfinite(self.counts) & (self.counts >= 0)).all(axis=1)
        if bad.any():
            rows = [f"{self.counts[k].tolist()} in row {k}" for k in np.flatnonzero(bad)[:3]]
            more = f"; and {bad.sum() - 3:,} more rows" if bad.sum() > 3 else ""
            raise ValueError(
                f"`counts` must be finite and not negative: {'; '.join(rows)}{more} (the first "
                "row is 0)."
            )

    @classmethod
    def from_frame(
        cls,
        frame,
        left="left",
        right="right",
        outcome="outcome",
        *,
        weight=None,
        agent=None,
        instance=None,
        winner=None,
        loser=None,
        tie_value=None,
        fold_names=False,
    ):
        """Aggregate raw rows, one comparison each, with the frame's own group-by.

        Parameters
        ----------
        frame : any frame that narwhals knows (pandas, Polars, PyArrow, DuckDB, Dask, Spark, ...)
        left, right : str
            Columns with the two items.
        outcome : str or pair of str
            A column with the winner's name, or left/right/tie, or home/away/draw or their
            letters H/A/D, or A/B, or +1/0/-1 (left won, tie, right won), or 1/0.5/0 as in chess,
            or scores such as 2-1, or True/False (left won or not); or two columns with the
            scores of left and right, the higher one winning.
        weight : str, optional
            Column with the weight of each row; 1 by default.
        agent : str, optional
            Column with who judged.
        instance : str, optional
            Column with the instance (such as a query) that the pair belongs to.
        winner, loser : str, optional
            Columns with who won and who lost, instead of ``left``, ``right`` and ``outcome``.
            Which side an item was on is then not known: the first by name is on the left.
        tie_value : optional
            A value of ``outcome`` that means a tie, besides the usual ones.
        fold_names : bool
            Whether names that differ in capitals, spaces or the coding of accents only are one
            item, called by the most frequent spelling; otherwise a warning names them.

        Examples
        --------
        >>> df = pd.DataFrame(
        ...     [["x", "y", 2, 1], ["y", "z", 1, 1], ["z", "x", 0, 3]],
        ...     columns=["home", "away", "goals", "against"],
        ... )
        >>> br.Comparisons.from_frame(df, left="home", right="away", outcome=("goals", "against"))
        Comparisons: 3 items, 3 ordered pairs, 3 comparisons, 1 ties (33%)
          items: x, y, z
          never beaten: x
        """
        if (winner is None) != (loser is None):
            raise ValueError("`winner` and `loser` go together: give both columns.")
        if winner is not None:
            if (left, right, outcome, tie_value) != ("left", "right", "outcome", None):
                raise ValueError(
                    "`winner` and `loser` take the place of `left`, `right`, `outcome` and "
                    "`tie_value`: give the ones or the others."
                )
            left, right = winner, loser
        made = cls._from_labels(
            **aggregate_outcomes(
                frame, left, right, outcome, weight, agent, instance, tie_value, fold_names,
                always_left=winner is not None,
            )
        )  # fmt: skip
        return made if winner is None else replace(made, sided=False)

    @classmethod
    def from_counts(
        cls,
        frame,
        left="left",
        right="right",
        wins="wins",
        losses="losses",
        ties=None,
        *,
        agent=None,
        instance=None,
        duplicates="sum",
        fold_names=False,
    ):
        """Read a table that already holds counts.

        Items and agents whose counts are all zero are kept.

        Parameters
        ----------
        frame : any data frame that narwhals knows
        left, right : str
            Columns with the two items.
        wins, losses, ties : str
            Columns with the left item's wins, the right item's wins, and the ties; by default
            the column "ties" if there is one, and no ties otherwise.
        agent : str, optional
            Column with who judged.
        instance : str, optional
            Column with the instance (such as a query) that the pair belongs to.
        duplicates : {"sum", "error"}
            Whether rows of the same left and right item, agent and instance are added up or
            refused.
        fold_names : bool
            As in `from_frame`.

        Examples
        --------
        >>> df = pd.DataFrame(
        ...     [["x", "y", 3, 2], ["y", "z", 5, 4]], columns=["left", "right", "wins", "losses"]
        ... )
        >>> br.Comparisons.from_counts(df).counts
        array([[3, 2, 0],
               [5, 4, 0]])
        """
        return cls._from_labels(
            **aggregate_counts(
                frame, left, right, wins, losses, ties, agent, instance, duplicates, fold_names
            )
        )

    @classmethod
    def from_matrix(cls, wins, items=None, *, ties=None):
        """Read a cross table: how often the item of each row beat the item of each column.

        Parameters
        ----------
        wins : data frame or array, items by items
            Counts; the diagonal is ignored. A frame's columns name the items, and its index, or
            its first column if that holds texts, must name them too.
        items : list, optional
            Labels of the rows and columns of an array.
        ties : data frame or array, optional
            How often each pair tied, in the same layout; each tie is counted once, whether one
            half of the table or both have it.

        Examples
        --------
        >>> br.Comparisons.from_matrix([[0, 3], [1, 0]], ["x", "y"]).counts
        array([[3, 1, 0]])
        """
        return replace(cls._from_labels(**cross_table(wins, items, ties)), sided=False)

    @classmethod
    def _from_labels(cls, left, right, counts, agent=None, instance=None):
        """Make the container: labels become positions, rows of one pair and agent are added up."""
        both = None if instance is None else np.concatenate([instance, instance])
        items, position, about = number_items(np.concatenate([left, right]), both)
        rows = len(left)
        key = position[:rows] * len(items) + position[rows:]
        agents = None
        if agent is not None:
            agents, who = number_labels(agent)
            key = who * len(items) ** 2 + key
        key, row = np.unique(key, return_inverse=True)
        total = np.stack(
            [np.bincount(row, counts[:, k], minlength=key.size) for k in range(3)], axis=1
        )
        pair = key % len(items) ** 2
        return cls(
            left=pair // len(items),
            right=pair % len(items),
            counts=checked_counts(total),
            items=items,
            agent=None if agent is None else key // len(items) ** 2,
            agents=agents,
            **about,
        )

    def __len__(self):
        return len(self.left)

    def __repr__(self):
        return describe(self)

    @property
    def coords(self):
        """Coordinates for a PyMC model: item, pair (the rows), outcome, agent and instance if any.

        With instances an item is called "instance / item".

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
        return coords

    def pair_label(self, row):
        """Return a row's two items, their instance, and who judged, as a text.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> games.pair_label(0)
        'Baltimore vs Boston'
        """
        i, j = self.left[row], self.right[row]
        pair = f"{self.items[i]} vs {self.items[j]}"
        if self.instances is not None:
            pair = f"{self.instances[self.instance[i]]} / {pair}"
        return pair if self.agent is None else f"{pair} ({self.agents[self.agent[row]]})"

    @property
    def has_ties(self):
        """Whether any comparison ended in a tie.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> games.has_ties
        True
        """
        return bool(self.counts[:, 2].any())

    def same_as(self, other):
        """Whether another object holds the same rows, from the same kind of source.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> games.same_as(br.load_dataset("pudding")), games.same_as(games.swapped())
        (True, False)
        """
        return (
            type(self) is type(other)
            and all(
                getattr(self, name) == getattr(other, name)
                for name in ("items", "agents", "instances", "derived", "sided")
            )
            and all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in ("left", "right", "counts", "agent", "instance")
            )
        )

    def connectivity(self):
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

    def swapped(self):
        """Return the same comparisons with left and right exchanged.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> games.counts[0], games.swapped().counts[0]
        (array([19, 22, 16]), array([22, 19, 16]))
        """
        return replace(self, left=self.right, right=self.left, counts=self.counts[:, [1, 0, 2]])

    def subset(self, items=None, *, agents=None, instances=None, min_count=None):
        """Return the comparisons among the given items, by the given agents.

        Parameters
        ----------
        items, agents, instances : list, optional
            Labels to keep; an item's label stands for the items of that name in all instances.
        min_count : int, optional
            Keep items with at least so many comparisons, with others that are kept.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> games.subset(["Detroit", "Boston"])
        Comparisons: 2 items, 2 ordered pairs, 13 comparisons, 0 ties (0%)
          items: Boston, Detroit
          connected: every item is linked to every other by wins in both directions
        """
        part = Comparisons(**rows_of_subset(self, choose_items(self, items, instances), agents))
        return part if min_count is None else without_rare(part, min_count)

    def _item_counts(self):
        """Return how many comparisons each item is in."""
        total, n = self.counts.sum(axis=1), len(self.items)
        return np.bincount(self.left, total, n) + np.bincount(self.right, total, n)

    def _only(self, keep):
        """Return the comparisons among the items of a mask."""
        return Comparisons(**rows_of_subset(self, keep))

    def completed(self):
        """Return the same comparisons with a row for every pair of items and every agent.

        Each pair of items (of the same instance) has one row for each agent, the item that comes
        first in ``items`` on the left: rows given the other way are turned round and merged, and
        pairs that were not seen have zero counts. Which item was on the left is forgotten. An
        instance of m items takes m(m - 1)/2 rows for each agent.

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> len(games), len(games.completed())
        (42, 21)
        """
        return replace(self, **all_pairs_of_items(self), sided=False)

    def to_frame(self):
        """Return a pandas frame that `from_counts` reads back.

        Its columns are left, right, wins, losses and ties, and agent and instance if there are
        any. It does not say whether the counts are ``derived``.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> games.to_frame().head(2)
          left right  wins  losses  ties
        0    1     2    19      22    16
        1    1     3    16      19    12
        """
        return count_frame(self)


def checked_counts(counts):
    """Return counts, which must have a sum, as integers where all of them are whole."""
    require_finite_total("Counts", counts)
    # Larger whole numbers have no room in an integer, or no neighbours as floats.
    if np.all(counts == np.round(counts)) and counts.sum() < 2**53:
        return np.round(counts).astype(np.int64)
    return counts
