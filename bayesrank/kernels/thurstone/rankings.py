r"""Thurstone's model of rankings: scores are seen with independent noise and sorted.

With f_i the scores, p the density of the noise, F its cdf, and p_i(y) = p(y - f_i), the chance
that the last blocks of a ranking are in order and all below x is a chain of one-dimensional
integrals, from the bottom block up:

    H(x) = prod_i F_i(x)                              the bottom block,
    H_new(x) = int_-inf^x p_i(y) H(y) dy              a block of one item,
    H_new(x) = P(H's blocks < v = min of block, max of block < x)     a larger block,
    P = int H(v) (-d/dv) prod_i (1 - F_i(v)) dv       the top block.

Inside a block the order is unknown, that is, summed over. Every H is kept at 12 Gauss nodes in
each of a few panels (`thurstone_grid`), and the running integrals are Gauss collocation
(`thurstone_steps`), whose errors at the ends of the panels are of order 24. The derivatives are
the exact adjoint of these sums. Blocks between others go through all their subsets if they are
small and through all pairs of nodes if they are not (`thurstone_blocks`).
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.partitions import check_shapes
from bayesrank.kernels.thurstone.blocks import climb_pairs, descend_pairs
from bayesrank.kernels.thurstone.ends import both_tails, bottom, finish, relative, top
from bayesrank.kernels.thurstone.grid import make_panels
from bayesrank.kernels.thurstone.noise_laws import log_densities
from bayesrank.kernels.thurstone.steps import NODES, climb, descend

__all__ = ["thurstone"]

_FAR = 1e9  # scores further apart count as this far apart: a unit must be more than rounding


@compiled()
def _gather(scores, order, sizes, x, slot, start):
    """Copy scores from best to worst, inside a block from high to low; return the blocks."""
    blocks, place = 0, 0
    start[0] = 0
    while blocks < sizes.size and sizes[blocks] != 0:
        size = int(abs(sizes[blocks]))
        for p in range(place, place + size):
            slot[p] = int(order[p])
            x[p] = scores[slot[p]]
        gap = size // 2
        while gap > 0:  # Shell's sort
            for p in range(place + gap, place + size):
                high, moved = x[p], slot[p]
                q = p
                while q >= place + gap and x[q - gap] < high:
                    x[q], slot[q] = x[q - gap], slot[q - gap]
                    q -= gap
                x[q], slot[q] = high, moved
            gap //= 2
        place += size
        blocks += 1
        start[blocks] = place
    return blocks


@compiled()
def _centre(x):
    """Subtract the first score, as only differences matter; return whether all were finite."""
    best, finite = x[0], True
    for p in range(x.size):
        finite = finite and math.isfinite(x[p])
        x[p] = min(max(x[p] - best, -_FAR), _FAR)
    return finite


@compiled()
def _most_panels(start, blocks):
    """Return how many panels memory (200 MB) and, for large blocks, time (a second) allow."""
    most = max(256, min(4096, (1 << 19) // start[blocks]))
    for m in range(1, blocks - 1):
        size = start[m + 1] - start[m]
        if size > 6:
            most = min(most, max(256, (1 << 18) >> min(size, 18)))
    return most


@compiled()
def _stages(start, blocks, panels):
    """Return the number of stages of each block: one for each subset of its items, or only one.

    Subsets cost 2^items times the panels, pairs of nodes cost the panels' square times the items.
    """
    stages = np.ones(blocks, dtype=np.int64)
    for m in range(1, blocks - 1):
        size = start[m + 1] - start[m]
        if size <= 10 and 1 << size <= panels * size:
            stages[m] = (1 << size) - 1
    return stages


@compiled()
def _spans(start, blocks, first, last, panels):
    """Return each block's first and last panel, which are no lower than those of blocks below."""
    lo, hi = np.empty(blocks, dtype=np.int64), np.empty(blocks, dtype=np.int64)
    lowest, highest = 0, 0
    for m in range(blocks - 2, -1, -1):
        lo[m], hi[m] = panels, highest
        for p in range(start[m], start[m + 1]):
            lo[m], hi[m] = min(lo[m], first[p]), max(hi[m], last[p])
        lo[m] = max(lo[m], lowest)
        lowest, highest = lo[m], hi[m]
    return lo, hi


