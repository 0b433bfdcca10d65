"""Tiers: groups of items, in order of their mean score, that may be named with few mistakes.

The usual rule promises a rate: of all pairs of items in different tiers, at most a share of
1 - prob is expected to be in the wrong order. All cuts of the order stand in a row. First come
the ones that are best at 0.95, where no tiers that tell as many pairs apart make fewer mistakes,
each next one where the pairs that it tells apart anew are least in doubt; then, by the same
measure, all others. As many of them are made as keep the promise. So a lower probability only
adds cuts. "Most tiers" would be another aim, and a bad one: where many pairs are certain, it
spends all doubt that is allowed on single items beside each other.

The strict rule promises for each pair: the order is cut between two neighbours where every item
before the cut is above every item after it with at least the given probability. Each of its cuts
keeps the promise of the usual rule, which therefore makes them, too.
"""

from typing import Any

import numpy as np

from bayesrank.consensus.intervals import require_probability
from bayesrank.text import argument, level

__all__ = ["RULES", "require_tiers_rule", "tiers", "tiers_promise"]

_USUAL = 0.95  # where tiers are best; at others they are finer or coarser ones
_BLOCK = 256  # cuts looked at together
_BLOCKS = 2_500  # between which cuts may be; of more items some share a block
_COMPARISONS = 1e11  # of two items in one draw; where it takes more, a part of the draws is used


def tiers(scores: np.ndarray, prob: float = 0.95, rule: str = "expected") -> np.ndarray:
    """Return the tier of each item, 1 for the best.

    Parameters
    ----------
    scores : ndarray, draws by items
    prob : float
        What share of the pairs in different tiers is expected to be in the right order at least;
        or, if certain, how certain the order of each of these pairs is at least.
    rule : "expected" or "certain"
    """
    require_probability(prob)
    require_tiers_rule(rule)
    n = scores.shape[1]
    order = np.argsort(-scores.mean(axis=0), kind="stable")
    cuts = RULES[rule](np.ascontiguousarray(scores[:, order].T), prob)
    tier = np.empty(n, dtype=int)
    tier[order] = 1 + np.searchsorted(cuts, np.arange(n), side="right")
    return tier


def require_tiers_rule(rule: Any, name: str = "rule") -> None:
    """Refuse what is not a rule for tiers."""
    if not (isinstance(rule, str) and rule in RULES):
        raise ValueError(f'{argument(name)} must be "expected" or "certain", got {rule!r}.')


def tiers_promise(prob: float, rule: str = "expected") -> str:
    """Return in words what tiers promise of the pairs that they separate."""
    return _PROMISES[rule].format(sure=level(prob), wrong=level(1.0 - prob))


