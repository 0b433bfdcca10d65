"""Intervals of ranks and confidence sets: the rule by brute force, and the level by counting."""

import numpy as np
import pytest

from bayesrank import consensus
from bayesrank.consensus.intervals import credible_set
from bayesrank.kernels.contrasts import strays
from tests.consensus.posteriors import KINDS, POSTERIORS, posterior

LEVELS = [0.5, 0.8, 0.95]


def at_least(share, prob):
    """Return whether a share of draws reaches a probability, which may round."""
    return share >= prob - 1e-12


def inside_at_once(ranks, low, high):
    return np.mean([np.all((low <= rank) & (rank <= high)) for rank in ranks])


@pytest.mark.parametrize("prob", [0.5, 0.8])
def test_interval_covers_what_it_says(prob):
    scores = posterior("skewed", 0, draws=300, n=5)
    low, high = consensus.interval(scores, prob)
    inside = np.mean((scores >= low) & (scores <= high), axis=0)
    np.testing.assert_allclose(inside, prob, atol=0.01)


@pytest.mark.parametrize("prob", LEVELS)
@pytest.mark.parametrize(("kind", "seed"), POSTERIORS)
def test_levels_by_counting(kind, seed, prob):
    scores = posterior(kind, seed)
    ranks = consensus.rank_draws(scores)
    for simultaneous in (True, "posterior"):
        low, high = consensus.rank_intervals(scores, prob, simultaneous=simultaneous)
        assert at_least(inside_at_once(ranks, low, high), prob), simultaneous
        assert np.all((low >= 1) & (low <= high) & (high <= ranks.shape[1]))
    low, high = consensus.rank_intervals(scores, prob, simultaneous=False)
    each = np.mean((ranks >= low) & (ranks <= high), axis=0)
    assert np.all(at_least(each, prob))
    for k in range(1, ranks.shape[1] + 1):
        chosen = consensus.confidence_set(scores, k, prob)
        assert at_least(np.mean([chosen[rank <= k].all() for rank in ranks]), prob), k
        assert chosen.sum() >= k


def brute_critical(scores, prob):
    """Return the leads of all pairs in deviations, and what all strays keep within."""
    draws, n = scores.shape
    lead, largest = np.zeros((n, n)), np.zeros(draws)
    for i in range(n):
        for j in range(n):
            if i != j:
                difference = scores[:, i] - scores[:, j]
                deviation = difference.std(ddof=1)
                lead[i, j] = difference.mean() / deviation
                largest = np.maximum(largest, (difference - difference.mean()) / deviation)
    enough = [value for value in sorted(largest) if at_least(np.mean(largest <= value), prob)]
    return lead, enough[0]


@pytest.mark.parametrize("prob", LEVELS)
@pytest.mark.parametrize("kind", ["independent", "correlated", "skewed", "heavy tails", "cycles"])
def test_simultaneous_rule_by_brute_force(kind, prob):
    for seed in range(10):
        scores = posterior(kind, seed, n=4, spread=3.0, draws=[3, 40][seed % 2])
        lead, critical = brute_critical(scores, prob)
        above = lead > critical
        low, high = consensus.rank_intervals(scores, prob)
        assert np.array_equal(low, 1 + above.sum(axis=0))
        assert np.array_equal(high, 4 - above.sum(axis=1))


def smallest_reached(values, prob):
    return min(value for value in values if at_least(np.mean(values <= value), prob))


@pytest.mark.parametrize("prob", [0.6, 0.95])
@pytest.mark.parametrize("kind", ["independent", "correlated", "skewed", "heavy tails", "cycles"])
def test_confidence_set_by_brute_force(kind, prob):
    for seed in range(6):
        scores = posterior(kind, seed, n=5, spread=3.0, draws=[10, 40][seed % 2])
        lead, common = brute_critical(scores, prob)
        for k in (1, 2, 4):
            own = []
            for i in range(5):
                difference = scores[:, [i]] - np.delete(scores, i, axis=1)
                stray = (difference - difference.mean(axis=0)) / difference.std(axis=0, ddof=1)
                own.append(smallest_reached(np.maximum(stray.max(axis=1), 0), 1 - (1 - prob) / k))
            critical = [common] * 5 if common < np.mean(own) else own
            beaten = np.array([np.sum(lead[:, i] > critical[i]) for i in range(5)])
            expected = (beaten < k) | brute_credible_set(scores, k, prob)
            np.testing.assert_array_equal(consensus.confidence_set(scores, k, prob), expected)


def brute_credible_set(scores, k, prob):
    """Return the likeliest items, equals together, until enough draws have all in the set."""
    first = [set(np.flatnonzero(rank <= k)) for rank in consensus.rank_draws(scores)]
    p = [sum(item in some for some in first) for item in range(scores.shape[1])]
    chosen = set()
    for times in sorted(set(p), reverse=True):
        if at_least(np.mean([some <= chosen for some in first]), prob):
            break
        chosen.update(item for item in range(len(p)) if p[item] == times)
    return np.isin(np.arange(len(p)), list(chosen))


@pytest.mark.parametrize("prob", LEVELS)
@pytest.mark.parametrize(("kind", "seed"), POSTERIORS)
def test_credible_set_by_brute_force(kind, seed, prob):
    scores = posterior(kind, seed)
    for k in range(1, scores.shape[1] + 1):
        expected = brute_credible_set(scores, k, prob)
        np.testing.assert_array_equal(credible_set(scores, k, prob), expected)


