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

from bayesrank.kernels.additive_turns import turn_prevalences, turn_shares
from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, as_wholes, keep, pointer, reals, wholes
from bayesrank.kernels.maths.suffix_sums import block_sum, push_back, suffix_sums
from bayesrank.kernels.maths.tie_prevalences import log_prevalence, log_sizes
from bayesrank.kernels.maths.vector_math import bounded_exp
from bayesrank.kernels.native import Kernel, native
from bayesrank.kernels.padding import (
    padded,
    padded_prevalences,
    turned_padded,
    turned_prevalences,
)
from bayesrank.kernels.ranking_rows import block_starts, check_entries, longest, weigh

__all__ = ["native_shares", "prevalences", "shares", "shares_scratch"]

# Worths relative to the best item of a ranking stay above e^-300, and their products in range.
_REACH = 300.0
_BY_ENTRY = 6  # numbers of scratch for each entry of the longest ranking


def shares_scratch(most, *_):
    """Return how much scratch rankings of so many entries need."""
    return _BY_ENTRY * (most + 1)


@compiled(cache=True)
def shares(x, sizes, start):
    """Return log of the product of the blocks' shares in what remains, and its derivatives.

    Without ties this is Plackett-Luce.

    Parameters
    ----------
    x : ndarray
        Scores of the entries, best first, one ranking after the other.
    sizes, start : ndarray of int
        See `bayesrank.kernels.ranking_rows`.
    """
    check_entries(x, sizes, start)
    x, sizes = np.ascontiguousarray(x), np.ascontiguousarray(sizes)
    start = np.ascontiguousarray(start)
    rows, most = start.size - 1, longest(start)
    logp, by_score = np.empty(rows), np.empty(x.size)
    scratch = np.empty(_BY_ENTRY * (most + 1))
    _rankings(
        pointer(x), pointer(sizes), pointer(start), 0, rows, most, pointer(logp),
        pointer(by_score), pointer(scratch),
    )  # fmt: skip
    keep(scratch)
    return logp, by_score


@native
def native_shares(inputs, partials, table, first, last, logp, scratch):
    """Compute some rankings; see `bayesrank.kernels.ranking_rows` for the table."""
    start = wholes(table[0])
    _rankings(
        reals(inputs[0]), wholes(table[1]), start, first, last, table[3], logp,
        reals(partials[0]), scratch,
    )  # fmt: skip
    return weigh(partials, table, start, first, last, logp)


@compiled()
def _rankings(x, sizes, start, first, last, most, logp, by_score, scratch):
    """Fill in the log-probabilities of some rankings, and the derivatives by their entries."""
    worth, total = scratch, ahead(scratch, most + 1)
    inside = ahead(scratch, 2 * (most + 1))
    for n in range(first, last):
        at, items = start[n] - start[first], start[n + 1] - start[n]
        logp[n - first] = 0.0
        if items == 0:
            continue
        y, by, size = ahead(x, at), ahead(by_score, at), ahead(sizes, start[n])
        highest, lowest, strict = y[0], y[0], True
        for p in range(items):
            highest, lowest = max(highest, y[p]), min(lowest, y[p])
            strict = strict and size[p] == 1
        if not (highest - lowest < _REACH):
            logp[n - first] = _far(y, size, items, by, scratch, most + 1)
            continue
        for p in range(items):
            worth[p] = bounded_exp(y[p] - highest)
        if strict:
            logp[n - first] = _strict(items, worth, total, by)
        else:
            logp[n - first] = _near(size, items, worth, total, inside, by)


@compiled()
def _strict(items, worth, total, by_score):
    """Return the log of the product of all worths' shares in what remains; fill derivatives."""
    value, running, pull, product = 0.0, 0.0, 0.0, 1.0
    for p in range(items - 1, -1, -1):
        running += worth[p]
        total[p] = running
    for p in range(items):
        total[p] = 1.0 / total[p]
    for p in range(items):
        pull -= total[p]
        product *= worth[p] * total[p]
        if product < 1e-150:
            value += math.log(product)
            product = 1.0
        by_score[p] = 1.0 + worth[p] * pull
    return value + math.log(product)


