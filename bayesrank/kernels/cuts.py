"""Where to cut an order of items: pairs in the wrong order, tiers that pay, cuts one by one.

The order is a row of blocks, of one item each unless there are very many. ``inside[a, b]`` is how
often, over all draws, a pair of items of the blocks a to b - 1 is in the wrong order; it is
symmetric. Tiers are made by cuts between blocks. Those that they separate are all pairs but the
ones inside a tier.
"""

import numpy as np

from bayesrank.kernels.compiled import compiled

__all__ = ["cuts_in_turn", "efficient_cuts", "mistakes_inside"]


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
def _best_cuts(inside, place, mistake, pair, cut):
    """Mark the cuts that are best if a mistake costs this and a pair told apart is worth that.

    A dynamic program over the blocks: most that may be saved inside the tiers up to each.
    """
    blocks = len(place) - 1
    most = np.zeros(blocks + 1)
    before = np.zeros(blocks + 1, dtype=np.int64)
    for b in range(1, blocks + 1):
        best = -np.inf
        for a in range(b):
            items = place[b] - place[a]
            saved = most[a] + mistake * inside[b, a] - pair * (items * (items - 1) // 2)
            if saved > best:
                best, before[b] = saved, a
        most[b] = best
    cut[:] = False
    b = blocks
    while b > 0:
        b = before[b]
        cut[b] = b > 0


@compiled(cache=True)
def _separated(inside, place, cut):
    """Return the pairs that cuts separate, and how often these are in the wrong order."""
    blocks = len(place) - 1
    items = place[blocks]
    pairs, mistakes = items * (items - 1) // 2, inside[0, blocks]
    a = 0
    for b in range(1, blocks + 1):
        if b == blocks or cut[b]:
            items = place[b] - place[a]
            pairs -= items * (items - 1) // 2
            mistakes -= inside[a, b]
            a = b
    return pairs, mistakes


@compiled(cache=True)
def efficient_cuts(inside, place, allowed):
    """Return the cuts that separate most pairs with at most a share of mistakes, of efficient ones.

    Cuts are efficient if they are best for some price of a mistake: then none that separate as
    many pairs make fewer mistakes. The price is found between one that allows no cut and one
    that allows all, each time where the two are equally good.

    Parameters
    ----------
    inside : ndarray
        See `mistakes_inside`.
    place : ndarray
        Items before each block, and all of them.
    allowed : float
        Mistakes for each pair that is separated, over all draws.
    """
    blocks = len(place) - 1
    cut, found = np.zeros(blocks, dtype=np.bool_), np.ones(blocks, dtype=np.bool_)
    found[0] = False
    low_pairs, low_mistakes = np.int64(0), np.int64(0)
    high_pairs, high_mistakes = _separated(inside, place, found)
    if high_mistakes <= allowed * high_pairs:
        return found
    while True:
        mistake, pair = high_pairs - low_pairs, high_mistakes - low_mistakes
        _best_cuts(inside, place, float(mistake), float(pair), found)
        pairs, mistakes = _separated(inside, place, found)
        if not low_pairs < pairs < high_pairs:
            return cut
        # No better than the two it is between: the price at which they are equal is found.
        gain = float(pair) * (pairs - low_pairs) - float(mistake) * (mistakes - low_mistakes)
        if mistakes <= allowed * pairs:
            cut[:] = found
            low_pairs, low_mistakes = pairs, mistakes
        else:
            high_pairs, high_mistakes = pairs, mistakes
        if gain <= 0.0:
            return cut


@compiled(cache=True)
def cuts_in_turn(inside, place, first):
    """Return all cuts, each where the pairs that it separates anew are least in doubt.

    Parameters
    ----------
    inside, place : ndarray
        As in `efficient_cuts`.
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
