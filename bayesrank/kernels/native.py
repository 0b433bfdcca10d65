"""The log-posterior in standardised coordinates as a C function, which samplers call by address.

Called through Python, chains on several cores would wait for the interpreter's lock most of the
time. Here a chain never meets it. All that a function needs is in one buffer, whose address the
sampler hands over; `pack` makes it. Only likelihoods whose kernels take microseconds are here:
for others the lock does not matter.
"""

import math
from functools import cache

import numpy as np
from numba import carray, cfunc, types

from bayesrank.kernels import coordinates, transforms
from bayesrank.kernels.additive import shares
from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.gather import differences, sums
from bayesrank.kernels.pairs import davidson, rao_kupper

__all__ = ["NO_TIE", "NU", "THETA", "function", "pack"]

NO_TIE, NU, THETA = range(3)
_BELOW_ONE = 1.0 - np.finfo(float).eps
_COMMON = 11  # arrays of coordinates and parameters, before those of the likelihood
_NUMBERS = types.CPointer(types.double)
_SIGNATURES = {
    "posterior": types.int64(types.uint64, _NUMBERS, _NUMBERS, _NUMBERS, types.voidptr),
    "copy": types.int64(types.uint64, types.uint64, _NUMBERS, _NUMBERS, types.voidptr),
}


def pack(arrays):
    """Return arrays of numbers, of one or two dimensions, in one buffer of whole numbers.

    It starts with its own length and where each array is: offset, rows, columns.
    """
    arrays = [np.ascontiguousarray(array) for array in arrays]
    head = 1 + 3 * len(arrays)
    parts, table, at = [], [], head
    for array in arrays:
        whole = array.dtype.kind in "biu"
        part = array.astype(np.int64) if whole else array.astype(float).view(np.int64)
        table += [at, array.shape[0], array.shape[1] if array.ndim == 2 else 1]
        parts.append(part.ravel())
        at += part.size
    return np.concatenate([np.array([at, *table], dtype=np.int64), *parts])


@compiled()
def _whole(buffer, k):
    at = buffer[1 + 3 * k]
    return buffer[at : at + buffer[2 + 3 * k] * buffer[3 + 3 * k]]


@compiled()
def _real(buffer, k):
    return _whole(buffer, k).view(np.float64)


@compiled()
def _shape(buffer, k):
    return buffer[2 + 3 * k], buffer[3 + 3 * k]


@compiled()
def _tie(kind, p):
    """Return the kernel's tie parameter and its derivative by p; see `model.tie_parameters`."""
    p = min(p, _BELOW_ONE)
    q = 1.0 - p
    if kind == NU:
        return 2.0 * p / q, 2.0 / (q * q)
    return math.log1p(2.0 * p / q), 2.0 / (q * (1.0 + p))


@compiled()
def _pairs(values, by_value, buffer):
    """Add the derivatives of comparisons' log-likelihood, and return it."""
    about = _whole(buffer, _COMMON)
    score_at, items, beta_at, columns = about[0], about[1], about[2], about[3]
    tie_at, kind, shift_at = about[4], about[5], about[6]
    left, right = _whole(buffer, _COMMON + 1), _whole(buffer, _COMMON + 2)
    counts = _real(buffer, _COMMON + 3).reshape(_shape(buffer, _COMMON + 3))
    features = _real(buffer, _COMMON + 4).reshape(_shape(buffer, _COMMON + 4))
    constant = _real(buffer, _COMMON + 5)[0]
    score = values[score_at : score_at + items]
    if columns:
        score = score + np.dot(features, values[beta_at : beta_at + columns])
    tie, slope = np.zeros(1), 0.0
    if kind != NO_TIE:
        tie[0], slope = _tie(kind, values[tie_at])
    shift = values[shift_at] if shift_at >= 0 else 0.0
    apart = differences(score, left, right, shift)
    if kind == THETA:
        logp, by_difference, by_tie = rao_kupper(apart, tie, counts)
    else:
        logp, by_difference, by_tie = davidson(apart, tie, counts)
    total, by_score, by_shift, by_kernel = sums(logp, by_difference, by_tie, left, right, items)
    by_value[score_at : score_at + items] = by_score
    if columns:
        by_value[beta_at : beta_at + columns] = np.dot(by_score, features)
    if kind != NO_TIE:
        by_value[tie_at] = by_kernel * slope
    if shift_at >= 0:
        by_value[shift_at] = by_shift
    return total + constant


