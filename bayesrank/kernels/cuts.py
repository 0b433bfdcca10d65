"""Where to cut an order of items: pairs in the wrong order, tiers that pay, cuts one by one.

The order is a row of blocks, of one item each unless there are very many. ``inside[a, b]`` is how
often, over all draws, a pair of items of the blocks a to b - 1 is in the wrong order; it is
symmetric. Tiers are made by cuts between blocks. Those that they separate are all pairs but the
ones inside a tier.
"""

import numpy as np

from bayesrank.kernels.compiled import compiled

__all__ = ["best_cuts", "cuts_in_turn", "mistakes_inside"]


@compiled(cache=True)
def mistakes_inside(ranks, size):
    """Return how often pairs are in the wrong order inside every run of blocks.

    Parameters
    ----------
    ranks : ndarray, items by draws
        Smaller is better; an item that is not better than a later one is in the wrong order.
    size : int
        Items in a block.
    """
    n, draws = ranks.shape
    blocks = (n + size - 1) // size
    inside = np.zeros((blocks + 1, blocks + 1), dtype=np.int64)
    for i in range(n):
        for j in range(i + 1, n):
            count = 0
            for s in range(draws):
                count += ranks[i, s] >= ranks[j, s]
            inside[i // size, j // size + 1] += count
    for a in range(blocks - 1, -1, -1):
        run = 0
        for b in range(a + 1, blocks + 1):
            run += inside[a, b]
            inside[a, b] = inside[b, a] = inside[a + 1, b] + run
    return inside


@compiled(cache=True)
def best_cuts(inside, place, mistake, pair):
    """Return the cuts that are best if a mistake costs this and a pair told apart is worth that.

    A dynamic program over the blocks: the most that tiers up to each may save by what is inside.

    Parameters
    ----------
    inside : ndarray
        See `mistakes_inside`.
    place : ndarray of int
        Items before each block, and all of them.
    mistake, pair : float

    Returns
    -------
    ndarray of bool, int, int
        Whether there is a cut before each block; the pairs that these cuts separate, and how often
        they are in the wrong order.
    """
    blocks = len(place) - 1
    most = np.zeros(blocks + 1)
    before = np.zeros(blocks + 1, dtype=np.int64)
    for b in range(1, blocks + 1):
        most[b] = -np.inf
        for a in range(b):
            items = place[b] - place[a]
            saved = most[a] + mistake * inside[b, a] - pair * (items * (items - 1) // 2)
            if saved > most[b]:
                most[b], before[b] = saved, a
    cut = np.zeros(blocks, dtype=np.bool_)
    items = place[blocks]
    pairs, mistakes = items * (items - 1) // 2, inside[0, blocks]
    b = blocks
    while b > 0:
        a = before[b]
        items = place[b] - place[a]
        pairs -= items * (items - 1) // 2
        mistakes -= inside[a, b]
        cut[a] = a > 0
        b = a
    return cut, pairs, mistakes


@compiled(cache=True)
def cuts_in_turn(inside, place, first):
    """Return all cuts, each where the pairs that it separates anew are least in doubt.

    Parameters
    ----------
    inside, place : ndarray
        As in `best_cuts`.
    first : ndarray of bool
        Cuts that are made before all others.

    Returns
    -------
    ndarray, ndarray, ndarray
        The cuts; pairs that are separated by no cut, the first, the first two, ...; and how often
        these are in the wrong order.
    """
    blocks = len(place) - 1
    cuts = np.zeros(blocks - 1, dtype=np.int64)
    pairs, mistakes = np.zeros(blocks, dtype=np.int64), np.zeros(blocks, dtype=np.int64)
    cut = np.zeros(blocks + 1, dtype=np.bool_)
    cut[0] = cut[blocks] = True
    waiting = np.count_nonzero(first)
    for k in range(blocks - 1):
        doubt, new_pairs, new_mistakes = np.inf, np.int64(0), np.int64(0)
        a = b = 0
        for t in range(1, blocks):
            if t >= b:  # the tier that may be cut at t
                a, b = b, b + 1
                while not cut[b]:
                    b += 1
            if cut[t] or (k < waiting and not first[t]):
                continue
            more = (place[t] - place[a]) * (place[b] - place[t])
            wrong = inside[a, b] - inside[a, t] - inside[t, b]
            share = wrong / more
            if share < doubt or (share == doubt and more > new_pairs):
                doubt, new_pairs, new_mistakes, cuts[k] = share, more, wrong, t
        cut[cuts[k]] = True
        pairs[k + 1] = pairs[k] + new_pairs
        mistakes[k + 1] = mistakes[k] + new_mistakes
    return cuts, pairs, mistakes
