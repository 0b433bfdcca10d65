r"""The first and the last step of a ranking's integral: its bottom and its top block.

Functions are kept at the nodes of all panels, relative to the largest value in each panel, of
which the logarithm is the panel's level.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.vector_math import bounded_exp
from bayesrank.kernels.thurstone.noise_laws import log_densities, log_tails
from bayesrank.kernels.thurstone.steps import NODES, WEIGHT

__all__ = ["both_tails", "bottom", "finish", "relative", "top"]


@compiled()
def relative(log_value, value, level):
    """Turn logarithms into numbers relative to the largest of their panel."""
    for b in range(level.size):
        at = b * NODES
        highest = log_value[at]
        for k in range(1, NODES):
            highest = max(highest, log_value[at + k])
        level[b] = highest
        for k in range(NODES):
            value[at + k] = bounded_exp(log_value[at + k] - highest)


@compiled()
def bottom(y, nodes, score, first, last, law, table, value, level, slope):
    """Fill in the probability that a block is below y, prod_j F_j, and minus its derivatives.

    Derivatives, here and in `top`, are those of the logarithm by the items' scores.
    """
    log_value, part = np.zeros(y.size), np.empty(y.size)
    for p in range(first, last):
        log_tails(y, score[p], 1.0, law, table, part, slope[p][nodes])
        for i in range(y.size):
            log_value[i] += part[i]
    relative(log_value, value, level)


@compiled()
def top(y, nodes, score, size, law, table, value, level, slope):
    """Fill in the density of the lowest of a block, and minus its derivatives.

    It is prod_j (1 - F_j) sum_i h_i with the hazards h_i = p_i / (1 - F_i), and one item's is p.
    """
    log_value = np.zeros(y.size)
    if size == 1:
        log_densities(y, score[0], law, table, log_value, slope[0][nodes])
    else:
        part, total, hazard = np.empty(y.size), np.zeros(y.size), np.empty((size, y.size))
        for p in range(size):
            log_tails(y, score[p], -1.0, law, table, part, hazard[p])
            for i in range(y.size):
                log_value[i] += part[i]
                total[i] += hazard[p, i]
        for i in range(y.size):
            total[i] = max(total[i], 1e-300)
            log_value[i] += math.log(total[i])
        for p in range(size):
            minus = slope[p][nodes]
            log_densities(y, score[p], law, table, part, minus)
            for i in range(y.size):
                # h' = h (h + p'/p)
                rate = hazard[p, i]
                minus[i] = rate / total[i] * (rate + minus[i]) - rate
    relative(log_value, value, level)


@compiled()
def both_tails(y, score, law, table):
    """Return several items' lower and upper tails at y, and their levels."""
    value = np.empty((2, score.size, y.size))
    level = np.empty((2, score.size, y.size // NODES))
    part, hazard = np.empty(y.size), np.empty(y.size)
    for side in range(2):
        for p in range(score.size):
            log_tails(y, score[p], 1.0 - 2.0 * side, law, table, part, hazard)
            relative(part, value[side, p], level[side, p])
    return value, level


@compiled()
def finish(density, level, measure, below, scale, pull, lo, hi):
    """Return the log of the integral of the top's density times what is below it.

    Its derivative by what is below goes into ``pull``.
    """
    reference = -1e300
    for b in range(lo, hi):
        reference = max(reference, level[b] + scale[b])
    total = 0.0
    for b in range(lo, hi):
        part = math.exp(level[b] + scale[b] - reference)
        for k in range(NODES):
            i = b * NODES + k
            pull[i] = part * WEIGHT[k] * measure[i] * density[i]
            total += pull[i] * below[i]
    # If nothing is left, which happens to the most absurd of orders, no derivative is left either.
    inverse = 1.0 / total if total > 1e-200 else 0.0
    for i in range(lo * NODES, hi * NODES):
        pull[i] *= inverse
    return reference + math.log(max(total, 1e-200))
