"""Likelihoods of rankings as functions of the scores, with their gradients.

One study trains with these functions, and two measure their cost. Each function takes the scores
(rankings by slots), the order of the slots from best to worst, and the sizes of the blocks. The
unranked slots are a last block of negative size. Each function returns one value per ranking and
the derivative by each score.
"""

import numpy as np

from bayesrank.baselines import sampled_gradient
from bayesrank.kernels import KERNELS

__all__ = ["davidson", "geometric", "gibbs_sweep", "partitioned", "shares"]

NODES = np.array([32.0])  # right to 1e-5 or better, far below the noise of a batch


def davidson(difference, counts):
    """Return Davidson's value and derivative by the difference of scores, for each pair.

    ``counts`` has wins of the left item, wins of the right item and ties, each with one number per
    pair. The tie parameter is 1.
    """
    value, by_difference, _ = KERNELS["davidson"].function(difference, np.ones(1), counts)
    return value, by_difference


def shares(score, order, sizes):
    """Return PMOP's likelihood with the additive potential; without ties it is Plackett-Luce."""
    return KERNELS["shares"].function(score, order, sizes)


def geometric(score, order, sizes):
    """Return PMOP's exact likelihood with the geometric potential and a tie parameter of 1."""
    return KERNELS["geometric"].function(score, np.ones((1, 1)), order, sizes, np.ones(1))


def partitioned(score, order, sizes):
    """Return the likelihood of blocks whose inner order is unknown."""
    return KERNELS["partitioned"].function(score, order, sizes, NODES)


def gibbs_sweep(slots):
    """Return a function like the others, for a gradient of `geometric` by one sweep of Gibbs.

    It returns the derivative alone. ``slots`` is the largest number of slots.
    """
    state = np.array([1], dtype=np.uint64)

    def gradient(score, order, sizes):
        return sampled_gradient(score, order, sizes, state=state)

    return gradient
