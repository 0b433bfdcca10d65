"""Rankings as padded matrices, one row per ranking and one column per slot, for ragged kernels.

A graph has matrices of scores and ranks; the kernels want the entries of all rankings one after
the other, best first. `bayesrank.kernels.partitions.partition` says which slots those are.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.partitions import check_shapes

__all__ = [
    "entries_of_rows",
    "leave_out_infinite",
    "padded",
    "padded_prevalences",
    "padded_ties",
    "rows_of_entries",
    "sizes_of_rows",
]


@compiled(cache=True)
def sizes_of_rows(sizes):
    """Return the block sizes of all entries, and where rankings start."""
    rows, slots = sizes.shape
    start = np.zeros(rows + 1, dtype=np.int64)
    for n in range(rows):
        items = 0
        for s in range(slots):
            if sizes[n, s] == 0:
                break
            items += abs(sizes[n, s])
        start[n + 1] = start[n] + items
    blocks = np.zeros(start[rows], dtype=np.int64)
    for n in range(rows):
        for s in range(start[n + 1] - start[n]):
            if sizes[n, s] == 0:
                break
            blocks[start[n] + s] = sizes[n, s]
    return blocks, start


@compiled(cache=True)
def entries_of_rows(score, order, start):
    """Return the scores of all entries, best first; 0 for infinite ones."""
    check_shapes(score, order)
    x = np.empty(start[-1])
    for n in range(start.size - 1):
        row, slots, entries = score[n], order[n], x[start[n] : start[n + 1]]
        for p in range(entries.size):
            entry = row[slots[p]]
            entries[p] = 0.0 if math.isinf(entry) else entry
    return x


@compiled(cache=True)
def leave_out_infinite(score, order, start, logp, by_entry):
    """Make rankings impossible in which a score is infinite: two such ones have no order."""
    for n in range(start.size - 1):
        row, slots = score[n], order[n]
        for p in range(start[n + 1] - start[n]):
            if math.isinf(row[slots[p]]):
                logp[n] = -math.inf
                by_entry[start[n] : start[n + 1]] = 0.0
                break


@compiled(cache=True)
def rows_of_entries(by_entry, order, start):
    """Return derivatives by entries as a matrix, rankings by slots; 0 where there is no entry."""
    by_slot = np.zeros(order.shape)
    for n in range(start.size - 1):
        row, slots, entries = by_slot[n], order[n], by_entry[start[n] : start[n + 1]]
        for p in range(entries.size):
            row[slots[p]] = entries[p]
    return by_slot


# These make plain functions, which PyTensor compiles into its graphs and others call as they are:
# Numba keeps no compiled function on disk that was made for another one.


def padded(kernel):
    """Return ``kernel(x, sizes, start, *structure)`` as a function of matrices.

    Its arguments are ``score, order, sizes, *structure``; the result has a row for each ranking.
    """

    def of_matrices(score, order, sizes, *structure):
        blocks, start = sizes_of_rows(sizes)
        logp, by_entry = kernel(entries_of_rows(score, order, start), blocks, start, *structure)
        leave_out_infinite(score, order, start, logp, by_entry)
        return logp, rows_of_entries(by_entry, order, start)

    return of_matrices


def padded_ties(kernel):
    """Return ``kernel(x, tie, sizes, start, *structure)`` as a function of matrices.

    Its arguments are ``score, tie, order, sizes, *structure``.
    """

    def of_matrices(score, tie, order, sizes, *structure):
        blocks, start = sizes_of_rows(sizes)
        x = entries_of_rows(score, order, start)
        logp, by_entry, by_tie = kernel(x, tie, blocks, start, *structure)
        leave_out_infinite(score, order, start, logp, by_entry)
        return logp, rows_of_entries(by_entry, order, start), by_tie

    return of_matrices


def padded_prevalences(kernel):
    """Return ``kernel(tie, sizes, start, *structure)`` as a function of matrices."""

    def of_matrices(tie, sizes, *structure):
        blocks, start = sizes_of_rows(sizes)
        return kernel(tie, blocks, start, *structure)

    return of_matrices
