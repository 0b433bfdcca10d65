r"""PMOP with the additive potential, of which Plackett-Luce is the case without ties.

Stage by stage, the next block is the subset S of what remains, R, with probability proportional
to ``d_{|S|} / |S| * sum over S of e^f``. The normaliser (Truyen, Phung and Venkatesh 2011, eq. 9,
with the tie prevalence d added) is

    sum over R of e^f  *  c(|R|),     c(N) = sum over m of d_m C(N - 1, m - 1) / m

With one number, ``d_m = d^(m-1)``, c(N) = ((1 + d)^N - 1) / (d N): so the paper's own model,
d = 1, has c(N) = (2^N - 1) / N, and d = 0 is Plackett-Luce. One backward sweep for the sums
over what remains and one forward for their derivatives: O(N).
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.suffixes import block_log_sum, gather, push_back, suffix_sums

__all__ = ["additive"]


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


@compiled()
def log_prevalence(size, tie, powers, by_tie):
    """Return log of the tie prevalence of a block of some size, and add its derivatives."""
    if size == 1:
        return 0.0
    if powers:
        by_tie[0] += (size - 1.0) / tie[0]
        return (size - 1.0) * math.log(tie[0])
    if size > tie.size + 1:
        return -math.inf
    by_tie[size - 2] += 1.0 / tie[size - 2]
    return math.log(tie[size - 2])


@compiled(cache=True)
def additive(score, tie, order, sizes, powers):
    """Return log-probability and its derivatives by ``score`` and ``tie``, per ranking.

    Parameters
    ----------
    score : ndarray, rankings by slots
    tie : ndarray, rankings (or 1) by 1 or by sizes from 2 up
        Tie prevalence: one number d, with ``d^(m-1)`` for blocks of m, or one for each block size
        from 2 up, larger blocks being impossible.
    order, sizes : ndarray of int, rankings by slots
        From `bayesrank.kernels.partitions.partition`.
    powers : ndarray of one number
        Whether ``tie`` holds one number d.
    """
    rows, slots = score.shape
    logp, by_score = np.zeros(rows), np.zeros((rows, slots))
    by_tie = np.zeros((rows, tie.shape[1]))
    start = np.empty(slots + 1, dtype=np.int64)
    # One allocation, which the allocator keeps between calls: several large ones it returns to
    # the system each time, and touching them anew costs more than the sums.
    work = np.empty((6, slots))
    x, worth, gradient = work[0], work[1], work[2]
    reference, total, by_total = work[3], work[4], work[5]
    by_power = powers[0] != 0.0
    for n in range(rows):
        blocks, ranked = gather(score[n], order[n], sizes[n], x, start)
        if blocks == 0:
            continue
        items = start[blocks]
        suffix_sums(x, start, blocks, worth, reference, total)
        delta = tie[n if tie.shape[0] > 1 else 0]
        rate = math.log1p(delta[0])
        value, slope = 0.0, 0.0
        product = 1.0  # of the normalisers, so that many stages share one logarithm
        for s in range(ranked):
            first, last = start[s], start[s + 1]
            remaining = items - first
            value -= reference[s]
            factor = total[s]
            if last - first == 1:
                value += x[first]
                gradient[first] = 1.0
            else:
                size = last - first
                value += block_log_sum(x, first, last, worth, reference[s], gradient)
                value += log_prevalence(size, delta, by_power, by_tie[n]) - math.log(size)
            if not by_power:
                value -= _log_sizes(remaining, delta, by_tie[n])
            elif delta[0] == 0.0:
                slope += 0.5 * (remaining - 1.0)
            else:
                # c = (e^y - 1) / (d N) with y = N log(1 + d).
                y = remaining * rate
                missing = 1.0 if y > 40.0 else -math.expm1(-y)
                value -= y
                factor *= missing / (remaining * delta[0])
                if y > 0.1:
                    slope += remaining * (1.0 / missing - 1.0 / y)
                else:
                    slope += remaining * (
                        0.5 + y * (1.0 / 12.0 - y * y * (1.0 / 720.0 - y * y / 30240.0))
                    )
            product *= factor
            if product > 1e150 or product < 1e-150:
                value -= math.log(product)
                product = 1.0
            by_total[s] = -1.0
        for s in range(ranked, blocks):
            by_total[s] = 0.0
            gradient[start[s] : items] = 0.0
        logp[n] = value - math.log(product)
        if by_power:
            by_tie[n, 0] -= slope / (1.0 + delta[0])
            if delta[0] > 0.0:
                by_tie[n, 0] -= ranked * _slope_of_rate(delta[0], rate)
        push_back(start, blocks, worth, reference, total, by_total, gradient)
        for p in range(items):
            by_score[n, order[n, p]] = gradient[p]
    return logp, by_score, by_tie
