"""Whether draws of scores settle a question: who is best, who the first k are, in which order.

A question is settled where one answer is right in enough draws. With an indifference width, an
answer need only be right up to that width, so that items may be equal:

- best: an item whose score is at least the largest one less the width;
- top: a set of k items, none of which is more than the width below any other item;
- order: the order of the mean scores, if no item is more than the width above one before it.

What is open is as little as possible: as many items, or neighbouring pairs, the likeliest to be
wrong first, as it takes to be right about all others in enough draws.
"""

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from bayesrank.consensus.intervals import require_count, require_probability
from bayesrank.consensus.ranks import rank_draws

__all__ = ["GOALS", "Settled", "require_question", "settle"]

GOALS = ("best", "top", "order")
_ROUNDING = 1e-12  # of shares of draws


@dataclass(frozen=True)
class Settled:
    """What draws say of a question.

    Attributes
    ----------
    decided : bool
        Whether the answer is right in enough draws.
    probability : float
        Share of the draws in which it is.
    choice : ndarray of int
        The answer, as positions: an item, the first items, or all of them; the best first.
    open : ndarray of int
        Items that may be the best, or that may be among the first or not, by position, the
        likeliest first; of an order, places k whose item may belong behind the next one. None
        if it is decided.
    chances : ndarray
        For each of them: the probability of being the best, or among the first; or that
        the pair is in order.
    """

    decided: bool
    probability: float
    choice: np.ndarray
    open: np.ndarray
    chances: np.ndarray


def require_question(goal: Any, prob: Any, k: Any, indifference: Any, items: int) -> None:
    """Refuse a question that has no answer."""
    if not isinstance(goal, str) or goal not in GOALS:
        raise ValueError(f'`goal` must be "best", "top" or "order", got {goal!r}.')
    require_probability(prob)
    if goal == "top":
        if k is None:
            raise ValueError('`goal="top"` needs the number of items: give `k`, such as k=3.')
        require_count(k, items)
    elif k is not None:
        raise ValueError(f'`k` is for goal="top"; leave it out for goal="{goal}", got {k!r}.')
    real = isinstance(indifference, Real) and not isinstance(indifference, bool | np.bool_)
    if not (real and 0.0 <= indifference < np.inf):
        raise ValueError(
            "`indifference` must be a width on the scale of the scores, 0 or more, got "
            f"{indifference!r}."
        )


def settle(
    scores: np.ndarray, goal: str, prob: float = 0.95, k: int | None = None, width: float = 0.0
) -> Settled:
    """Return what draws say of a question.

    Parameters
    ----------
    scores : ndarray, draws by items
    goal : "best", "top" or "order"
    prob : float
        How probable an answer must be.
    k : int, optional
        Of the goal "top".
    width : float
        Of indifference.
    """
    if goal == "order":
        return _order(scores, prob, width)
    # The first one is the best.
    return _best(scores, prob, width) if k in (None, 1) else _top(scores, prob, k, width)


def _best(scores: np.ndarray, prob: float, width: float) -> Settled:
    good = scores >= scores.max(axis=1, keepdims=True) - width
    chance = good.mean(axis=0)
    order = np.lexsort((-scores.mean(axis=0), -chance))
    decided, open_ = _enough(chance[order[0]], prob), np.empty(0, dtype=int)
    if not decided:
        # How far down the list the first one is that is good enough.
        place = _place(chance)
        needed = np.where(good, place, len(place)).min(axis=1)
        open_ = order[place[order] <= _limit(needed, prob)]
    return Settled(decided, float(chance[order[0]]), order[:1], open_, chance[open_])


