r"""AttRank: cross-entropy between a softmax of the relevance and the softmax of the scores.

Ai, Bi, Guo and Croft (2018) give the items of a list the weights

    a_i = e^y_i / sum over j of e^y_j,    items of no relevance (y_i = 0) being left out,

and minimise - sum over i of a_i log softmax(f)_i. Here the relevance of an item is the number of
blocks below its own, so that the last block has none. With two blocks all weights are alike, and a
list adds what it adds in `bayesrank.baselines.pl_lower_bound`, divided by its items above.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.partitions import check_shapes

__all__ = ["attention_rank"]


@compiled(cache=True)
def attention_rank(
    score: np.ndarray, order: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return minus the cross-entropy and its derivative by ``score``, per ranking.

    Parameters
    ----------
    score : ndarray, rankings by slots
    order, sizes : ndarray of int, rankings by slots
        From `bayesrank.kernels.partitions.partition`.

    Returns
    -------
    value : ndarray, one number per ranking
    by_score : ndarray, rankings by slots

    Examples
    --------
    >>> races = br.Rankings.from_lists([["a", {"b", "c"}], ["c", "b", "a"]])
    >>> fit_item_scores(races, attention_rank, scale=1.0).round(2)
    array([ 0.2 , -0.24,  0.05])
    """
    check_shapes(score, order)
    rows, slots = score.shape
    value, by_score = np.zeros(rows), np.zeros((rows, slots))
    for n in range(rows):
        blocks, items = 0, 0
        while blocks < slots and sizes[n, blocks] != 0:
            items += abs(sizes[n, blocks])
            blocks += 1
        if blocks < 2:
            continue
        highest = -math.inf
        for p in range(items):
            highest = max(highest, score[n, order[n, p]])
        total = 0.0
        for p in range(items):
            total += math.exp(score[n, order[n, p]] - highest)
        # Relative to the first block, whose relevance is the highest.
        attention = 0.0
        for s in range(blocks - 1):
            attention += sizes[n, s] * math.exp(-s)
        place = 0
        for s in range(blocks):
            weight = math.exp(-s) / attention if s < blocks - 1 else 0.0
            for p in range(place, place + abs(sizes[n, s])):
                apart = score[n, order[n, p]] - highest
                value[n] += weight * (apart - math.log(total))
                by_score[n, order[n, p]] = weight - math.exp(apart) / total
            place += abs(sizes[n, s])
    return value, by_score
