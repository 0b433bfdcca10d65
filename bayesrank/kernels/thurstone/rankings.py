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
from typing import NamedTuple

import numpy as np
from numba import carray

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, pointer, reals, wholes
from bayesrank.kernels.native import Kernel, native
from bayesrank.kernels.padding import padded
from bayesrank.kernels.ranking_rows import check_entries, longest, weigh
from bayesrank.kernels.thurstone.blocks import climb_pairs, descend_pairs
from bayesrank.kernels.thurstone.ends import both_tails, bottom, finish, relative, top
from bayesrank.kernels.thurstone.grid import make_panels
from bayesrank.kernels.thurstone.noise_laws import log_densities
from bayesrank.kernels.thurstone.steps import NODES, climb, descend

__all__ = ["native_thurstone", "thurstone"]

_FAR = 1e9  # scores further apart count as this far apart: a unit must be more than rounding


@compiled()
def _sort(scores, sizes, items, x, entry, start):
    """Copy scores from best to worst, inside a block from high to low; return the blocks."""
    blocks, place = 0, 0
    start[0] = 0
    while place < items and sizes[blocks] != 0:
        size = abs(sizes[blocks])
        for p in range(place, place + size):
            entry[p], x[p] = p, scores[p]
        gap = size // 2
        while gap > 0:  # Shell's sort
            for p in range(place + gap, place + size):
                high, moved = x[p], entry[p]
                q = p
                while q >= place + gap and x[q - gap] < high:
                    x[q], entry[q] = x[q - gap], entry[q - gap]
                    q -= gap
                x[q], entry[q] = high, moved
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


class _Chain(NamedTuple):
    """The integrals of one ranking: its blocks, its panels, and room for every stage.

    What is below a block, or below it and some of its items, is a stage.
    """

    x: np.ndarray  # scores, best first
    start: np.ndarray  # of the blocks
    blocks: int
    y: np.ndarray  # nodes of all panels, and their measure
    measure: np.ndarray
    rule: int
    lo: np.ndarray  # first and last panel of each block
    hi: np.ndarray
    stages: np.ndarray  # how many each block has
    final: int
    below: np.ndarray  # stages by nodes: the chance, its scale by panel, and its adjoint
    scale: np.ndarray
    pull: np.ndarray
    density: np.ndarray  # items by nodes, its scale by panel, and its slope
    level: np.ndarray
    slope: np.ndarray


@compiled()
def _prepare(x, start, blocks, law, steps):
    """Lay out the panels of a ranking and make room for its stages."""
    items, second, tail = start[blocks], start[1], start[blocks - 1]
    y, measure, first, last, coarse = make_panels(
        x, second, items - tail, law, steps, _most_panels(start, blocks)
    )
    panels = y.size // NODES
    lo, hi = _spans(start, blocks, first, last, panels)
    stages = _stages(start, blocks, panels)
    final = np.int64(0)
    for m in range(1, blocks - 1):
        final += stages[m]
    rule = 1 if coarse > 2.0 else 0
    below, pull = np.empty((final + 1, y.size)), np.zeros((final + 1, y.size))
    density, slope = np.empty((items, y.size)), np.empty((items, y.size))
    scale, level = np.empty((final + 1, panels)), np.empty((items, panels))
    return _Chain(
        x, start, blocks, y, measure, rule, lo, hi, stages, final, below, scale, pull, density,
        level, slope,
    )  # fmt: skip


@compiled()
def _up(c, law, table):
    """Go from the bottom block to the top one; return the log-probability."""
    work = np.empty(c.y.size)
    a, z = c.lo[c.blocks - 2], c.hi[c.blocks - 2]
    nodes = slice(a * NODES, z * NODES)
    bottom(
        c.y[nodes], nodes, c.x, c.start[c.blocks - 1], c.start[c.blocks], law, table,
        c.below[0][nodes], c.scale[0][a:z], c.slope,
    )  # fmt: skip
    stage = np.int64(1)
    for m in range(c.blocks - 2, 0, -1):
        size, end = c.start[m + 1] - c.start[m], c.hi[m - 1]
        subsets = c.stages[m] > 1 or size == 1
        a, z = c.lo[m], c.hi[m] if subsets else end
        nodes = slice(a * NODES, z * NODES)
        for p in range(c.start[m], c.start[m + 1]):
            log_densities(c.y[nodes], c.x[p], law, table, work[nodes], c.slope[p][nodes])
            relative(work[nodes], c.density[p][nodes], c.level[p][a:z])
        if subsets:
            climb(
                stage, c.start[m], size, c.lo[m], c.hi[m], end, c.density, c.level, c.measure,
                c.rule, c.below, c.scale,
            )  # fmt: skip
        else:
            some = slice(c.start[m], c.start[m + 1])
            value, height = both_tails(c.y, c.x[some], law, table)
            climb_pairs(
                stage, c.lo[m], c.hi[m], end, value, height, c.density[some], c.level[some],
                c.measure, c.rule, c.below, c.scale,
            )  # fmt: skip
        stage += c.stages[m]
    a, z = c.lo[0], c.hi[0]
    nodes = slice(a * NODES, z * NODES)
    top(
        c.y[nodes], nodes, c.x, c.start[1], law, table, c.density[0][nodes], c.level[0][a:z],
        c.slope,
    )  # fmt: skip
    return finish(
        c.density[0], c.level[0], c.measure, c.below[c.final], c.scale[c.final],
        c.pull[c.final], a, z,
    )  # fmt: skip


