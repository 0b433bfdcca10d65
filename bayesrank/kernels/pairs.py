r"""Pair likelihoods: counts of (left wins, right wins, ties) given a score difference.

With ``d`` the left score minus the right one, the two families are

- Davidson (1970), eq. 2.4: ``P = (e^{d/2}, e^{-d/2}, nu) / (e^{d/2} + e^{-d/2} + nu)``;
  ``nu = 0`` is Bradley-Terry.
- cumulative link with a threshold: ``P = (G(d - t), G(-d - t), rest)`` for a symmetric ``G``.
  Logistic G is Rao and Kupper (1967) with ``t = log theta``, normal G is Glenn and David (1960);
  ``t = 0`` has no ties (Bradley-Terry, Thurstone-Mosteller).

Zero counts contribute nothing, whatever the probability; the multinomial coefficient depends
only on the data and is left to the caller.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.links import log_pdf, tails
from bayesrank.kernels.vector_math import exp_nonpositive, log_from_one

__all__ = ["cumulative", "davidson", "rao_kupper"]

# The two closed-form kernels work on stretches of this many rows: the counts are copied to
# contiguous columns that stay in cache, after which the loop over the stretch vectorises.
_STRETCH = 256


@compiled(cache=True)
def davidson(difference, nu, counts):
    """Return log-probability and its derivatives by ``difference`` and ``nu``, per row."""
    rows = difference.size
    logp = np.empty(rows)
    by_difference = np.empty(rows)
    by_nu = np.empty(rows)
    column = np.empty((5, _STRETCH))
    log_nu = inverse_nu = 0.0
    for start in range(0, rows, _STRETCH):
        stretch = slice(start, min(start + _STRETCH, rows))
        for i in range(stretch.stop - start):
            row = start + i
            wins, losses, ties = counts[row, 0], counts[row, 1], counts[row, 2]
            column[0, i] = 0.5 * (wins - losses)
            column[1, i] = wins + losses + ties
            column[2, i] = nu[row if nu.size > 1 else 0]
            if nu.size > 1 or row == 0:
                log_nu = math.log(column[2, i])
                inverse_nu = 1.0 / column[2, i]
            column[3, i] = ties * log_nu if ties > 0.0 else 0.0
            column[4, i] = ties * inverse_nu if ties > 0.0 else 0.0
        # Views, because LLVM cannot rule out that `start + i` wraps around and then takes the
        # slow path for arrays that might overlap.
        differences = difference[stretch]
        values, slopes, slopes_nu = logp[stretch], by_difference[stretch], by_nu[stretch]
        for i in range(differences.size):
            d = differences[i]
            n = column[1, i]
            half = 0.5 * abs(d)
            # e^{-|d|/2} never overflows; Z = e^{|d|/2} (1 + shrunk (shrunk + nu)).
            shrunk = exp_nonpositive(-half)
            rest = shrunk * (shrunk + column[2, i])
            share = n / (1.0 + rest)
            pull = math.copysign(0.5 * share * (1.0 - shrunk * shrunk), d)
            value = column[0, i] * d - n * (half + log_from_one(1.0 + rest))
            values[i] = value + column[3, i]
            slopes[i] = column[0, i] - pull
            slopes_nu[i] = column[4, i] - share * shrunk
    return logp, by_difference, by_nu


@compiled(cache=True)
def rao_kupper(difference, threshold, counts):
    """Return log-probability and its derivatives by ``difference`` and ``threshold``, per row.

    A tie has probability (e^{2t} - 1) G(d - t) G(-d - t), so it adds to both counts.
    """
    rows = difference.size
    logp = np.empty(rows)
    by_difference = np.empty(rows)
    by_threshold = np.empty(rows)
    column = np.empty((5, _STRETCH))
    log_odds = slope_odds = 0.0
    for start in range(0, rows, _STRETCH):
        stretch = slice(start, min(start + _STRETCH, rows))
        for i in range(stretch.stop - start):
            row = start + i
            wins, losses, ties = counts[row, 0], counts[row, 1], counts[row, 2]
            column[0, i] = wins + ties
            column[1, i] = losses + ties
            column[2, i] = threshold[row if threshold.size > 1 else 0]
            if threshold.size > 1 or row == 0:
                missing = -math.expm1(-2.0 * column[2, i])
                log_odds = 2.0 * column[2, i] + math.log(missing)
                slope_odds = 2.0 / missing
            column[3, i] = ties * log_odds if ties > 0.0 else 0.0
            column[4, i] = ties * slope_odds if ties > 0.0 else 0.0
        differences = difference[stretch]
        values, slopes, slopes_threshold = (
            logp[stretch],
            by_difference[stretch],
            by_threshold[stretch],
        )
        for i in range(differences.size):
            above = differences[i] - column[2, i]
            below = -differences[i] - column[2, i]
            win = exp_nonpositive(-abs(above))
            loss = exp_nonpositive(-abs(below))
            # g / G of the logistic distribution at x is G(-x).
            win_hazard = column[0, i] * (1.0 if above < 0.0 else win) / (1.0 + win)
            loss_hazard = column[1, i] * (1.0 if below < 0.0 else loss) / (1.0 + loss)
            value = column[0, i] * (min(above, 0.0) - log_from_one(1.0 + win))
            value += column[1, i] * (min(below, 0.0) - log_from_one(1.0 + loss))
            values[i] = value + column[3, i]
            slopes[i] = win_hazard - loss_hazard
            slopes_threshold[i] = column[4, i] - win_hazard - loss_hazard
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

    ``table`` describes G as `bayesrank.kernels.links` says. Every row is turned so that its
    left item is the stronger one.
    """
    rows = difference.size
    logp = np.zeros(rows)
    by_difference = np.zeros(rows)
    by_threshold = np.zeros(rows)
    for row in range(rows):
        d = abs(difference[row])
        t = threshold[row if threshold.size > 1 else 0]
        flip = 0 if difference[row] >= 0.0 else 1
        wins, losses, ties = counts[row, flip], counts[row, 1 - flip], counts[row, 2]
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
