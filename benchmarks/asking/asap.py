"""ASAP, a peer's rule of what to compare next, made again from its paper.

Mikhailiuk, Wilmot, Perez-Ortiz, Yue and Mantiuk, "Active sampling for pairwise comparisons via
approximate message passing and information gain maximization" (ICPR 2020): scores are independent
normals, found by TrueSkill's message passing (Herbrich, Minka and Graepel 2006); a pair is worth
the expected Kullback-Leibler divergence between the scores after and before its result; a batch is
the minimum spanning tree of the inverse of that. The paper knows no ties, which count here as half
a win for each side, and no rankings, which are here chains of neighbours, as in TrueSkill.
"""

import math

import numpy as np
from numba import njit
from scipy.sparse.csgraph import minimum_spanning_tree

__all__ = ["Posterior", "sets_of_tree", "tree"]

PRIOR = 0.5  # variance of a score, where the noise of a difference has variance 1
_ROUNDS = 50  # of messages, at most
_CLOSE = 1e-6


@njit(cache=True)
def _ratio(z):
    """Return the normal density by the distribution function."""
    if z < -30.0:
        return -z + 1.0 / -z
    upper = 0.5 * math.erfc(-z / math.sqrt(2.0))
    return math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) / upper


@njit(cache=True)
def _messages(precision, shift, other_precision, other_shift):
    """Return what a win says of the winner and of the loser: precision and its product with means.

    Parameters
    ----------
    precision, shift : float
        Of the winner's score as all else says, with precision times mean; then of the loser's.
    """
    mean, other = shift / precision, other_shift / other_precision
    variance = 1.0 + 1.0 / precision + 1.0 / other_precision
    root = math.sqrt(variance)
    z = (mean - other) / root
    ratio = _ratio(z)
    left = variance * max(1.0 - ratio * (ratio + z), 1e-12)
    sharp = max(1.0 / left - 1.0 / variance, 1e-12)
    gap = ((mean - other + root * ratio) / left - (mean - other) / variance) / sharp
    to_winner = 1.0 / (1.0 / sharp + 1.0 + 1.0 / other_precision)
    to_loser = 1.0 / (1.0 / sharp + 1.0 + 1.0 / precision)
    return to_winner, to_winner * (other + gap), to_loser, to_loser * (mean - gap)


@njit(cache=True)
def _pass_messages(winner, loser, count, items, rounds, close):
    """Return the messages of all results, and precisions and shifts of all scores."""
    sent = np.zeros((winner.size, 4))
    total = np.zeros((items, 2))
    total[:, 0] = 1.0 / PRIOR
    for _ in range(rounds):
        fresh = np.zeros((items, 2))
        fresh[:, 0] = 1.0 / PRIOR
        change = 0.0
        for u in range(winner.size):
            i, j = winner[u], loser[u]
            a, b, c, d = _messages(
                total[i, 0] - sent[u, 0], total[i, 1] - sent[u, 1],
                total[j, 0] - sent[u, 2], total[j, 1] - sent[u, 3],
            )  # fmt: skip
            change = max(change, abs(a - sent[u, 0]), abs(b - sent[u, 1]), abs(d - sent[u, 3]))
            sent[u, 0], sent[u, 1], sent[u, 2], sent[u, 3] = a, b, c, d
            fresh[i, 0] += count[u] * a
            fresh[i, 1] += count[u] * b
            fresh[j, 0] += count[u] * c
            fresh[j, 1] += count[u] * d
        total = fresh
        if change < close:
            break
    return sent, total