@compiled(cache=True)
def thurstone(score, order, sizes, law, steps, table):
    """Return log-probability and its derivative by ``score``, per ranking.

    Parameters
    ----------
    score : ndarray, rankings by slots
        In units of the noise's scale.
    order, sizes : ndarray of int, rankings by slots
        From `bayesrank.kernels.partitions.partition`. Rows of fewer than two blocks have
        log-probability 0, and slots that are not in the ranking derivative 0.
    law, steps, table : ndarray
        The noise, from `bayesrank.kernels.thurstone.noise_laws.noise_law`.

    Notes
    -----
    The log-probability is right to 1e-10 and its derivatives to 1e-9, whatever the number of items
    and the sizes of blocks, as long as the panels suffice: there are at most 4096, fewer for more
    than 128 items or for blocks of more than 6 items that have others below and above. They suffice
    for scores hundreds of scales apart, unless the order is absurd, with a log-probability below
    about -10 000, or -1000 for such blocks or a noise of one's own with light tails. There it is
    mostly right to 1e-3 of its size or better, and always finite, and derivatives may be rough.
    Scores that are not finite give NaN; those more than 1e9 apart count as 1e9 apart.

    A ranking of n items costs O(n * nodes); 100 to 300 nodes are common, thousands are taken by
    scores hundreds of scales apart in an improbable order.
    """
    check_shapes(score, order)
    rows, slots = score.shape
    logp, by_score = np.zeros(rows), np.zeros((rows, slots))
    scores, by = np.empty(slots), np.empty(slots)
    slot, start = np.empty(slots, dtype=np.int64), np.empty(slots + 1, dtype=np.int64)
    for n in range(rows):
        blocks = _gather(score[n], order[n], sizes[n], scores, slot, start)
        if blocks < 2:
            continue
        items, second, tail = start[blocks], start[1], start[blocks - 1]
        x = scores[:items]
        if not _centre(x):
            logp[n] = math.nan
            for p in range(items):
                by_score[n, slot[p]] = math.nan
            continue
        y, measure, first, last, coarse = make_panels(
            x, second, items - tail, law, steps, _most_panels(start, blocks)
        )
        rule = 1 if coarse > 2.0 else 0
        panels = y.size // NODES
        lo, hi = _spans(start, blocks, first, last, panels)
        stages = _stages(start, blocks, panels)
        # What is below a block, or below it and some of its items, is a stage.
        final = np.int64(0)
        for m in range(1, blocks - 1):
            final += stages[m]
        below, pull = np.empty((final + 1, y.size)), np.zeros((final + 1, y.size))
        density, slope = np.empty((items, y.size)), np.empty((items, y.size))
        scale, level = np.empty((final + 1, panels)), np.empty((items, panels))
        work = np.empty(y.size)

        # Up: from the bottom block to the top.
        a, z = lo[blocks - 2], hi[blocks - 2]
        nodes = slice(a * NODES, z * NODES)
        bottom(y[nodes], nodes, x, tail, items, law, table, below[0][nodes], scale[0][a:z], slope)
        stage = np.int64(1)
        for m in range(blocks - 2, 0, -1):
            size, end = start[m + 1] - start[m], hi[m - 1]
            subsets = stages[m] > 1 or size == 1
            a, z = lo[m], hi[m] if subsets else end
            nodes = slice(a * NODES, z * NODES)
            for p in range(start[m], start[m + 1]):
                log_densities(y[nodes], x[p], law, table, work[nodes], slope[p][nodes])
                relative(work[nodes], density[p][nodes], level[p][a:z])
            if subsets:
                climb(
                    stage,
                    start[m],
                    size,
                    lo[m],
                    hi[m],
                    end,
                    density,
                    level,
                    measure,
                    rule,
                    below,
                    scale,
                )
            else:
                some = slice(start[m], start[m + 1])
                value, height = both_tails(y, x[some], law, table)
                climb_pairs(
                    stage,
                    lo[m],
                    hi[m],
                    end,
                    value,
                    height,
                    density[some],
                    level[some],
                    measure,
                    rule,
                    below,
                    scale,
                )
            stage += stages[m]
        a, z = lo[0], hi[0]
        nodes = slice(a * NODES, z * NODES)
        top(y[nodes], nodes, x, second, law, table, density[0][nodes], level[0][a:z], slope)
        logp[n] = finish(
            density[0], level[0], measure, below[final], scale[final], pull[final], a, z
        )

        # Down: the adjoint of each step, in reverse. Slopes are by the distance y - f.
        by[:] = 0.0
        for p in range(second):
            for i in range(a * NODES, z * NODES):
                by[p] -= pull[final, i] * below[final, i] * slope[p, i]
        for m in range(1, blocks - 1):
            size, end = start[m + 1] - start[m], hi[m - 1]
            stage -= stages[m]
            if stages[m] > 1 or size == 1:
                descend(
                    stage,
                    start[m],
                    size,
                    lo[m],
                    hi[m],
                    end,
                    density,
                    level,
                    slope,
                    measure,
                    rule,
                    below,
                    scale,
                    pull,
                    by,
                )
            else:
                some = slice(start[m], start[m + 1])
                value, height = both_tails(y, x[some], law, table)
                descend_pairs(
                    stage,
                    lo[m],
                    hi[m],
                    end,
                    value,
                    height,
                    density[some],
                    level[some],
                    slope[some],
                    measure,
                    rule,
                    below,
                    scale,
                    pull,
                    by[some],
                )
        for p in range(tail, items):
            for i in range(lo[blocks - 2] * NODES, hi[blocks - 2] * NODES):
                by[p] -= pull[0, i] * below[0, i] * slope[p, i]
        for p in range(items):
            by_score[n, slot[p]] = by[p] if math.isfinite(by[p]) else 0.0
    return logp, by_score