@compiled()
def _rankings(values, by_value, buffer):
    """Add the derivatives of rankings' log-likelihood, and return it."""
    about = _whole(buffer, _COMMON)
    score_at, items, beta_at, columns = about[0], about[1], about[2], about[3]
    shape = _shape(buffer, _COMMON + 1)
    entries = _whole(buffer, _COMMON + 1)
    order = _whole(buffer, _COMMON + 2).reshape(shape)
    sizes = _whole(buffer, _COMMON + 3).reshape(shape)
    features = _real(buffer, _COMMON + 4).reshape(_shape(buffer, _COMMON + 4))
    constant = _real(buffer, _COMMON + 5)[0]
    weights = _real(buffer, _COMMON + 6)
    score = values[score_at : score_at + items]
    if columns:
        score = score + np.dot(features, values[beta_at : beta_at + columns])
    slots = np.empty(shape)
    flat = slots.ravel()
    for k in range(entries.size):
        flat[k] = score[entries[k]]
    logp, by_slot = shares(slots, order, sizes)
    by_score, total = np.zeros(items), constant
    for row in range(shape[0]):
        total += weights[row] * logp[row]
        for slot in range(shape[1]):
            by_score[entries[row * shape[1] + slot]] += weights[row] * by_slot[row, slot]
    by_value[score_at : score_at + items] = by_score
    if columns:
        by_value[beta_at : beta_at + columns] = np.dot(by_score, features)
    return total


@compiled()
def _opened(buffer_):
    """Return the buffer as an array."""
    length = carray(buffer_, (1,), np.int64)[0]
    return carray(buffer_, (length,), np.int64)


@compiled()
def _parameters(z, buffer):
    """Return the flat vector and the parameters that standardised coordinates stand for."""
    basis = _real(buffer, 1).reshape(_shape(buffer, 1))
    x = coordinates.place(z, _real(buffer, 0), basis, _real(buffer, 2), _real(buffer, 3))
    values = transforms.constrain(
        x, _whole(buffer, 4), _whole(buffer, 5), _whole(buffer, 6), _whole(buffer, 7),
        _whole(buffer, 8), _real(buffer, 9), _whole(buffer, 10),
    )  # fmt: skip
    return x, values


@compiled()
def _finish(total, by_value, x, values, z, buffer, by_z, value):
    """Fill in log-density and gradient; anything but zero tells the sampler that this failed."""
    prior, by_x = transforms.pull(
        by_value, x, values, True, _whole(buffer, 4), _whole(buffer, 5), _whole(buffer, 6),
        _whole(buffer, 7), _whole(buffer, 8), _real(buffer, 9), _whole(buffer, 10),
    )  # fmt: skip
    basis = _real(buffer, 1).reshape(_shape(buffer, 1))
    log_jacobian, gradient = coordinates.pull(
        by_x, z, _real(buffer, 0), basis, _real(buffer, 2), _real(buffer, 3)
    )
    value[0] = total + prior + log_jacobian
    by_z[:] = gradient
    return 0 if math.isfinite(value[0]) and np.all(np.isfinite(gradient)) else 1


def _pairs_posterior(dim, z_, by_z_, value_, buffer_):
    buffer, z = _opened(buffer_), carray(z_, (dim,))
    x, values = _parameters(z, buffer)
    by_value = np.zeros(values.size)
    total = _pairs(values, by_value, buffer)
    by_z, value = carray(by_z_, (dim,)), carray(value_, (1,))
    return _finish(total, by_value, x, values, z, buffer, by_z, value)


def _rankings_posterior(dim, z_, by_z_, value_, buffer_):
    buffer, z = _opened(buffer_), carray(z_, (dim,))
    x, values = _parameters(z, buffer)
    by_value = np.zeros(values.size)
    total = _rankings(values, by_value, buffer)
    by_z, value = carray(by_z_, (dim,)), carray(value_, (1,))
    return _finish(total, by_value, x, values, z, buffer, by_z, value)


def _copy(dim, size, z_, out_, buffer_):
    """Keep a draw as it is."""
    z, out = carray(z_, (dim,)), carray(out_, (size,))
    out[:] = z
    return 0


_FUNCTIONS = {"pairs": _pairs_posterior, "rankings": _rankings_posterior}


@cache
def function(name):
    """Return a compiled function: "pairs" or "rankings", or "copy"; kept on disk."""
    if name == "copy":
        return cfunc(_SIGNATURES["copy"], cache=True)(_copy)
    return cfunc(_SIGNATURES["posterior"], cache=True)(_FUNCTIONS[name])
