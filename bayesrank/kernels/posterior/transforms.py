"""Parameters, their priors and their transforms, all of a model's in one pass.

A model's parameters lie one after the other in two flat vectors: in ``x``, which is free to take
any value and which samplers and optimisers move, and in ``values``, which holds the parameters as
they are. A record of `WORDS` whole numbers says what each parameter is:

- its kind, one of the four numbers below;
- where it starts in ``x`` and in ``values``, and how many numbers it has in ``x``;
- of sums to zero, the number of groups that sum to zero, and the address of where in the parameter
  each group starts and the last one ends;
- the address of the prior standard deviation of each entry of ``x``, infinite where it is flat;
- where in ``values`` and in ``x`` the learned prior scale is, or -1: then it takes the place of
  the standard deviation.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, pointer, reals, wholes

__all__ = [
    "POSITIVE",
    "PROBABILITY",
    "REAL",
    "WORDS",
    "ZERO_SUM",
    "constrain",
    "constrain_all",
    "pull",
    "sum_to_zero",
]

REAL, POSITIVE, PROBABILITY, ZERO_SUM = range(4)
WORDS = 9
_KIND, _FREE, _PLACE, _SIZE, _GROUPS, _STARTS, _SIGMA, _SCALE, _FREE_SCALE = range(WORDS)
_LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)


@compiled()
def _fill(x, groups, starts, values):
    """Append to the numbers of each group the one that a Householder reflection gives, and shift.

    This is the orthogonal map of PyMC's own zero-sum transform, so it has no Jacobian.
    """
    at = 0
    for group in range(groups):
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
def _pull_back(by_value, groups, starts, by_x):
    """Turn the derivatives by numbers that sum to zero into those by the free ones."""
    at = 0
    for group in range(groups):
        first, last = starts[group], starts[group + 1] - 1
        root = math.sqrt(last + 1.0 - first)
        total = 0.0
        for k in range(first, last):
            total += by_value[k]
        shift = total / (root + root * root) + by_value[last] / root
        for k in range(last - first):
            by_x[at + k] += by_value[first + k] - shift
        at += last - first


@compiled(cache=True)
def sum_to_zero(x, starts):
    """Return numbers that sum to zero in each group from free ones, one fewer for each group."""
    values = np.empty(starts[-1])
    _fill(pointer(x), starts.size - 1, pointer(starts), pointer(values))
    return values


@compiled()
def _logistic(x):
    """Return the logistic function, and its derivative, without overflow."""
    small = math.exp(-abs(x))
    inverse = 1.0 / (1.0 + small)
    return (inverse if x >= 0.0 else small * inverse), small * inverse * inverse


@compiled()
def constrain(x, parameters, records, values):
    """Fill in the parameters that a free vector stands for."""
    for p in range(parameters):
        record = ahead(records, p * WORDS)
        free, place = ahead(x, record[_FREE]), ahead(values, record[_PLACE])
        kind, size = record[_KIND], record[_SIZE]
        if kind == ZERO_SUM:
            _fill(free, record[_GROUPS], wholes(record[_STARTS]), place)
        elif kind == REAL:
            for k in range(size):
                place[k] = free[k]
        elif kind == POSITIVE:
            for k in range(size):
                place[k] = math.exp(free[k])
        else:
            for k in range(size):
                place[k] = _logistic(free[k])[0]


@compiled("void(f8[::1], i8[:, ::1], f8[::1])", cache=True)
def constrain_all(x, records, values):
    """Fill in the parameters that a free vector stands for, from arrays."""
    constrain(pointer(x), records.shape[0], pointer(records), pointer(values))


@compiled()
def pull(x, values, jacobian, parameters, records, by_values, by_x):
    """Return the log prior, and add the derivatives of likelihood and prior by the free vector.

    Parameters
    ----------
    x, values : pointers
        The free vector and what it stands for.
    jacobian : bool
        Whether to add the log-Jacobian of the transforms.
    parameters, records
        The number of parameters, and what each is.
    by_values : pointer
        Derivatives of the log-likelihood by the parameters; overwritten.
    by_x : pointer
        What the derivatives are added to.
    """
    total = 0.0
    for p in range(parameters):
        record = ahead(records, p * WORDS)
        free, place = ahead(x, record[_FREE]), ahead(values, record[_PLACE])
        by_free, by_place = ahead(by_x, record[_FREE]), ahead(by_values, record[_PLACE])
        kind, size = record[_KIND], record[_SIZE]
        if kind == ZERO_SUM:
            total += _pull_zero_sum(record, values, place, by_place, by_free, by_x)
        elif kind == REAL:
            sigma = reals(record[_SIGMA])
            for k in range(size):
                by_free[k] += by_place[k]
                if not math.isinf(sigma[k]):
                    z = free[k] / sigma[k]
                    total -= 0.5 * z * z + _LOG_SQRT_2PI + math.log(sigma[k])
                    by_free[k] -= z / sigma[k]
        elif kind == POSITIVE:
            for k in range(size):
                value = place[k]
                total += math.log(2.0) - _LOG_SQRT_2PI - 0.5 * value * value
                by_free[k] += (by_place[k] - value) * value
                if jacobian:
                    total += free[k]
                    by_free[k] += 1.0
        else:
            for k in range(size):
                by_free[k] += by_place[k] * _logistic(free[k])[1]
                if jacobian:
                    away = abs(free[k])
                    total -= away + 2.0 * math.log1p(math.exp(-away))
                    by_free[k] -= math.tanh(0.5 * free[k])
    return total


@compiled()
def _pull_zero_sum(record, values, place, by_place, by_free, by_x):
    """Do the same as `pull` for numbers that sum to zero."""
    groups, starts, size = record[_GROUPS], wholes(record[_STARTS]), record[_SIZE]
    learned = record[_SCALE] >= 0
    spread = values[record[_SCALE]] if learned else reals(record[_SIGMA])[0]
    total = 0.0
    if not math.isinf(spread):
        # Not divided by the square of the scale, which is zero for a learned scale of 1e-200.
        inverse, square = 1.0 / spread, 0.0
        for k in range(starts[groups]):
            z = place[k] * inverse
            square += z * z
            by_place[k] -= z * inverse
        total = -0.5 * square - size * (_LOG_SQRT_2PI + math.log(spread))
        if learned:
            by_x[record[_FREE_SCALE]] += square - size
    _pull_back(by_place, groups, starts, by_free)
    return total
