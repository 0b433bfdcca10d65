"""Cuts of an order against all that there are."""

import numpy as np
import pytest

from bayesrank.kernels.cuts import best_cuts, cuts_in_turn, mistakes_inside
from tests.kernels.segmentations import all_cuts, in_turn, mistakes_of, separated


def order_of(seed, items, draws=30, spread=1.0):
    """Return ranks of items by draws, equal ones among them, in order of their means."""
    rng = np.random.default_rng(seed)
    x = np.round(2.0 * rng.normal(size=(items, draws)) + spread * rng.normal(size=(items, 1)))
    return -x[np.argsort(-x.mean(axis=1), kind="stable")].astype(np.int16)


@pytest.mark.parametrize("size", [1, 2, 3, 20])
def test_mistakes_inside_every_run_of_blocks(size):
    ranks = order_of(1, 11)
    inside, wrong = mistakes_inside(ranks, size), mistakes_of(-ranks)
    edges = [*range(0, 11, size), 11]
    assert inside.shape == (len(edges), len(edges))
    for a, start in enumerate(edges):
        for b, end in enumerate(edges):
            low, high = sorted((start, end))
            assert inside[a, b] == wrong[low:high, low:high].sum()


@pytest.mark.parametrize("seed", range(6))
def test_best_cuts_by_brute_force(seed):
    items = 3 + seed
    ranks = order_of(seed, items, spread=3.0)
    inside, wrong, place = mistakes_inside(ranks, 1), mistakes_of(-ranks), np.arange(items + 1)
    points = {cuts: separated(wrong, cuts) for cuts in all_cuts(items)}
    for mistake, pair in (
        (1.0, 0.5),
        (1.0, 2.0),
        (3.0, 40.0),
        (1.0, 20.0),
        (0.0, 1.0),
        (0.0, -1.0),
    ):
        cut, *found = best_cuts(inside, place, mistake, pair)
        assert tuple(found) == points[tuple(np.flatnonzero(cut))]
        best = max(pair * pairs - mistake * mistakes for pairs, mistakes in points.values())
        assert pair * found[0] - mistake * found[1] == best


@pytest.mark.parametrize("seed", range(6))
def test_cuts_in_turn_by_brute_force(seed):
    items = 2 + seed
    ranks = order_of(seed, items)
    inside, wrong, place = mistakes_inside(ranks, 1), mistakes_of(-ranks), np.arange(items + 1)
    for chosen in all_cuts(items)[::3]:
        first = np.isin(np.arange(items), chosen)
        cuts, pairs, mistakes = cuts_in_turn(inside, place, first)
        path = in_turn(wrong, chosen)
        assert [tuple(sorted(cuts[:k])) for k in range(items)] == path
        expected = [separated(wrong, cuts) for cuts in path]
        assert list(zip(pairs, mistakes, strict=True)) == expected


def test_blocks_of_several_items():
    """As if the items of a block were one with many pairs."""
    ranks, size = order_of(4, 12, spread=3.0), 3
    inside, place = mistakes_inside(ranks, size), np.arange(0, 13, size)
    wrong = mistakes_of(-ranks)
    chosen, *best = best_cuts(inside, place, 1.0, 5.0)
    assert tuple(best) == separated(wrong, place[np.flatnonzero(chosen)])
    assert 0 < chosen.sum() < 3
    cuts, pairs, mistakes = cuts_in_turn(inside, place, chosen)
    for k in range(4):
        assert (pairs[k], mistakes[k]) == separated(wrong, sorted(place[cuts[:k]]))