def test_strays_by_brute_force():
    rng = np.random.default_rng(0)
    # More draws than a block of the kernel, and not a multiple of one.
    x, weight = rng.normal(size=(5, 700)), rng.exponential(size=(5, 5))
    weight += weight.T
    leads = (x[:, None] - x[None]) * weight[:, :, None]
    np.testing.assert_allclose(strays(x, weight), leads.max(axis=1), rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_higher_level_is_wider(kind):
    for seed in range(5):
        scores = posterior(kind, seed, draws=40, n=5)
        rank = consensus.rank_draws(scores.mean(axis=0)[None])[0]
        for simultaneous in (True, "posterior", False):
            before = None
            for prob in (0.3, 0.6, 0.8, 0.9, 0.95, 0.99):
                low, high = consensus.rank_intervals(scores, prob, simultaneous=simultaneous)
                if before is not None:
                    assert np.all(low <= before[0]) and np.all(high >= before[1])
                if simultaneous is True:
                    # The order of the means never contradicts what is certain.
                    assert np.all((low <= rank) & (rank <= high))
                before = low, high


def test_what_every_draw_agrees_on_is_certain():
    scores = np.tile([0.3, 2.0, 0.1], (20, 1))
    for simultaneous in (True, "posterior", False):
        low, high = consensus.rank_intervals(scores, 0.99, simultaneous=simultaneous)
        assert low.tolist() == high.tolist() == [2, 1, 3]
    assert consensus.confidence_set(scores, 1).tolist() == [False, True, False]
    assert consensus.confidence_set(scores, 2).tolist() == [True, True, False]


def test_items_a_constant_apart_are_told_apart():
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, 200))
    low, high = consensus.rank_intervals(np.stack([one, one + 0.5, other], axis=1))
    assert low.tolist() == [2, 1, 1]
    assert high.tolist() == [3, 2, 3]


def test_ties_in_draws_are_not_certain():
    """The tie strays exactly as far as the means lead: rounding must not decide."""
    scores = np.array([[4.0, 4.0], [2.0, 0.0], [4.0, 1.0]])
    low, high = consensus.rank_intervals(scores, 0.9)
    assert low.tolist() == [1, 1]
    assert high.tolist() == [2, 2]


@pytest.mark.parametrize("size", [1e3, 1e6, 1e8])
def test_shift_of_a_draw_does_not_matter(size):
    """Scores 1e-1 apart keep at least seven digits beside the largest shift."""
    rng = np.random.default_rng(1)
    scores = rng.normal([0.0, 0.3, 4.0, 4.2, 9.0, 20.0], 1.0, size=(500, 6))
    moved = scores + size * rng.normal(size=(500, 1))
    for prob in LEVELS:
        np.testing.assert_array_equal(
            consensus.rank_intervals(moved, prob), consensus.rank_intervals(scores, prob)
        )
        for k in (1, 3):
            np.testing.assert_array_equal(
                consensus.confidence_set(moved, k, prob), consensus.confidence_set(scores, k, prob)
            )


def test_order_of_columns_and_scale_do_not_matter():
    scores = posterior("correlated", 3, draws=200, n=6, spread=3.0)
    turn = np.array([3, 0, 4, 1, 2, 5])
    low, high = consensus.rank_intervals(scores)
    chosen = consensus.confidence_set(scores, 2)
    for scale in (1e-8, 1e8):
        moved = scale * scores[:, turn]
        np.testing.assert_array_equal(consensus.rank_intervals(moved), (low[turn], high[turn]))
        assert np.array_equal(consensus.confidence_set(moved, 2), chosen[turn])


def test_posterior_intervals_are_within_a_step_of_the_level():
    """One more step of the common depth loses it: the rule by brute force over all depths."""
    for kind in ("independent", "correlated", "heavy tails", "cycles"):
        scores = posterior(kind, 0, draws=60, n=4, spread=0.5)
        ranks = consensus.rank_draws(scores)
        low, high = consensus.rank_intervals(scores, 0.8, simultaneous="posterior")
        alone = consensus.rank_intervals(scores, 0.8, simultaneous=False)
        found = []
        for depth in range(1, 61):
            sides = [
                [r for r in range(1, 5) if min(sum(own <= r), sum(own >= r)) >= depth]
                for own in ranks.T
            ]
            if all(sides):
                ends = np.array([[side[0], side[-1]] for side in sides]).T
                found += [ends] if inside_at_once(ranks, *ends) >= 0.8 else []
        # Intervals that hold alone are inside.
        assert np.array_equal(low, np.minimum(found[-1][0], alone[0]))
        assert np.array_equal(high, np.maximum(found[-1][1], alone[1]))


def test_confidence_set_of_all_is_all():
    scores = posterior("independent", 1, draws=100, n=5, spread=3.0)
    assert consensus.confidence_set(scores, np.int64(5)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_that_promise_more_are_never_shorter(kind):
    scores = posterior(kind, 3, draws=60, n=6)
    for prob in (0.5, 0.8, 0.95):
        low, high = consensus.rank_intervals(scores, prob, simultaneous=False)
        for simultaneous in ("posterior", True):
            wider = consensus.rank_intervals(scores, prob, simultaneous=simultaneous)
            assert np.all(wider[0] <= low) and np.all(wider[1] >= high)
            low, high = wider
