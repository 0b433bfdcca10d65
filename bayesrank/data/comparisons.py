"""Pair comparisons as counts: for each ordered pair, left wins, right wins and ties."""

from dataclasses import dataclass

import numpy as np

from bayesrank.data.connectivity import connectivity, listing
from bayesrank.data.frames import aggregate_counts, aggregate_outcomes
from bayesrank.data.labels import choose_labels, number_labels

__all__ = ["Comparisons"]

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
        Labels of the items, sorted.
    agent : ndarray of int, optional
        Position in ``agents`` of who judged each row.
    agents : list, optional
        Labels of the agents, sorted.
    """

    left: np.ndarray
    right: np.ndarray
    counts: np.ndarray
    items: list
    agent: np.ndarray | None = None
    agents: list | None = None

    @classmethod
    def from_frame(
        cls, frame, left="left", right="right", outcome="outcome", *, weight=None, agent=None
    ):
        """Aggregate raw rows, one comparison each, with the frame's own group-by.

        Parameters
        ----------
        frame : any data frame that narwhals knows (pandas, Polars, PyArrow, DuckDB, Dask, ...)
        left, right : str
            Columns with the two items.
        outcome : str or pair of str
            A column with the winner's name, or left/right/tie, or +1/0/-1 (left won, tie,
            right won), or True/False (left won or not); or two columns with the scores of
            left and right, the higher one winning.
        weight : str, optional
            Column with the weight of each row; 1 by default.
        agent : str, optional
            Column with who judged.

        Examples
        --------
        >>> br.Comparisons.from_frame(df, left="home", right="away", outcome=("goals", "against"))
        """
        return cls._from_labels(*aggregate_outcomes(frame, left, right, outcome, weight, agent))

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
    ):
        """Read a table that already holds counts; rows of the same pair are added up.

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
        """
        return cls._from_labels(*aggregate_counts(frame, left, right, wins, losses, ties, agent))

    @classmethod
    def _from_labels(cls, left, right, counts, agent=None):
        """Make the container: labels become positions, rows of one pair and agent are added up."""
        items, position = number_labels(np.concatenate([left, right]))
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
        if np.all(total == np.round(total)):
            total = np.round(total).astype(np.int64)
        pair = key % len(items) ** 2
        return cls(
            left=pair // len(items),
            right=pair % len(items),
            counts=total,
            items=items,
            agent=None if agent is None else key // len(items) ** 2,
            agents=agents,
        )

    def __len__(self):
        return len(self.left)

    def __repr__(self):
        total, ties = self.counts.sum(), self.counts[:, 2].sum()
        share = ties / total if total else 0.0
        agents = "" if self.agents is None else f", {len(self.agents)} agents"
        lines = [
            f"Comparisons: {len(self.items)} items, {len(self)} ordered pairs{agents}, "
            f"{total:,} comparisons, {ties:,} ties ({share:.0%})",
            f"items: {listing(self.items, 8)}",
            str(self.connectivity()),
        ]
        return "\n  ".join(lines)

    @property
    def coords(self):
        """Coordinates for a PyMC model: item, pair (the rows), outcome, and agent if any."""
        coords = {
            "item": list(self.items),
            "pair": [self.pair_label(row) for row in range(len(self))],
            "outcome": list(OUTCOMES),
        }
        if self.agents is not None:
            coords["agent"] = list(self.agents)
        return coords

    def pair_label(self, row):
        """Return a row's two items, and who judged, as a text."""
        pair = f"{self.items[self.left[row]]} vs {self.items[self.right[row]]}"
        return pair if self.agent is None else f"{pair} ({self.agents[self.agent[row]]})"

    @property
    def has_ties(self):
        """Whether any comparison ended in a tie."""
        return bool(self.counts[:, 2].any())

    def same_as(self, other):
        """Whether another object holds the same rows."""
        if type(self) is not type(other):
            return False
        return (self.items, self.agents) == (other.items, other.agents) and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("left", "right", "counts", "agent")
        )

    def connectivity(self):
        """Return whether wins link all items, and which never lose or never win."""
        return connectivity(self.left, self.right, self.counts, self.items)

    def swapped(self):
        """Return the same comparisons with left and right exchanged."""
        return Comparisons(
            self.right, self.left, self.counts[:, [1, 0, 2]], self.items, self.agent, self.agents
        )

    def subset(self, items=None, *, agents=None):
        """Return the comparisons among the given items, by the given agents."""
        keep = np.ones(len(self), dtype=bool)
        chosen, number = self.items, np.arange(len(self.items))
        if items is not None:
            wanted = choose_labels("items", items, self.items)
            number = np.cumsum(wanted) - 1
            chosen = [label for label, kept in zip(self.items, wanted, strict=True) if kept]
            keep &= wanted[self.left] & wanted[self.right]
        who, judges = self.agent, self.agents
        if agents is not None:
            if self.agents is None:
                raise ValueError("`agents` was given, but these comparisons have no agents.")
            wanted = choose_labels("agents", agents, self.agents)
            keep &= wanted[self.agent]
            who = (np.cumsum(wanted) - 1)[self.agent]
            judges = [label for label, kept in zip(self.agents, wanted, strict=True) if kept]
        return Comparisons(
            number[self.left][keep],
            number[self.right][keep],
            self.counts[keep],
            chosen,
            None if who is None else who[keep],
            judges,
        )

    def to_frame(self):
        """Return a pandas frame that `from_counts` reads back."""
        import pandas as pd

        columns = {
            "left": [self.items[i] for i in self.left],
            "right": [self.items[i] for i in self.right],
            "wins": self.counts[:, 0],
            "losses": self.counts[:, 1],
            "ties": self.counts[:, 2],
        }
        if self.agent is not None:
            columns["agent"] = [self.agents[i] for i in self.agent]
        return pd.DataFrame(columns)
