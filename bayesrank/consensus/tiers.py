"""Tiers: groups of items between which the order is certain.

Items are taken in order of their mean score. The order is cut between two neighbours where every
item before the cut is above every item after it with at least the given probability. So two items
in different tiers have an order that is that certain, and there are as many tiers as this allows.
Neighbours inside a tier cannot be told apart, or stand between some that cannot.
"""

import numpy as np

from bayesrank.consensus.intervals import require_probability

__all__ = ["tiers"]

_BLOCK = 256  # cuts looked at together


def tiers(scores: np.ndarray, prob: float = 0.95) -> np.ndarray:
    """Return the tier of each item, 1 for the best.

    Parameters
    ----------
    scores : ndarray, draws by items
    prob : float
        How certain the order of two items in different tiers is at least.
    """
    require_probability(prob)
    draws, n = scores.shape
    order = np.argsort(-scores.mean(axis=0), kind="stable")
    x = np.ascontiguousarray(scores[:, order].T)
    # Draws in which a pair may be the wrong way round, or equal; the nudge is for rounding.
    allowed = (1.0 - prob) * draws + 1e-9
    adjacent = np.array([np.count_nonzero(x[k - 1] <= x[k]) for k in range(1, n)])
    cuts = 1 + np.flatnonzero(adjacent <= allowed)
    middle = 0.5 * (x[cuts - 1].mean(axis=1) + x[cuts].mean(axis=1))
    ordered = np.sort(x, axis=1)
    kept = []
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
    tier = np.empty(n, dtype=int)
    tier[order] = 1 + np.searchsorted(kept, np.arange(n), side="right")
    return tier


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
