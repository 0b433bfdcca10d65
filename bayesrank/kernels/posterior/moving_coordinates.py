"""Coordinates of scores that move, forwards and backwards, each in one pass over the states.

Given how far scores are apart and move, the hyperparameters, each item's states have a tridiagonal
prior precision. Added to what results know of each state, ``known``, its factor is L. States are

    s = L^-T (L^-1 b + z),

so z is nearly standard normal whatever the hyperparameters are; they are measured from their
likeliest values by a small matrix. Steps follow from the states. What results leave open of items
together, such as how high all of them are at some time, makes z wide along some directions: it is
stretched along these first.

``frame`` holds the numbers of hyperparameters, of states and of other parameters; whether scores
revert; where in the flat vector scale and rate are, or -1; what they are where they are given; the
likeliest hyperparameters, and the matrix. ``gap`` is that of `bayesrank.kernels.posterior.moves`.
``start`` is b, then the mode of the other parameters, and ``known`` is followed by their widths.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, keep, pointer
from bayesrank.kernels.posterior.moves import move, slopes
from bayesrank.kernels.posterior.predictor import dot

__all__ = [
    "FRAME",
    "ROOM",
    "place_all_moving",
    "place_moving",
    "pull_moving",
    "stretch_along",
]

FRAME = 14  # numbers in the frame
ROOM = 11  # numbers of working memory for each number of the flat vector
_HYPERS, _STATES, _REST, _REVERTS, _SCALE, _RATE, _SCALE_GIVEN, _RATE_GIVEN = range(8)
_LIKELIEST, _MATRIX = 8, 10


@compiled()
def stretch_along(widths, axes, ways, size, z, out):
    """Fill in z, stretched by each width along its axis: the product with a symmetric matrix.

    So the same turns derivatives by the result into those by z.
    """
    for k in range(size):
        out[k] = z[k]
    for i in range(ways):
        axis = ahead(axes, i * size)
        more = (widths[i] - 1.0) * dot(axis, z, size)
        for k in range(size):
            out[k] += more * axis[k]


@compiled()
def _scale_and_rate(frame, x):
    """Return the hyperparameters as they are, and their derivatives by the free numbers."""
    scale, by_scale = frame[_SCALE_GIVEN], 0.0
    if frame[_SCALE] >= 0.0:
        scale = math.exp(x[int(frame[_SCALE])])
        by_scale = scale
    rate, by_rate = frame[_RATE_GIVEN], 0.0
    if frame[_RATE] >= 0.0:
        free = x[int(frame[_RATE])]
        if frame[_REVERTS] > 0.0:
            rate = 1.0 / (1.0 + math.exp(-free))
            by_rate = rate * (1.0 - rate)
        else:
            rate = math.exp(free)
            by_rate = rate
    return scale, rate, by_scale, by_rate


@compiled()
def place_moving(z, frame, gap, start, known, work, x):
    """Fill in the flat vector that z stands for; ``work`` keeps what `pull_moving` needs."""
    hypers, n = int(frame[_HYPERS]), int(frame[_STATES])
    for i in range(hypers):
        x[i] = frame[_LIKELIEST + i]
        for j in range(hypers):
            x[i] += frame[_MATRIX + 2 * i + j] * z[j]
    scale, rate, _, _ = _scale_and_rate(frame, x)
    reverts = frame[_REVERTS] > 0.0
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
        after = (u[k] + z[hypers + k] - below[k] * after) / diagonal[k]
        s[k] = after
    before = 0.0
    for k in range(n):
        x[hypers + k] = (s[k] - left[k] * before) / stretch[k]
        before = s[k]
    for k in range(n, n + int(frame[_REST])):
        x[hypers + k] = start[k] + known[k] * z[hypers + k]


@compiled("f8[:, ::1](f8[:, ::1], f8[::1], f8[::1], f8[::1], f8[::1])", cache=True)
def place_all_moving(z, frame, gap, start, known):
    """Return the flat vectors of many points, one row per point."""
    points, size = z.shape
    x, work = np.empty((points, size)), np.empty(ROOM * size)
    for k in range(points):
        place_moving(
            ahead(pointer(z), k * size), pointer(frame), pointer(gap), pointer(start),
            pointer(known), pointer(work), ahead(pointer(x), k * size),
        )  # fmt: skip
    keep(work)
    return x


@compiled()
def pull_moving(x, frame, gap, known, gradient, work, by_z):
    """Return the log-Jacobian of `place_moving`; turn a gradient by x into one by z.

    The derivative of the log-Jacobian is included.
    """
    hypers, n = int(frame[_HYPERS]), int(frame[_STATES])
    left, stretch, diagonal = work, ahead(work, n), ahead(work, 2 * n)
    below, u, s = ahead(work, 3 * n), ahead(work, 4 * n), ahead(work, 5 * n)
    by_v, t = ahead(work, 6 * n), ahead(work, 7 * n)
    by_diagonal, by_below = ahead(work, 8 * n), ahead(work, 9 * n)
    by_step = ahead(gradient, hypers)
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
        by_z[hypers + k] = before
        value -= math.log(stretch[k]) + math.log(diagonal[k])
    after = 0.0
    for back in range(n):
        k = n - 1 - back
        after = (by_v[k] - below[k] * after) / diagonal[k]
        t[k] = after
    for k in range(n):
        by_diagonal[k] = -by_v[k] * s[k] - t[k] * u[k] - 1.0 / diagonal[k]
        by_below[k] = -by_v[k] * s[k + 1] - t[k + 1] * u[k] if k + 1 < n else 0.0
    for k in range(n, n + int(frame[_REST])):
        by_z[hypers + k] = known[k] * by_step[k]
    by_scale, by_rate = _by_moves(x, frame, gap, by_step, work)
    _, _, scale_slope, rate_slope = _scale_and_rate(frame, x)
    if frame[_SCALE] >= 0.0:
        gradient[int(frame[_SCALE])] += by_scale * scale_slope
    if frame[_RATE] >= 0.0:
        gradient[int(frame[_RATE])] += by_rate * rate_slope
    for j in range(hypers):
        by_z[j] = 0.0
        for i in range(hypers):
            by_z[j] += frame[_MATRIX + 2 * i + j] * gradient[i]
    return value


@compiled()
def _by_moves(x, frame, gap, by_step, work):
    """Return derivatives by scale and rate through states, steps and the factor, backwards."""
    hypers, n = int(frame[_HYPERS]), int(frame[_STATES])
    left, stretch, diagonal = work, ahead(work, n), ahead(work, 2 * n)
    s, by_diagonal, by_below = ahead(work, 5 * n), ahead(work, 8 * n), ahead(work, 9 * n)
    so_far = ahead(work, 10 * n)
    scale, rate, _, _ = _scale_and_rate(frame, x)
    reverts = frame[_REVERTS] > 0.0
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
        by_stretch -= (by_step[k] * x[hypers + k] + 1.0) / stretch[k]
        by_so_far = -by_variance * (kept / earlier) ** 2
    by_left_slope, by_rate_stretch, by_scale_stretch = slopes(reverts, gap[0], scale, rate)
    by_rate += by_left * by_left_slope + by_stretch * by_rate_stretch
    by_scale += by_stretch * by_scale_stretch
    return by_scale, by_rate
