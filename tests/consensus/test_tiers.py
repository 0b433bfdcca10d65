"""Tiers against a search over all cuts."""

from itertools import pairwise

import numpy as np
import pytest

from bayesrank import consensus
from tests.consensus.posteriors import KINDS, POSTERIORS, posterior
from tests.kernels.segmentations import all_cuts, efficient, in_turn, mistakes_of, separated

PROBS = (0.01, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.96, 0.99, 0.9999)


def best_first(scores):
    """Return draws with the items in order of their means, as floating-point numbers have it."""
    return scores[:, np.argsort(-scores.mean(axis=0), kind="stable")]


def cuts_of(scores, prob, rule="expected"):
    """Return after how many items the order is cut."""
    tier = best_first_of(scores, consensus.tiers(scores, prob, rule))
    return [k for k in range(1, len(tier)) if tier[k] > tier[k - 1]]


def best_first_of(scores, values):
    return values[np.argsort(-scores.mean(axis=0), kind="stable")]


def keeps_its_promise(scores, tier, prob):
    """Return whether few enough of the separated pairs are expected in the wrong order."""
    across = tier[:, None] < tier
    wrong = (scores[:, :, None] <= scores[:, None, :]).sum(axis=0)
    # Shares are counted in whole draws: 0.05 of 20 draws is one of them.
    return wrong[across].sum() <= (1 - prob) * len(scores) * across.sum() * (1 + 1e-9)


def brute_certain(scores, prob):
    """Return the tiers that all possible cuts of the order of means make, each pair certain."""
    draws, n = scores.shape
    order = sorted(range(n), key=lambda k: -scores[:, k].mean())
    # Shares are counted in whole draws: 0.95 of 20 draws is 19 of them.
    needed = int(np.ceil(prob * draws - 1e-9))
    above = (scores[:, :, None] > scores[:, None, :]).sum(axis=0)
    cuts = [cut for cut in range(1, n) if above[np.ix_(order[:cut], order[cut:])].min() >= needed]
    tier = np.empty(n, dtype=int)
    tier[order] = [1 + sum(cut <= place for cut in cuts) for place in range(n)]
    return tier


def brute_expected(scores, prob):
    """Return the cuts that the definition allows, all of them where several are equally good."""
    draws, n = scores.shape
    wrong = mistakes_of(best_first(scores).T)
    certain = {k for k in range(1, n) if wrong[:k, k:].max() <= (1 - prob) * draws + 1e-9}
    found = []
    for first in efficient(wrong, 0.05 * draws * (1 + 1e-9)):
        path = in_turn(wrong, first)
        kept = [cuts for cuts in path if _keeps(wrong, cuts, (1 - prob) * draws)]
        found.append(sorted(certain | set(kept[-1])))
    return found


def _keeps(wrong, cuts, allowed):
    pairs, mistakes = separated(wrong, cuts)
    return mistakes <= allowed * pairs * (1 + 1e-9)


