"""All ways to cut an order of items, for comparisons with brute force."""

from fractions import Fraction
from itertools import combinations

import numpy as np

__all__ = ["all_cuts", "efficient", "in_turn", "mistakes_of", "separated"]


def mistakes_of(x):
    """Return in how many draws each item (of items by draws) is not above each later one."""
    return np.triu((x[:, None] <= x[None]).sum(axis=2), 1)


def all_cuts(n):
    """Return all sets of cuts between n items."""
    return [cuts for size in range(n) for cuts in combinations(range(1, n), size)]


def separated(wrong, cuts):
    """Return how many pairs cuts separate, and how often these are in the wrong order."""
    tier = np.searchsorted(cuts, np.arange(len(wrong)), side="right")
    across = tier[:, None] < tier
    return int(across.sum()), int(wrong[across].sum())


def efficient(wrong, allowed):
    """Return the efficient cuts that separate most pairs within a rate, and equally good ones.

    Cuts are efficient if no mixture of two others separates as many pairs with fewer mistakes:
    they are at the lower hull of all points of pairs and mistakes. Of those within the rate, the
    last corner of the hull, or one further along the edge that starts there.
    """
    points = {cuts: separated(wrong, cuts) for cuts in all_cuts(len(wrong))}
    fewest = {}
    for pairs, mistakes in points.values():
        fewest[pairs] = min(mistakes, fewest.get(pairs, mistakes))
    corners = []
    for point in sorted(fewest.items()):
        while len(corners) > 1 and _slope(*corners[-2:]) >= _slope(corners[-1], point):
            corners.pop()
        corners.append(point)
    last = [c for c in corners if c[1] <= allowed * c[0]][-1]
    further = corners[corners.index(last) + 1 :]
    good = {last} | {
        point
        for point in fewest.items()
        if further and last[0] < point[0] and point[1] <= allowed * point[0]
        and _slope(last, point) == _slope(last, further[0])
    }  # fmt: skip
    return [cuts for cuts, point in points.items() if point in good]


def _slope(one, other):
    return Fraction(other[1] - one[1], other[0] - one[0])


def in_turn(wrong, first):
    """Return no cuts, one, two, ..., each new one where what it separates is least in doubt.

    The first ones come before the others. Of equal doubt the one comes that separates most pairs,
    and then the first.
    """
    path = [()]
    for among in (first, range(1, len(wrong))):
        while waiting := set(among) - set(path[-1]):
            pairs, mistakes = separated(wrong, path[-1])
            added = {}
            for cut in waiting:
                more = separated(wrong, sorted({*path[-1], cut}))
                new = more[0] - pairs, more[1] - mistakes
                added[Fraction(new[1], new[0]), -new[0], cut] = cut
            path.append(tuple(sorted({*path[-1], added[min(added)]})))
    return path