def _top(scores: np.ndarray, prob: float, k: int, width: float) -> Settled:
    inside = rank_draws(scores) <= k
    mean, chance = scores.mean(axis=0), inside.mean(axis=0)
    # The sets do not depend on the width, so that a wider one never makes an answer less probable.
    sets = [np.lexsort((-mean, -chance))[:k], np.argsort(-mean, kind="stable")[:k], _usual(inside)]
    shares = [np.mean(_shortfall(scores, chosen) <= width) for chosen in sets]
    best = int(np.argmax(shares))
    choice, probability = sets[best], float(shares[best])
    choice = choice[np.argsort(-mean[choice], kind="stable")]
    decided, open_ = _enough(probability, prob), np.empty(0, dtype=int)
    if not decided:
        open_ = _open(_misplaced(scores, choice, width), prob)
        open_ = open_[np.argsort(-chance[open_], kind="stable")]
    return Settled(decided, probability, choice, open_, chance[open_])


def _usual(inside: np.ndarray) -> np.ndarray:
    """Return the set of items that is the first one in most draws."""
    packed = np.packbits(inside, axis=1)
    seen = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, times = np.unique(seen, return_index=True, return_counts=True)
    return np.flatnonzero(inside[first[np.argmax(times)]])


def _shortfall(scores: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Return by how much the lowest of some items is below the highest of the others."""
    rest = np.delete(scores, chosen, axis=1)
    return rest.max(axis=1, initial=-np.inf) - scores[:, chosen].min(axis=1)


def _misplaced(scores: np.ndarray, choice: np.ndarray, width: float) -> np.ndarray:
    """Return, by draw, which items are wrongly in the set or wrongly out of it.

    A draw in which the set is right has none, and any other has some.
    """
    k, n = len(choice), scores.shape[1]
    chosen = np.zeros(n, dtype=bool)
    chosen[choice] = True
    ordered = np.partition(scores, (n - k - 1, n - k), axis=1)
    last, next_ = ordered[:, n - k, None], ordered[:, n - k - 1, None]
    wrong = np.where(chosen, scores < last - width, scores > next_ + width)
    # Two items may be further apart than the width, and each near enough to where sets are cut.
    missed = np.flatnonzero((_shortfall(scores, choice) > width) & ~wrong.any(axis=1))
    low = np.where(chosen, scores[missed], np.inf).argmin(axis=1)
    high = np.where(chosen, -np.inf, scores[missed]).argmax(axis=1)
    wrong[missed, low] = wrong[missed, high] = True
    return wrong


def _order(scores: np.ndarray, prob: float, width: float) -> Settled:
    choice = np.argsort(-scores.mean(axis=0), kind="stable")
    x = scores[:, choice]
    steps = x[:, 1:] - x[:, :-1]  # upwards is the wrong way
    wrong = steps > width
    lowest = np.minimum.accumulate(x, axis=1)[:, :-1]
    reversed_ = np.max(x[:, 1:] - lowest, axis=1) > width
    probability = float(np.mean(~reversed_))
    # A pair that is further apart may be reversed by more than any neighbours in between.
    missed = np.flatnonzero(reversed_ & ~wrong.any(axis=1))
    wrong[missed, steps[missed].argmax(axis=1)] = True
    decided, open_ = _enough(probability, prob), np.empty(0, dtype=int)
    if not decided:
        open_ = _open(wrong, prob)
    chance = (steps <= width).mean(axis=0)
    return Settled(decided, probability, choice, open_, chance[open_])


def _enough(probability: float, prob: float) -> bool:
    return bool(probability > prob - _ROUNDING)


def _open(wrong: np.ndarray, prob: float) -> np.ndarray:
    """Return which columns to leave open to be right about all others in enough draws."""
    often = wrong.mean(axis=0)
    place = _place(often)
    needed = np.where(wrong, place, 0).max(axis=1)
    order = np.argsort(-often, kind="stable")
    return order[place[order] <= _limit(needed, prob)]


def _place(often: np.ndarray) -> np.ndarray:
    """Return how many are at least as frequent: no order of labels must decide between equals."""
    return len(often) - np.searchsorted(np.sort(often), often, side="left")


def _limit(needed: np.ndarray, prob: float) -> int:
    """Return the smallest number that at least a share prob does not exceed."""
    return int(np.quantile(needed, prob - _ROUNDING, method="inverted_cdf"))