@compiled()
def _near(sizes, items, worth, total, inside, by_score):
    """Return the log of the product of the blocks' shares in what remains; fill derivatives."""
    value, running, pull, product = 0.0, 0.0, 0.0, 1.0
    blocks, last = 0, 0
    while last < items:
        last += abs(sizes[blocks])
        blocks += 1
    for s in range(blocks - 1, -1, -1):
        first = last - abs(sizes[s])
        block = 0.0
        for p in range(first, last):
            block += worth[p]
        inside[s] = block
        running += block
        total[s] = running
        last = first
    first = 0
    for s in range(blocks):
        if sizes[s] < 0:  # the unranked
            for p in range(first, items):
                by_score[p] = worth[p] * pull
            break
        last = first + sizes[s]
        pull -= 1.0 / total[s]
        slope = 1.0 / inside[s] + pull
        for p in range(first, last):
            by_score[p] = worth[p] * slope
        product *= inside[s] / total[s]
        if product < 1e-150:
            value += math.log(product)
            product = 1.0
        first = last
    return value + math.log(product)


@compiled()
def _far(x, sizes, items, gradient, scratch, room):
    """Do the same for scores that are hundreds apart, where one reference is not enough."""
    worth, reference, total = scratch, ahead(scratch, room), ahead(scratch, 2 * room)
    by_total, share = ahead(scratch, 3 * room), ahead(scratch, 4 * room)
    start = as_wholes(ahead(scratch, 5 * room))
    blocks, ranked = block_starts(sizes, items, start)
    suffix_sums(x, start, blocks, worth, reference, total)
    value = 0.0
    for p in range(items):
        share[p] = 0.0
    for s in range(blocks):
        by_total[s] = 0.0
    for s in range(ranked):
        level, inside = block_sum(x, start[s], start[s + 1], worth, reference[s], share)
        value += level + math.log(inside) - reference[s] - math.log(total[s])
        by_total[s] = -1.0
    push_back(start, blocks, worth, reference, total, by_total, share)
    for p in range(items):
        gradient[p] = share[p]
    return value


@compiled(cache=True)
def prevalences(tie, sizes, start, powers):
    """Return the part of log-probability that depends on ties alone, and its derivatives.

    Parameters
    ----------
    tie : ndarray, rankings by 1 or by block sizes from 2 up
        Tie prevalence: one number d, with ``d^(m-1)`` for blocks of m, or one for each block size
        from 2 up, larger blocks being impossible.
    sizes, start : ndarray of int
        See `bayesrank.kernels.ranking_rows`.
    powers : ndarray of one number
        Whether ``tie`` holds one number d.
    """
    rows = start.size - 1
    if tie.shape[0] != rows or start[-1] != sizes.size:
        raise ValueError("Tie prevalences must have a row for each ranking.")
    logp, by_tie = np.zeros(rows), np.zeros(tie.shape)
    # Constants of the sizes are the same for rankings with the same tie prevalence.
    known = np.zeros((3, longest(start) + 1))
    rate, slope_of_rate, log_tie = 0.0, 0.0, 0.0
    for n in range(rows):
        here = sizes[start[n] : start[n + 1]]
        items, ranked = np.uint64(here.size), np.uint64(0)
        for s in range(here.size):
            ranked += np.uint64(here[s] > 0)
        if powers[0] == 0.0:
            logp[n] = _by_size(here, int(ranked), int(items), tie[n], by_tie[n])
            continue
        if n == 0 or tie[n, 0] != tie[n - 1, 0]:
            known[0] = 0.0
            rate, log_tie = math.log1p(tie[n, 0]), math.log(tie[n, 0])
            slope_of_rate = _slope_of_rate(tie[n, 0], rate) if tie[n, 0] > 0.0 else 0.0
        logp[n], by_tie[n, 0] = _by_power(
            here, ranked, items, tie[n, 0], rate, slope_of_rate, log_tie, known
        )
    return logp, by_tie


@compiled()
def _by_size(sizes, ranked, items, tie, by_tie):
    value, left = 0.0, items
    for s in range(ranked):
        value += log_prevalence(sizes[s], tie, False, by_tie) - math.log(sizes[s])
        value -= log_sizes(left, tie, by_tie)
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
def _slope_of_rate(tie, rate):
    """Return the derivative of log(log(1 + d) / d)."""
    if tie < 1e-3:  # by Gregory's coefficients
        tail = tie * (1.0 / 24.0 - tie * (19.0 / 720.0 - tie * (3.0 / 160.0)))
        return (-0.5 - tie * (1.0 / 12.0 - tail)) / (1.0 + tie)
    return 1.0 / ((1.0 + tie) * rate) - 1.0 / tie


SHARES = Kernel(
    "shares", padded(shares), 1, shares, native_shares, shares_scratch, turned_padded(turn_shares)
)
PREVALENCES = Kernel(
    "prevalences",
    padded_prevalences(prevalences),
    1,
    prevalences,
    turn=turned_prevalences(turn_prevalences),
)
