"""The log-posterior and its gradient: one function for all models.

The table of a model starts with `HEAD` whole numbers, whose names are below; addresses among them
lead to the rest. Kernels compute some rows at a time, so that what they read and write stays in the
fastest memory; ``BLOCKS`` says where each block of rows starts. A channel is one parameter of the
kernel: of each slot (a row, or an entry of a ranking), or shared by all rows and then a stretch of
``w``.
"""

import math
from functools import cache

import numpy as np
from numba import types

from bayesrank.kernels.compiled import c_function, compiled
from bayesrank.kernels.maths.pointers import (
    REALS,
    WHOLES,
    address_of,
    ahead,
    as_wholes,
    caller,
    keep,
    pointer,
    reals,
    wholes,
)
from bayesrank.kernels.native import call_kernel
from bayesrank.kernels.posterior import coordinates, moving_coordinates, predictor, transforms

__all__ = [
    "HEAD",
    "copy_function",
    "evaluate",
    "evaluate_moved",
    "log_posterior_function",
    "posterior_function",
]

# Which whole number of the table is what.
SIZE = 0  # numbers in the flat vector
PARAMETERS, PARAMETER_RECORDS = 1, 2
LENGTH = 3  # numbers in w
ITEM_OPERATIONS, ITEM_RECORDS = 4, 5  # those that are done once, such as the scores of items
SLOT_OPERATIONS, SLOT_RECORDS = 6, 7  # those that are done for each slot
CHANNELS, CHANNEL_PLACES = 8, 9  # place in w of a shared channel, -1 for one of slots
KERNEL, KERNEL_TABLE = 10, 11  # addresses
BLOCKS, BLOCK_ROWS = 12, 13  # number of blocks; address of where they start, and the last ends
SLOT_START = 14  # address of where the slots of each row start; 0 where rows are slots
LARGEST = 15  # slots of the largest block, and its rows
SCRATCH = 16  # numbers of scratch for the kernel
CONSTANT = 17  # address of what is added to the log-likelihood
WORK = 18  # numbers of working memory in all
LOG_POSTERIOR, POSTERIOR = 19, 20  # addresses of the functions below
FRAME, BASIS, KIND, START, SHARES = 21, 22, 23, 24, 25  # coordinates, for a sampler
SQUARE, DIAGONAL, MOVING = range(3)  # kinds of coordinates
WAYS, WIDTHS, AXES = 26, 27, 28  # along which those of scores that move are stretched first
HEAD = 29

_LOG_POSTERIOR = types.float64(REALS, types.int64, WHOLES, REALS, REALS)
_POSTERIOR = types.int64(types.uint64, REALS, REALS, REALS, WHOLES)
_call, _call_moved = caller(_LOG_POSTERIOR), caller(_POSTERIOR)


@compiled()
def _zero(numbers, size):
    for k in range(size):
        numbers[k] = 0.0


@compiled()
def _likelihood(table, w, by_w, work):
    """Return the log-likelihood; add its derivatives by w to ``by_w``."""
    channels, largest = table[CHANNELS], table[LARGEST]
    places, rows_at = wholes(table[CHANNEL_PLACES]), wholes(table[BLOCK_ROWS])
    operations, records = table[SLOT_OPERATIONS], wholes(table[SLOT_RECORDS])
    inputs, partials = as_wholes(work), as_wholes(ahead(work, channels))
    slots, by_slots = ahead(work, 2 * channels), ahead(work, (2 + largest) * channels)
    logp = ahead(work, (2 + 2 * largest) * channels)
    scratch = ahead(logp, largest)
    for c in range(channels):
        shared = places[c] >= 0
        inputs[c] = address_of(ahead(w, places[c]) if shared else ahead(slots, c * largest))
        partials[c] = address_of(ahead(by_w, places[c]) if shared else ahead(by_slots, c * largest))
    total = 0.0
    for block in range(table[BLOCKS]):
        first, last = rows_at[block], rows_at[block + 1]
        begin, end = first, last
        if table[SLOT_START] != 0:
            begin, end = wholes(table[SLOT_START])[first], wholes(table[SLOT_START])[last]
        for c in range(channels):
            if places[c] < 0:
                _zero(ahead(slots, c * largest), end - begin)
        for k in range(operations):
            record = ahead(records, k * predictor.WORDS)
            predictor.add(record, w, begin, end, ahead(slots, record[predictor.TO] * largest))
        about = wholes(table[KERNEL_TABLE])
        total += call_kernel(table[KERNEL], (inputs, partials, about, first, last, logp, scratch))
        for k in range(operations):
            record = ahead(records, k * predictor.WORDS)
            to = ahead(by_slots, record[predictor.TO] * largest)
            predictor.pull_back(record, w, begin, end, to, by_w)
    return total + reals(table[CONSTANT])[0]