@njit(cache=True)
def _divergence(i, j, winner, loser, count, sent, total, start, touching):
    """Return how far scores move if i wins against j: the divergence of after from before.

    Two rounds of messages, as in the paper: that of the new result, and then also those of the
    results of i and j. No other would change before the third.
    """
    now = total.copy()
    extra = np.zeros(4)
    for round_ in range(2):
        fresh = now.copy()
        a, b, c, d = _messages(
            now[i, 0] - extra[0], now[i, 1] - extra[1], now[j, 0] - extra[2], now[j, 1] - extra[3]
        )
        fresh[i, 0] += a - extra[0]
        fresh[i, 1] += b - extra[1]
        fresh[j, 0] += c - extra[2]
        fresh[j, 1] += d - extra[3]
        if round_ == 1:
            for item in (i, j):
                for place in range(start[item], start[item + 1]):
                    u = touching[place]
                    above, below = winner[u], loser[u]
                    if item == j and i in (above, below):
                        continue  # done with i
                    p, q, r, s = _messages(
                        now[above, 0] - sent[u, 0], now[above, 1] - sent[u, 1],
                        now[below, 0] - sent[u, 2], now[below, 1] - sent[u, 3],
                    )  # fmt: skip
                    fresh[above, 0] += count[u] * (p - sent[u, 0])
                    fresh[above, 1] += count[u] * (q - sent[u, 1])
                    fresh[below, 0] += count[u] * (r - sent[u, 2])
                    fresh[below, 1] += count[u] * (s - sent[u, 3])
        extra[0], extra[1], extra[2], extra[3] = a, b, c, d
        now = fresh
    found = 0.0
    for k in range(total.shape[0]):
        ratio = total[k, 0] / now[k, 0]
        apart = now[k, 1] / now[k, 0] - total[k, 1] / total[k, 0]
        found += 0.5 * (ratio - 1.0 - math.log(ratio) + apart * apart * total[k, 0])
    return found


@njit(cache=True)
def _gains(winner, loser, count, sent, total, start, touching):
    """Return the expected divergence of each pair."""
    items = total.shape[0]
    gains = np.zeros((items, items))
    for i in range(items):
        for j in range(i):
            spread = math.sqrt(1.0 + 1.0 / total[i, 0] + 1.0 / total[j, 0])
            z = (total[i, 1] / total[i, 0] - total[j, 1] / total[j, 0]) / spread
            p = 0.5 * math.erfc(-z / math.sqrt(2.0))
            first = _divergence(i, j, winner, loser, count, sent, total, start, touching)
            second = _divergence(j, i, winner, loser, count, sent, total, start, touching)
            gains[i, j] = gains[j, i] = p * first + (1.0 - p) * second
    return gains


class Posterior:
    """Independent normal scores, by message passing.

    Parameters
    ----------
    wins : ndarray, items by items
        How often the row won against the column; ties are halves.
    """

    def __init__(self, wins):
        self._winner, self._loser = np.nonzero(wins)
        self._count = wins[self._winner, self._loser].astype(float)
        self._sent, self._total = _pass_messages(
            self._winner, self._loser, self._count, len(wins), _ROUNDS, _CLOSE
        )

    @property
    def mean(self):
        """Means of the scores."""
        return self._total[:, 1] / self._total[:, 0]

    @property
    def variance(self):
        """Variances of the scores."""
        return 1.0 / self._total[:, 0]

    def gains(self):
        """Return what each pair is expected to tell, items by items."""
        item = np.concatenate([self._winner, self._loser])
        result = np.tile(np.arange(len(self._winner)), 2)
        touching = result[np.argsort(item, kind="stable")]
        degree = np.bincount(item, minlength=len(self._total))
        start = np.concatenate([[0], np.cumsum(degree)])
        return _gains(
            self._winner, self._loser, self._count, self._sent, self._total, start, touching
        )


def tree(gains, rng):
    """Return the pairs of the minimum spanning tree of inverse gains, those of most gain first."""
    # Equal gains would make a star around the first item.
    gains = np.maximum(gains, 1e-12) * (1.0 + 1e-6 * rng.random(gains.shape))
    gains = np.triu(gains, 1) + np.triu(gains, 1).T
    np.fill_diagonal(gains, np.inf)
    left, right = minimum_spanning_tree(1.0 / gains).nonzero()
    order = np.argsort(-gains[left, right])
    return np.stack([left[order], right[order]], axis=1)


def sets_of_tree(gains, size, n, rng):
    """Return sets that grow from pairs of the tree by the items that add most; not in the paper."""
    gains, sets = gains.copy(), []
    while len(sets) < n:
        for pair in tree(gains, rng)[: n - len(sets)]:
            chosen = list(pair)
            while len(chosen) < size:
                added = gains[:, chosen].sum(axis=1)
                added[chosen] = -np.inf
                chosen.append(int(np.argmax(added)))
            gains[np.ix_(chosen, chosen)] *= 0.5  # so that the next set is another
            sets.append(chosen)
    return np.array(sets)
