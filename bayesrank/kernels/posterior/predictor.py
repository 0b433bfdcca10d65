"""The operations of a predictor, forwards and backwards: gather and scatter, written once.

An operation takes some numbers of the vector ``w`` (parameters first, then what follows from them)
and adds what follows from them to others: to numbers further on in ``w``, such as scores, or to
the slots of some rows of the data, which is done block by block. Backwards it adds up derivatives.
A record of `WORDS` whole numbers describes it:

- its code, one of the numbers below;
- where in ``w`` the numbers are that it takes, and how many they are;
- where in ``w`` it adds, or to which channel of the slots, and to how many numbers;
- up to four more: addresses, or a place in ``w``.

| code | adds to k | more |
|---|---|---|
| COPY | w[k] | |
| STRETCH | w[scale] w[k] | place of the scale |
| UNIT | unit[k] w[k] | address of the units |
| GATHER | w[index[k]] | address of the indices |
| DIFFER | w[left[k]] - w[right[k]] | addresses of both |
| SHIFT | w[0] | |
| COLUMNS | sum over columns c of (matrix[k, c] - centre[c]) w[c] | addresses of both (the
second may be 0), whether the matrix is of float32, and the address of the row that k has, or 0 |
| WALK, REVERT | the states of `bayesrank.kernels.posterior.moves` | address of the gaps, places of
scale and rate, -1 where these are given, and the address of the given ones |
"""

import numpy as np

from bayesrank.kernels.compiled import compiled, compiled_in_any_order
from bayesrank.kernels.maths.pointers import ahead, positions, reals, singles
from bayesrank.kernels.posterior.moves import add_moves, pull_moves

__all__ = [
    "COLUMNS",
    "COPY",
    "COUNT",
    "DIFFER",
    "GATHER",
    "REVERT",
    "SHIFT",
    "STRETCH",
    "TO",
    "UNIT",
    "WALK",
    "WORDS",
    "add",
    "dot",
    "pull_back",
]

COPY, STRETCH, UNIT, GATHER, DIFFER, SHIFT, COLUMNS, WALK, REVERT = range(9)
WORDS = 9
CODE, FROM, SIZE, TO, COUNT, FIRST, SECOND, THIRD, FOURTH = range(WORDS)


@compiled_in_any_order()
def dot(a, b, size):
    """Return the sum of products."""
    total = 0.0
    for k in range(size):
        total += a[k] * b[k]
    return total


@compiled_in_any_order()
def _dot_centred(row, centre, b, columns):
    total = 0.0
    for c in range(columns):
        total += (row[c] - centre[c]) * b[c]
    return total


# Four rows at a time read each coefficient, or write each sum, once for all four.


@compiled_in_any_order()
def _dot_four(matrix, b, columns, out):
    first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
    for c in range(columns):
        first += matrix[c] * b[c]
        second += matrix[columns + c] * b[c]
        third += matrix[2 * columns + c] * b[c]
        fourth += matrix[3 * columns + c] * b[c]
    out[0] += first
    out[1] += second
    out[2] += third
    out[3] += fourth


@compiled()
def _pull_four(matrix, columns, by_out, by_b):
    first, second, third, fourth = by_out[0], by_out[1], by_out[2], by_out[3]
    for c in range(columns):
        by_b[c] += (
            first * matrix[c]
            + second * matrix[columns + c]
            + third * matrix[2 * columns + c]
            + fourth * matrix[3 * columns + c]
        )


@compiled()
def _add_columns(matrix, centre, b, columns, rows, first, last, out):
    fours = (last - first) // 4 if rows == 0 and centre == 0 else 0
    for k in range(fours):
        _dot_four(ahead(matrix, (first + 4 * k) * columns), b, columns, ahead(out, 4 * k))
    for k in range(4 * fours, last - first):
        row = first + k if rows == 0 else np.int64(positions(rows)[first + k])
        known = ahead(matrix, row * columns)
        if centre == 0:
            out[k] += dot(known, b, columns)
        else:
            out[k] += _dot_centred(known, reals(centre), b, columns)


