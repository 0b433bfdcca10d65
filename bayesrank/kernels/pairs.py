r"""Pair likelihoods: counts of (left wins, right wins, ties) given a score difference.

With ``d`` the left score minus the right one, the two families are

- Davidson (1970), eq. 2.4: ``P = (e^{d/2}, e^{-d/2}, nu) / (e^{d/2} + e^{-d/2} + nu)``;
  ``nu = 0`` is Bradley-Terry.
- cumulative link with a threshold: ``P = (G(d - t), G(-d - t), rest)`` for a symmetric ``G``.
  Logistic G is Rao and Kupper (1967) with ``t = log theta``, normal G is Glenn and David (1960);
  ``t = 0`` has no ties (Bradley-Terry, Thurstone-Mosteller).

``counts`` holds three rows: wins, losses, ties. Zero counts contribute nothing, whatever the
probability; the multinomial coefficient depends only on the data and is left to the caller.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.links import log_pdf, tails
from bayesrank.kernels.maths.vector_math import bounded_exp, log_from_one

__all__ = ["cumulative", "davidson", "rao_kupper"]


@compiled()
def _check_rows(difference, tie, counts):
    """Refuse arrays of different lengths, which would be read past their ends."""
    rows = difference.size
    if counts.shape[0] != 3 or counts.shape[1] != rows or (tie.size != 1 and tie.size != rows):
        raise ValueError("Differences, tie parameters and counts must have the same rows.")
    return rows


# The closed-form rows are free of branches and calls, and the counts are laid out by outcome, so
# that the loop over them vectorises. A tie parameter that all rows share is the common case and
# is prepared once; one per row takes the same formula with a logarithm each.


@compiled(inline="always")
def _davidson_row(d, nu, log_nu, inverse_nu, wins, losses, ties):
    n = wins + losses + ties
    lead = 0.5 * (wins - losses)
    half = 0.5 * abs(d)
    # e^{-|d|/2} never overflows; Z = e^{|d|/2} (1 + shrunk (shrunk + nu)).
    shrunk = bounded_exp(-half)
    rest = shrunk * (shrunk + nu)
    share = n / (1.0 + rest)
    pull = math.copysign(0.5 * share * (1.0 - shrunk * shrunk), d)
    value = lead * d - n * (half + log_from_one(1.0 + rest))
    tied = ties > 0.0
    return (
        value + (ties * log_nu if tied else 0.0),
        lead - pull,
        (ties * inverse_nu if tied else 0.0) - share * shrunk,
    )


@compiled(cache=True)
def davidson(difference, nu, counts):
    """Return log-probability and its derivatives by ``difference`` and ``nu``, per row."""
    rows = _check_rows(difference, nu, counts)
    wins, losses, ties = counts[0], counts[1], counts[2]
    logp, by_difference, by_nu = np.empty(rows), np.empty(rows), np.empty(rows)
    if nu.size == 1:
        # An infinite nu, where a tie is certain, stays within reach of the arithmetic.
        v = min(nu[0], 1e300)
        log_v, inverse_v = math.log(v), 1.0 / v
        for i in range(rows):
            logp[i], by_difference[i], by_nu[i] = _davidson_row(
                difference[i], v, log_v, inverse_v, wins[i], losses[i], ties[i]
            )
    else:
        for i in range(rows):
            v = min(nu[i], 1e300)
            logp[i], by_difference[i], by_nu[i] = _davidson_row(
                difference[i], v, math.log(v), 1.0 / v, wins[i], losses[i], ties[i]
            )
    return logp, by_difference, by_nu


@compiled(inline="always")
def _rao_kupper_row(d, t, log_odds, slope_odds, wins, losses, ties):
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


@compiled(cache=True)
def rao_kupper(difference, threshold, counts):
    """Return log-probability and its derivatives by ``difference`` and ``threshold``, per row."""
    rows = _check_rows(difference, threshold, counts)
    wins, losses, ties = counts[0], counts[1], counts[2]
    logp, by_difference, by_threshold = np.empty(rows), np.empty(rows), np.empty(rows)
    if threshold.size == 1:
        t = threshold[0]
        log_odds, slope_odds = _tie_odds(t)
        for i in range(rows):
            logp[i], by_difference[i], by_threshold[i] = _rao_kupper_row(
                difference[i], t, log_odds, slope_odds, wins[i], losses[i], ties[i]
            )
    else:
        for i in range(rows):
            log_odds, slope_odds = _tie_odds(threshold[i])
            logp[i], by_difference[i], by_threshold[i] = _rao_kupper_row(
                difference[i], threshold[i], log_odds, slope_odds, wins[i], losses[i], ties[i]
            )
    return logp, by_difference, by_threshold


# Eight Gauss-Legendre nodes integrate the density of the difference over a narrow tie interval
# to rounding; see `_narrow_interval`.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)


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


@compiled(cache=True)
def cumulative(difference, threshold, counts, table):
    """Return log-probability and its derivatives by ``difference`` and ``threshold``, per row.

    ``table`` describes G as `bayesrank.kernels.maths.links` says. Every row is turned so that its
    left item is the stronger one.
    """
    rows = _check_rows(difference, threshold, counts)
    logp = np.zeros(rows)
    by_difference = np.zeros(rows)
    by_threshold = np.zeros(rows)
    for row in range(rows):
        d = abs(difference[row])
        t = threshold[row if threshold.size > 1 else 0]
        flip = 0 if difference[row] >= 0.0 else 1
        wins, losses, ties = counts[flip, row], counts[1 - flip, row], counts[2, row]
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
            # A tie is what falls short of a win and is no upset: G(t - d) - G(-t - d).
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
        logp[row] = value
        by_difference[row] = -slope if flip else slope
        by_threshold[row] = squeeze
    return logp, by_difference, by_threshold