@compiled()
def _down(c, law, table, by):
    """Fill in the derivatives: the adjoint of each step, in reverse."""
    by[:] = 0.0
    # Slopes are by the distance y - f.
    for p in range(c.start[1]):
        for i in range(c.lo[0] * NODES, c.hi[0] * NODES):
            by[p] -= c.pull[c.final, i] * c.below[c.final, i] * c.slope[p, i]
    stage = c.final + 1
    for m in range(1, c.blocks - 1):
        size, end = c.start[m + 1] - c.start[m], c.hi[m - 1]
        stage -= c.stages[m]
        if c.stages[m] > 1 or size == 1:
            descend(
                stage, c.start[m], size, c.lo[m], c.hi[m], end, c.density, c.level, c.slope,
                c.measure, c.rule, c.below, c.scale, c.pull, by,
            )  # fmt: skip
        else:
            some = slice(c.start[m], c.start[m + 1])
            value, height = both_tails(c.y, c.x[some], law, table)
            descend_pairs(
                stage, c.lo[m], c.hi[m], end, value, height, c.density[some], c.level[some],
                c.slope[some], c.measure, c.rule, c.below, c.scale, c.pull, by[some],
            )  # fmt: skip
    for p in range(c.start[c.blocks - 1], c.start[c.blocks]):
        for i in range(c.lo[c.blocks - 2] * NODES, c.hi[c.blocks - 2] * NODES):
            by[p] -= c.pull[0, i] * c.below[0, i] * c.slope[p, i]


@compiled()
def _rankings(x, sizes, start, first, last, most, law, steps, table, logp, by_score):
    """Fill in the log-probabilities of some rankings, and the derivatives by their entries."""
    scores, by = np.empty(most), np.empty(most)
    entry, begin = np.empty(most, dtype=np.int64), np.empty(most + 1, dtype=np.int64)
    for n in range(first, last):
        at, items = start[n] - start[first], start[n + 1] - start[n]
        blocks = _sort(ahead(x, at), ahead(sizes, start[n]), items, scores, entry, begin)
        logp[n - first] = 0.0
        if blocks < 2:
            for p in range(items):
                by_score[at + p] = 0.0
            continue
        if not _centre(scores[:items]):
            logp[n - first] = math.nan
            for p in range(items):
                by_score[at + p] = math.nan
            continue
        chain = _prepare(scores[:items], begin, blocks, law, steps)
        logp[n - first] = _up(chain, law, table)
        _down(chain, law, table, by)
        for p in range(items):
            by_score[at + entry[p]] = by[p] if math.isfinite(by[p]) else 0.0


@compiled(cache=True)
def thurstone(x, sizes, start, law, steps, table):
    """Return log-probability and its derivative by the scores, per ranking.

    Parameters
    ----------
    x : ndarray
        Scores of the entries, best first, one ranking after the other, in units of the noise's
        scale.
    sizes, start : ndarray of int
        See `bayesrank.kernels.ranking_rows`. Rankings of fewer than two blocks have log-probability
        0 and derivatives 0.
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
    check_entries(x, sizes, start)
    x, sizes = np.ascontiguousarray(x), np.ascontiguousarray(sizes)
    start = np.ascontiguousarray(start)
    rows = start.size - 1
    logp, by_score = np.empty(rows), np.empty(x.size)
    _rankings(
        pointer(x), pointer(sizes), pointer(start), 0, rows, longest(start), law, steps, table,
        pointer(logp), pointer(by_score),
    )  # fmt: skip
    return logp, by_score


@native
def native_thurstone(inputs, partials, table, first, last, logp, scratch):
    """Compute some rankings; the table goes on with addresses and shapes of the noise's arrays.

    See `bayesrank.kernels.ranking_rows` for its beginning.
    """
    start = wholes(table[0])
    law = carray(reals(table[4]), (table[5],))
    steps = carray(reals(table[6]), (table[7], table[8]))
    tails = carray(reals(table[9]), (table[10], table[11], table[12]))
    _rankings(
        reals(inputs[0]), wholes(table[1]), start, first, last, table[3], law, steps, tails, logp,
        reals(partials[0]),
    )  # fmt: skip
    return weigh(partials, table, start, first, last, logp)


KERNEL = Kernel("thurstone", padded(thurstone), 1, thurstone, native_thurstone)
