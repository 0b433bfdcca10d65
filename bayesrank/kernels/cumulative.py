r"""Pairs by the sign of a noisy difference, with a threshold below which they tie.

With ``d`` the left score minus the right one the outcomes (left wins, right wins, tie) have
``P = (G(d - t), G(-d - t), rest)`` for any symmetric cdf G. Normal G is Glenn and David (1960);
``t = 0`` has no ties (Thurstone-Mosteller). Logistic G is Rao and Kupper (1967), which has a
kernel of its own.
"""

import math

import numpy as np
from numba import carray

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.links import log_pdf, tails
from bayesrank.kernels.maths.normal_quantile import normal_quantile
from bayesrank.kernels.maths.pointers import ahead, reals
from bayesrank.kernels.native import Kernel, native
from bayesrank.kernels.pair_rows import (
    BY_ROW,
    SHARED,
    check_rows,
    close_rows,
    rate_of_row,
    take_limits,
    tie_rate,
)

__all__ = ["cumulative", "native_cumulative", "normal_threshold_of"]

# Eight Gauss-Legendre nodes integrate the density of the difference over a narrow tie interval
# to rounding; see `_narrow_interval`.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)


@compiled(cache=True)
def normal_threshold_of(p):
    """Return t with P(abs(Z) < t) = p for a standard normal Z, and its slope by p."""
    if p < 0.5:
        # By Halley's method on erf itself, which keeps the digits of a tiny p.
        t = math.sqrt(0.5 * math.pi) * p
        for _ in range(4):
            off = math.erf(t / math.sqrt(2.0)) - p
            step = off * math.sqrt(0.5 * math.pi) * math.exp(0.5 * t * t)
            t -= step / (1.0 + 0.5 * step * t)
    else:
        t = -normal_quantile(0.5 * (1.0 - p))
    return t, math.sqrt(0.5 * math.pi) * math.exp(0.5 * t * t)


@compiled()
def _narrow_interval(d, t, table):
    """Return log(G(d + t) - G(d - t)) and its derivatives, for ends whose G nearly agree.

    Their difference would lose every digit as t -> 0, so integrate the density over the
    interval instead, relative to its value at d.
    """
    centre, _ = log_pdf(d, table)
    total = 0.0
    slope = 0.0
    for k in range(_NODES.size):
        height, steepness = log_pdf(d + t * _NODES[k], table)
        weight = _WEIGHTS[k] * math.exp(height - centre)
        total += weight
        slope += weight * steepness
    right, _ = log_pdf(d + t, table)
    left, _ = log_pdf(d - t, table)
    ends = math.exp(right - centre) + math.exp(left - centre)
    return centre + math.log(t * total), slope / total, ends / (t * total)


@compiled()
def _stronger_left(d, t, wins, losses, ties, table):
    """Return log-probability and derivatives of a row with ``d >= 0``."""
    upset, upset_hazard, _, _ = tails(d + t, table)
    if d >= t:
        short, short_hazard, win, win_hazard = tails(d - t, table)
    else:
        win, win_hazard, short, short_hazard = tails(t - d, table)
    value = slope = squeeze = 0.0
    if wins > 0.0:
        value += wins * win
        slope += wins * win_hazard
        squeeze -= wins * win_hazard
    if losses > 0.0:
        value += losses * upset
        slope -= losses * upset_hazard
        squeeze -= losses * upset_hazard
    if ties > 0.0:
        # A tie is neither a win nor an upset: G(t - d) - G(-t - d).
        gap = short - upset
        if gap > 0.02:
            beyond = 1.0 / math.expm1(gap)
            at_win = short_hazard * (1.0 + beyond)
            at_upset = upset_hazard * beyond
            value += ties * (short + math.log(-math.expm1(-gap)))
            slope += ties * (at_upset - at_win)
            squeeze += ties * (at_upset + at_win)
        else:
            log_p, by_d, by_t = _narrow_interval(d, t, table)
            value += ties * log_p
            slope += ties * by_d
            squeeze += ties * by_t
    return value, slope, squeeze


@compiled()
def _row(d, t, wins, losses, ties, table):
    """Return the same for any d: the row is turned so that its left item is the stronger one."""
    if d >= 0.0:
        return _stronger_left(d, t, wins, losses, ties, table)
    value, slope, squeeze = _stronger_left(-d, t, losses, wins, ties, table)
    return value, -slope, squeeze


@compiled(cache=True)
def cumulative(difference, threshold, counts, table):
    """Return log-probability and its derivatives by ``difference`` and ``threshold``, per row.

    ``table`` describes G as `bayesrank.kernels.maths.links` says.
    """
    rows = check_rows(difference, threshold, counts)
    logp, by_difference, by_threshold = np.empty(rows), np.empty(rows), np.empty(rows)
    for i in range(rows):
        t = threshold[i if threshold.size > 1 else 0]
        logp[i], by_difference[i], by_threshold[i] = _row(
            difference[i], t, counts[0, i], counts[1, i], counts[2, i], table
        )
    take_limits(difference, threshold, counts, logp, by_difference, by_threshold)
    return logp, by_difference, by_threshold


@native
def native_cumulative(inputs, partials, table, first, last, logp, scratch):
    """Compute some rows; the table goes on with the address and the shape of the links' table.

    See `bayesrank.kernels.pair_rows` for its beginning. The tie parameter is that of normal noise.
    """
    rows, wins = table[0], ahead(reals(table[1]), first)
    losses, ties = ahead(wins, rows), ahead(wins, 2 * rows)
    links = carray(reals(table[3]), (table[4], table[5], table[6]))
    threshold, slope = 0.0, 0.0
    if table[2] == SHARED:
        threshold, slope = normal_threshold_of(tie_rate(inputs, table))
    d, by_difference = reals(inputs[0]), reals(partials[0])
    for i in range(last - first):
        if table[2] == BY_ROW:
            threshold, slope = normal_threshold_of(rate_of_row(inputs, i))
        logp[i], by_difference[i], scratch[i] = _row(
            d[i], threshold, wins[i], losses[i], ties[i], links
        )
        if table[2] == BY_ROW:
            reals(partials[1])[i] = scratch[i] * slope
    return close_rows(partials, table, slope, last - first, logp, scratch)


KERNEL = Kernel("cumulative", cumulative, 2, cumulative, native_cumulative)
