"""The map of `bayesrank.inference.coordinates`, there and back, in one pass each.

``frame`` holds the logarithm of the scale for which the approximation was made, the standard
deviation of that logarithm, and whether the scale is learned at all. ``basis`` is a square matrix,
or one row of it where it is diagonal.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled

__all__ = ["place", "pull"]


@compiled()
def _precision(log_scale, frame, shares):
    """Return each direction's precision at a scale, and its logarithm's derivative by log scale."""
    inverse = math.exp(-2.0 * log_scale)
    usual = math.exp(-2.0 * frame[0])
    c, relative = np.empty(shares.size), np.empty(shares.size)
    for k in range(shares.size):
        # What the prior alone speaks of has c = inverse / usual, or so but for rounding.
        c[k] = max(1.0 + shares[k] * (inverse - usual), 1e-12 * inverse / usual)
        relative[k] = -2.0 * inverse * shares[k] / c[k]
    return c, relative


@compiled()
def _turn(w, basis):
    return basis[0] * w if basis.shape[0] != w.size else np.dot(basis, w)


@compiled()
def _turn_back(gradient, basis):
    return basis[0] * gradient if basis.shape[0] != gradient.size else np.dot(gradient, basis)


@compiled(cache=True)
def place(z, frame, basis, start, shares):
    """Return the flat vector that standardised coordinates stand for."""
    learned = int(frame[2])
    x = np.empty(z.size)
    if learned == 0:
        x[:] = _turn(start + z, basis)
        return x
    x[0] = frame[0] + frame[1] * z[0]
    c, _ = _precision(x[0], frame, shares)
    x[1:] = _turn(start / c + z[1:] / np.sqrt(c), basis)
    return x


@compiled(cache=True)
def pull(gradient, z, frame, basis, start, shares):
    """Return the log-Jacobian of `place`, and a gradient by the flat vector turned into one by z.

    The derivative of the log-Jacobian is included.
    """
    learned = int(frame[2])
    by_z = np.empty(z.size)
    if learned == 0:
        by_z[:] = _turn_back(gradient, basis)
        return 0.0, by_z
    log_scale = frame[0] + frame[1] * z[0]
    c, relative = _precision(log_scale, frame, shares)
    by_w = _turn_back(gradient[1:], basis)
    value, by_scale = 0.0, gradient[0]
    for k in range(c.size):
        width = 1.0 / math.sqrt(c[k])
        off = z[1 + k] * width
        by_z[1 + k] = by_w[k] * width
        by_scale -= relative[k] * (by_w[k] * (start[k] / c[k] + 0.5 * off) + 0.5)
        value -= 0.5 * math.log(c[k])
    by_z[0] = frame[1] * by_scale
    return value, by_z
