"""Whole matrices in a predictor: columns of numbers, each with a coefficient.

| operation | adds to k | more |
|---|---|---|
| COLUMNS | sum over columns c of (matrix[k, c] - centre[c]) w[c] | addresses of both (the second
may be 0), and the address of the row that k has, or 0 |
| SINGLES | the same of a matrix of float32 | the same |
"""

import numpy as np

from bayesrank.kernels.compiled import compiled, compiled_in_any_order
from bayesrank.kernels.maths.pointers import ahead, positions, reals, singles
from bayesrank.kernels.posterior.operations import FIRST, FROM, SECOND, SIZE, THIRD, Operation

__all__ = ["COLUMNS", "SINGLES", "dot"]


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


def _add(record, w, channel, first, last, out):
    _add_columns(
        reals(record[FIRST]), record[SECOND], ahead(w, record[FROM]), record[SIZE], record[THIRD],
        first, last, out,
    )  # fmt: skip
    return 0


def _pull(record, w, by_w, channel, by_channel, first, last, by_out):
    _pull_columns(
        reals(record[FIRST]), record[SECOND], record[SIZE], record[THIRD], first, last, by_out,
        ahead(by_w, record[FROM]),
    )  # fmt: skip
    return 0


COLUMNS = Operation(_add, _pull)


def _add_singles(record, w, channel, first, last, out):
    _add_columns(
        singles(record[FIRST]), record[SECOND], ahead(w, record[FROM]), record[SIZE],
        record[THIRD], first, last, out,
    )  # fmt: skip
    return 0


def _pull_singles(record, w, by_w, channel, by_channel, first, last, by_out):
    _pull_columns(
        singles(record[FIRST]), record[SECOND], record[SIZE], record[THIRD], first, last, by_out,
        ahead(by_w, record[FROM]),
    )  # fmt: skip
    return 0


SINGLES = Operation(_add_singles, _pull_singles)
