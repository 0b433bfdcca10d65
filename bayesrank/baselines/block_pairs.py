r"""RankNet and Ranking SVM on ordered partitions: every item against every one of a later block.

    - sum over pairs of loss(f_better - f_worse),    loss(m) = log(1 + e^-m)   or   max(0, 1 - m)

The losses are those of `bayesrank.baselines.pair_losses`, whose pairs are given one by one. A
partition of a thousand items has some hundred thousand of them, so here they are never listed:
`block_pairs` goes through the blocks of each ranking, for scores that differ between rankings;
and `counted_pairs` through a table of who was above whom how often, for scores of items, whose cost
does not grow with the number of rankings.
"""

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.vector_math import bounded_exp, log_from_one
from bayesrank.kernels.partitions import check_shapes

__all__ = ["block_pairs", "count_wins", "counted_pairs"]


# The order of this sum does not matter, and only if it is left open is the loop vectorised.
@compiled(fastmath={"contract", "reassoc"})
def _sum(values: np.ndarray, size: int) -> float:
    total = 0.0
    for j in range(size):
        total += values[j]
    return total


@compiled()
def _one_against(
    own: float, others: np.ndarray, size: int, hinge: bool, loss: np.ndarray, slope: np.ndarray
) -> None:
    """Fill in the losses of a score above each of others, and their derivatives by these."""
    if hinge:
        for j in range(size):
            loss[j] = max(1.0 + others[j] - own, 0.0)
            slope[j] = 1.0 if loss[j] > 0.0 else 0.0
        return
    for j in range(size):
        behind = others[j] - own
        e = bounded_exp(-abs(behind))
        loss[j] = max(behind, 0.0) + log_from_one(1.0 + e)
        slope[j] = (1.0 if behind > 0.0 else e) / (1.0 + e)


@compiled(cache=True)
def block_pairs(
    score: np.ndarray, order: np.ndarray, sizes: np.ndarray, hinge: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return minus the loss of all pairs and its derivative by ``score``, per ranking.

    Parameters
    ----------
    score : ndarray, rankings by slots
    order, sizes : ndarray of int, rankings by slots
        From `bayesrank.kernels.partitions.partition`.
    hinge : bool
        Whether the loss is that of Ranking SVM, or RankNet's.

    Returns
    -------
    value : ndarray, one number per ranking
    by_score : ndarray, rankings by slots

    Examples
    --------
    >>> races = br.Rankings.from_lists([["a", {"b", "c"}], ["c", "b", "a"]])
    >>> from bayesrank.kernels.partitions import partition
    >>> order, sizes, _ = partition(races.ranks, races.offered)
    >>> block_pairs(np.zeros(races.ranks.shape), order, sizes, False)[0].round(3)
    array([-1.386, -2.079])
    """
    check_shapes(score, order)
    rows, slots = score.shape
    value, by_score = np.zeros(rows), np.zeros((rows, slots))
    work = np.empty((4, slots))
    x, loss, slope, gradient = work[0], work[1], work[2], work[3]
    for n in range(rows):
        items = 0
        for s in range(slots):
            items += abs(sizes[n, s])
        for p in range(items):
            x[p] = score[n, order[n, p]]
        gradient[:items] = 0.0
        first, s = 0, 0
        while s < slots and sizes[n, s] != 0:
            last = first + abs(sizes[n, s])
            for p in range(first, last):
                _one_against(x[p], x[last:items], items - last, hinge, loss, slope)
                value[n] -= _sum(loss, items - last)
                gradient[p] += _sum(slope, items - last)
                for j in range(items - last):
                    gradient[last + j] -= slope[j]
            first = last
            s += 1
        for p in range(items):
            by_score[n, order[n, p]] = gradient[p]
    return value, by_score


@compiled(cache=True)
def count_wins(entries: np.ndarray, order: np.ndarray, sizes: np.ndarray, items: int) -> np.ndarray:
    """Return how often each item was in an earlier block than each other, items by items.

    ``entries`` holds, rankings by slots, the position of each slot's item. The table takes four
    bytes per pair of items.
    """
    wins = np.zeros((items, items), dtype=np.float32)
    rows, slots = order.shape
    for n in range(rows):
        total = 0
        for s in range(slots):
            total += abs(sizes[n, s])
        first, s = 0, 0
        while s < slots and sizes[n, s] != 0:
            last = first + abs(sizes[n, s])
            for p in range(first, last):
                own = wins[entries[n, order[n, p]]]
                for j in range(last, total):
                    own[entries[n, order[n, j]]] += 1.0
            first = last
            s += 1
    return wins


@compiled(cache=True)
def counted_pairs(score: np.ndarray, wins: np.ndarray, hinge: bool) -> tuple[float, np.ndarray]:
    """Return minus the loss of all pairs, each as often as it was seen, and its derivative.

    Parameters
    ----------
    score : ndarray, one number per item
    wins : ndarray, items by items
        From `count_wins`.
    hinge : bool
    """
    items = score.size
    value, gradient = 0.0, np.zeros(items)
    loss, slope = np.empty(items), np.empty(items)
    for i in range(items):
        _one_against(score[i], score, items, hinge, loss, slope)
        times = wins[i]
        for j in range(items):
            loss[j] *= times[j]
            slope[j] *= times[j]
            gradient[j] -= slope[j]
        value -= _sum(loss, items)
        gradient[i] += _sum(slope, items)
    return value, gradient