def _log_posterior(x, jacobian, table, work, by_x):
    """Return the log-posterior at a flat vector, and fill in its gradient."""
    length, parameters = table[LENGTH], table[PARAMETERS]
    records, operations = wholes(table[PARAMETER_RECORDS]), table[ITEM_OPERATIONS]
    w, by_w = work, ahead(work, length)
    _zero(w, 2 * length)
    _zero(by_x, table[SIZE])
    transforms.constrain(x, parameters, records, w)
    for k in range(operations):
        record = ahead(wholes(table[ITEM_RECORDS]), k * predictor.WORDS)
        to = ahead(w, record[predictor.TO])
        predictor.add(record, w, 0, record[predictor.COUNT], to)
    value = _likelihood(table, w, by_w, ahead(work, 2 * length))
    for k in range(operations - 1, -1, -1):
        record = ahead(wholes(table[ITEM_RECORDS]), k * predictor.WORDS)
        to = ahead(by_w, record[predictor.TO])
        predictor.pull_back(record, w, 0, record[predictor.COUNT], to, by_w)
    return value + transforms.pull(x, w, jacobian, parameters, records, by_w, by_x)


@compiled("f8(f8[::1], b1, i8[::1], f8[::1], f8[::1])", cache=True)
def evaluate(x, jacobian, table, work, by_x):
    """Return the log-posterior at a flat vector, and fill in its gradient.

    ``work`` is room for as many numbers as the table says.
    """
    arguments = (pointer(x), np.int64(jacobian), pointer(table), pointer(work), pointer(by_x))
    return _call(table[LOG_POSTERIOR], arguments)


@compiled("f8(f8[::1], i8[::1], f8[::1])", cache=True)
def evaluate_moved(z, table, by_z):
    """Return the log-density in standardised coordinates, and fill in its gradient."""
    value = np.empty(1)
    arguments = (np.uint64(z.size), pointer(z), pointer(by_z), pointer(value), pointer(table))
    _call_moved(table[POSTERIOR], arguments)
    return value[0]


def _posterior(size, z, by_z, value, table):
    """Fill in log-density and gradient; anything but zero tells the sampler that this failed."""
    n = np.int64(size)
    moving, ways = table[KIND] == MOVING, table[WAYS]
    widths, axes = reals(table[WIDTHS]), reals(table[AXES])
    rooms = moving_coordinates.ROOM if moving else 1
    memory = np.empty((3 + rooms) * n + table[WORK])
    x, by_x, stretched = pointer(memory), ahead(pointer(memory), n), ahead(pointer(memory), 2 * n)
    room, work = ahead(x, 3 * n), ahead(x, (3 + rooms) * n)
    frame, basis, diagonal = reals(table[FRAME]), reals(table[BASIS]), table[KIND] == DIAGONAL
    start, shares = reals(table[START]), reals(table[SHARES])
    if moving:
        moving_coordinates.stretch_along(widths, axes, ways, n, z, stretched)
        moving_coordinates.place_moving(stretched, frame, basis, start, shares, room, x)
    else:
        coordinates.place(z, n, frame, basis, diagonal, start, shares, room, x)
    total = _call(table[LOG_POSTERIOR], (x, np.int64(1), table, work, by_x))
    if moving:
        total += moving_coordinates.pull_moving(x, frame, basis, shares, by_x, room, stretched)
        moving_coordinates.stretch_along(widths, axes, ways, n, stretched, by_z)
    else:
        total += coordinates.pull(z, n, frame, basis, diagonal, start, shares, by_x, room, by_z)
    value[0] = total
    finite = math.isfinite(total)
    for k in range(n):
        finite = finite and math.isfinite(by_z[k])
    keep(memory)
    return 0 if finite else 1


def _copy(size, length, z, out, table):
    """Keep a draw as it is."""
    for k in range(np.int64(length)):
        out[k] = z[k]
    return 0


@cache
def log_posterior_function():
    """Return the log-posterior at a flat vector as a C function, kept on disk."""
    return c_function(_LOG_POSTERIOR, _log_posterior)


@cache
def posterior_function():
    """Return the log-posterior in standardised coordinates as a C function, kept on disk.

    Called through Python, chains on several cores would wait for the interpreter's lock most of
    the time. A chain that calls this never meets it.
    """
    return c_function(_POSTERIOR, _posterior)


@cache
def copy_function():
    """Return the C function that hands a draw on as it is."""
    signature = types.int64(types.uint64, types.uint64, REALS, REALS, WHOLES)
    return c_function(signature, _copy)
