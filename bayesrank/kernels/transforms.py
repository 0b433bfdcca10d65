"""Parameters, their priors and their transforms, all of a model's in one pass.

A model's parameters lie one after the other in two flat vectors: in ``x``, which is free to take
any value and which samplers and optimisers move, and in ``values``, which holds the parameters as
they are. A layout says which is where; `bayesrank.model.parameters.Layout` makes it:

- ``kinds``: what each parameter is, one of the four numbers below;
- ``free`` and ``place``: where each starts in ``x`` and in ``values``, and where the last ends;
- ``groups`` and ``starts``: of sums to zero, which stretch of ``starts`` is theirs, and where in
  the parameter each group that sums to zero starts and the last ends;
- ``sigma``: prior standard deviation of each entry of ``x``, infinite where the prior is flat;
- ``scaled``: whether the first parameter of all is the prior scale.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled

__all__ = ["POSITIVE", "PROBABILITY", "REAL", "ZERO_SUM", "constrain", "pull", "sum_to_zero"]

REAL, POSITIVE, PROBABILITY, ZERO_SUM = range(4)
_LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)


@compiled()
def _fill(x, starts, values):
    """Append to the numbers of each group the one that a Householder reflection gives, and shift.

    This is the orthogonal map of PyMC's own zero-sum transform, so it has no Jacobian.
    """
    at = 0
    for group in range(starts.size - 1):
        first, last = starts[group], starts[group + 1] - 1
        root = math.sqrt(last + 1.0 - first)
        total = 0.0
        for k in range(last - first):
            total += x[at + k]
        shift = total / (root + root * root)
        for k in range(last - first):
            values[first + k] = x[at + k] - shift
        values[last] = -total / root
        at += last - first


@compiled()
def _pull_back(by_value, starts, by_x):
    """Turn the derivatives by numbers that sum to zero into those by the free ones."""
    at = 0
    for group in range(starts.size - 1):
        first, last = starts[group], starts[group + 1] - 1
        root = math.sqrt(last + 1.0 - first)
        total = 0.0
        for k in range(first, last):
            total += by_value[k]
        shift = total / (root + root * root) + by_value[last] / root
        for k in range(last - first):
            by_x[at + k] = by_value[first + k] - shift
        at += last - first


@compiled(cache=True)
def sum_to_zero(x, starts):
    """Return numbers that sum to zero in each group from free ones, one fewer for each group."""
    values = np.empty(starts[-1])
    _fill(x, starts, values)
    return values


@compiled()
def _logistic(x):
    """Return the logistic function, and its derivative, without overflow."""
    small = math.exp(-abs(x))
    inverse = 1.0 / (1.0 + small)
    return (inverse if x >= 0.0 else small * inverse), small * inverse * inverse


@compiled(cache=True)
def constrain(x, kinds, free, place, groups, starts, sigma, scaled):
    """Return the parameters that a free vector stands for."""
    values = np.empty(place[-1])
    for p in range(kinds.size):
        at, to, size = free[p], place[p], free[p + 1] - free[p]
        if kinds[p] == ZERO_SUM:
            _fill(x[at:], starts[groups[p] : groups[p + 1]], values[to:])
        elif kinds[p] == REAL:
            values[to : to + size] = x[at : at + size]
        elif kinds[p] == POSITIVE:
            values[to] = math.exp(x[at])
        else:
            for k in range(size):
                values[to + k] = _logistic(x[at + k])[0]
    return values


@compiled(cache=True)
def pull(by_value, x, values, jacobian, kinds, free, place, groups, starts, sigma, scaled):
    """Return the log prior, and the derivatives of likelihood and prior by the free vector.

    Parameters
    ----------
    by_value : ndarray
        Derivatives of the log-likelihood by the parameters; overwritten.
    x, values : ndarray
        The free vector and what it stands for.
    jacobian : bool
        Whether to add the log-Jacobian of the transforms.
    """
    total, by_x = 0.0, np.empty(free[-1])
    for p in range(kinds.size):
        at, to, size = free[p], place[p], free[p + 1] - free[p]
        if kinds[p] == ZERO_SUM:
            learned = scaled[p]
            spread = values[0] if learned else sigma[at]
            if not math.isinf(spread):
                # Not divided by the square, which a learned scale of 1e-200 does not have.
                inverse, square = 1.0 / spread, 0.0
                for k in range(to, place[p + 1]):
                    z = values[k] * inverse
                    square += z * z
                    by_value[k] -= z * inverse
                total -= 0.5 * square + size * (_LOG_SQRT_2PI + math.log(spread))
                if learned:
                    by_x[0] += square - size
            _pull_back(by_value[to:], starts[groups[p] : groups[p + 1]], by_x[at:])
        elif kinds[p] == REAL:
            for k in range(size):
                by_x[at + k] = by_value[to + k]
                spread = sigma[at + k]
                if not math.isinf(spread):
                    z = x[at + k] / spread
                    total -= 0.5 * z * z + _LOG_SQRT_2PI + math.log(spread)
                    by_x[at + k] -= z / spread
        elif kinds[p] == POSITIVE:
            value = values[to]
            total += math.log(2.0) - _LOG_SQRT_2PI - 0.5 * value * value
            by_x[at] = (by_value[to] - value) * value
            if jacobian:
                total += x[at]
                by_x[at] += 1.0
        else:
            for k in range(size):
                slope = _logistic(x[at + k])[1]
                by_x[at + k] = by_value[to + k] * slope
                if jacobian:
                    away = abs(x[at + k])
                    total -= away + 2.0 * math.log1p(math.exp(-away))
                    by_x[at + k] -= math.tanh(0.5 * x[at + k])
    return total, by_x
