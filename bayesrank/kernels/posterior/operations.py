"""The operations of a predictor, forwards and backwards: gather and scatter, written once.

An operation takes some numbers of the vector ``w`` (parameters first, then what follows from them),
or a channel of the slots, and adds what follows from them to others: to numbers further on in
``w``, such as scores, or to a channel of the slots of some rows of the data, which is done block by
block. Backwards it adds up derivatives. Each is called by its address, and compiled when a model
first uses it. A record of `WORDS` whole numbers describes it:

- the addresses of its two functions;
- where in ``w`` the numbers are that it takes, and how many they are;
- where in ``w`` it adds, or to which channel of the slots, and to how many numbers;
- which channel it takes, where it takes one;
- up to four more: addresses, or a place in ``w``.

| operation | adds to k | more |
|---|---|---|
| COPY | w[k] | |
| STRETCH | w[scale] w[k] | place of the scale |
| UNIT | unit[k] w[k] | address of the units |
| GATHER | w[index[k]] | address of the indices |
| DIFFER | w[left[k]] - w[right[k]] | addresses of both |
| SHIFT | w[0] | |
| GAIN | exp(w[index[k]]) times the channel taken | address of the indices |
| ODDS | p / (p + (1 - p) exp(-c)), with p = w[0] and c the channel taken | |

Those of whole matrices and of scores that move are in `columns` and `moves`.
"""

import math
from functools import cached_property

from numba import types

from bayesrank.kernels.compiled import c_function
from bayesrank.kernels.maths.odds import shifted_odds, slope_of_odds
from bayesrank.kernels.maths.pointers import REALS, WHOLES, ahead, caller, positions, reals

__all__ = [
    "ADD",
    "CHANNEL",
    "COPY",
    "COUNT",
    "DIFFER",
    "FIRST",
    "FOURTH",
    "FROM",
    "GAIN",
    "GATHER",
    "ODDS",
    "PULL",
    "SECOND",
    "SHIFT",
    "SIZE",
    "STRETCH",
    "THIRD",
    "TO",
    "UNIT",
    "WORDS",
    "Operation",
    "call_add",
    "call_pull",
]

WORDS = 11
ADD, PULL, FROM, SIZE, TO, COUNT, CHANNEL, FIRST, SECOND, THIRD, FOURTH = range(WORDS)

_ADD = types.int64(WHOLES, REALS, REALS, types.int64, types.int64, REALS)
_PULL = types.int64(WHOLES, REALS, REALS, REALS, REALS, types.int64, types.int64, REALS)
call_add, call_pull = caller(_ADD), caller(_PULL)


class Operation:
    """An operation, whose two functions are compiled when their addresses are first asked for.

    Parameters
    ----------
    add : function
        Of the record, ``w``, the channel taken, the first and the last slot and where to add, the
        start of these slots. Adds.
    pull : function
        Of the record, ``w``, the derivatives by it, the channel taken, the derivatives by that,
        the first and the last slot and the derivatives by what was added to. Adds derivatives.
    """

    def __init__(self, add, pull):
        self.add, self.pull = add, pull

    @cached_property
    def compiled(self):
        """Both C functions, which live as long as this object."""
        return c_function(_ADD, self.add), c_function(_PULL, self.pull)

    @property
    def addresses(self):
        """Where both functions are."""
        return tuple(made.address for made in self.compiled)


def _add_copy(record, w, channel, first, last, out):
    taken = ahead(w, record[FROM] + first)
    for k in range(last - first):
        out[k] += taken[k]
    return 0


def _pull_copy(record, w, by_w, channel, by_channel, first, last, by_out):
    by_taken = ahead(by_w, record[FROM] + first)
    for k in range(last - first):
        by_taken[k] += by_out[k]
    return 0


COPY = Operation(_add_copy, _pull_copy)


def _add_stretch(record, w, channel, first, last, out):
    taken, scale = ahead(w, record[FROM] + first), w[record[FIRST]]
    for k in range(last - first):
        out[k] += scale * taken[k]
    return 0


