r"""PMOP with the additive potential, of which Plackett-Luce is the case without ties.

Stage by stage, the next block is the subset S of what remains, R, with probability proportional
to ``d_{|S|} / |S| * sum over S of e^f``. The normaliser (Truyen, Phung and Venkatesh 2011, eq. 9,
with the tie prevalence d added) is

    sum over R of e^f  *  c(|R|),     c(N) = sum over m of d_m C(N - 1, m - 1) / m

With one number, ``d_m = d^(m-1)``, c(N) = ((1 + d)^N - 1) / (d N): so the paper's own model,
d = 1, has c(N) = (2^N - 1) / N, and d = 0 is Plackett-Luce. The log-probability is a sum of two
parts: `shares` depends on the scores (one sweep back for the sums over what remains and one forth
for their derivatives: O(N)) and `prevalences` on ties alone.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.suffix_sums import block_sum, gather, push_back, suffix_sums
from bayesrank.kernels.maths.tie_prevalences import log_prevalence
from bayesrank.kernels.maths.vector_math import bounded_exp
from bayesrank.kernels.partitions import check_shapes

__all__ = ["prevalences", "shares"]

# Worths relative to the best item of a ranking stay above e^-300, and their products in range.
_REACH = 300.0
_ONE = np.uint64(1)


@compiled(cache=True)
def shares(score, order, sizes):
    """Return log of the product of the blocks' shares in what remains, and its derivatives.

    Without ties this is Plackett-Luce.

    Parameters
    ----------
    score : ndarray, rankings by slots
    order, sizes : ndarray of int, rankings by slots
        From `bayesrank.kernels.partitions.partition`.
    """
    check_shapes(score, order)
    rows, slots = score.shape
    logp, by_score = np.zeros(rows), np.zeros((rows, slots))
    start = np.empty(slots + 1, dtype=np.int64)
    # One allocation, which the allocator keeps between calls: several large ones it returns to
    # the system each time, and touching them anew costs more than the sums.
    work = np.empty((6, slots))
    x, worth = work[0], work[1]
    for n in range(rows):
        blocks, ranked, items = np.uint64(0), np.uint64(0), np.uint64(0)
        while blocks < slots and sizes[n, blocks] != 0:
            items += np.uint64(abs(sizes[n, blocks]))
            ranked += np.uint64(sizes[n, blocks] > 0)
            blocks += _ONE
        if blocks == 0:
            continue
        highest, lowest = -math.inf, math.inf
        for p in range(items):
            x[p] = score[n, order[n, p]]
            highest, lowest = max(highest, x[p]), min(lowest, x[p])
        if highest - lowest < _REACH:
            for p in range(items):
                worth[p] = bounded_exp(x[p] - highest)
            if ranked == items:
                logp[n] = _strict(order[n], items, worth, work[2], work[3], by_score[n])
            else:
                logp[n] = _near(
                    order[n], sizes[n], blocks, ranked, items, worth, work[2], work[3], by_score[n]
                )
        else:
            gather(score[n], order[n], sizes[n], x, start)
            logp[n] = _far(start, int(blocks), int(ranked), work, by_score[n], order[n])
    return logp, by_score


# Positions are unsigned below: a signed one might count from the end, which Numba would have to
# look into at every step.


@compiled()
def _strict(order, items, worth, total, inverse, by_score):
    """Return the log of the product of all worths' shares in what remains; fill derivatives."""
    value, running, pull, product = 0.0, 0.0, 0.0, 1.0
    for i in range(items):
        p = items - _ONE - i
        running += worth[p]
        total[p] = running
    for p in range(items):
        inverse[p] = 1.0 / total[p]
    for p in range(items):
        pull -= inverse[p]
        product *= worth[p] * inverse[p]
        if product < 1e-150:
            value += math.log(product)
            product = 1.0
        by_score[order[p]] = 1.0 + worth[p] * pull
    return value + math.log(product)


@compiled()
def _near(order, sizes, blocks, ranked, items, worth, total, inside, by_score):
    """Return the log of the product of the blocks' shares in what remains; fill derivatives."""
    value, running, pull, product = 0.0, 0.0, 0.0, 1.0
    last = items
    for i in range(blocks):
        s = blocks - _ONE - i
        first = last - np.uint64(abs(sizes[s]))
        block = 0.0
        for p in range(first, last):
            block += worth[p]
        inside[s] = block
        running += block
        total[s] = running
        last = first
    first = np.uint64(0)
    for s in range(ranked):
        last = first + np.uint64(sizes[s])
        pull -= 1.0 / total[s]
        slope = 1.0 / inside[s] + pull
        for p in range(first, last):
            by_score[order[p]] = worth[p] * slope
        product *= inside[s] / total[s]
        if product < 1e-150:
            value += math.log(product)
            product = 1.0
        first = last
    for p in range(first, items):
        by_score[order[p]] = worth[p] * pull
    return value + math.log(product)


@compiled()
def _far(start, blocks, ranked, work, by_score, order):
    """Do the same for scores that are hundreds apart, where one reference is not enough."""
    x, worth, gradient = work[0], work[1], work[2]
    reference, total, by_total = work[3], work[4], work[5]
    suffix_sums(x, start, blocks, worth, reference, total)
    value = 0.0
    gradient[: start[blocks]] = 0.0
    by_total[:blocks] = 0.0
    for s in range(ranked):
        level, inside = block_sum(x, start[s], start[s + 1], worth, reference[s], gradient)
        value += level + math.log(inside) - reference[s] - math.log(total[s])
        by_total[s] = -1.0
    push_back(start, blocks, worth, reference, total, by_total, gradient)
    for p in range(start[blocks]):
        by_score[order[p]] = gradient[p]
    return value


