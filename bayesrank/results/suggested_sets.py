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
from bayesrank.results.suggested_pairs import all_pairs, screened, suggestion_table

if TYPE_CHECKING:
    import pandas as pd

    from bayesrank.results.askable import Askable
    from bayesrank.results.prices import Price

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
        self.left, self.right = all_pairs(items)
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
        value = self.told.worth(self.left, self.right, self.pair_precise)
        cost = None
        if self.price.by_item is not None:  # a function may be of whole sets only
            cost = np.tile(self.price.by_item, len(self.items.blocks))
            value = value / (cost[self.left] + cost[self.right])
        sharp, sets = self.factor * self.sharp, []
        for pair in np.argsort(-value, kind="stable")[: _PAIRS if self.size <= _LARGE else 1]:
            first = np.array([self.left[pair], self.right[pair]])
            sets.append(grow(self.told, sharp, first, self._beside(first), self.size, cost))
        if all(frozenset(one.tolist()) in self.times for one in sets):
            # Some neighbour of a set that came was not there yet, unless all were.
            for one in [sets[0], *(np.array(sorted(known)) for known in self.times)]:
                sets.extend(swaps(one, self._beside(one)))
        times = np.array([self.times.get(frozenset(one.tolist()), 0) for one in sets])
        fresh = np.stack(sets)[times == times.min()]
        worth, dear = self.told.worth_of(fresh, precision_of(sharp, fresh)), self.price.of(fresh)
        chosen: np.ndarray = fresh[np.argmax(worth if dear is None else worth / dear)]
        return chosen

    def _beside(self, items: np.ndarray) -> np.ndarray:
        """Return what can be ranked together with some items: those of the same category."""
        count = len(self.items)
        columns: np.ndarray = np.arange(count) + items[0] // count * count
        return columns

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