@pytest.mark.parametrize("prob", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize(("kind", "seed"), POSTERIORS)
def test_tiers_are_what_their_definition_says(kind, seed, prob):
    scores = posterior(kind, seed)
    assert cuts_of(scores, prob) in brute_expected(scores, prob)


@pytest.mark.parametrize("items", [2, 7, 10])
@pytest.mark.parametrize("kind", ["independent", "correlated", "skewed", "heavy tails", "cycles"])
def test_tiers_of_up_to_ten_items_against_all_segmentations(kind, items):
    """The rate is kept, and at 0.95 no tiers tell as many pairs apart with fewer mistakes."""
    for seed, spread in enumerate((0.3, 1.0, 2.0)):
        scores = posterior(kind, seed, draws=60, n=items, spread=spread)
        wrong = mistakes_of(best_first(scores).T)
        for prob in PROBS:
            cuts = cuts_of(scores, prob)
            assert keeps_its_promise(scores, consensus.tiers(scores, prob), prob)
            assert cuts in brute_expected(scores, prob)
        pairs, _ = separated(wrong, cuts_of(scores, 0.95))
        reached = [separated(wrong, cuts) for cuts in efficient(wrong, 0.05 * 60)]
        points = [separated(wrong, cuts) for cuts in all_cuts(items)]
        assert pairs >= min(reached)[0]
        for most, fewest in reached:
            assert not any(p >= most and m < fewest for p, m in points)


@pytest.mark.parametrize("kind", KINDS)
def test_a_lower_probability_only_adds_cuts(kind):
    for seed, spread in enumerate((0.3, 1.0, 3.0)):
        scores = posterior(kind, seed, draws=50, n=12, spread=spread)
        for rule in ("expected", "certain"):
            found = [set(cuts_of(scores, prob, rule)) for prob in PROBS]
            assert all(more >= fewer for more, fewer in pairwise(found))


@pytest.mark.parametrize("prob", [0.5, 0.95, 0.9999])
@pytest.mark.parametrize("kind", KINDS)
def test_the_promise_of_many_items(kind, prob):
    for seed, gap in enumerate((0.02, 0.1, 1.0)):
        rng = np.random.default_rng(seed)
        steps = gap * rng.permutation(60)
        scores = KINDS[kind](rng, 100, 60) + (np.round(steps) if kind == "ties" else steps)
        tier = consensus.tiers(scores, prob)
        assert keeps_its_promise(scores, tier, prob)
        assert set(cuts_of(scores, prob, "certain")) <= set(cuts_of(scores, prob))


def test_coin_flips_are_not_cut_because_other_pairs_are_certain():
    """Three equal items, far above thirty others: each could have a tier of its own."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(2000, 33)) + np.repeat([60.0, 0.0], [3, 30])
    assert np.bincount(consensus.tiers(scores))[1:].tolist() == [3, 30]
    singles = np.minimum(1 + np.argsort(np.argsort(-scores.mean(axis=0))), 4)
    assert keeps_its_promise(scores, singles, 0.95)


def test_all_items_are_one_tier_where_nothing_is_known():
    assert consensus.tiers(np.zeros((40, 6)), 0.5).tolist() == [1] * 6
    equal = np.repeat(np.random.default_rng(2).normal(size=(40, 1)), 6, axis=1)
    assert consensus.tiers(equal, 0.01).tolist() == [1] * 6


def test_there_may_be_more_items_than_blocks_to_cut_between(monkeypatch):
    """Then some share a block, and a part of the draws is counted."""
    from bayesrank.consensus.tiers import tiers

    scores = 0.3 * np.arange(90.0) + np.random.default_rng(3).normal(size=(400, 90))
    exact = cuts_of(scores, 0.95)
    monkeypatch.setitem(tiers.__globals__, "_BLOCKS", 30)
    coarse = cuts_of(scores, 0.95)
    assert coarse != exact and set(coarse) <= set(range(3, 90, 3))
    assert keeps_its_promise(scores, consensus.tiers(scores), 0.95)
    # Half of the draws: the rate is that of these.
    monkeypatch.setitem(tiers.__globals__, "_COMPARISONS", 0.5 * 90 * 90 * 200)
    few = cuts_of(scores, 0.95)
    assert keeps_its_promise(scores[::2], consensus.tiers(scores), 0.95)
    assert few != exact


@pytest.mark.parametrize("prob", [0.3, 0.5, 0.8, 0.95])
@pytest.mark.parametrize(("kind", "seed"), POSTERIORS)
def test_certain_tiers_by_brute_force(kind, seed, prob):
    scores = posterior(kind, seed)
    np.testing.assert_array_equal(
        consensus.tiers(scores, prob, "certain"), brute_certain(scores, prob)
    )


@pytest.mark.parametrize("prob", [0.6, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("kind", KINDS)
def test_certain_tiers_of_many_items_by_brute_force(kind, prob):
    for seed, gap in enumerate((0.1, 1.0, 4.0)):
        rng = np.random.default_rng(seed)
        steps = gap * rng.permutation(40)
        scores = KINDS[kind](rng, 100, 40) + (np.round(steps) if kind == "ties" else steps)
        for draws in (scores, scores + 50 * rng.normal(size=(100, 1))):
            np.testing.assert_array_equal(
                consensus.tiers(draws, prob, "certain"), brute_certain(draws, prob)
            )


@pytest.mark.parametrize("rule", ["expected", "certain"])
@pytest.mark.parametrize("n", [300, 600])
def test_clear_gaps_are_cut_wherever_they_are(n, rule):
    """Also where there are more cuts than are looked at together."""
    rng = np.random.default_rng(n)
    place = rng.permutation(n)
    singles = 30.0 * place + rng.normal(size=(200, n))
    np.testing.assert_array_equal(consensus.tiers(singles, rule=rule), n - place)
    # Blocks of ever two items that cannot be told apart, far from the next block.
    scores = 30.0 * (place // 2) + rng.normal(size=(200, n))
    certain = n // 2 - place // 2
    if rule == "certain":
        np.testing.assert_array_equal(consensus.tiers(scores, rule=rule), certain)
    # Coin flips between them are few among all pairs: of 44,850 pairs 75 are expected to be wrong.
    assert consensus.tiers(scores).max() == n


def test_a_pair_far_apart_in_the_order_forbids_a_certain_cut():
    """Neighbours are certain, but the first item is now and then below the last one."""
    draws = np.tile([40.0, 30.0, 20.0, 10.0], (100, 1))
    draws[:20, 0] = 15.0
    assert consensus.tiers(draws, 0.9, "certain").tolist() == [1, 1, 1, 2]
    assert consensus.tiers(draws, 0.8, "certain").tolist() == [1, 2, 3, 4]
    # Two of the six pairs are wrong in a fifth of the draws, which is a rate of 1 in 15.
    assert consensus.tiers(draws, 0.93).tolist() == [1, 2, 3, 4]
    assert consensus.tiers(draws, 0.94).tolist() == [1, 1, 2, 3]
    assert consensus.tiers(draws, 0.97).tolist() == [1, 1, 1, 2]


@pytest.mark.parametrize("rule", ["expected", "certain"])
def test_shares_that_are_just_enough(rule):
    scores = np.tile([1.0, 0.0], (20, 1))
    scores[0] = 0.0
    assert consensus.tiers(scores, 0.95, rule).tolist() == [1, 2]
    scores[1] = 0.0
    assert consensus.tiers(scores, 0.95, rule).tolist() == [1, 1]


@pytest.mark.parametrize("rule", ["expected", "certain"])
def test_order_of_columns_scale_and_constant_do_not_matter(rule):
    scores = posterior("correlated", 2, draws=100, n=6, spread=6.0)
    turn = np.array([4, 2, 0, 5, 1, 3])
    tier = consensus.tiers(scores, rule=rule)
    assert tier.max() > 1
    for scale in (1e-8, 1e8):
        np.testing.assert_array_equal(
            consensus.tiers(scale * scores[:, turn] + scale, rule=rule), tier[turn]
        )


@pytest.mark.parametrize("rule", ["strict", "Expected", None, True, 0.95, ["expected"]])
def test_rules_that_are_none_are_refused(rule):
    with pytest.raises(ValueError, match='`rule` must be "expected" or "certain", got'):
        consensus.tiers(np.eye(3), 0.95, rule)


def test_the_promise_in_words():
    assert "of the pairs they separate, at most 5% are" in consensus.tiers_promise(0.95)
    assert ", at most 0.01% are" in consensus.tiers_promise(0.9999)
    assert consensus.tiers_promise(0.9, "certain").endswith("is at least 90% certain")
