r"""Ordered partitions as arrays: which slots come in which order, in blocks of which sizes.

A ranking is a row of ranks, one per slot: 1 is best, equal ranks are a block, 0 is offered but
unranked (below all ranked items, in unknown order), -1 is no item. Kernels want the slots in the
order of their ranks, and the sizes of the blocks.
"""

import numpy as np

from bayesrank.kernels.compiled import compiled

__all__ = ["check_shapes", "partition"]


@compiled()
def check_shapes(scores, slots):
    """Refuse arrays of different shapes, which would be read past their ends."""
    if scores.shape[0] != slots.shape[0] or scores.shape[1] != slots.shape[1]:
        raise ValueError("Scores, offered slots and ranks must have the same rankings and slots.")


@compiled(cache=True)
def partition(ranks, offered):
    """Return the order of the slots, the sizes of the blocks and which rows are possible.

    Parameters
    ----------
    ranks : ndarray of int, rankings by slots
    offered : ndarray of bool, rankings by slots

    Returns
    -------
    order : ndarray of unsigned int, rankings by slots
        The offered slots from best to worst, unranked ones last.
    sizes : ndarray of int, rankings by slots
        Sizes of the blocks from best to worst, then minus the number of unranked slots if
        there are any, then zeros.
    possible : ndarray of bool
        Whether ranks are given to all offered slots and no others, and go 1, 2, ... without a
        gap. Other rows have no blocks.
    """
    check_shapes(ranks, offered)
    rows, slots = ranks.shape
    order = np.zeros((rows, slots), dtype=np.uint32)
    sizes = np.zeros((rows, slots), dtype=np.int64)
    possible = np.ones(rows, dtype=np.bool_)
    start = np.empty(slots + 2, dtype=np.int64)
    for n in range(rows):
        count = np.zeros(slots + 2, dtype=np.int64)
        worst = 0
        for j in range(slots):
            rank = ranks[n, j]
            if rank < -1 or rank > slots or (rank >= 0) != offered[n, j]:
                possible[n] = False
                break
            if rank >= 0:
                # Unranked slots come after all ranks.
                count[rank if rank > 0 else slots + 1] += 1
                worst = max(worst, rank)
        if possible[n]:
            for rank in range(1, worst + 1):
                if count[rank] == 0:
                    possible[n] = False
        if not possible[n]:
            continue
        total = 0
        for rank in range(1, slots + 2):
            start[rank] = total
            total += count[rank]
        for rank in range(1, worst + 1):
            sizes[n, rank - 1] = count[rank]
        if count[slots + 1] > 0:
            sizes[n, worst] = -count[slots + 1]
        for j in range(slots):
            rank = ranks[n, j]
            if rank >= 0:
                place = rank if rank > 0 else slots + 1
                order[n, start[place]] = j
                start[place] += 1
    return order, sizes, possible
