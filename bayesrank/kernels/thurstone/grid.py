r"""The panels on which a ranking's integrals are taken.

A panel may be as wide as the densities of the items near it are smooth, and as the running
integrals are gentle. At a point y, what lies below a cut of the order rises like the sum of p/F
of the items below, what lies above falls like the sum of p/(1 - F) of the items above; where only
one of the two is steep there is hardly any probability, so the steepness that must be resolved is
no more than twice the smaller, at the worst cut. This sees long rankings and improbable orders
alike.

Normal noise only needs windows around the most probable values, which are the isotonic fit of the
scores to the order: the density of the noisy scores, given the order, is strongly log-concave.
Other noises need the range of the scores and a tail at either end, in a power law's case on
the scale of asinh.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.thurstone.noise_laws import (
    FORM,
    KINK,
    NORMAL,
    POWER,
    REACH_ABOVE,
    REACH_BELOW,
    grid_rules,
)
from bayesrank.kernels.thurstone.steps import NODE, NODES

__all__ = ["make_panels"]

_STEEPNESS = 6.0  # by how much the log of a running integral may change within a panel


@compiled()
def _limits(u, anchor, bend, score, first_cut, last_cut, law, steps, below):
    """Return the width that the densities allow at u, and the steepness there.

    In the tail of a power law, y = anchor + sinh(u), and up to ``bend`` items are told apart.
    """
    y = anchor + math.sinh(u) if bend > 0.0 else u
    width = math.inf
    total_below = 0.0
    for p in range(score.size - 1, -1, -1):
        smooth, falling, _ = grid_rules(y - score[p], law, steps)
        width = min(width, smooth)
        total_below += falling
        below[p] = total_below
    # Past a kink the smaller side may vanish while there still is probability.
    margin = 30.0 if law[KINK] > 0.0 else 2.0
    total_above = 0.0
    steepness = 0.0
    for p in range(last_cut):
        _, _, rising = grid_rules(y - score[p], law, steps)
        total_above += rising
        if p + 1 >= first_cut:
            low, high = min(total_above, below[p + 1]), max(total_above, below[p + 1])
            steepness = max(steepness, min(margin * low, high))
    if bend > 0.0:
        # Densities are exponentials in u, but for bends on the scale of pi until all items are far.
        stretch = math.cosh(u)
        far = max(min(0.6 * abs(u), 2.5), 0.6 * (abs(u) - bend))
        return max(width / stretch, min(far, min(8.0 / law[POWER], 6.0))), steepness * stretch
    return width, steepness


@compiled()
def _march(segment, score, first_cut, last_cut, law, steps, coarse, edges, count):
    """Append panels that fill a segment; return their number so far, or -1 without room."""
    left, right, anchor, bend = segment[0], segment[1], segment[2], segment[3]
    below = np.empty(score.size + 1)
    below[score.size] = 0.0
    u = left
    width = right - left
    _, steep = _limits(u, anchor, bend, score, first_cut, last_cut, law, steps, below)
    while u < right:
        width = min(2.0 * width, right - u)
        while True:
            end = u + width if width < right - u else right
            smooth, steep_middle = _limits(
                0.5 * (u + end), anchor, bend, score, first_cut, last_cut, law, steps, below
            )
            _, steep_end = _limits(end, anchor, bend, score, first_cut, last_cut, law, steps, below)
            steepest = max(steep, max(steep_middle, steep_end))
            allowed = coarse * min(smooth, _STEEPNESS / max(steepest, 1e-300))
            if width <= 1.1 * allowed:
                break
            width = max(allowed, 0.5 * width)
        if count == edges.shape[0]:
            return -1
        edges[count, 0], edges[count, 1] = u, end
        edges[count, 2], edges[count, 3] = anchor, bend
        count += 1
        u = end
        steep = steep_end
    return count


@compiled()
def _windows(score, reach, centre, radius):
    """Fill in the isotonic fit of falling scores to their order, and how far from it to look.

    A pool of s scores moves together with standard deviation 1 / sqrt(s). Inside it neighbours
    that are pressed on each other with multiplier m are about 1/m apart, so that a window can be
    narrow when even the smallest multiplier is large.
    """
    items = score.size
    start = np.empty(items, dtype=np.int64)
    mean = np.empty(items)
    pools = 0
    for p in range(items):
        start[pools] = p
        mean[pools] = score[p]
        pools += 1
        end = p + 1
        while pools > 1 and mean[pools - 1] >= mean[pools - 2]:
            a, b, c = start[pools - 2], start[pools - 1], end
            mean[pools - 2] = (mean[pools - 2] * (b - a) + mean[pools - 1] * (c - b)) / (c - a)
            pools -= 1
    for pool in range(pools):
        end = start[pool + 1] if pool + 1 < pools else items
        size = end - start[pool]
        pressure, least = 0.0, math.inf
        for p in range(start[pool], end - 1):
            pressure += mean[pool] - score[p]
            least = min(least, pressure)
        half = reach
        if size > 1 and least > 0.0:
            half = min(reach, reach / math.sqrt(size) + (30.0 + size) / least)
        for p in range(start[pool], end):
            centre[p] = mean[pool]
            radius[p] = half


@compiled()
def _put(segments, count, left, right, anchor, bend):
    segments[count, 0], segments[count, 1] = left, right
    segments[count, 2], segments[count, 3] = anchor, bend
    return count + 1


@compiled()
def _segments(score, integrated, law, centre, radius, segments):
    """Fill in stretches to be cut into panels, from low to high; return their number.

    A stretch is its two ends, and an anchor and the bend of `_limits` if it is the tail of a power
    law. Then the ends are those of u, where y = anchor + sinh(u).
    """
    count = 0
    if law[FORM] == NORMAL:
        # From the lowest window up, windows that meet are one.
        p = integrated - 1
        while p >= 0:
            left, right = centre[p] - radius[p], centre[p] + radius[p]
            p -= 1
            while p >= 0 and centre[p] - radius[p] <= right:
                left = min(left, centre[p] - radius[p])
                right = max(right, centre[p] + radius[p])
                p -= 1
            if count > 0:
                left = max(left, segments[count - 1, 1])
            count = _put(segments, count, left, right, 0.0, 0.0)
        return count
    lowest, highest = score[0], score[0]
    for p in range(1, score.size):
        lowest, highest = min(lowest, score[p]), max(highest, score[p])
    power = law[POWER] > 0.0
    spread = 1.0 + highest - lowest
    bend = math.asinh(2.0 * spread)
    left, right = lowest - law[REACH_BELOW], highest + law[REACH_ABOVE]
    if power:
        far = math.asinh(law[REACH_BELOW] * spread)
        count = _put(segments, count, -far, 0.0, lowest, bend)
        left, right = lowest, highest
    if law[KINK] > 0.0:
        # A kink has to be the end of a panel.
        kink = lowest
        while kink <= highest:
            count = _put(segments, count, left, kink, 0.0, 0.0)
            left, kink = kink, math.inf
            for p in range(score.size):
                if score[p] > left:
                    kink = min(kink, score[p])
    count = _put(segments, count, left, right, 0.0, 0.0)
    if power:
        far = math.asinh(law[REACH_ABOVE] * spread)
        count = _put(segments, count, 0.0, far, highest, bend)
    return count


@compiled()
def make_panels(score, top, bottom, law, steps, limit):
    """Return all panels' nodes and their measures, and each item's first and last panel.

    The last value returned is how many times too wide the panels had to be.

    Parameters
    ----------
    score : ndarray, from best to worst
    top, bottom : int
        Sizes of the first and last block.
    law, steps : ndarray
        From `bayesrank.kernels.thurstone.noise_laws.noise_law`.
    limit : int
        Most panels. If they do not suffice, all become wider, at the cost of accuracy.
    """
    items = score.size
    centre, radius = np.empty(items), np.empty(items)
    if law[FORM] == NORMAL:
        _windows(score, law[REACH_BELOW], centre, radius)
    segments = np.empty((items + 3, 4))
    n_segments = _segments(score, items - bottom, law, centre, radius, segments)
    edges = np.empty((min(limit, 64), 4))
    coarse = 1.0
    count = np.int64(0)
    # Cuts start above the lowest of the top block, which is integrated over, and end above the
    # bottom block, which is not.
    while True:
        for k in range(n_segments):
            if count >= 0:
                count = _march(
                    segments[k], score, top - 1, items - bottom, law, steps, coarse, edges, count
                )
        if count >= 0:
            break
        count = 0
        if edges.shape[0] < limit:
            edges = np.empty((min(limit, 8 * edges.shape[0]), 4))
        else:
            coarse *= 2.0
    y, measure = np.empty(count * NODES), np.empty(count * NODES)
    for b in range(count):
        middle = 0.5 * (edges[b, 0] + edges[b, 1])
        half = 0.5 * (edges[b, 1] - edges[b, 0])
        for i in range(NODES):
            u = middle + half * NODE[i]
            if edges[b, 3] > 0.0:
                y[b * NODES + i] = edges[b, 2] + math.sinh(u)
                measure[b * NODES + i] = half * math.cosh(u)
            else:
                y[b * NODES + i] = u
                measure[b * NODES + i] = half
    first = np.zeros(items, dtype=np.int64)
    last = np.full(items, count, dtype=np.int64)
    if law[FORM] == NORMAL:
        for p in range(items - bottom):
            b = 0
            while b < count - 1 and edges[b, 1] <= centre[p] - radius[p]:
                b += 1
            first[p] = b
            while b < count and edges[b, 0] < centre[p] + radius[p]:
                b += 1
            last[p] = b
    return y, measure, first, last, coarse
