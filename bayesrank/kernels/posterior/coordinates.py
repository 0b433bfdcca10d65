"""The map of `bayesrank.inference.coordinates`, forwards and backwards, each in one pass.

``frame`` holds the logarithm of the scale for which the approximation was made, the standard
deviation of that logarithm, and whether the scale is learned at all (then it is the first number of
the flat vector). ``basis`` is a square matrix, or where it is diagonal only its diagonal.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, keep, pointer
from bayesrank.kernels.posterior.predictor import dot

__all__ = ["place", "place_all", "pull"]


@compiled()
def _precision(inverse, usual, share):
    """Return a direction's precision at a scale, and its logarithm's derivative by log scale.

    ``inverse`` and ``usual`` are the inverse squares of the scale and of the usual one.
    """
    # Directions that only the prior knows have c = inverse / usual, up to rounding.
    c = max(1.0 + share * (inverse - usual), 1e-12 * inverse / usual)
    return c, -2.0 * inverse * share / c


@compiled()
def place(z, size, frame, basis, diagonal, start, shares, work, x):
    """Fill in the flat vector that standardised coordinates stand for; ``work`` is room."""
    learned = int(frame[2])
    inverse, usual = 1.0, math.exp(-2.0 * frame[0])
    if learned:
        x[0] = frame[0] + frame[1] * z[0]
        inverse = math.exp(-2.0 * x[0])
    for k in range(size - learned):
        c = 1.0
        if learned:
            c, _ = _precision(inverse, usual, shares[k])
        work[k] = start[k] / c + z[learned + k] / math.sqrt(c)
    free = size - learned
    for i in range(free):
        if diagonal:
            x[learned + i] = basis[i] * work[i]
        else:
            x[learned + i] = dot(ahead(basis, i * free), work, free)


@compiled("f8[:, ::1](f8[:, ::1], f8[::1], f8[::1], b1, f8[::1], f8[::1])", cache=True)
def place_all(z, frame, basis, diagonal, start, shares):
    """Return the flat vectors of many points, one row per point; a square basis is given flat."""
    points, size = z.shape
    x, work = np.empty((points, size)), np.empty(size)
    for k in range(points):
        place(
            ahead(pointer(z), k * size), size, pointer(frame), pointer(basis), diagonal,
            pointer(start), pointer(shares), pointer(work), ahead(pointer(x), k * size),
        )  # fmt: skip
    keep(work)
    return x


@compiled()
def pull(z, size, frame, basis, diagonal, start, shares, gradient, work, by_z):
    """Return the log-Jacobian of `place`; turn a gradient by the flat vector into one by z.

    The derivative of the log-Jacobian is included.
    """
    learned = int(frame[2])
    free = size - learned
    by_free = ahead(gradient, learned)
    for k in range(free):
        work[k] = basis[k] * by_free[k] if diagonal else 0.0
    if not diagonal:
        for i in range(free):
            row, slope = ahead(basis, i * free), by_free[i]
            for k in range(free):
                work[k] += slope * row[k]
    if learned == 0:
        for k in range(free):
            by_z[k] = work[k]
        return 0.0
    inverse = math.exp(-2.0 * (frame[0] + frame[1] * z[0]))
    usual = math.exp(-2.0 * frame[0])
    value, by_scale = 0.0, gradient[0]
    for k in range(free):
        c, relative = _precision(inverse, usual, shares[k])
        width = 1.0 / math.sqrt(c)
        off = z[1 + k] * width
        by_z[1 + k] = work[k] * width
        by_scale -= relative * (work[k] * (start[k] / c + 0.5 * off) + 0.5)
        value -= 0.5 * math.log(c)
    by_z[0] = frame[1] * by_scale
    return value
