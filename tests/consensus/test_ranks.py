"""Statements about ranks against brute force."""

import numpy as np
import pytest

from bayesrank import consensus

SHIFT = np.array([0.0, 0.2, 1.0, -0.5, 0.9])
SCORES = SHIFT + np.random.default_rng(0).normal(size=(300, 5))


def test_ranks_by_counting():
    ranks = consensus.rank_draws(SCORES)
    brute = [[1 + sum(other > own for other in draw) for own in draw] for draw in SCORES]
    assert np.array_equal(ranks, brute)
    assert np.array_equal(consensus.rank_draws(SCORES + 3.0), ranks)


def test_rank_probabilities_by_counting():
    ranks = consensus.rank_draws(SCORES)
    brute = [[np.mean(ranks[:, i] == r) for r in range(1, 6)] for i in range(5)]
    np.testing.assert_allclose(consensus.rank_probabilities(SCORES), brute)


def test_probability_above_by_counting():
    p = consensus.probability_above(SCORES)
    brute = [[np.mean(SCORES[:, i] > SCORES[:, j]) for j in range(5)] for i in range(5)]
    np.testing.assert_allclose(p, brute)


def test_interval_covers_what_it_says():
    low, high = consensus.interval(SCORES, 0.8)
    inside = np.mean((SCORES >= low) & (SCORES <= high), axis=0)
    np.testing.assert_allclose(inside, 0.8, atol=0.01)


@pytest.mark.parametrize("prob", [0.6, 0.8, 0.95])
def test_tiers_follow_their_rule(prob):
    tier = consensus.tiers(SCORES, prob)
    above = consensus.probability_above(SCORES)
    order = np.argsort(-SCORES.mean(axis=0))
    assert np.all(np.diff(tier[order]) >= 0) and tier[order[0]] == 1
    for number in range(1, tier.max() + 1):
        members = [item for item in order if tier[item] == number]
        assert all(above[members[0], item] < prob for item in members[1:])
        if number > 1:
            leader = next(item for item in order if tier[item] == number - 1)
            assert above[leader, members[0]] >= prob


def test_equal_scores_share_their_ranks():
    """Twins in every draw, as features without item effects make them."""
    scores = SCORES[:, [0, 0, 2]]
    p = consensus.rank_probabilities(scores)
    np.testing.assert_allclose(p[0], p[1], atol=0.15)
    np.testing.assert_allclose(p.sum(axis=0), 1.0)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_allclose(p[2, 0], consensus.rank_probabilities(SCORES[:, [0, 2]])[1, 0])


def test_tiers_of_clear_and_of_hopeless_data():
    clear = SCORES * 0.01 + np.arange(5)
    assert consensus.tiers(clear).tolist() == [5, 4, 3, 2, 1]
    assert consensus.tiers(SCORES, prob=1.1).tolist() == [1] * 5