def _pull_stretch(record, w, by_w, channel, by_channel, first, last, by_out):
    taken, by_taken = ahead(w, record[FROM] + first), ahead(by_w, record[FROM] + first)
    scale, by_scale = w[record[FIRST]], 0.0
    for k in range(last - first):
        by_scale += taken[k] * by_out[k]
        by_taken[k] += scale * by_out[k]
    by_w[record[FIRST]] += by_scale
    return 0


STRETCH = Operation(_add_stretch, _pull_stretch)


def _add_unit(record, w, channel, first, last, out):
    taken, unit = ahead(w, record[FROM] + first), ahead(reals(record[FIRST]), first)
    for k in range(last - first):
        out[k] += unit[k] * taken[k]
    return 0


def _pull_unit(record, w, by_w, channel, by_channel, first, last, by_out):
    by_taken, unit = ahead(by_w, record[FROM] + first), ahead(reals(record[FIRST]), first)
    for k in range(last - first):
        by_taken[k] += unit[k] * by_out[k]
    return 0


UNIT = Operation(_add_unit, _pull_unit)


def _add_gather(record, w, channel, first, last, out):
    taken, index = ahead(w, record[FROM]), ahead(positions(record[FIRST]), first)
    for k in range(last - first):
        out[k] += taken[index[k]]
    return 0


def _pull_gather(record, w, by_w, channel, by_channel, first, last, by_out):
    by_taken, index = ahead(by_w, record[FROM]), ahead(positions(record[FIRST]), first)
    for k in range(last - first):
        by_taken[index[k]] += by_out[k]
    return 0


GATHER = Operation(_add_gather, _pull_gather)


def _add_differ(record, w, channel, first, last, out):
    taken = ahead(w, record[FROM])
    left = ahead(positions(record[FIRST]), first)
    right = ahead(positions(record[SECOND]), first)
    for k in range(last - first):
        out[k] += taken[left[k]] - taken[right[k]]
    return 0


def _pull_differ(record, w, by_w, channel, by_channel, first, last, by_out):
    by_taken = ahead(by_w, record[FROM])
    left = ahead(positions(record[FIRST]), first)
    right = ahead(positions(record[SECOND]), first)
    for k in range(last - first):
        by_taken[left[k]] += by_out[k]
        by_taken[right[k]] -= by_out[k]
    return 0


DIFFER = Operation(_add_differ, _pull_differ)


def _add_shift(record, w, channel, first, last, out):
    for k in range(last - first):
        out[k] += w[record[FROM]]
    return 0


def _pull_shift(record, w, by_w, channel, by_channel, first, last, by_out):
    total = 0.0
    for k in range(last - first):
        total += by_out[k]
    by_w[record[FROM]] += total
    return 0


SHIFT = Operation(_add_shift, _pull_shift)


def _add_gain(record, w, channel, first, last, out):
    taken, index = ahead(w, record[FROM]), ahead(positions(record[FIRST]), first)
    for k in range(last - first):
        out[k] += math.exp(taken[index[k]]) * channel[k]
    return 0


def _pull_gain(record, w, by_w, channel, by_channel, first, last, by_out):
    taken, by_taken = ahead(w, record[FROM]), ahead(by_w, record[FROM])
    index = ahead(positions(record[FIRST]), first)
    for k in range(last - first):
        slope = math.exp(taken[index[k]]) * by_out[k]
        by_channel[k] += slope
        by_taken[index[k]] += slope * channel[k]
    return 0


GAIN = Operation(_add_gain, _pull_gain)


def _add_odds(record, w, channel, first, last, out):
    p = w[record[FROM]]
    for k in range(last - first):
        out[k] += shifted_odds(p, channel[k])[0]
    return 0


def _pull_odds(record, w, by_w, channel, by_channel, first, last, by_out):
    p, total = w[record[FROM]], 0.0
    for k in range(last - first):
        there, rest = shifted_odds(p, channel[k])
        by_channel[k] += there * rest * by_out[k]
        total += slope_of_odds(p, there, rest) * by_out[k]
    by_w[record[FROM]] += total
    return 0


ODDS = Operation(_add_odds, _pull_odds)
