"""Ballots laid out for the preference kernels, and draws of preferences.

A ballot has the preferences of one agent in one instance. Its cells are pairs of items with the net
count of preferences for the first; its entries are items with their net wins.
"""

import math
from typing import NamedTuple

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.samplers import uniform

__all__ = [
    "Layout",
    "draw_preferences",
    "items_of_ballots",
    "lay_out",
    "log_coefficients",
    "ranked_cells",
    "starts",
]


class Layout(NamedTuple):
    """Rows of pairs sorted by ballot, and ballots by instance.

    ``order`` says where each sorted row was in the arrays that came in; ``instance`` and ``agent``
    belong to the ballots; the starts have one element more than there are instances or ballots.
    """

    item_start: np.ndarray
    ballot_start: np.ndarray
    cell_start: np.ndarray
    left: np.ndarray
    right: np.ndarray
    order: np.ndarray
    instance: np.ndarray
    agent: np.ndarray


def starts(group, groups):
    """Return where each group starts in sorted group numbers, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(np.bincount(group, minlength=groups))])


def lay_out(left, right, agent, instance):
    """Return the layout of rows of pairs; ``instance``, by item, does not decrease."""
    instances = int(instance.max(initial=0)) + 1
    agents = int(agent.max(initial=0)) + 1
    key = instance[left] * agents + agent
    order = np.argsort(key, kind="stable")
    ballot_key, ballot = np.unique(key[order], return_inverse=True)
    return Layout(
        item_start=starts(instance, instances),
        ballot_start=starts(ballot_key // agents, instances),
        cell_start=starts(ballot, ballot_key.size),
        left=left[order].astype(np.int32),
        right=right[order].astype(np.int32),
        order=order,
        instance=ballot_key // agents,
        agent=ballot_key % agents,
    )


def items_of_ballots(layout):
    """Return the start of each ballot's entries, their items, and the entries of each cell.

    Every item of a ballot is an entry once; the last two arrays say which entries the left and
    the right item of each cell are.
    """
    items = int(layout.item_start[-1])
    ballot = np.repeat(np.arange(layout.agent.size), np.diff(layout.cell_start))
    key = np.concatenate([ballot * items + layout.left, ballot * items + layout.right])
    key, entry = np.unique(key, return_inverse=True)
    start = starts(key // items, layout.agent.size)
    return start, (key % items).astype(np.int32), entry[: ballot.size], entry[ballot.size :]


@compiled(cache=True)
def ranked_cells(level, start):
    """Return the pairs that differ in each ranking: starts, better and worse entry, difference.

    ``level`` rises along the entries of a ranking, which are from ``start[n]`` to ``start[n + 1]``.
    """
    rankings = start.size - 1
    cells = np.zeros(rankings + 1, dtype=np.int64)
    for n in range(rankings):
        count = 0
        for i in range(start[n], start[n + 1]):
            for j in range(i + 1, start[n + 1]):
                count += level[j] > level[i]
        cells[n + 1] = cells[n] + count
    better = np.empty(cells[-1], dtype=np.int64)
    worse = np.empty(cells[-1], dtype=np.int64)
    difference = np.empty(cells[-1])
    e = 0
    for n in range(rankings):
        for i in range(start[n], start[n + 1]):
            for j in range(i + 1, start[n + 1]):
                if level[j] > level[i]:
                    better[e], worse[e] = i, j
                    difference[e] = level[j] - level[i]
                    e += 1
    return cells, better, worse, difference


@compiled(cache=True)
def log_coefficients(start, counts):
    """Return the log multinomial coefficient of each ballot, from its counts."""
    out = np.empty(start.size - 1)
    for k in range(out.size):
        total, ways = 0.0, 0.0
        for e in range(start[k], start[k + 1]):
            total += counts[e]
            # Most counts are 0 or 1.
            if counts[e] != 0.0 and counts[e] != 1.0:
                ways += math.lgamma(counts[e] + 1.0)
        out[k] = math.lgamma(total + 1.0) - ways
    return out


@compiled(cache=True)
def draw_preferences(rows, score, variance, adherence, log_norm, n, cell_start, order, seeds):
    """Return counts (preferred left, preferred right, 0) of each row, drawn ballot by ballot.

    ``rows`` are left, right and anything, in the order that came in; every pair of items of an
    instance must be a row of each of its ballots.
    """
    counts = np.zeros(rows.shape, dtype=np.int64)
    state = np.empty(1, dtype=np.uint64)
    for k in range(adherence.size):
        first, cells = cell_start[k], cell_start[k + 1] - cell_start[k]
        total = np.empty(2 * cells)
        pairs = np.empty(cells, dtype=np.int64)
        reached, twice = 0.0, False
        for e in range(cells):
            row = order[first + e]
            i, j = rows[row, 0], rows[row, 1]
            pairs[e] = min(i, j) * score.size + max(i, j)
            d = adherence[k] * (score[i] - score[j]) / (variance[i] + variance[j])
            reached += math.exp(d - log_norm[k])
            total[2 * e] = reached
            reached += math.exp(-d - log_norm[k])
            total[2 * e + 1] = reached
        pairs.sort()
        for e in range(1, cells):
            twice = twice or pairs[e] == pairs[e - 1]
        if twice or not (abs(reached - 1.0) < 1e-6):
            raise ValueError(
                "Preferences cannot be drawn: some pairs of items that an agent may prefer are "
                "not among the rows, or twice. List all pairs (Comparisons.completed())."
            )
        state[0] = seeds[k]
        for _ in range(n[k]):
            place = np.searchsorted(total, uniform(state) * reached, side="right")
            counts[order[first + place // 2], place % 2] += 1
    return counts
