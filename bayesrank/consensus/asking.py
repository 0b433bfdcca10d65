"""How much the result of a comparison is expected to tell, and which to ask for next.

All is about draws: of the scores, and of the probabilities of a pair's outcomes that go with them.
With y the outcome and H an entropy in bits, y tells H(E p) - E H(p) of everything that it depends
on, and of an event E, such as that an item is the best, H(y) - P(E) H(y | E) - P(not E) H(y | not
E). What several results of a batch tell together is less than the sum: whatever the earlier ones
will have told is told once. That is followed in the covariance of the scores, as if each result
were a measurement of a difference of scores with normal noise, as sharp as its information says.
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

# Outcomes by pairs: their probabilities in one draw, for pairs of positions.
Outcomes = Callable[[int, np.ndarray, np.ndarray], np.ndarray]

_FEW = 10  # draws in which something happens: of fewer nobody can tell what they would look like
_LEAST = 1e-300


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
    events : ndarray of bool, draws by events, optional
        What is uncertain: that an item is the best, or among the first k. None is everything.
    one : bool
        Whether just one of the events happens, so that they have one entropy together.
    entropy : float
        What is open, in bits: of who is best; or, summed up, of each event, or of the order of
        each pair.
    """

    events: np.ndarray | None
    one: bool
    entropy: float

    @classmethod
    def order(cls, scores: np.ndarray) -> "Goal":
        """Return the goal of knowing all scores."""
        above = probability_above(scores)
        return cls(None, False, float(_either(above[np.triu_indices(len(above), 1)]).sum()))

    @classmethod
    def best(cls, scores: np.ndarray) -> "Goal":
        """Return the goal of knowing who is best."""
        first = rank_draws(scores) == 1
        share = first.mean(axis=0)
        often = first.sum(axis=0) >= _FEW
        events = first[:, often]
        rest = ~events.any(axis=1)
        if rest.sum() >= _FEW:
            events = np.column_stack([events, rest])
        return cls(events, True, float(entropy(share)))

    @classmethod
    def top(cls, scores: np.ndarray, k: int) -> "Goal":
        """Return the goal of knowing who is among the first k."""
        inside = rank_draws(scores) <= k
        share, count = inside.mean(axis=0), inside.sum(axis=0)
        open_ = (count >= _FEW) & (len(inside) - count >= _FEW)
        return cls(inside[:, open_], False, float(_either(share).sum()))


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
    each, mean = entropy(p), p.mean(axis=-1)
    total = entropy(mean)
    # The mean of so many draws strays, and strays are taken for information: by about one part in
    # as many as there are draws. That matters where an event has few.
    all_of_it = (total - each.mean(axis=-1)) * draws / (draws - 1)
    if events is None:
        return all_of_it, all_of_it
    inside = events.astype(float)
    count = inside.sum(axis=0)
    within, apart = _given(p @ inside, each @ inside, count)
    stray = all_of_it / draws
    weight = count / draws
    if one:
        told = total - within @ weight - apart @ weight + stray
        return all_of_it, np.maximum(told, 0.0)
    others = 1.0 - inside
    without, spread = _given(p @ others, each @ others, draws - count)
    told = total[:, None] - within * weight - without * (1.0 - weight)
    told -= apart * weight + spread * (1.0 - weight) - stray[:, None]
    return all_of_it, np.maximum(told.sum(axis=1), 0.0)


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


def _given(p: np.ndarray, each: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the entropy given each event, and by how much it comes out too small.

    ``p`` and ``each`` are sums over the draws of the event, of which there are ``count``.
    """
    known = np.maximum(count, 1.0)
    total = entropy(p / known)
    return total, np.maximum(total - each / known, 0.0) / np.maximum(count - 1.0, 1.0)


def sharpness(bits: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Return the precision of a measurement of a difference that would tell as much as a result."""
    precise: np.ndarray = np.expm1(2.0 * np.log(2.0) * np.maximum(bits, 0.0)) / np.maximum(
        variance, _LEAST
    )
    return precise


class Told:
    """What is known of the scores, and will be once more has been asked.

    Parameters
    ----------
    scores : ndarray, draws by items
    events : ndarray of bool, draws by events, optional

    Attributes
    ----------
    covariance : ndarray
        Of the scores.
    shift : ndarray, items by events
        By how much the scores of draws with an event differ from those of draws without.
    room : ndarray
        Variance of each event, as far as it is still open.
    """

    def __init__(self, scores: np.ndarray, events: np.ndarray | None = None) -> None:
        centred = scores - scores.mean(axis=0)
        draws, items = scores.shape
        self.covariance = centred.T @ centred / max(draws - 1, 1)
        self.shift, self.room = np.zeros((items, 0)), np.zeros(0)
        self.stray = 0.0
        if events is not None:
            weight = events.mean(axis=0)
            self.room = weight * (1.0 - weight)
            inside = (events - weight).T @ centred / draws
            self.shift = (inside / self.room[:, None]).T
            self.stray = len(self.room) / draws  # of the variance, by chance alone
        self.of_events = events is not None

    def variance(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the variances of differences."""
        return _of_differences(self.covariance, left, right)

    def worth(self, left: np.ndarray, right: np.ndarray, precise: np.ndarray) -> np.ndarray:
        """Return roughly what results would tell, up to a factor, with what has been told."""
        variance = self.variance(left, right)
        if not self.of_events:
            return np.log1p(precise * variance)
        shared = _of_differences((self.shift * self.room) @ self.shift.T, left, right)
        shared = np.maximum(shared - self.stray * variance, 0.0)
        worth: np.ndarray = precise * shared / (1.0 + precise * variance)
        return worth

    def tell(self, left: int, right: int, precise: float) -> None:
        """Take a result for known."""
        seen = self.covariance[:, left] - self.covariance[:, right]
        variance = seen[left] - seen[right]
        weight = precise / (1.0 + precise * variance)
        shift = self.shift[left] - self.shift[right]
        # What the result tells of an event, it tells of all scores that go with the event.
        self.room = self.room * np.maximum(1.0 - self.room * shift**2 * weight, 0.0)
        self.covariance -= weight * np.outer(seen, seen)


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
        # The first three of each item, in the order of value.
        by_item = order[np.argsort(side[order], kind="stable")]
        item = side[by_item]
        start = np.flatnonzero(np.append(True, item[1:] != item[:-1]))
        place = np.arange(len(item)) - np.repeat(start, np.diff(np.append(start, len(item))))
        chosen[by_item[place < 3]] = True
    return np.flatnonzero(chosen)


def choose_pairs(
    gain: np.ndarray,
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
    gain : ndarray
        What each pair would tell alone.
    precise : ndarray
        The precision of its result; see `sharpness`.
    left, right : ndarray of int
    told : Told
        Is changed.
    n : int
    cost : ndarray, optional
    """
    alone = np.maximum(told.worth(left, right, precise), _LEAST)
    times = np.zeros(len(gain), dtype=int)
    chosen, added = np.empty(n, dtype=int), np.empty(n)
    for k in range(n):
        now = gain * np.minimum(told.worth(left, right, precise) / alone, 1.0)
        value = now if cost is None else now / cost
        best = np.argmax(np.where(times == times.min(), value, -np.inf))
        chosen[k], added[k] = best, now[best]
        times[best] += 1
        told.tell(int(left[best]), int(right[best]), float(precise[best]))
    return chosen, added
