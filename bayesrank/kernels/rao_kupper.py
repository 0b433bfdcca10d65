r"""Rao and Kupper's model of pairs with ties (1967): a logistic difference with a threshold.

With ``d`` the left score minus the right one and ``t = log theta`` the outcomes (left wins, right
wins, tie) have ``P = (G(d - t), G(-d - t), rest)`` for the logistic cdf G.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, pointer, reals
from bayesrank.kernels.maths.vector_math import bounded_exp, log_from_one
from bayesrank.kernels.native import Kernel, native
from bayesrank.kernels.pair_rows import (
    BY_ROW,
    check_rows,
    close_rows,
    rate_of_row,
    take_limits,
    tie_rate,
)

__all__ = ["log_theta_of", "native_rao_kupper", "rao_kupper"]


@compiled(cache=True)
def log_theta_of(p):
    """Return log theta = log((1 + p) / (1 - p)), p the chance that equals tie, and its slope."""
    q = 1.0 - p
    return math.log1p(2.0 * p / q), 2.0 / (q * (1.0 + p))


@compiled(inline="always")
def _row(d, t, log_odds, slope_odds, wins, losses, ties):
    # A tie has probability (e^{2t} - 1) G(d - t) G(-d - t), so it adds to both counts.
    left, right = wins + ties, losses + ties
    above, below = d - t, -d - t
    win, loss = bounded_exp(-abs(above)), bounded_exp(-abs(below))
    # g / G of the logistic distribution at x is G(-x).
    win_hazard = left * (1.0 if above < 0.0 else win) / (1.0 + win)
    loss_hazard = right * (1.0 if below < 0.0 else loss) / (1.0 + loss)
    value = left * (min(above, 0.0) - log_from_one(1.0 + win))
    value += right * (min(below, 0.0) - log_from_one(1.0 + loss))
    tied = ties > 0.0
    return (
        value + (ties * log_odds if tied else 0.0),
        win_hazard - loss_hazard,
        (ties * slope_odds if tied else 0.0) - win_hazard - loss_hazard,
    )


@compiled()
def _tie_odds(t):
    """Return log(e^{2t} - 1) and its derivative."""
    missing = -math.expm1(-2.0 * t)
    return 2.0 * t + math.log(missing), 2.0 / missing


@compiled()
def _rows(d, t, rows, wins, losses, ties, logp, by_difference, by_threshold):
    """Fill in the rows' log-probabilities and derivatives for one threshold."""
    log_odds, slope_odds = _tie_odds(t)
    for i in range(rows):
        logp[i], by_difference[i], by_threshold[i] = _row(
            d[i], t, log_odds, slope_odds, wins[i], losses[i], ties[i]
        )


@compiled(cache=True)
def rao_kupper(difference, threshold, counts):
    """Return log-probability and its derivatives by ``difference`` and ``threshold``, per row."""
    rows = check_rows(difference, threshold, counts)
    logp, by_difference, by_threshold = np.empty(rows), np.empty(rows), np.empty(rows)
    difference, counts = np.ascontiguousarray(difference), np.ascontiguousarray(counts)
    wins, losses, ties = counts[0], counts[1], counts[2]
    if threshold.size == 1:
        _rows(
            pointer(difference), threshold[0], rows, pointer(wins), pointer(losses), pointer(ties),
            pointer(logp), pointer(by_difference), pointer(by_threshold),
        )  # fmt: skip
    else:
        for i in range(rows):
            log_odds, slope_odds = _tie_odds(threshold[i])
            logp[i], by_difference[i], by_threshold[i] = _row(
                difference[i], threshold[i], log_odds, slope_odds, wins[i], losses[i], ties[i]
            )
    take_limits(difference, threshold, counts, logp, by_difference, by_threshold)
    return logp, by_difference, by_threshold


@native
def native_rao_kupper(inputs, partials, table, first, last, logp, scratch):
    """Compute some rows; see `bayesrank.kernels.pair_rows` for the table."""
    rows, counts = table[0], ahead(reals(table[1]), first)
    losses, ties = ahead(counts, rows), ahead(counts, 2 * rows)
    d, by_difference, slope = reals(inputs[0]), reals(partials[0]), 0.0
    if table[2] == BY_ROW:
        for i in range(last - first):
            threshold, steep = log_theta_of(rate_of_row(inputs, i))
            log_odds, slope_odds = _tie_odds(threshold)
            logp[i], by_difference[i], by_threshold = _row(
                d[i], threshold, log_odds, slope_odds, counts[i], losses[i], ties[i]
            )
            reals(partials[1])[i] = by_threshold * steep
    else:
        threshold, slope = log_theta_of(tie_rate(inputs, table))
        _rows(d, threshold, last - first, counts, losses, ties, logp, by_difference, scratch)
    return close_rows(partials, table, slope, last - first, logp, scratch)


KERNEL = Kernel("rao_kupper", rao_kupper, 2, rao_kupper, native_rao_kupper)
