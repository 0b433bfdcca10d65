r"""Multinomial preference model (Volkovs and Zemel, 2012): counts of ordered pairs, by ballot.

A ballot has the preferences of one agent in one instance. Each of its ``total`` preferences is a
draw from

.. math:: Q(i \succ j) \propto e^{\theta d_{ij}}, \qquad
    d_{ij} = \frac{s_i - s_j}{\gamma_i + \gamma_j}

over all ordered pairs of items of the instance, with scores s, variances gamma > 0 and the
agent's adherence theta in [0, 1]. `even` has all variances equal (one half): then the data enter
only through net wins by item, and the normaliser is
:math:`(\sum e^{\theta s})(\sum e^{-\theta s}) - M`. `varied` sums over all pairs.

All ballots share the scores, so derivatives by ballot would be a matrix of ballots times items.
Instead `even` and `varied` return the log-probability of each ballot, its derivative by the
adherence, and two numbers to remember; from these `even_pull` and `varied_pull` make the
gradient of any weighted sum of ballots. Items of an instance are contiguous, from ``item_start[q]``
to ``item_start[q + 1]``, and so are its ballots. Multinomial coefficients are left to the caller.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.exponential_sums import bin_points, slopes, sums

__all__ = ["even", "even_pull", "varied", "varied_pull"]


@compiled()
def _check(score, adherence, item_start, ballot_start, start, total):
    """Refuse arrays of different lengths, which would be read past their ends."""
    ballots = adherence.size
    if item_start[-1] != score.size or ballot_start[-1] != ballots or total.size != ballots:
        raise ValueError("Scores, adherences and totals must fit the items and ballots.")
    if item_start.size != ballot_start.size or start.size != ballots + 1:
        raise ValueError("Instances and ballots must each have a start.")


@compiled()
def _largest(values):
    """Return the largest value, or NaN where one is not a number."""
    largest = 0.0
    for value in values:
        if not (value <= largest):
            largest = value
            if not math.isfinite(value):
                return np.nan
    return largest


@compiled()
def _factors(by_logp, total, shares, first, last):
    """Return what multiplies the two sums of exponentials in the gradient, by ballot."""
    # In loops, because each expression of whole arrays takes a second to compile.
    plus, minus = np.empty(last - first), np.empty(last - first)
    for k in range(last - first):
        weight = -by_logp[first + k] * total[first + k]
        plus[k], minus[k] = weight * shares[first + k, 0], weight * shares[first + k, 1]
    return plus, minus


# Variances equal ------------------------------------------------------------------------------


@compiled()
def _points(score):
    """Return the scores above the lowest one, and their range."""
    lowest = np.inf
    for value in score:
        lowest = min(lowest, value)
    x = np.empty(score.size)
    for i in range(score.size):
        x[i] = score[i] - lowest
    return x, _largest(x)


@compiled(cache=True)
def even(score, adherence, item_start, ballot_start, entry_start, item, net, total):
    """Return log-probability, its derivative by the adherence, and shares, by ballot.

    ``item`` and ``net`` are the net wins of the items in each ballot, from ``entry_start[k]`` on.
    """
    _check(score, adherence, item_start, ballot_start, entry_start, total)
    ballots = adherence.size
    logp, by_adherence, shares = np.empty(ballots), np.empty(ballots), np.empty((ballots, 2))
    for q in range(item_start.size - 1):
        first, last = ballot_start[q], ballot_start[q + 1]
        if first == last:
            continue
        items = item_start[q + 1] - item_start[q]
        x, largest = _points(score[item_start[q] : item_start[q + 1]])
        steepest = _largest(adherence[first:last])
        if math.isnan(largest) or math.isnan(steepest) or items < 2:
            logp[first:last] = by_adherence[first:last] = shares[first:last] = np.nan
            continue
        moments, width = bin_points(x, x.size, largest, steepest)
        for k in range(first, last):
            theta = adherence[k]
            plus, minus, plus_slope, minus_slope = sums(x, largest, moments, width, theta)
            # The pairs of an item with itself, of which there are as many as items, go off.
            rest = 1.0 - items * math.exp(-theta * largest) / (plus * minus)
            inverse = 1.0 / (plus * minus * rest)
            agreement = 0.0
            for e in range(entry_start[k], entry_start[k + 1]):
                agreement += net[e] * score[item[e]]
            logp[k] = theta * (agreement - total[k] * largest) + total[k] * math.log(inverse)
            expected = inverse * (plus_slope * minus - plus * minus_slope)
            by_adherence[k] = agreement - total[k] * expected
            shares[k, 0], shares[k, 1] = minus * inverse, plus * inverse
    return logp, by_adherence, shares


@compiled(cache=True)
def even_pull(
    by_logp, shares, score, adherence, item_start, ballot_start, entry_start, item, net, total
):
    """Return the gradient by the scores of the sum of ``by_logp`` times log-probability."""
    _check(score, adherence, item_start, ballot_start, entry_start, total)
    if by_logp.size != adherence.size or shares.shape != (adherence.size, 2):
        raise ValueError("There must be one factor, and two shares, for each ballot.")
    by_score = np.zeros(score.size)
    for q in range(item_start.size - 1):
        first, last = ballot_start[q], ballot_start[q + 1]
        if first == last:
            continue
        here = slice(item_start[q], item_start[q + 1])
        x, largest = _points(score[here])
        theta = adherence[first:last]
        steepest = _largest(theta)
        if math.isnan(largest) or math.isnan(steepest) or x.size < 2:
            by_score[here] = np.nan
            continue
        moments, width = bin_points(x[:0], x.size, largest, steepest)
        plus, minus = _factors(by_logp, total, shares, first, last)
        slope = slopes(x, largest, len(moments), width, theta, plus, minus)
        for i in range(slope.size):
            by_score[item_start[q] + i] += slope[i]
        for k in range(first, last):
            pull = by_logp[k] * adherence[k]
            for e in range(entry_start[k], entry_start[k + 1]):
                by_score[item[e]] += pull * net[e]
    return by_score


# Variances of items ---------------------------------------------------------------------------


@compiled()
def _distances(score, variance):
    """Return the standardised differences of all pairs, without sign, and the largest."""
    n = score.size
    x = np.empty(n * (n - 1) // 2)
    start = 0
    for i in range(1, n):
        s, g = score[i], variance[i]
        row = x[start : start + i]
        for j in range(i):
            row[j] = abs(s - score[j]) / (g + variance[j])
        start += i
    return x, _largest(x)


@compiled(cache=True)
def varied(
    score, variance, adherence, item_start, ballot_start, cell_start, left, right, net, total
):
    """Return log-probability, its derivative by the adherence, and shares, by ballot.

    ``net`` is how much more often ``left`` was preferred to ``right`` than the other way round,
    in the cells of each ballot, from ``cell_start[k]`` on.
    """
    _check(score, adherence, item_start, ballot_start, cell_start, total)
    if variance.size != score.size:
        raise ValueError("There must be one variance for each score.")
    ballots = adherence.size
    logp, by_adherence, shares = np.empty(ballots), np.empty(ballots), np.empty((ballots, 2))
    for q in range(item_start.size - 1):
        first, last = ballot_start[q], ballot_start[q + 1]
        if first == last:
            continue
        here = slice(item_start[q], item_start[q + 1])
        x, largest = _distances(score[here], variance[here])
        steepest = _largest(adherence[first:last])
        if math.isnan(largest) or math.isnan(steepest) or x.size == 0:
            logp[first:last] = by_adherence[first:last] = shares[first:last] = np.nan
            continue
        moments, width = bin_points(x, x.size, largest, steepest)
        for k in range(first, last):
            theta = adherence[k]
            plus, minus, plus_slope, minus_slope = sums(x, largest, moments, width, theta)
            small = math.exp(-theta * largest)
            inverse = 1.0 / (plus + small * minus)
            agreement = 0.0
            for e in range(cell_start[k], cell_start[k + 1]):
                i, j = left[e], right[e]
                agreement += net[e] * (score[i] - score[j]) / (variance[i] + variance[j])
            logp[k] = theta * (agreement - total[k] * largest) + total[k] * math.log(inverse)
            expected = inverse * (plus_slope - small * minus_slope)
            by_adherence[k] = agreement - total[k] * expected
            shares[k, 0], shares[k, 1] = inverse, small * inverse
    return logp, by_adherence, shares


@compiled(cache=True)
def varied_pull(
    by_logp, shares, score, variance, adherence, item_start, ballot_start, cell_start, left,
    right, net, total,
):  # fmt: skip
    """Return the gradients by scores and variances of the sum of ``by_logp`` times logp."""
    _check(score, adherence, item_start, ballot_start, cell_start, total)
    if variance.size != score.size:
        raise ValueError("There must be one variance for each score.")
    if by_logp.size != adherence.size or shares.shape != (adherence.size, 2):
        raise ValueError("There must be one factor, and two shares, for each ballot.")
    by_score, by_variance = np.zeros(score.size), np.zeros(score.size)
    for q in range(item_start.size - 1):
        first, last = ballot_start[q], ballot_start[q + 1]
        if first == last:
            continue
        here = slice(item_start[q], item_start[q + 1])
        x, largest = _distances(score[here], variance[here])
        theta = adherence[first:last]
        steepest = _largest(theta)
        if math.isnan(largest) or math.isnan(steepest) or x.size == 0:
            by_score[here] = by_variance[here] = np.nan
            continue
        moments, width = bin_points(x[:0], x.size, largest, steepest)
        plus, minus = _factors(by_logp, total, shares, first, last)
        slope = slopes(x, largest, len(moments), width, theta, plus, minus)
        _add_pairs(score[here], variance[here], slope, by_score[here], by_variance[here])
        for k in range(first, last):
            pull = by_logp[k] * adherence[k]
            for e in range(cell_start[k], cell_start[k + 1]):
                i, j = left[e], right[e]
                inverse = 1.0 / (variance[i] + variance[j])
                step = pull * net[e] * inverse
                by_score[i] += step
                by_score[j] -= step
                step *= (score[i] - score[j]) * inverse
                by_variance[i] -= step
                by_variance[j] -= step
    return by_score, by_variance


@compiled()
def _add_pairs(score, variance, slope, by_score, by_variance):
    """Pull derivatives by the distances of all pairs back to scores and variances."""
    start = 0
    for i in range(1, score.size):
        s, g = score[i], variance[i]
        row = slope[start : start + i]
        own_score, own_variance = 0.0, 0.0
        for j in range(i):
            inverse = 1.0 / (g + variance[j])
            d = s - score[j]
            step = math.copysign(row[j] * inverse, row[j] * d) if d != 0.0 else 0.0
            own_score += step
            by_score[j] -= step
            step *= d * inverse
            own_variance -= step
            by_variance[j] -= step
        by_score[i] += own_score
        by_variance[i] += own_variance
        start += i
