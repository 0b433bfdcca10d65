"""The block of scores that move, forwards and backwards, each in one pass over the states.

Given how far scores are apart and move, each item's states have a tridiagonal prior precision.
Added to what results know of each state, ``known``, its factor is L. States are

    s = L^-T (L^-1 b + z),

so z is nearly standard normal whatever scale and rate are. Steps, which are the free numbers,
follow from the states.

A record of the block holds: the position of the first step instead of an address of positions,
since they follow each other; whether scores revert; where in the flat vector scale and rate are, or
-1, both in one array; what they are where they are given; and the addresses of the gaps (as in
`bayesrank.kernels.posterior.moves`), of b and of ``known``.
"""

import math

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, reals, wholes
from bayesrank.kernels.posterior.coordinates import (
    FIFTH,
    FIRST,
    FOURTH,
    POSITIONS,
    SECOND,
    SIXTH,
    SIZE,
    THIRD,
    Block,
)
from bayesrank.kernels.posterior.moves import move, slopes

__all__ = ["MOVING"]


@compiled()
def _scale_and_rate(record, x):
    """Return how far scores are apart and move, and their derivatives by the free numbers."""
    at, given = wholes(record[SECOND]), reals(record[THIRD])
    scale, by_scale = given[0], 0.0
    if at[0] >= 0:
        scale = math.exp(x[at[0]])
        by_scale = scale
    rate, by_rate = given[1], 0.0
    if at[1] >= 0:
        free = x[at[1]]
        if record[FIRST]:
            rate = 1.0 / (1.0 + math.exp(-free))
            by_rate = rate * (1.0 - rate)
        else:
            rate = math.exp(free)
            by_rate = rate
    return scale, rate, by_scale, by_rate


@compiled()
def _by_moves(record, x, by_step, work):
    """Return derivatives by scale and rate through states, steps and the factor, backwards."""
    n, reverts, gap = record[SIZE], record[FIRST] != 0, reals(record[FOURTH])
    step = ahead(x, record[POSITIONS])
    left, stretch, diagonal = work, ahead(work, n), ahead(work, 2 * n)
    s, by_diagonal, by_below = ahead(work, 5 * n), ahead(work, 8 * n), ahead(work, 9 * n)
    so_far = ahead(work, 10 * n)
    scale, rate, _, _ = _scale_and_rate(record, x)
    by_scale, by_rate, by_so_far = 0.0, 0.0, 0.0
    by_left, by_stretch = 0.0, 0.0  # of the state after
    for back in range(n):
        k = n - 1 - back
        by_root = by_diagonal[k]
        if k + 1 < n:
            width = stretch[k + 1]
            further = left[k + 1] / width
            each = by_below[k] / (width * diagonal[k])
            by_root += each * further / diagonal[k]
            by_further = by_root * further / diagonal[k] - each
            by_left += by_further / width
            by_stretch += (each - by_further) * further / width
            by_left_slope, by_rate_stretch, by_scale_stretch = slopes(
                reverts, gap[k + 1], scale, rate
            )
            by_rate += by_left * by_left_slope + by_stretch * by_rate_stretch
            by_scale += by_stretch * by_scale_stretch
        by_so_far += by_root / (2.0 * diagonal[k])
        before, earlier, kept = 0.0, math.inf, 0.0
        if k > 0:
            before, earlier, kept = s[k - 1], so_far[k - 1], left[k]
        variance = stretch[k] ** 2 + kept**2 / earlier
        by_variance = -by_so_far / variance**2
        by_left = 2.0 * kept / earlier * by_variance - by_step[k] * before / stretch[k]
        by_stretch = 2.0 * stretch[k] * by_variance
        by_stretch -= (by_step[k] * step[k] + 1.0) / stretch[k]
        by_so_far = -by_variance * (kept / earlier) ** 2
    by_left_slope, by_rate_stretch, by_scale_stretch = slopes(reverts, gap[0], scale, rate)
    by_rate += by_left * by_left_slope + by_stretch * by_rate_stretch
    by_scale += by_stretch * by_scale_stretch
    return by_scale, by_rate


def _place(record, z, x, work):
    n, reverts = record[SIZE], record[FIRST] != 0
    gap, start, known = reals(record[FOURTH]), reals(record[FIFTH]), reals(record[SIXTH])
    scale, rate, _, _ = _scale_and_rate(record, x)
    mine, step = ahead(z, record[POSITIONS]), ahead(x, record[POSITIONS])
    left, stretch, diagonal = work, ahead(work, n), ahead(work, 2 * n)
    below, u, s = ahead(work, 3 * n), ahead(work, 4 * n), ahead(work, 5 * n)
    for k in range(n):
        left[k], stretch[k] = move(reverts, gap[k], scale, rate)
    so_far, before = ahead(work, 10 * n), 0.0
    for k in range(n):
        # As in `bayesrank.kernels.tridiagonal.factor`.
        variance = stretch[k] ** 2 + (left[k] ** 2 / so_far[k - 1] if k > 0 else 0.0)
        so_far[k] = known[k] + 1.0 / variance
        further = left[k + 1] / stretch[k + 1] if k + 1 < n else 0.0
        diagonal[k] = math.sqrt(so_far[k] + further**2)
        u[k] = (start[k] - before) / diagonal[k]
        below[k] = -further / stretch[k + 1] / diagonal[k] if k + 1 < n else 0.0
        before = below[k] * u[k]
    after = 0.0
    for back in range(n):
        k = n - 1 - back
        after = (u[k] + mine[k] - below[k] * after) / diagonal[k]
        s[k] = after
    before = 0.0
    for k in range(n):
        step[k] = (s[k] - left[k] * before) / stretch[k]
        before = s[k]
    return 0


def _pull(record, z, x, by_x, by_z, work):
    n, by_mine = record[SIZE], ahead(by_z, record[POSITIONS])
    left, stretch, diagonal = work, ahead(work, n), ahead(work, 2 * n)
    below, u, s = ahead(work, 3 * n), ahead(work, 4 * n), ahead(work, 5 * n)
    by_v, t = ahead(work, 6 * n), ahead(work, 7 * n)
    by_diagonal, by_below = ahead(work, 8 * n), ahead(work, 9 * n)
    by_step = ahead(by_x, record[POSITIONS])
    value, before = 0.0, 0.0
    for k in range(n):
        # By states, which the next step leaves, and from there by z.
        by_state = by_step[k] / stretch[k]
        if k + 1 < n:
            by_state -= left[k + 1] * by_step[k + 1] / stretch[k + 1]
        if k > 0:
            by_state -= below[k - 1] * before
        before = by_state / diagonal[k]
        by_v[k] = before
        by_mine[k] = before
        value -= math.log(stretch[k]) + math.log(diagonal[k])
    after = 0.0
    for back in range(n):
        k = n - 1 - back
        after = (by_v[k] - below[k] * after) / diagonal[k]
        t[k] = after
    for k in range(n):
        by_diagonal[k] = -by_v[k] * s[k] - t[k] * u[k] - 1.0 / diagonal[k]
        by_below[k] = -by_v[k] * s[k + 1] - t[k + 1] * u[k] if k + 1 < n else 0.0
    by_scale, by_rate = _by_moves(record, x, by_step, work)
    _, _, scale_slope, rate_slope = _scale_and_rate(record, x)
    at = wholes(record[SECOND])
    if at[0] >= 0:
        by_x[at[0]] += by_scale * scale_slope
    if at[1] >= 0:
        by_x[at[1]] += by_rate * rate_slope
    return value


MOVING = Block(_place, _pull, room=11)
