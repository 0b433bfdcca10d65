r"""PL-LB: a lower bound of the partitioned Plackett-Luce likelihood that needs no integral.

Of a block S above the rest, with R the block and the rest together, the probability is a sum over
the n! orders of the block. As each choice is made from no more than R, no order has less than the
product of the items' shares in R (Hino, Fujimoto and Murata 2010; the rival of Ma and others 2021):

    P(S > rest)  >=  n! * prod over S of  e^f_i / sum over R of e^f_j

It is exact for a block of one. `bayesrank.kernels.partitioned` has the likelihood itself.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.suffix_sums import gather, push_back, suffix_sums
from bayesrank.kernels.partitions import check_shapes

__all__ = ["pl_lower_bound"]


@compiled(cache=True)
def pl_lower_bound(
    score: np.ndarray, order: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the bound of the log-probability and its derivative by ``score``, per ranking.

    Parameters
    ----------
    score : ndarray, rankings by slots
    order, sizes : ndarray of int, rankings by slots
        From `bayesrank.kernels.partitions.partition`.

    Returns
    -------
    bound : ndarray, one number per ranking
    by_score : ndarray, rankings by slots

    Examples
    --------
    >>> races = br.Rankings.from_lists([["a", {"b", "c"}], ["c", "b", "a"]])
    >>> fit_item_scores(races, pl_lower_bound, scale=1.0).round(2)
    array([-0.1, -0.1,  0.2])
    """
    check_shapes(score, order)
    rows, slots = score.shape
    bound, by_score = np.zeros(rows), np.zeros((rows, slots))
    start = np.empty(slots + 1, dtype=np.int64)
    work = np.empty((6, slots))
    x, worth, gradient = work[0], work[1], work[2]
    reference, total, by_total = work[3], work[4], work[5]
    for n in range(rows):
        blocks, _ = gather(score[n], order[n], sizes[n], x, start)
        if blocks < 2:
            continue
        items = start[blocks]
        suffix_sums(x, start, blocks, worth, reference, total)
        gradient[:items] = 0.0
        by_total[:blocks] = 0.0
        value = 0.0
        for s in range(blocks - 1):
            size = start[s + 1] - start[s]
            value += math.lgamma(size + 1.0) - size * (reference[s] + math.log(total[s]))
            for p in range(start[s], start[s + 1]):
                value += x[p]
                gradient[p] = 1.0
            by_total[s] = -float(size)
        bound[n] = value
        push_back(start, blocks, worth, reference, total, by_total, gradient)
        for p in range(items):
            by_score[n, order[n, p]] = gradient[p]
    return bound, by_score