@compiled()
def _pull_columns(matrix, centre, columns, rows, first, last, by_out, by_b):
    fours = (last - first) // 4 if rows == 0 and centre == 0 else 0
    for k in range(fours):
        at = ahead(matrix, (first + 4 * k) * columns)
        _pull_four(at, columns, ahead(by_out, 4 * k), by_b)
    for k in range(4 * fours, last - first):
        row = first + k if rows == 0 else np.int64(positions(rows)[first + k])
        known, slope = ahead(matrix, row * columns), by_out[k]
        if centre == 0:
            for c in range(columns):
                by_b[c] += slope * known[c]
        else:
            for c in range(columns):
                by_b[c] += slope * (known[c] - reals(centre)[c])


@compiled()
def _how_far(record, w):
    """Return the scale and the rate of scores that move."""
    given = reals(record[FOURTH])
    scale = w[record[SECOND]] if record[SECOND] >= 0 else given[0]
    return scale, w[record[THIRD]] if record[THIRD] >= 0 else given[1]


@compiled()
def add(record, w, first, last, out):
    """Add the result of an operation for slots ``first`` to ``last`` to ``out``, their start."""
    code, taken = record[CODE], ahead(w, record[FROM])
    if code == GATHER:
        index = ahead(positions(record[FIRST]), first)
        for k in range(last - first):
            out[k] += taken[index[k]]
    elif code == DIFFER:
        left = ahead(positions(record[FIRST]), first)
        right = ahead(positions(record[SECOND]), first)
        for k in range(last - first):
            out[k] += taken[left[k]] - taken[right[k]]
    elif code == COLUMNS:
        columns, centre, rows = record[SIZE], record[SECOND], record[FOURTH]
        if record[THIRD]:
            matrix = singles(record[FIRST])
            _add_columns(matrix, centre, taken, columns, rows, first, last, out)
        else:
            _add_columns(reals(record[FIRST]), centre, taken, columns, rows, first, last, out)
    elif code == UNIT:
        unit = reals(record[FIRST])
        for k in range(last - first):
            out[k] += unit[first + k] * taken[first + k]
    elif code in (WALK, REVERT):
        scale, rate = _how_far(record, w)
        add_moves(code == REVERT, taken, reals(record[FIRST]), scale, rate, last - first, out)
    else:
        step = 0 if code == SHIFT else 1
        factor = w[record[FIRST]] if code == STRETCH else 1.0
        for k in range(last - first):
            out[k] += factor * taken[step * (first + k)]


@compiled()
def pull_back(record, w, first, last, by_out, by_w):
    """Add the derivatives by what an operation takes, given those by what it adds to."""
    code, taken, by_taken = record[CODE], ahead(w, record[FROM]), ahead(by_w, record[FROM])
    if code == GATHER:
        index = ahead(positions(record[FIRST]), first)
        for k in range(last - first):
            by_taken[index[k]] += by_out[k]
    elif code == DIFFER:
        left = ahead(positions(record[FIRST]), first)
        right = ahead(positions(record[SECOND]), first)
        for k in range(last - first):
            by_taken[left[k]] += by_out[k]
            by_taken[right[k]] -= by_out[k]
    elif code == COLUMNS:
        columns, centre, rows = record[SIZE], record[SECOND], record[FOURTH]
        if record[THIRD]:
            matrix = singles(record[FIRST])
            _pull_columns(matrix, centre, columns, rows, first, last, by_out, by_taken)
        else:
            _pull_columns(
                reals(record[FIRST]), centre, columns, rows, first, last, by_out, by_taken
            )
    elif code == UNIT:
        unit = reals(record[FIRST])
        for k in range(last - first):
            by_taken[first + k] += unit[first + k] * by_out[k]
    elif code in (WALK, REVERT):
        scale, rate = _how_far(record, w)
        gap, size = reals(record[FIRST]), last - first
        found = pull_moves(code == REVERT, taken, gap, scale, rate, size, by_out, by_taken)
        if record[SECOND] >= 0:
            by_w[record[SECOND]] += found[0]
        if record[THIRD] >= 0:
            by_w[record[THIRD]] += found[1]
    elif code == SHIFT:
        for k in range(last - first):
            by_taken[0] += by_out[k]
    elif code == STRETCH:
        scale = w[record[FIRST]]
        for k in range(last - first):
            by_w[record[FIRST]] += taken[first + k] * by_out[k]
            by_taken[first + k] += scale * by_out[k]
    else:
        for k in range(last - first):
            by_taken[first + k] += by_out[k]