@compiled(cache=True)
def prevalences(tie, sizes, powers):
    """Return the part of log-probability that depends on ties alone, and its derivatives.

    Parameters
    ----------
    tie : ndarray, rankings by 1 or by block sizes from 2 up
        Tie prevalence: one number d, with ``d^(m-1)`` for blocks of m, or one for each block size
        from 2 up, larger blocks being impossible.
    sizes : ndarray of int, rankings by slots
        From `bayesrank.kernels.partitions.partition`.
    powers : ndarray of one number
        Whether ``tie`` holds one number d.
    """
    rows, slots = sizes.shape
    if tie.shape[0] != rows:
        raise ValueError("Tie prevalences must have a row for each ranking.")
    logp, by_tie = np.zeros(rows), np.zeros(tie.shape)
    # Constants of the sizes are the same for rankings with the same tie prevalence.
    known = np.zeros((3, slots + 1))
    rate, slope_of_rate, log_tie = 0.0, 0.0, 0.0
    for n in range(rows):
        items, ranked = np.uint64(0), np.uint64(0)
        for s in range(slots):
            if sizes[n, s] == 0:
                break
            items += np.uint64(abs(sizes[n, s]))
            ranked += np.uint64(sizes[n, s] > 0)
        if powers[0] == 0.0:
            logp[n] = _by_size(sizes[n], int(ranked), int(items), tie[n], by_tie[n])
            continue
        if n == 0 or tie[n, 0] != tie[n - 1, 0]:
            known[0] = 0.0
            rate, log_tie = math.log1p(tie[n, 0]), math.log(tie[n, 0])
            slope_of_rate = _slope_of_rate(tie[n, 0], rate) if tie[n, 0] > 0.0 else 0.0
        logp[n], by_tie[n, 0] = _by_power(
            sizes[n], ranked, items, tie[n, 0], rate, slope_of_rate, log_tie, known
        )
    return logp, by_tie


@compiled()
def _by_size(sizes, ranked, items, tie, by_tie):
    value, left = 0.0, items
    for s in range(ranked):
        value += log_prevalence(sizes[s], tie, False, by_tie) - math.log(sizes[s])
        value -= _log_sizes(left, tie, by_tie)
        left -= sizes[s]
    return value


@compiled()
def _by_power(sizes, ranked, items, tie, rate, slope_of_rate, log_tie, known):
    value, product, slope, tied = 0.0, 1.0, 0.0, 0.0
    left = items
    for s in range(ranked):
        size = np.uint64(sizes[s])
        if tie == 0.0:
            slope += 0.5 * (left - 1.0)
        else:
            value -= left * rate
            if known[0, left] == 0.0:
                known[0, left], known[1, left] = _sizes_of_powers(left, tie, rate)
            product *= known[0, left]
            slope += known[1, left]
        if size > 1:
            tied += size - 1.0
            if known[2, size] == 0.0:
                known[2, size] = 1.0 / size
            product *= known[2, size]
        if product < 1e-150 or product > 1e150:
            value += math.log(product)
            product = 1.0
        left -= size
    value += math.log(product)
    by_tie = -slope / (1.0 + tie) - ranked * slope_of_rate
    if tied > 0.0:
        value += tied * log_tie
        by_tie += tied / tie
    return value, by_tie


@compiled()
def _sizes_of_powers(n, tie, rate):
    """Return e^y / c(n) with y = n log(1 + d), and n times the slope of log((e^y - 1) / y)."""
    y = n * rate
    missing = 1.0 if y > 40.0 else -math.expm1(-y)
    if y > 0.1:
        slope = 1.0 / missing - 1.0 / y
    else:
        slope = 0.5 + y * (1.0 / 12.0 - y * y * (1.0 / 720.0 - y * y / 30240.0))
    return n * tie / missing, n * slope


@compiled()
def _log_sizes(n, tie, by_tie):
    """Return log c(n) of prevalences by size, and take its derivatives off ``by_tie``."""
    # Terms grow like binomial coefficients: a common factor keeps them within range.
    largest = min(n, tie.size + 1)
    log_total = 0.0
    for sweep in range(2):  # the sum, then each term's share of it
        term, total, scale = 1.0, 1.0, 0.0
        for m in range(2, largest + 1):
            term *= (n - m + 1.0) / m
            if term > 1e200:
                term *= 1e-200
                total *= 1e-200
                scale += 200.0 * math.log(10.0)
            if sweep == 1:
                by_tie[m - 2] -= term * math.exp(scale - log_total)
            total += term * tie[m - 2]
        log_total = math.log(total) + scale
    return log_total


@compiled()
def _slope_of_rate(tie, rate):
    """Return the derivative of log(log(1 + d) / d)."""
    if tie < 1e-3:  # by Gregory's coefficients
        tail = tie * (1.0 / 24.0 - tie * (19.0 / 720.0 - tie * (3.0 / 160.0)))
        return (-0.5 - tie * (1.0 / 12.0 - tail)) / (1.0 + tie)
    return 1.0 / ((1.0 + tie) * rate) - 1.0 / tie
