"""What all kernels of rankings share: how rankings lie in memory, and the ends of native forms.

Rankings are ragged: their entries lie one after the other, best first, those of ranking n from
``start[n]`` to ``start[n + 1]``. ``sizes`` is as long as the entries: at the same place it holds
the sizes of the ranking's blocks from best to worst, then minus the number of unranked entries if
there are any, then zeros.

The table of a native kernel of rankings: addresses of the starts, the sizes and the weights, number
of entries of the longest ranking, and what else the kernel needs. Its first input is the scores of
the entries.
"""

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import reals

__all__ = ["block_starts", "check_entries", "longest", "weigh"]


@compiled()
def check_entries(x, sizes, start):
    """Refuse arrays of different lengths, which would be read past their ends."""
    if start.size == 0 or sizes.size != x.size or start[0] != 0 or start[-1] != x.size:
        raise ValueError("Scores and block sizes must have the entries that the starts say.")


@compiled()
def longest(start):
    """Return the number of entries of the longest ranking, at least one."""
    most = np.int64(1)
    for n in range(start.size - 1):
        most = max(most, start[n + 1] - start[n])
    return most


@compiled()
def block_starts(sizes, items, start):
    """Fill in where each block starts; return the numbers of blocks and of ranked ones.

    The unranked entries, if any, are a last block that the second number leaves out.
    """
    blocks, place, ranked = 0, 0, 0
    while place < items and sizes[blocks] != 0:
        start[blocks] = place
        place += abs(sizes[blocks])
        ranked += sizes[blocks] > 0
        blocks += 1
    start[blocks] = place
    return blocks, ranked


@compiled()
def weigh(partials, table, start, first, last, logp):
    """Return the weighted sum of log-probabilities; multiply the derivatives by the weights."""
    weights, by_score = reals(table[2]), reals(partials[0])
    total = 0.0
    for n in range(first, last):
        weight = weights[n]
        total += weight * logp[n - first]
        if weight != 1.0:
            for p in range(start[n] - start[first], start[n + 1] - start[first]):
                by_score[p] *= weight
    return total
