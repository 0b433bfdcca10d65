"""The preferences of agents, ballot by ballot, from comparisons or from rankings.

A ballot is one agent's preferences in one instance, or one ranking. Only net counts matter to
the multinomial preference model: by pair, or by item where all variances are equal.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data import Rankings
from bayesrank.data.pair_counts import checked_counts
from bayesrank.data.ranking_pairs import levels
from bayesrank.kernels.ballots import (
    draw_preferences,
    items_of_ballots,
    lay_out,
    log_coefficients,
    ranked_cells,
    starts,
)
from bayesrank.text import in_terminal, listing

if TYPE_CHECKING:
    from bayesrank.data.comparisons import Comparisons

__all__ = ["Ballots", "ballots_of"]


@dataclass(frozen=True)
class Ballots:
    """Ballots sorted by instance; see `bayesrank.kernels.mpm` for the starts.

    Attributes
    ----------
    item_start, ballot_start : ndarray of int
        Where the items and the ballots of each instance start.
    agent : ndarray of int
        Who cast each ballot.
    names : list of str
    total : ndarray
        Number of preferences in each ballot.
    weights : ndarray
        How often each ballot counts.
    derived : bool
        Whether counts were made from rankings or ratings and are not independent draws.
    source : object
        What makes cells, net wins and coefficients when they are asked for.
    """

    item_start: np.ndarray
    ballot_start: np.ndarray
    agent: np.ndarray
    names: list[Any]
    total: np.ndarray
    weights: np.ndarray
    derived: bool
    source: Any

    def __len__(self) -> int:
        return len(self.agent)

    @cached_property
    def cells(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Starts, left and right items and net counts of the pairs of each ballot."""
        return self.source.cells()

    @cached_property
    def net_wins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Starts, items and net wins of the items of each ballot."""
        return self.source.net_wins()

    @cached_property
    def log_coefficient(self) -> np.ndarray:
        """Log multinomial coefficient of each ballot."""
        return self.source.log_coefficient()

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Left, right, ballot and counts of every row, as the distribution takes them."""
        return self.source.rows()

    @cached_property
    def effective_weight(self) -> np.ndarray:
        """Weight at which a ballot counts as independent draws would, were there no preference.

        T independent draws without preference have squared net wins of 2 T on average. Rankings
        and ratings have far more, because one misplaced item loses to all others at once. Divided
        by that ratio the likelihood of an agent who ranks at random is as wide as it should be,
        in every direction; a strict ranking of m items, whose rank differences add up to
        m (m^2 - 1) / 6, gets 4 / m^2 and counts as about 2 m / 3 draws. The unit of ratings does
        not matter, and no ballot counts as more draws than it has pairs.
        """
        start, _, net = self.net_wins
        ballot = np.repeat(np.arange(len(self)), np.diff(start))
        square = np.bincount(ballot, net * net, minlength=len(self))
        draws = 2.0 * self.total**2 / np.maximum(square, 1e-300)
        return np.minimum(draws, self.source.most_draws()) / self.total


def ballots_of(data: Any) -> Ballots:
    """Return the ballots that comparisons or rankings hold."""
    items = len(data.items)
    instance = data.instance if data.instance is not None else np.zeros(items, dtype=np.int64)
    source = (_Ranked if data.row == "ranking" else _Compared)(data, instance)
    if not source.total.size:
        raise ValueError("Nobody prefers any item: all counts are zero.")
    instances = int(instance.max()) + 1
    return Ballots(
        item_start=starts(instance, instances),
        ballot_start=starts(source.instance, instances),
        agent=source.agent,
        names=source.names,
        total=source.total,
        weights=source.weights,
        derived=source.derived,
        source=source,
    )


def _without_ties() -> str:
    """Return what to do with ties of pairs, where the reader is."""
    if in_terminal():
        return "Use --model davidson, which has ties, or leave these rows out by --where."
    return (
        'Use "davidson", which has ties, or leave them out: '
        "br.Comparisons.from_counts(data.to_frame().assign(ties=0))."
    )