def _expected(x: np.ndarray, prob: float) -> np.ndarray:
    """Return the cuts of items by draws that keep the mistakes to be expected within their rate."""
    from bayesrank.kernels.cuts import cuts_in_turn, mistakes_inside

    n, draws = x.shape
    step = int(np.ceil(0.5 * n * n * draws / _COMPARISONS))
    ranks = _shared_ranks(x[:, ::step])
    size = -(-n // _BLOCKS)
    inside = mistakes_inside(ranks, size)
    place = np.append(np.arange(0, n, size), n)
    draws = ranks.shape[1]
    first = _efficient(inside, place, _allowed(_USUAL, draws))
    cuts, pairs, mistakes = cuts_in_turn(inside, place, first)
    kept = np.flatnonzero(mistakes <= _allowed(prob, draws) * pairs)[-1]
    return np.union1d(place[cuts[:kept]], _certain(x, prob))


def _efficient(inside: np.ndarray, place: np.ndarray, allowed: float) -> np.ndarray:
    """Return the efficient cuts that separate most pairs within a rate.

    Cuts are efficient if they are best for some price of a mistake: then none that separate as
    many pairs make fewer mistakes. The price is found between one that allows no cut and one that
    allows all, each time where the two are equally good.

    Parameters
    ----------
    inside, place : ndarray
        See `bayesrank.kernels.cuts`.
    allowed : float
        Mistakes for each pair that is separated, over all draws.
    """
    from bayesrank.kernels.cuts import best_cuts

    none, every = (best_cuts(inside, place, *prices) for prices in ((0.0, -1.0), (0.0, 1.0)))
    cut, low_pairs, low_mistakes = none
    _, high_pairs, high_mistakes = every
    if high_mistakes <= allowed * high_pairs:
        return every[0]
    while True:
        mistake, pair = high_pairs - low_pairs, high_mistakes - low_mistakes
        found, pairs, mistakes = best_cuts(inside, place, float(mistake), float(pair))
        if not low_pairs < pairs < high_pairs:
            return cut
        gain = pair * (pairs - low_pairs) - mistake * (mistakes - low_mistakes)
        if mistakes <= allowed * pairs:
            cut, low_pairs, low_mistakes = found, pairs, mistakes
        else:
            high_pairs, high_mistakes = pairs, mistakes
        if gain <= 0:  # no better than the two it is between
            return cut


def _allowed(prob: float, draws: int) -> float:
    """Return in how many draws a pair may be in the wrong order; the nudge is for rounding."""
    return (1.0 - prob) * draws * (1.0 + 1e-9)


def _shared_ranks(x: np.ndarray) -> np.ndarray:
    """Return ranks of items by draws, 0 the best; equal scores share theirs."""
    order = np.argsort(-x, axis=0)
    falls = np.diff(np.take_along_axis(x, order, axis=0), axis=0, prepend=x.max(axis=0)[None]) < 0
    place = np.cumsum(falls, axis=0, dtype=np.int16 if len(x) < 2**15 else np.int32)
    ranks = np.empty_like(place)
    np.put_along_axis(ranks, order, place, axis=0)
    return ranks


def _certain(x: np.ndarray, prob: float) -> np.ndarray:
    """Return the cuts of items by draws across which every pair is certain."""
    n, draws = x.shape
    # Draws in which a pair may be the wrong way round, or equal; the nudge is for rounding.
    allowed = (1.0 - prob) * draws + 1e-9
    adjacent = np.array([np.count_nonzero(x[k - 1] <= x[k]) for k in range(1, n)])
    cuts = 1 + np.flatnonzero(adjacent <= allowed)
    middle = 0.5 * (x[cuts - 1].mean(axis=1) + x[cuts].mean(axis=1))
    ordered = np.sort(x, axis=1)
    kept: list[int] = []
    for start in range(0, len(cuts), _BLOCK):
        part = slice(start, start + _BLOCK)
        below = np.stack([np.searchsorted(row, middle[part], side="right") for row in ordered])
        beyond = np.stack(
            [draws - np.searchsorted(row, middle[part], side="left") for row in ordered]
        )
        kept += [
            cut
            for k, cut in enumerate(cuts[part])
            if _separates(x, cut, below[:cut, k], beyond[cut:, k], allowed)
        ]
    return np.array(kept, dtype=int)


def _separates(
    x: np.ndarray, cut: int, below: np.ndarray, beyond: np.ndarray, allowed: float
) -> bool:
    """Return whether every item before the cut is above every item after it often enough.

    A pair is the wrong way round only in draws where one of the two is on the wrong side of the
    middle. So only pairs that are there often need to be looked at together.
    """
    for i in np.flatnonzero(below + beyond.max() > allowed)[::-1]:
        after = cut + np.flatnonzero(below[i] + beyond > allowed)
        if np.any(np.count_nonzero(x[i] <= x[after], axis=1) > allowed):
            return False
    return True


RULES = {"expected": _expected, "certain": _certain}
_PROMISES = {
    "expected": "of the pairs they separate, at most {wrong} are expected to be in the wrong order",
    "certain": "the order of every pair they separate is at least {sure} certain",
}
