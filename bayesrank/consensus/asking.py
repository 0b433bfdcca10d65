"""How much the result of a comparison is expected to tell, and which to ask for next.

All is about draws: of the scores, and of the probabilities of a pair's outcomes that go with them.
With y the outcome and H an entropy in bits, y tells H(E p) - E H(p) of all that it depends on, and
of an event E, such as that an item is the best, H(y) - P(E) H(y | E) - P(not E) H(y | not E).

Several results tell less together than each alone. To follow that, a result is taken for a
measurement of a difference of scores with normal noise, as sharp as what it tells of everything.
Then scores and events are followed together by their covariance, to which each result does what a
measurement does. What it tells of an event is half the square of the correlation of the two.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesrank.consensus.ranks import probability_above, rank_draws

__all__ = [
    "Goal",
    "Told",
    "choose_pairs",
    "entropy",
    "information",
    "screen",
    "sharpness",
    "shortlist",
]

# A draw's probabilities of outcomes, outcomes by pairs, for pairs of positions.
Outcomes = Callable[[int, np.ndarray, np.ndarray], np.ndarray]

_FEW = 10  # draws in which something happens: of fewer nobody can tell what they would look like
_LEAST = 1e-300
_HALF = 0.5 / np.log(2.0)  # half a nat, in bits


def entropy(p: np.ndarray, axis: int = 0) -> np.ndarray:
    """Return the entropy in bits of probabilities along an axis."""
    bits: np.ndarray = -(p * np.log2(np.maximum(p, _LEAST))).sum(axis=axis)
    return bits


def _either(p: np.ndarray) -> np.ndarray:
    """Return the entropy in bits of events with these probabilities."""
    return entropy(np.stack([p, 1.0 - p]))


@dataclass(frozen=True)
class Goal:
    """What is to be known.

    Attributes
    ----------
    open : float
        Its entropy in bits, as far as it has one.
    events : ndarray of bool, draws by events, optional
        Events of which it is to be known whether they happen.
    one : bool
        Whether just one of them happens, so that they have one entropy together.
    orders : bool
        Whether the events are that one item is above another, for all pairs. They are not listed.
    """

    open: float
    events: np.ndarray | None = None
    one: bool = False
    orders: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether the events are the same in nearly all draws, so that nothing tells of them."""
        return self.events is not None and self.events.shape[1] <= int(self.one)

    @classmethod
    def of_scores(cls, scores: np.ndarray) -> "Goal":
        """Return the goal of knowing all scores."""
        return cls(np.nan)

    @classmethod
    def order(cls, scores: np.ndarray) -> "Goal":
        """Return the goal of knowing who is above whom; the entropies of all pairs are added up."""
        above = probability_above(scores)
        return cls(float(_either(above[np.triu_indices(len(above), 1)]).sum()), orders=True)

    @classmethod
    def best(cls, scores: np.ndarray) -> "Goal":
        """Return the goal of knowing who is best."""
        first = rank_draws(scores) == 1
        events = first[:, first.sum(axis=0) >= _FEW]
        rest = ~events.any(axis=1)
        if rest.sum() >= _FEW:
            events = np.column_stack([events, rest])
        return cls(float(entropy(first.mean(axis=0))), events, one=True)

    @classmethod
    def top(cls, scores: np.ndarray, k: int) -> "Goal":
        """Return the goal of knowing who is among the first k; those entropies are added up."""
        inside = rank_draws(scores) <= k
        count = inside.sum(axis=0)
        uncertain = np.minimum(count, len(inside) - count) >= _FEW
        return cls(float(_either(inside.mean(axis=0)).sum()), inside[:, uncertain])


