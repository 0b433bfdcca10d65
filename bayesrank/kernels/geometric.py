r"""PMOP with the geometric potential, and with tie prevalences the Davidson-Luce model.

Stage by stage, the next block is the subset S of what remains, R, with probability proportional
to ``d_|S| exp(mean of f over S)``. Grouping the subsets by size turns the normaliser, which
Truyen, Phung and Venkatesh (2011) sample, into elementary symmetric polynomials:

    sum over T in R of d_|T| exp(mean_T f)  =  sum over m of d_m e_m(exp(f / m))

For each m one sweep over the items from worst to best gives e_m of what remains at every stage,
and one sweep back its derivatives: O(N^3) for all stages together (O(N L^2) where blocks have at
most L items). The sweeps work with the means p_m = e_m / C(N, m), which are averages of averages,
so nothing cancels or overflows:

    p_d(n) = (1 - d/n) p_d(n - 1) + (d/n) w_n p_{d-1}(n - 1)
"""

import math

import numpy as np
from numba import carray

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.odds import shifted_odds, slope_of_odds
from bayesrank.kernels.maths.pointers import ahead, pointer, reals, wholes
from bayesrank.kernels.maths.tie_prevalences import log_choose, log_prevalence, log_tie
from bayesrank.kernels.native import Kernel, native
from bayesrank.kernels.padding import padded_ties
from bayesrank.kernels.ranking_rows import block_starts, check_entries, longest, weigh

__all__ = ["geometric", "native_geometric"]

_REACH = 300.0
# Beyond this many numbers (16 MB, 126 items) fresh memory costs more than repeating the sweeps.
_REMEMBERED = 2**21


@compiled()
def _levels(y, level):
    """Fill in the reference score of each prefix; it moves when scores are hundreds apart."""
    current = y[0]
    for n in range(y.size):
        if y[n] > current + _REACH:
            current = y[n]
        level[n] = current


@compiled()
def _in_units(before, n, level, m, moved):
    """Return row n of the table in the units of row n + 1."""
    if n == 0 or level[n] == level[n - 1]:
        return before
    for d in range(min(m, n) + 1):
        moved[d] = before[d] * math.exp((level[n - 1] - level[n]) * d / m)
    return moved


@compiled()
def _sweep(y, level, m, weight, table, moved):
    """Fill rows n = 0..N of p_d over the first n items, for the degrees that p_m depends on."""
    items = y.size
    for n in range(items):
        weight[n] = math.exp((y[n] - level[n]) / m)
    table[0, 0] = 1.0
    for n in range(1, items + 1):
        before, after = _in_units(table[n - 1], n - 1, level, m, moved), table[n]
        low, high = max(0, m - (items - n)), min(m, n)
        w, share = weight[n - 1], 1.0 / n
        # Degree 0 is 1, and degree n has only the product of all: neither has both neighbours.
        if low == 0:
            after[0] = 1.0
        if high == n:
            after[n] = w * before[n - 1]
        for d in range(max(low, 1), min(high, n - 1) + 1):
            after[d] = before[d] + (d * share) * (w * before[d - 1] - before[d])


@compiled()
def _sweep_back(level, m, weight, table, moved, seed, adjoint, gradient):
    """Add the derivatives by the scores, given those by p_m at each n, ``seed``."""
    items = level.size
    adjoint[: m + 2] = 0.0
    for n in range(items, 0, -1):
        before = _in_units(table[n - 1], n - 1, level, m, moved)
        low, high = max(0, m - (items - n)), min(m, n)
        if n >= m:
            adjoint[m] += seed[n]
        w, share = weight[n - 1], 1.0 / n
        by_weight = 0.0
        for d in range(max(low, 1), high + 1):
            by_weight += before[d - 1] * (d * share) * adjoint[d]
        gradient[n - 1] += by_weight * w / m
        # Degree d of the row before feeds degrees d and d + 1 of this one; outside this row's
        # degrees the adjoint is zero.
        for d in range(max(low - 1, 0), min(high, n - 1) + 1):
            adjoint[d] = share * ((n - d) * adjoint[d] + (d + 1) * w * adjoint[d + 1])
        adjoint[n] = 0.0 if n <= m else adjoint[n]
        if n > 1 and level[n - 1] != level[n - 2]:
            for d in range(m + 1):
                adjoint[d] *= math.exp((level[n - 2] - level[n - 1]) * d / m)


