"""Tiers against a search over all cuts."""

import numpy as np
import pytest

from bayesrank import consensus
from tests.consensus.posteriors import KINDS, POSTERIORS, posterior


def brute(scores, prob):
    """Return the tiers that all possible cuts of the order of means make."""
    draws, n = scores.shape
    order = sorted(range(n), key=lambda k: -scores[:, k].mean())
    # Shares are counted in whole draws: 0.95 of 20 draws is 19 of them.
    needed = int(np.ceil(prob * draws - 1e-9))
    above = (scores[:, :, None] > scores[:, None, :]).sum(axis=0)
    cuts = [cut for cut in range(1, n) if above[np.ix_(order[:cut], order[cut:])].min() >= needed]
    tier = np.empty(n, dtype=int)
    tier[order] = [1 + sum(cut <= place for cut in cuts) for place in range(n)]
    return tier


@pytest.mark.parametrize("prob", [0.3, 0.5, 0.8, 0.95])
@pytest.mark.parametrize(("kind", "seed"), POSTERIORS)
def test_tiers_by_brute_force(kind, seed, prob):
    scores = posterior(kind, seed)
    np.testing.assert_array_equal(consensus.tiers(scores, prob), brute(scores, prob))


@pytest.mark.parametrize("prob", [0.6, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("kind", KINDS)
def test_tiers_of_many_items_by_brute_force(kind, prob):
    for seed, gap in enumerate((0.1, 1.0, 4.0)):
        rng = np.random.default_rng(seed)
        steps = gap * rng.permutation(40)
        scores = KINDS[kind](rng, 100, 40) + (np.round(steps) if kind == "ties" else steps)
        expected = brute(scores, prob)
        np.testing.assert_array_equal(consensus.tiers(scores, prob), expected)
        shifted = scores + 50 * rng.normal(size=(100, 1))
        np.testing.assert_array_equal(consensus.tiers(shifted, prob), brute(shifted, prob))


@pytest.mark.parametrize("n", [300, 600])
def test_clear_gaps_are_cut_wherever_they_are(n):
    """Also where there are more cuts than are looked at together."""
    rng = np.random.default_rng(n)
    place = rng.permutation(n)
    # Blocks of ever two items that cannot be told apart, far from the next block.
    scores = 30.0 * (place // 2) + rng.normal(size=(200, n))
    np.testing.assert_array_equal(consensus.tiers(scores), n // 2 - place // 2)
    singles = 30.0 * place + rng.normal(size=(200, n))
    np.testing.assert_array_equal(consensus.tiers(singles), n - place)


def test_a_pair_far_apart_in_the_order_forbids_the_cut():
    """Neighbours are certain, but the first item is now and then below the last one."""
    draws = np.tile([40.0, 30.0, 20.0, 10.0], (100, 1))
    draws[:20, 0] = 15.0
    assert consensus.tiers(draws, 0.9).tolist() == [1, 1, 1, 2]
    assert consensus.tiers(draws, 0.8).tolist() == [1, 2, 3, 4]


def test_shares_that_are_just_enough():
    scores = np.tile([1.0, 0.0], (20, 1))
    scores[0] = 0.0
    assert consensus.tiers(scores, 0.95).tolist() == [1, 2]
    scores[1] = 0.0
    assert consensus.tiers(scores, 0.95).tolist() == [1, 1]


def test_order_of_columns_scale_and_constant_do_not_matter():
    scores = posterior("correlated", 2, draws=100, n=6, spread=6.0)
    turn = np.array([4, 2, 0, 5, 1, 3])
    tier = consensus.tiers(scores)
    for scale in (1e-8, 1e8):
        np.testing.assert_array_equal(consensus.tiers(scale * scores[:, turn]), tier[turn])