class _Compared:
    """Ballots of comparisons: one for each agent in each instance, pairs with ties refused."""

    def __init__(self, data: "Comparisons", instance: np.ndarray) -> None:
        ties = np.flatnonzero(data.counts[:, 2])
        if ties.size:
            pairs = listing([data.pair_label(row) for row in ties])
            raise ValueError(
                f'The data hold {data.counts[:, 2].sum():,} ties ({pairs}), but "mpm" has none. '
                f"{_without_ties()}"
            )
        agent = np.zeros(len(data), dtype=np.int64) if data.agent is None else data.agent
        key = instance[data.left] * (int(agent.max(initial=0)) + 1) + agent
        said = np.bincount(key, data.counts.sum(axis=1))[key] > 0
        self.rows_in_all = len(data)
        self.kept = np.flatnonzero(said)  # rows of ballots that prefer anything
        self.layout = lay_out(data.left[said], data.right[said], agent[said], instance)
        self.counts = data.counts[said][self.layout.order][:, :2].astype(float)
        self.agent, self.instance = self.layout.agent, self.layout.instance
        ballot = np.repeat(np.arange(self.agent.size), np.diff(self.layout.cell_start))
        self.total = np.bincount(ballot, self.counts.sum(axis=1), minlength=self.agent.size)
        self.weights = np.ones(self.agent.size)
        self.derived = data.derived
        who = ["all"] if data.agents is None else data.agents
        where = [""] if data.instances is None else [f"{label} / " for label in data.instances]
        self.names = [f"{where[q]}{who[a]}" for q, a in zip(self.instance, self.agent, strict=True)]

    def _seen(self) -> tuple[Any, np.ndarray]:
        """Return the layout of the pairs that were preferred either way, and their net counts."""
        seen = self.counts.any(axis=1)
        ballot = np.repeat(np.arange(self.agent.size), np.diff(self.layout.cell_start))[seen]
        layout = self.layout._replace(
            cell_start=starts(ballot, self.agent.size),
            left=self.layout.left[seen],
            right=self.layout.right[seen],
        )
        return layout, self.counts[seen, 0] - self.counts[seen, 1]

    def cells(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        layout, net = self._seen()
        return layout.cell_start, layout.left, layout.right, net

    def net_wins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        layout, net = self._seen()
        start, item, left, right = items_of_ballots(layout)
        wins = np.bincount(left, net, minlength=item.size)
        return start, item, wins - np.bincount(right, net, minlength=item.size)

    def most_draws(self) -> np.ndarray:
        """Return the number of pairs of each ballot."""
        return np.diff(self._seen()[0].cell_start)

    def log_coefficient(self) -> np.ndarray:
        return log_coefficients(2 * self.layout.cell_start, self.counts.ravel())

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        ballot = np.repeat(np.arange(self.agent.size), np.diff(self.layout.cell_start))
        counts = checked_counts(np.column_stack([self.counts, np.zeros(len(self.counts))]))
        return self.layout.left, self.layout.right, ballot, counts

    def draw(
        self,
        score: np.ndarray,
        variance: np.ndarray,
        adherence: np.ndarray,
        log_norm: np.ndarray,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Return new counts for the rows of the data."""
        pairs = np.stack([self.layout.left, self.layout.right, self.layout.left], axis=1)
        counts = draw_preferences(
            pairs.astype(np.int64), score, variance, adherence, log_norm,
            self.total.astype(np.int64), self.layout.cell_start, np.arange(len(pairs)),
            rng.integers(0, 2**62, size=self.agent.size),
        )  # fmt: skip
        drawn = np.zeros((self.rows_in_all, 3), dtype=np.int64)
        drawn[self.kept[self.layout.order]] = counts
        return drawn


class _Ranked:
    """Ballots of rankings, one per ranking: the better item is preferred by the difference.

    Of ratings where there are any, otherwise of ranks, with unranked items one below the last.
    """

    derived = True

    def __init__(self, data: Rankings, instance: np.ndarray) -> None:
        level = levels(data).astype(float)
        if data.entry_ratings is not None:
            level = -data.entry_ratings
        # Best first: the k-th of m items is above m - k others and below k.
        by_level = np.lexsort((level, data.entry_ranking))
        level, sizes = level[by_level], data.sizes
        place = np.arange(level.size) - np.repeat(data.start[:-1], sizes)
        factor = 2 * place - np.repeat(sizes, sizes) + 1
        spread = np.add.reduceat(level * factor, data.start[:-1])
        where = instance[data.entry_item[data.start[:-1]]]
        order = np.argsort(where, kind="stable")
        differ = level[data.start[1:] - 1] > level[data.start[:-1]]
        order = order[differ[order]]  # a ranking that is one tie prefers nothing
        self.sizes = sizes[order]
        self.start = np.concatenate([[0], np.cumsum(self.sizes)])
        # The entries of the rankings that are left, in their new order.
        source = np.arange(self.start[-1]) + np.repeat(
            data.start[:-1][order] - self.start[:-1], self.sizes
        )
        self.level, self.item = level[source], data.entry_item[by_level][source]
        self.total, self.weights, self.instance = spread[order], data.weights[order], where[order]
        agent = np.arange(len(data)) if data.agent is None else data.agent
        self.agent = agent[order]
        self.names = [str(data.names[row]) for row in order]

    def _pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        start, better, worse, difference = ranked_cells(self.level, self.start)
        item = self.item.astype(np.int32)
        return start, item[better], item[worse], difference

    def cells(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return self._pairs()

    def net_wins(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        level = np.add.reduceat(self.level, self.start[:-1])
        net = np.repeat(level, self.sizes) - np.repeat(self.sizes, self.sizes) * self.level
        return self.start, self.item.astype(np.int32), net

    def most_draws(self) -> float:
        """Return no bound: rankings and ratings of m items count as at most m - 1 draws."""
        return np.inf

    def log_coefficient(self) -> np.ndarray:
        start, _, _, difference = self._pairs()
        return log_coefficients(start, difference)

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        start, better, worse, difference = self._pairs()
        ballot = np.repeat(np.arange(self.sizes.size), np.diff(start))
        nothing = np.zeros(difference.size)
        return better, worse, ballot, np.column_stack([difference, nothing, nothing])
