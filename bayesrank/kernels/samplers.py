r"""Exact draws of rankings, one row per ranking, from scores and randomness that are handed in.

Noise-and-sort models need only `sort_into_blocks`. The choice models (PMOP) draw block after
block; each row has a seed of its own and a small generator (SplitMix64), because Numba's global
one could be neither seeded by PyTensor nor shared between threads.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.tie_prevalences import log_choose, log_tie
from bayesrank.kernels.partitions import check_shapes

__all__ = ["draw_additive", "draw_geometric", "interpolate", "sort_into_blocks", "uniform"]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_MIX_AGAIN = np.uint64(0x94D049BB133111EB)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11))


@compiled()
def uniform(state):
    """Return a number in [0, 1); ``state`` is an array of one unsigned integer."""
    state[0] += _STEP
    z = state[0]
    z = (z ^ (z >> _SHIFTS[0])) * _MIX
    z = (z ^ (z >> _SHIFTS[1])) * _MIX_AGAIN
    z = z ^ (z >> _SHIFTS[2])
    return (z >> _SHIFTS[3]) * 2.0**-53


@compiled(cache=True)
def interpolate(x, table):
    """Return the second row of a table at the places of x in its first row, which rises."""
    rows, slots = x.shape
    values = np.empty((rows, slots))
    for n in range(rows):
        for j in range(slots):
            k = np.searchsorted(table[0], x[n, j])
            k = min(max(k, 1), table.shape[1] - 1)
            share = (x[n, j] - table[0, k - 1]) / (table[0, k] - table[0, k - 1])
            values[n, j] = table[1, k - 1] + share * (table[1, k] - table[1, k - 1])
    return values


@compiled(cache=True)
def sort_into_blocks(utility, offered, sizes):
    """Return ranks: the offered slots by falling utility, cut into blocks of the given sizes.

    Where ``sizes`` gives out (it may be all zeros), every further slot is a block of its own. A
    negative size stands for slots that stay unranked.
    """
    check_shapes(utility, offered)
    check_shapes(utility, sizes)
    rows, slots = utility.shape
    ranks = np.full((rows, slots), -1, dtype=np.int64)
    for n in range(rows):
        order = np.argsort(-utility[n])
        block, room, rank = 0, abs(sizes[n, 0]) if slots else 0, 1
        for j in order:
            if not offered[n, j]:
                continue
            if room == 0 and block < slots and sizes[n, block] != 0:
                block += 1
                rank += 1
                room = abs(sizes[n, block]) if block < slots else 0
            ranks[n, j] = 0 if block < slots and sizes[n, block] < 0 else rank
            if room > 0:
                room -= 1
            else:
                rank += 1
    return ranks


@compiled()
def _choose(weights, size, state):
    """Return a position with probability proportional to its weight."""
    total = 0.0
    for i in range(size):
        total += weights[i]
    left = uniform(state) * total
    last = 0
    for i in range(size):
        if weights[i] > 0.0:
            last = i
            left -= weights[i]
            if left < 0.0:
                return i
    return last


@compiled()
def _from_logs(logs, size):
    """Turn logarithms into numbers of which the largest is 1."""
    highest = -math.inf
    for i in range(size):
        highest = max(highest, logs[i])
    for i in range(size):
        logs[i] = math.exp(logs[i] - highest)


@compiled()
def _list_offered(offered, left):
    """Fill in the offered slots; return how many they are."""
    size = 0
    for j in range(offered.size):
        if offered[j]:
            left[size] = j
            size += 1
    return size


@compiled()
def _remove(left, size, chosen, ranks, rank):
    """Give a rank to the chosen positions of ``left``; return how many remain, in front."""
    kept = 0
    for i in range(size):
        if chosen[i]:
            ranks[left[i]] = rank
        else:
            left[kept] = left[i]
            kept += 1
    return kept


@compiled(cache=True)
def draw_additive(score, tie, offered, powers, seeds):
    """Draw from PMOP with the additive potential: an item, a size, and companions at random.

    The item is chosen by its worth and the size with weight ``d_m C(N, m)``; the other m - 1 items
    are any of the rest.
    """
    check_shapes(score, offered)
    rows, slots = score.shape
    ranks = np.full((rows, slots), -1, dtype=np.int64)
    weights, left = np.empty(slots), np.empty(slots, dtype=np.int64)
    chosen = np.empty(slots, dtype=np.bool_)
    state = np.empty(1, dtype=np.uint64)
    for n in range(rows):
        state[0] = np.uint64(seeds[n])
        delta = tie[n if tie.shape[0] > 1 else 0]
        size = _list_offered(offered[n], left)
        rank = 0
        while size > 0:
            rank += 1
            chosen[:size] = False
            for i in range(size):
                weights[i] = score[n, left[i]]
            _from_logs(weights, size)
            chosen[_choose(weights, size, state)] = True
            for m in range(1, size + 1):
                weights[m - 1] = log_tie(m, delta, powers[0] != 0.0) + log_choose(size, m)
            _from_logs(weights, size)
            more = _choose(weights, size, state)
            free = size - 1
            for i in range(size):
                if not chosen[i]:
                    if uniform(state) * free < more:
                        chosen[i] = True
                        more -= 1
                    free -= 1
            size = _remove(left, size, chosen, ranks[n], rank)
    return ranks


@compiled()
def _log_polynomials(f, size, m, table):
    """Fill ``table[n, d]`` with log e_d(exp(f/m)) of the first n items."""
    for n in range(size + 1):
        table[n, 0] = 0.0
        for d in range(1, m + 1):
            if d > n:
                table[n, d] = -math.inf
                continue
            without, with_it = table[n - 1, d], table[n - 1, d - 1] + f[n - 1] / m
            highest = max(without, with_it)
            table[n, d] = highest + math.log(
                math.exp(without - highest) + math.exp(with_it - highest)
            )


@compiled(cache=True)
def draw_geometric(score, tie, offered, powers, seeds):
    """Draw from PMOP with the geometric potential: a size, then a subset of that size.

    The size m has weight ``d_m e_m(exp(f/m))``; the subset comes from the table of polynomials,
    walked from the last item back: item n is in with the share that its own term has.
    """
    check_shapes(score, offered)
    rows, slots = score.shape
    ranks = np.full((rows, slots), -1, dtype=np.int64)
    weights, left = np.empty(slots), np.empty(slots, dtype=np.int64)
    chosen, f = np.empty(slots, dtype=np.bool_), np.empty(slots)
    table = np.empty((slots + 1, slots + 1))
    state = np.empty(1, dtype=np.uint64)
    for n in range(rows):
        state[0] = np.uint64(seeds[n])
        delta = tie[n if tie.shape[0] > 1 else 0]
        size = _list_offered(offered[n], left)
        rank = 0
        while size > 0:
            rank += 1
            chosen[:size] = False
            for i in range(size):
                f[i] = score[n, left[i]]
            for m in range(1, size + 1):
                weights[m - 1] = log_tie(m, delta, powers[0] != 0.0)
                if weights[m - 1] > -math.inf:
                    _log_polynomials(f, size, m, table)
                    weights[m - 1] += table[size, m]
            _from_logs(weights, size)
            d = _choose(weights, size, state) + 1
            m = d
            _log_polynomials(f, size, m, table)
            for i in range(size, 0, -1):
                if d == 0:
                    break
                share = math.exp(table[i - 1, d - 1] + f[i - 1] / m - table[i, d])
                if uniform(state) < share:
                    chosen[i - 1] = True
                    d -= 1
            size = _remove(left, size, chosen, ranks[n], rank)
    return ranks
