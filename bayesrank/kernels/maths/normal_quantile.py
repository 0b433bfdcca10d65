"""The inverse of the standard normal distribution function, to rounding."""

import math

from bayesrank.kernels.compiled import compiled

__all__ = ["normal_quantile"]


@compiled(cache=True)
def normal_quantile(p):
    """Return x with Phi(x) = p, for ``0 < p <= 1/2``; minus infinity for p = 0.

    Two steps of Halley's method from an approximation with an error below 5e-4 (Abramowitz and
    Stegun 1964, 26.2.23): each has three times the digits of the one before. They work on the
    logarithm of the tail, which is nearly a parabola, however small p is.
    """
    if p <= 0.0:
        return -math.inf
    goal = math.log(p)
    t = math.sqrt(-2.0 * goal)
    above = 2.515517 + t * (0.802853 + t * 0.010328)
    x = t - above / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
    for _ in range(3):
        tail, hazard = _tail(x)
        # Of f(x) = log(1 - Phi(x)) the first two derivatives are -h and -h (h - x).
        off = tail - goal
        step = off / hazard
        x += step / (1.0 - 0.5 * step * (hazard - x))
    return -x


@compiled()
def _tail(x):
    """Return the logarithm of the upper tail and the hazard, for ``x > -1``."""
    if x < 5.0:
        tail = 0.5 * math.erfc(x / math.sqrt(2.0))
        return math.log(tail), math.exp(-0.5 * x * x) / (math.sqrt(2.0 * math.pi) * tail)
    hazard = x  # Laplace's continued fraction
    for level in range(30, 0, -1):
        hazard = level / hazard + x
    return -0.5 * x * x - 0.5 * math.log(2.0 * math.pi) - math.log(hazard), hazard