def information(
    p: np.ndarray, events: np.ndarray | None = None, one: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return what outcomes tell of everything and of some events, in bits, by pair.

    Parameters
    ----------
    p : ndarray, outcomes by pairs by draws
    events : ndarray of bool, draws by events, optional
    one : bool
        Whether just one of the events happens in each draw.
    """
    draws = p.shape[-1]
    each, total = entropy(p), entropy(p.mean(axis=-1))
    # Means of few draws stray, and what strays looks like information: of m draws, one part in m
    # of what there is to tell about them.
    all_of_it = (total - each.mean(axis=-1)) * draws / (draws - 1)
    if events is None:
        return all_of_it, all_of_it
    inside = events.astype(float)
    count = inside.sum(axis=0)
    within, apart = _given(p @ inside, each @ inside, count)
    stray, weight = all_of_it / draws, count / draws
    if one:
        told = total - (within + apart) @ weight + stray
        return all_of_it, np.maximum(told, 0.0)
    others = 1.0 - inside
    without, spread = _given(p @ others, each @ others, draws - count)
    told = (
        (total + stray)[:, None] - (within + apart) * weight - (without + spread) * (1.0 - weight)
    )
    return all_of_it, np.maximum(told.sum(axis=1), 0.0)


def _given(p: np.ndarray, each: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the entropy given each event, and by how much it comes out too small.

    ``p`` and ``each`` are sums over the draws of the event, of which there are ``count``.
    """
    known = np.maximum(count, 1.0)
    total = entropy(p / known)
    return total, np.maximum(total - each / known, 0.0) / np.maximum(count - 1.0, 1.0)


def screen(
    outcomes: Outcomes, draws: np.ndarray, left: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """Return what outcomes tell of everything, for many pairs, in little memory."""
    mean: Any = 0.0
    each: Any = 0.0
    for draw in draws:
        p = outcomes(int(draw), left, right)
        mean, each = mean + p, each + entropy(p)
    bits: np.ndarray = entropy(mean / len(draws)) - each / len(draws)
    return bits * len(draws) / (len(draws) - 1)


def sharpness(bits: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return the precision of a measurement of a difference that would tell as much as a result."""
    precise: np.ndarray = np.expm1(np.maximum(bits, 0.0) / _HALF) / np.maximum(variance, _LEAST)
    return precise


class Told:
    """What is known, and what will be once the next results are there.

    Measurements are of the scores of some items, by the matrix of their precision. That of one
    difference is ((J, -J), (-J, J)).

    Parameters
    ----------
    scores : ndarray, draws by items
    goal : Goal, optional
        By default to know all scores.
    count : int, optional
        The goal is about so many of the items, the first; by default about all.

    Attributes
    ----------
    covariance : ndarray, items by items
    """

    def __init__(
        self, scores: np.ndarray, goal: Goal | None = None, count: int | None = None
    ) -> None:
        centred = scores - scores.mean(axis=0)
        self.covariance = centred.T @ centred / max(len(scores) - 1, 1)
        self._goal: _Events | _Orders | None = None
        if goal is not None and goal.events is not None:
            self._goal = _Events(centred, goal.events)
        elif goal is not None and goal.orders:
            self._goal = _Orders(scores[:, :count].mean(axis=0), self.covariance, len(scores))
        self._update()

    def _update(self) -> None:
        self._shared = None if self._goal is None else self._goal.shared(self.covariance)

    def variance(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the variances of differences."""
        return _of_differences(self.covariance, left, right)

    def worth(self, left: np.ndarray, right: np.ndarray, precise: np.ndarray) -> np.ndarray:
        """Return roughly what results of pairs would tell, in bits."""
        variance = self.variance(left, right)
        bits: np.ndarray = _HALF * np.log1p(precise * variance)
        if self._shared is None:
            return bits
        return bits * _of_differences(self._shared, left, right) / np.maximum(variance, _LEAST)

    def worth_of(self, items: np.ndarray, precision: np.ndarray) -> np.ndarray:
        """Return the same of measurements of some items, which may be many at a time.

        ``items`` is sets by items and ``precision`` sets by items by items.
        """
        rows, columns = items[..., :, None], items[..., None, :]
        covariance = self.covariance[rows, columns]
        inner = np.eye(items.shape[-1]) + precision @ covariance
        bits: np.ndarray = _HALF * np.linalg.slogdet(inner)[1]
        if self._shared is None:
            return bits
        weight = np.linalg.solve(inner, precision)
        seen = (weight * covariance).sum(axis=(-2, -1))
        told = (weight * self._shared[rows, columns]).sum(axis=(-2, -1))
        return bits * np.maximum(told, 0.0) / np.maximum(seen, _LEAST)

    def tell(self, items: np.ndarray, precision: np.ndarray) -> None:
        """Take a measurement of some items for made."""
        inner = np.eye(len(items)) + precision @ self.covariance[np.ix_(items, items)]
        weight = np.linalg.solve(inner, precision)
        seen = self.covariance[:, items] @ weight
        if self._goal is not None:
            self._goal.tell(items, weight, seen, self.covariance)
        self.covariance = self.covariance - seen @ self.covariance[items]
        self._update()


class _Events:
    """Events that draws show, by their covariances with the scores and their own variances."""

    def __init__(self, centred: np.ndarray, events: np.ndarray) -> None:
        draws, share = len(centred), events.mean(axis=0)
        events, share = (
            events[:, (share > 0.0) & (share < 1.0)],
            share[(share > 0.0) & (share < 1.0)],
        )
        self.cross = centred.T @ (events - share) / draws
        self.room = share * (1.0 - share)
        self.least = 1e-9 * self.room
        self.stray = len(share) / draws  # squared correlations by chance alone, summed

    def shared(self, covariance: np.ndarray) -> np.ndarray:
        """Return the covariance of what events tell of scores."""
        shared: np.ndarray = (self.cross / self.room) @ self.cross.T - self.stray * covariance
        return shared

    def tell(
        self, items: np.ndarray, weight: np.ndarray, seen: np.ndarray, covariance: np.ndarray
    ) -> None:
        cross = self.cross[items]
        drop = (cross * (weight @ cross)).sum(axis=0)
        self.cross = self.cross - seen @ cross
        self.room = np.maximum(self.room - drop, self.least)


class _Orders:
    """Who is above whom, for all pairs; the scores are taken for normal."""

    def __init__(self, mean: np.ndarray, covariance: np.ndarray, draws: int) -> None:
        from scipy.special import ndtr

        self.count = len(mean)
        inner = covariance[: self.count, : self.count]
        spread = np.sqrt(np.maximum(_distances(inner), _LEAST))
        lead = np.clip(np.abs(mean[:, None] - mean) / spread, 0.0, 30.0)
        self.room = ndtr(lead) * ndtr(-lead)
        self.least = 1e-9 * self.room
        # The covariance of an event with a score is that of the difference, times this.
        self.slope = np.exp(-0.5 * lead**2) / (np.sqrt(2.0 * np.pi) * spread)
        np.fill_diagonal(self.slope, 0.0)
        share = (self.slope * spread) ** 2 / self.room  # squared correlations of events
        self.stray = 0.5 * share.sum() / draws

    def shared(self, covariance: np.ndarray) -> np.ndarray:
        """Return the covariance of what events tell of scores."""
        weight = self.slope**2 / self.room
        laplacian = np.diag(weight.sum(axis=1)) - weight
        shared: np.ndarray = covariance[:, : self.count] @ laplacian @ covariance[: self.count]
        return shared - self.stray * covariance

    def tell(
        self, items: np.ndarray, weight: np.ndarray, seen: np.ndarray, covariance: np.ndarray
    ) -> None:
        drop = seen[: self.count] @ covariance[items, : self.count]
        self.room = np.maximum(self.room - self.slope**2 * _distances(drop), self.least)


def _distances(matrix: np.ndarray) -> np.ndarray:
    """Return the variances of all differences."""
    own = matrix.diagonal()
    distances: np.ndarray = own[:, None] + own - 2.0 * matrix
    return distances


def _of_differences(matrix: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    own = matrix.diagonal()
    value: np.ndarray = np.maximum(own[left] + own[right] - 2.0 * matrix[left, right], 0.0)
    return value


def shortlist(value: np.ndarray, left: np.ndarray, right: np.ndarray, size: int) -> np.ndarray:
    """Return the positions of the pairs of most value, and of the best three of each item."""
    order = np.argsort(-value, kind="stable")
    chosen = np.zeros(len(value), dtype=bool)
    chosen[order[:size]] = True
    for side in (left, right):
        by_item = order[np.argsort(side[order], kind="stable")]
        item = side[by_item]
        start = np.flatnonzero(np.append(True, item[1:] != item[:-1]))
        place = np.arange(len(item)) - np.repeat(start, np.diff(np.append(start, len(item))))
        chosen[by_item[place < 3]] = True
    return np.flatnonzero(chosen)


def choose_pairs(
    alone: np.ndarray,
    precise: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    told: Told,
    n: int,
    cost: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs to ask, one after the other, and what each adds to those before it.

    Each pair comes once before any comes again.

    Parameters
    ----------
    alone : ndarray
        What each pair would tell alone.
    precise : ndarray
        The precision of its result; see `sharpness`.
    left, right : ndarray of int
    told : Told
        Is changed.
    n : int
    cost : ndarray, optional
    """
    first = np.maximum(told.worth(left, right, precise), _LEAST)
    times = np.zeros(len(alone), dtype=int)
    chosen, added = np.empty(n, dtype=int), np.empty(n)
    for k in range(n):
        now = alone * np.minimum(told.worth(left, right, precise) / first, 1.0)
        value = now if cost is None else now / cost
        best = int(np.argmax(np.where(times == times.min(), value, -np.inf)))
        chosen[k], added[k] = best, now[best]
        times[best] += 1
        sign = np.array([1.0, -1.0])
        told.tell(np.array([left[best], right[best]]), precise[best] * np.outer(sign, sign))
    return chosen, added
