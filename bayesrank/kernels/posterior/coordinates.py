"""Coordinates of a sampler, forwards and backwards: a list of blocks, each for some free numbers.

Blocks are called by their addresses, and compiled when a model first uses them. What scales depend
on comes first: the block of the learned scales themselves. A record of `WORDS` whole numbers
describes a block:

- the addresses of its two functions, and where its own room begins in the working memory;
- how many free numbers it has, and the address of their positions in the flat vector;
- up to six more, as the block says: positions in the flat vector, or addresses.

| block | more |
|---|---|
| LINEAR: x = centre + matrix z | addresses of centre and matrix |
| WHITENED: given a scale, x has a mean and a covariance | position of the scale's logarithm, or -1;
address of what it usually is; addresses of basis, start and shares; whether the basis is diagonal |

Of whitened numbers x is the basis times w, where w = start / c + z / sqrt(c) and
c = 1 + shares (1 / scale^2 - 1 / usual^2); `bayesrank.inference.coordinates` says why. Scores that
move have a block of their own in `moving_coordinates`.
"""

import math
from functools import cached_property

from numba import types

from bayesrank.kernels.compiled import c_function, compiled
from bayesrank.kernels.maths.pointers import REALS, WHOLES, ahead, caller, reals, wholes
from bayesrank.kernels.posterior.columns import dot

__all__ = [
    "LINEAR",
    "PLACE",
    "PULL",
    "ROOM",
    "WHITENED",
    "WORDS",
    "Block",
    "call_place",
    "call_pull",
]

WORDS = 11
PLACE, PULL, ROOM, SIZE, POSITIONS, FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH = range(WORDS)

_PLACE = types.int64(WHOLES, REALS, REALS, REALS)
_PULL = types.float64(WHOLES, REALS, REALS, REALS, REALS, REALS)
call_place, call_pull = caller(_PLACE), caller(_PULL)


class Block:
    """A kind of block, whose two functions are compiled when their addresses are first asked for.

    Parameters
    ----------
    place : function
        Of the record, z, the flat vector and room. Fills in the block's part of the flat vector.
    pull : function
        Of the record, z, the flat vector, the gradient by it, that by z and the same room. Fills
        in the block's part of the gradient by z, adds to that of scales which other blocks have,
        and returns the log-Jacobian but for what is the same everywhere.
    room : int
        How much room it needs for each of its numbers.
    """

    def __init__(self, place, pull, room=0):
        self.place, self.pull, self.room = place, pull, room

    @cached_property
    def compiled(self):
        """Both C functions, which live as long as this object."""
        return c_function(_PLACE, self.place), c_function(_PULL, self.pull)

    @property
    def addresses(self):
        """Where both functions are."""
        return tuple(made.address for made in self.compiled)


def _place_linear(record, z, x, work):
    n, at = record[SIZE], wholes(record[POSITIONS])
    centre, matrix = reals(record[FIRST]), reals(record[SECOND])
    for i in range(n):
        total = centre[i]
        for j in range(n):
            total += matrix[i * n + j] * z[at[j]]
        x[at[i]] = total
    return 0


def _pull_linear(record, z, x, by_x, by_z, work):
    n, at, matrix = record[SIZE], wholes(record[POSITIONS]), reals(record[SECOND])
    for j in range(n):
        total = 0.0
        for i in range(n):
            total += matrix[i * n + j] * by_x[at[i]]
        by_z[at[j]] = total
    return 0.0


LINEAR = Block(_place_linear, _pull_linear)


@compiled()
def _inverses(record, x):
    """Return the inverse squares of the scale and of the usual one."""
    usual = math.exp(-2.0 * reals(record[SECOND])[0])
    return (math.exp(-2.0 * x[record[FIRST]]) if record[FIRST] >= 0 else usual), usual


@compiled()
def _precision(inverse, usual, share):
    """Return a direction's precision at a scale, and its logarithm's derivative by log scale."""
    # Directions that only the prior knows have c = inverse / usual, up to rounding.
    c = max(1.0 + share * (inverse - usual), 1e-12 * inverse / usual)
    return c, -2.0 * inverse * share / c


def _place_whitened(record, z, x, work):
    n, at, basis = record[SIZE], wholes(record[POSITIONS]), reals(record[THIRD])
    start, shares, diagonal = reals(record[FOURTH]), reals(record[FIFTH]), record[SIXTH]
    if record[FIRST] < 0:
        for k in range(n):
            work[k] = start[k] + z[at[k]]
    else:
        inverse, usual = _inverses(record, x)
        for k in range(n):
            c, _ = _precision(inverse, usual, shares[k])
            work[k] = start[k] / c + z[at[k]] / math.sqrt(c)
    if diagonal:
        for i in range(n):
            x[at[i]] = basis[i] * work[i]
    else:
        for i in range(n):
            x[at[i]] = dot(ahead(basis, i * n), work, n)
    return 0


def _pull_whitened(record, z, x, by_x, by_z, work):
    n, at, basis = record[SIZE], wholes(record[POSITIONS]), reals(record[THIRD])
    start, shares, diagonal = reals(record[FOURTH]), reals(record[FIFTH]), record[SIXTH]
    if diagonal:
        for k in range(n):
            work[k] = basis[k] * by_x[at[k]]
    else:
        for k in range(n):
            work[k] = 0.0
        for i in range(n):
            row, slope = ahead(basis, i * n), by_x[at[i]]
            for k in range(n):
                work[k] += slope * row[k]
    if record[FIRST] < 0:
        for k in range(n):
            by_z[at[k]] = work[k]
        return 0.0
    inverse, usual = _inverses(record, x)
    value, by_scale = 0.0, 0.0
    for k in range(n):
        c, relative = _precision(inverse, usual, shares[k])
        width = 1.0 / math.sqrt(c)
        off = z[at[k]] * width
        by_z[at[k]] = work[k] * width
        by_scale -= relative * (work[k] * (start[k] / c + 0.5 * off) + 0.5)
        value -= 0.5 * math.log(c)
    by_x[record[FIRST]] += by_scale
    return value


WHITENED = Block(_place_whitened, _pull_whitened, room=1)
