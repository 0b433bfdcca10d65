"""Sets of items to have ranked next."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.consensus.asking import Goal, Told
from bayesrank.consensus.asking_sets import (
    grow,
    precision_of,
    set_information,
    share_of_pairs,
    sharpen,
    swaps,
)
from bayesrank.results.suggested_pairs import screened, suggestion_table

if TYPE_CHECKING:
    import pandas as pd

    from bayesrank.results.askable import Askable
    from bayesrank.results.suggestions import Price

__all__ = ["suggested_sets"]

_MICROSECONDS = 500_000  # for what is found of one set
_TRIED = (16_000, 200_000)  # log-probabilities of rankings for one set, at least and at most
_PAIRS = 5  # from which sets are grown
_LARGE = 8  # items in a set, beyond which from one pair only


def suggested_sets(
    items: "Askable", goal: Goal, n: int, price: "Price", size: int
) -> "pd.DataFrame":
    """Return the table of suggested sets."""
    search = _Search(items, goal, price, size)
    rows = [search.next() for _ in range(n)]
    columns, gain, alone = zip(*rows, strict=True)
    sets = np.stack(columns)
    return suggestion_table(items, sets, np.array(gain), np.array(alone), price.of(sets))


class _Search:
    """A search for sets, one after the other."""

    def __init__(self, items: "Askable", goal: Goal, price: "Price", size: int) -> None:
        self.items, self.goal, self.price, self.size = items, goal, price, size
        self.begin = Told(items.scores, goal, len(items))
        self.told = Told(items.scores, goal, len(items))
        count, blocks = len(items), items.askable_blocks
        self.blocks = [np.arange(count) + block * count for block in blocks]
        pairs = [np.stack(np.triu_indices(count, 1)) + columns[0] for columns in self.blocks]
        self.left, self.right = np.concatenate(pairs, axis=1)
        self.pair_precise = screened(items, self.left, self.right)
        self.sharp = np.zeros(2 * (items.scores.shape[1],))
        self.sharp[self.left, self.right] = self.pair_precise
        self.sharp[self.right, self.left] = self.pair_precise
        self.factor = share_of_pairs(size)
        self.found: list[float] = []
        self.times: dict[frozenset[int], int] = {}

    def next(self) -> tuple[np.ndarray, float, float]:
        """Return a set, what it adds to those before it, and what it would tell alone."""
        chosen = self._choose()
        every, of_events = self._measured(chosen)
        precision = precision_of(self.factor * self.sharp, chosen)
        # What one set has taught of the factor is good for all; a single one strays.
        self.found.append(self.factor * sharpen(self.begin, precision, chosen, every))
        self.factor = float(np.exp(np.mean(np.log(self.found))))
        precision = precision_of(self.factor * self.sharp, chosen)
        first = max(float(self.begin.worth_of(chosen, precision)), 1e-300)
        alone = first if self.goal.events is None else of_events
        added = alone * min(float(self.told.worth_of(chosen, precision)) / first, 1.0)
        self.told.tell(chosen, precision)
        key = frozenset(chosen.tolist())
        self.times[key] = self.times.get(key, 0) + 1
        return chosen, added, alone

    def _choose(self) -> np.ndarray:
        """Return the set that tells most for its cost, of those that came least often."""
        sharp = self.factor * self.sharp
        value = self.told.worth(self.left, self.right, self.pair_precise)
        cost = self.price.of(np.column_stack([self.left, self.right]))
        value = value if cost is None else value / cost
        grown = []
        for pair in np.argsort(-value, kind="stable")[: _PAIRS if self.size <= _LARGE else 1]:
            first = np.array([self.left[pair], self.right[pair]])
            among = self.blocks[int(first[0]) // len(self.items) - self.items.askable_blocks[0]]
            grown.append(grow(self.told, sharp, first, among, self.size))
        sets = np.stack(grown)
        if min(self._times(sets)) > 0:
            among = self.blocks[int(sets[0, 0]) // len(self.items) - self.items.askable_blocks[0]]
            more = swaps(sets[0], among)
            sets = np.concatenate([sets, more]) if len(more) else sets
        worth = self.told.worth_of(sets, precision_of(sharp, sets))
        cost = self.price.of(sets)
        worth = worth if cost is None else worth / cost
        times = np.array(self._times(sets))
        chosen: np.ndarray = sets[np.argmax(np.where(times == times.min(), worth, -np.inf))]
        return chosen

    def _times(self, sets: np.ndarray) -> list[int]:
        return [self.times.get(frozenset(row.tolist()), 0) for row in sets]

    def _measured(self, chosen: np.ndarray) -> tuple[float, float]:
        """Return what a ranking of a set tells of everything, and of the goal's events."""
        items, observation = self.items, self.items.model.observation
        tried = np.clip(_MICROSECONDS / observation.kind.effort, *_TRIED)
        drawn = int(np.sqrt(tried / 5.0))
        used = items.fit.spaced_draws(int(tried / drawn))
        block = int(chosen[0]) // len(items)
        place = chosen % len(items)

        def values(draw: int) -> dict[str, Any]:
            found = items.values(draw, block)
            return found | {"score": found["score"][place]}

        offered = np.ones((1, len(chosen)), dtype=bool)
        ranks = np.concatenate(
            [
                observation.draw_slots(
                    values(d), observation.new_scores(values(d))[None], offered, items.rng
                )
                for d in used[np.linspace(0, len(used) - 1, drawn).astype(int)]
            ]
        )
        order = np.argsort(ranks, axis=1, kind="stable")
        sizes = np.stack([(ranks == rank).sum(axis=1) for rank in range(1, len(chosen) + 1)], 1)
        logp = np.stack([observation.new_log_likelihood(values(d), order, sizes) for d in used], 1)
        events = None if self.goal.events is None else self.goal.events[used]
        return set_information(logp, events, self.goal.one)