@compiled(cache=True)
def geometric(x, tie, sizes, start, powers):
    """Return log-probability and its derivatives by the scores and ``tie``, per ranking.

    The arguments are those of `bayesrank.kernels.additive.shares` and `prevalences`; ``tie`` may be
    one row that all rankings share.
    """
    check_entries(x, sizes, start)
    rows = start.size - 1
    if tie.shape[0] != 1 and tie.shape[0] != rows:
        raise ValueError("Tie prevalences must have one row, or a row for each ranking.")
    logp, by_score = np.zeros(rows), x.copy()
    by_tie = np.zeros((rows, tie.shape[1]))
    begin = np.empty(longest(start) + 1, dtype=np.int64)
    for n in range(rows):
        here = slice(start[n], start[n + 1])
        blocks, ranked = block_starts(sizes[here], start[n + 1] - start[n], begin)
        if blocks > 0:
            delta = tie[n if tie.shape[0] > 1 else 0]
            logp[n] = _ranking(
                by_score[here], begin, blocks, ranked, delta, powers[0] != 0.0, by_tie[n]
            )
    return logp, by_score, by_tie


@compiled()
def _prevalences(inputs, learned, count, shift, tie):
    """Fill in the learned tie prevalences, from rates whose logits are shifted."""
    for k in range(count):
        p, q = shifted_odds(min(reals(inputs[1])[k], 1.0 - 2.0**-52), shift)
        tie[learned[k] - 2] = learned[k] * p / max(q, 2.0**-52)


@native
def native_geometric(inputs, partials, table, first, last, logp, scratch):
    """Compute some rankings; the table goes on with how ties are known.

    See `bayesrank.kernels.ranking_rows` for its beginning. Then come the address of whether
    prevalences are powers of one number, and a 1; how many prevalences there are, and their
    address; how many block sizes have a learned one, and the address of these sizes; and whether
    the third input shifts the logits of what follows, by the first entry of each ranking. Of the
    learned ones the second input holds p, the probability that so many equal items all tie rather
    than one of them being best.
    """
    start, sizes, learned = wholes(table[0]), wholes(table[1]), wholes(table[9])
    x, by_score = reals(inputs[0]), reals(partials[0])
    powers = reals(table[4])[0] != 0.0
    tie = carray(reals(table[7]), (table[6],)).copy()
    shifted = table[10] != 0
    if not shifted:
        _prevalences(inputs, learned, table[8], 0.0, tie)
    by_tie = np.empty(table[6])
    begin = np.empty(table[3] + 1, dtype=np.int64)
    for n in range(first, last):
        at, items = start[n] - start[first], start[n + 1] - start[n]
        for p in range(at, at + items):
            by_score[p] = x[p]
        by_tie[:] = 0.0
        blocks, ranked = block_starts(ahead(sizes, start[n]), items, pointer(begin))
        logp[n - first], shift = 0.0, 0.0
        if shifted:
            shift = reals(inputs[2])[at]
            _prevalences(inputs, learned, table[8], shift, tie)
        if blocks > 0:
            entries = carray(ahead(by_score, at), (items,))
            logp[n - first] = _ranking(entries, begin, blocks, ranked, tie, powers, by_tie)
        by_shift = 0.0
        for k in range(table[8]):
            p = min(reals(inputs[1])[k], 1.0 - 2.0**-52)
            there, rest = shifted_odds(p, shift)
            slope = reals(table[2])[n] * by_tie[learned[k] - 2] * learned[k] / (rest * rest)
            reals(partials[1])[k] += slope * slope_of_odds(p, there, rest)
            by_shift += slope * there * rest
        if shifted:
            for p in range(at, at + items):
                reals(partials[2])[p] = by_shift if p == at else 0.0
    return weigh(partials, table, start, first, last, logp)


