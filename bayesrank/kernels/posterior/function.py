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
from bayesrank.kernels.posterior import coordinates, transforms
from bayesrank.kernels.posterior.columns import dot
from bayesrank.kernels.posterior.operations import (
    ADD,
    CHANNEL,
    COUNT,
    PULL,
    TO,
    WORDS,
    call_add,
    call_pull,
)

__all__ = [
    "HEAD",
    "copy_function",
    "evaluate",
    "evaluate_moved",
    "log_posterior_function",
    "place_all",
    "posterior_function",
    "records_of",
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
PARTS, PART_RECORDS = 21, 22  # blocks of the coordinates, for a sampler
ROOM = 23  # numbers of working memory for these blocks
INPUTS = 24  # channels that the kernel takes; the others are between operations
TURNS, TURN_BASIS, TURN_STRETCH = 25, 26, 27  # directions in which coordinates are stretched first
HEAD = 28

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
            if c >= table[INPUTS]:
                _zero(ahead(by_slots, c * largest), end - begin)
        for k in range(operations):
            record = ahead(records, k * WORDS)
            channel = ahead(slots, record[CHANNEL] * largest)
            to = ahead(slots, record[TO] * largest)
            call_add(record[ADD], (record, w, channel, begin, end, to))
        about = wholes(table[KERNEL_TABLE])
        total += call_kernel(table[KERNEL], (inputs, partials, about, first, last, logp, scratch))
        for k in range(operations - 1, -1, -1):
            record = ahead(records, k * WORDS)
            channel = ahead(slots, record[CHANNEL] * largest)
            by_channel = ahead(by_slots, record[CHANNEL] * largest)
            to = ahead(by_slots, record[TO] * largest)
            call_pull(record[PULL], (record, w, by_w, channel, by_channel, begin, end, to))
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
        record = ahead(wholes(table[ITEM_RECORDS]), k * WORDS)
        to = ahead(w, record[TO])
        call_add(record[ADD], (record, w, w, np.int64(0), record[COUNT], to))
    value = _likelihood(table, w, by_w, ahead(work, 2 * length))
    for k in range(operations - 1, -1, -1):
        record = ahead(wholes(table[ITEM_RECORDS]), k * WORDS)
        to, none = ahead(by_w, record[TO]), np.int64(0)
        call_pull(record[PULL], (record, w, by_w, w, by_w, none, record[COUNT], to))
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


@compiled()
def _turn(table, size, z, out):
    """Stretch a vector along some directions; the same does for points and for gradients."""
    basis, stretch = reals(table[TURN_BASIS]), reals(table[TURN_STRETCH])
    for k in range(size):
        out[k] = z[k]
    for r in range(table[TURNS]):
        row = ahead(basis, r * size)
        along = stretch[r] * dot(row, z, size)
        for k in range(size):
            out[k] += along * row[k]


@compiled()
def _place(table, z, x, room):
    """Fill in the flat vector that coordinates stand for, as the blocks know them."""
    for k in range(table[PARTS]):
        record = ahead(wholes(table[PART_RECORDS]), k * coordinates.WORDS)
        here = ahead(room, record[coordinates.ROOM])
        coordinates.call_place(record[coordinates.PLACE], (record, z, x, here))


@compiled("f8[:, ::1](f8[:, ::1], i8[::1])", cache=True)
def place_all(z, table):
    """Return the flat vectors of many points, one row per point."""
    size = z.shape[1]
    x, room = np.empty_like(z), np.empty(table[ROOM] + size)
    turned = ahead(pointer(room), table[ROOM])
    for k in range(len(z)):
        _turn(pointer(table), size, ahead(pointer(z), k * size), turned)
        _place(pointer(table), turned, ahead(pointer(x), k * size), pointer(room))
    keep(room)
    return x


def _posterior(size, z, by_z, value, table):
    """Fill in log-density and gradient; anything but zero tells the sampler that this failed."""
    n = np.int64(size)
    memory = np.empty(4 * n + table[ROOM] + table[WORK])
    x, by_x = pointer(memory), ahead(pointer(memory), n)
    turned, by_turned = ahead(x, 2 * n), ahead(x, 3 * n)
    room, work = ahead(x, 4 * n), ahead(x, 4 * n + table[ROOM])
    _turn(table, n, z, turned)
    _place(table, turned, x, room)
    total = _call(table[LOG_POSTERIOR], (x, np.int64(1), table, work, by_x))
    for back in range(table[PARTS]):
        k = table[PARTS] - 1 - back
        record = ahead(wholes(table[PART_RECORDS]), k * coordinates.WORDS)
        here = ahead(room, record[coordinates.ROOM])
        pull = record[coordinates.PULL]
        total += coordinates.call_pull(pull, (record, turned, x, by_x, by_turned, here))
    _turn(table, n, by_turned, by_z)
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


def records_of(rows, words):
    """Return records of so many whole numbers; what a row does not say is 0."""
    records = np.zeros((len(rows) + 1, words), dtype=np.int64)
    for record, row in zip(records, rows, strict=False):
        record[: len(row)] = row
    return records
