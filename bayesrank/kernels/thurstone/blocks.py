r"""Many items in unknown order between other blocks: what is below them, and its adjoint.

With H what is below the block, v the lowest of its items and x a bound on all of them,

    H_new(x) = int_{v < x} H(v) D(x, v) dv,  D = sum_i p_i(v) prod_{j != i} (F_j(x) - F_j(v)),

where D is the coefficient of e in prod_j (F_j(x) - F_j(v) + e p_j(v)), so that products of dual
numbers give it without division. This costs the square of the number of nodes times the items,
where `bayesrank.kernels.thurstone.steps` costs 2^items.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.thurstone.steps import NODES, RUNNING, WEIGHT

__all__ = ["climb_pairs", "descend_pairs"]

_LOG_HALF = math.log(0.5)
_NEGLIGIBLE = 45.0  # a panel whose part is e^-45 of the largest does not count


@compiled()
def _unit(j, a, b, level):
    """Return the log of the unit of an item's factors for x in panel a and v in panel b."""
    return level[1, j, b] if level[1, j, b] <= _LOG_HALF else level[0, j, a]


@compiled()
def _partners(a, lo, hi, tail_level, before, logs):
    """Return the first panel of v that matters to x in panel a, and the largest of the ``logs``.

    ``logs`` are the scales of the integrand in each panel. What is below the block only falls
    towards lower panels, and no unit is above the lower tail of its item at x by more than log 2.
    """
    size = tail_level.shape[1]
    most = size * -_LOG_HALF
    for j in range(size):
        most += tail_level[0, j, a]
    highest = -1e300
    b = min(a + 1, hi)
    while b > lo and before[b - 1] + most > highest - _NEGLIGIBLE:
        b -= 1
        logs[b] = before[b]
        for j in range(size):
            logs[b] += _unit(j, a, b, tail_level)
        highest = max(highest, logs[b])
    return b, highest


@compiled()
def _factors(a, b, tail_level, level, factor):
    """Fill in how each item's factors are made of its tails and density in panels a >= b.

    F(x) - F(v) is the difference of lower tails, or of upper tails where v is above the median, so
    that neither end of the distribution loses its digits. An item has factors of the tail at x,
    of the tail at v, of the density at x and of that at v, and the number of its tail.
    """
    for j in range(level.shape[0]):
        unit = _unit(j, a, b, tail_level)
        upper = tail_level[1, j, b] <= _LOG_HALF
        if upper:
            factor[j, 0], factor[j, 1] = -math.exp(tail_level[1, j, a] - unit), 1.0
        else:
            factor[j, 0], factor[j, 1] = 1.0, -math.exp(tail_level[0, j, b] - unit)
        factor[j, 2] = math.exp(min(level[j, a] - unit, 40.0))
        factor[j, 3] = math.exp(min(level[j, b] - unit, 40.0))
        factor[j, 4] = 1.0 if upper else 0.0


@compiled()
def climb_pairs(out, lo, hi, end, tail, tail_level, density, level, measure, rule, below, scale):
    """Fill in stage ``out`` from the one before it."""
    size = level.shape[0]
    factor, logs = np.empty((size, 5)), np.empty(end)
    plain, dual, value = np.empty(NODES), np.empty(NODES), np.empty(NODES)
    for a in range(lo, end):
        lowest, reference = _partners(a, lo, hi, tail_level, scale[out - 1], logs)
        for k in range(NODES):
            value[k] = 0.0
        for b in range(lowest, min(a + 1, hi)):
            if logs[b] < reference - _NEGLIGIBLE:
                continue
            _factors(a, b, tail_level, level, factor)
            v = slice(b * NODES, (b + 1) * NODES)
            under, width = below[out - 1, v], measure[v]
            part = math.exp(logs[b] - reference)
            for k in range(NODES):
                for i in range(NODES):
                    plain[i], dual[i] = 1.0, 0.0
                for j in range(size):
                    side = int(factor[j, 4])
                    tail_v, density_v = tail[side, j, v], density[j, v]
                    tail_x = factor[j, 0] * tail[side, j, a * NODES + k]
                    by_tail, by_density = factor[j, 1], factor[j, 3]
                    for i in range(NODES):
                        d = tail_x + by_tail * tail_v[i]
                        dual[i] = dual[i] * d + plain[i] * (by_density * density_v[i])
                        plain[i] *= d
                total = 0.0
                for i in range(NODES):
                    share = WEIGHT[i] if b < a else RUNNING[rule, i, k]
                    total += share * width[i] * under[i] * dual[i]
                value[k] += part * total
        peak = 0.0
        for k in range(NODES):
            peak = max(peak, abs(value[k]))
        inverse = 1.0 / max(peak, 1e-300)
        for k in range(NODES):
            below[out, a * NODES + k] = inverse * value[k]
        scale[out, a] = reference - math.log(inverse)


@compiled()
def descend_pairs(
    out, lo, hi, end, tail, tail_level, density, level, slope, measure, rule, below, scale, pull, by
):
    """Take the derivatives by stage ``out`` back to the block's items and to what is below."""
    size = level.shape[0]
    factor, logs = np.empty((size, 5)), np.empty(end)
    plain, dual = np.ones((size + 1, NODES)), np.zeros((size + 1, NODES))
    difference, here = np.empty((size, NODES)), np.empty((size, NODES))
    after, dual_after, weight = np.empty(NODES), np.empty(NODES), np.empty(NODES)
    moved = np.zeros((size, NODES))
    for a in range(lo, end):
        lowest, reference = _partners(a, lo, hi, tail_level, scale[out - 1], logs)
        for b in range(lowest, min(a + 1, hi)):
            if logs[b] < reference - _NEGLIGIBLE:
                continue
            _factors(a, b, tail_level, level, factor)
            v = slice(b * NODES, (b + 1) * NODES)
            under, width, back = below[out - 1, v], measure[v], pull[out - 1, v]
            part = math.exp(min(logs[b] - scale[out, a], 50.0))
            for k in range(NODES):
                x = a * NODES + k
                for j in range(size):
                    side = int(factor[j, 4])
                    tail_v, density_v = tail[side, j, v], density[j, v]
                    tail_x = factor[j, 0] * tail[side, j, x]
                    by_tail, by_density = factor[j, 1], factor[j, 3]
                    for i in range(NODES):
                        d, p = tail_x + by_tail * tail_v[i], by_density * density_v[i]
                        difference[j, i], here[j, i] = d, p
                        dual[j + 1, i] = dual[j, i] * d + plain[j, i] * p
                        plain[j + 1, i] = plain[j, i] * d
                for i in range(NODES):
                    g = part * pull[out, x] * width[i]
                    g *= WEIGHT[i] if b < a else RUNNING[rule, i, k]
                    back[i] += g * dual[size, i]
                    weight[i] = g * under[i]
                    after[i], dual_after[i] = 1.0, 0.0
                for j in range(size - 1, -1, -1):
                    density_x, slope_v = factor[j, 2] * density[j, x], slope[j, v]
                    for i in range(NODES):
                        d, p = difference[j, i], here[j, i]
                        by_difference = dual[j, i] * after[i] + plain[j, i] * dual_after[i]
                        by_density = plain[j, i] * after[i]
                        change = by_difference * (density_x - p) + by_density * p * slope_v[i]
                        moved[j, i] += weight[i] * change
                        dual_after[i] = dual_after[i] * d + after[i] * p
                        after[i] *= d
    for j in range(size):
        for i in range(NODES):
            by[j] -= moved[j, i]