@compiled()
def _ranking(x, start, blocks, ranked, tie, powers, by_tie):
    """Return log-probability of one ranking; overwrite the scores by the derivatives."""
    items = start[blocks]
    y = x[:items][::-1].copy()
    gradient = np.zeros(items)
    value = 0.0
    for s in range(ranked):
        first, last = start[s], start[s + 1]
        size = last - first
        for p in range(first, last):
            value += x[p] / size
            gradient[items - 1 - p] = 1.0 / size
        value += log_prevalence(size, tie, powers, by_tie)
    largest = min(items, tie.size + 1)
    if powers:
        largest = items if tie[0] > 0.0 else 1
    stages = items - start[:ranked]  # each by the number of items that remain
    level = np.empty(items)
    _levels(y, level)
    remembered = largest if largest * (items + 1) * (largest + 1) <= _REMEMBERED else 1
    tables = np.empty((remembered, items + 1, largest + 1))
    weights, moved = np.empty((remembered, items)), np.empty(largest + 1)
    chance = np.empty((ranked, largest + 1))
    value -= _normalisers(y, level, stages, largest, tie, powers, tables, weights, moved, chance)
    seed, adjoint = np.empty(items + 1), np.empty(items + 3)
    for m in range(1, largest + 1):
        slab = (m - 1) % remembered
        if remembered < largest:
            _sweep(y, level, m, weights[slab], tables[slab], moved)
        seed[:] = 0.0
        total = 0.0
        for k in range(ranked):
            if chance[k, m] > 0.0:
                seed[stages[k]] = -chance[k, m] / tables[slab, stages[k], m]
                total += chance[k, m]
        _sweep_back(level, m, weights[slab], tables[slab], moved, seed, adjoint, gradient)
        if m > 1 and powers:
            by_tie[0] -= (m - 1.0) * total / tie[0]
        elif m > 1 and tie[m - 2] > 0.0:
            by_tie[m - 2] -= total / tie[m - 2]
    if powers and tie[0] == 0.0:
        for k in range(ranked):
            by_tie[0] -= _slope_at_zero(y[: stages[k]])
    x[:items] = gradient[::-1]
    return value


@compiled()
def _normalisers(y, level, stages, largest, tie, powers, tables, weights, moved, chance):
    """Return the sum of the stages' log-normalisers; fill in the probability of each size."""
    chance[:] = -np.inf
    for m in range(1, largest + 1):
        slab = (m - 1) % len(tables)
        _sweep(y, level, m, weights[slab], tables[slab], moved)
        log_factor = log_tie(m, tie, powers)
        for k in range(stages.size):
            left = stages[k]
            if left >= m and tables[slab, left, m] > 0.0:
                chance[k, m] = log_factor + log_choose(left, m) + math.log(tables[slab, left, m])
    value = 0.0
    for k in range(stages.size):
        highest = np.max(chance[k])
        total = 0.0
        for m in range(1, largest + 1):
            chance[k, m] = math.exp(chance[k, m] - highest)
            total += chance[k, m]
        chance[k] /= total
        value += highest + math.log(total) + level[stages[k] - 1]
    return value


@compiled()
def _slope_at_zero(y):
    """Return the slope of the log-normaliser by the tie prevalence where that is zero.

    It comes from ties of two: e_2(exp(f / 2)) / e_1(exp(f)).
    """
    highest = np.max(y)
    whole, halves = 0.0, 0.0
    for f in y:
        whole += math.exp(f - highest)
        halves += math.exp(0.5 * (f - highest))
    return 0.5 * (halves * halves - whole) / whole


KERNEL = Kernel("geometric", padded_ties(geometric), 2, geometric, native_geometric)
