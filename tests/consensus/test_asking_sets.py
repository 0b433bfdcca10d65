"""What rankings of sets tell, against enumeration, and how sets are grown."""

import itertools

import numpy as np
import pytest

from bayesrank.consensus.asking import Goal, Told, entropy, information
from bayesrank.consensus.asking_sets import (
    grow,
    precision_of,
    set_information,
    share_of_pairs,
    sharpen,
    swaps,
)


def plackett_luce(scores, order):
    """Return the log-probabilities of an order in draws of scores."""
    ordered = scores[:, list(order)]
    stages = [
        ordered[:, k] - np.logaddexp.reduce(ordered[:, k:], axis=1) for k in range(len(order))
    ]
    return np.sum(stages, axis=0)


def some_scores(items, draws, seed=1):
    rng = np.random.default_rng(seed)
    return rng.normal(0.0, 0.6, items) + rng.normal(0.0, 0.6, (draws, items))


@pytest.mark.parametrize("name", ["scores", "best", "top"])
def test_drawn_rankings_against_all_rankings(name):
    """Rankings of three of four items; the mean of 400 of them is within four standard errors."""
    scores = some_scores(4, 1500)
    make = {"scores": Goal.of_scores, "best": Goal.best, "top": lambda s: Goal.top(s, 2)}
    goal = make[name](scores)
    orders = list(itertools.permutations(range(3)))
    logp = np.array([plackett_luce(scores, order) for order in orders])
    exact = information(np.exp(logp)[:, None], goal.events, goal.one)
    found = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        noisy = scores[rng.permutation(1500)[:400], :3] + rng.gumbel(size=(400, 3))
        drawn = [orders.index(tuple(order)) for order in np.argsort(-noisy, axis=1).tolist()]
        found.append(set_information(logp[drawn], goal.events, goal.one))
    mean, error = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(30)
    for k in range(2):
        assert abs(mean[k] - exact[k][0]) < 4.0 * error[k] + 0.01 * exact[k][0]
        assert np.std(found, axis=0)[k] < 0.1 * exact[k][0]


def test_rankings_that_every_draw_makes_as_likely_tell_nothing():
    events = np.arange(100)[:, None] < 40
    assert set_information(np.zeros((5, 100)), events) == pytest.approx((0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("size", [2, 3, 5])
def test_share_of_pairs_is_what_a_ranking_of_equals_tells(size):
    """By the Fisher information about the first score, from all rankings."""
    score, step = np.zeros((1, size)), 1e-5
    moved = np.eye(size)[0] * step
    total = 0.0
    for order in itertools.permutations(range(size)):
        up, down = (plackett_luce(score + sign * moved, order)[0] for sign in (1, -1))
        total += np.exp(plackett_luce(score, order)[0]) * ((up - down) / (2 * step)) ** 2
    # A pair of equals has 1/4, and the first item is in so many.
    assert total == pytest.approx(share_of_pairs(size) * 0.25 * (size - 1), rel=1e-6)


def test_precision_of_a_set_is_the_sum_of_its_pairs():
    sharp = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 4.0], [2.0, 4.0, 0.0]])
    expected = np.array([[3.0, -1.0, -2.0], [-1.0, 5.0, -4.0], [-2.0, -4.0, 6.0]])
    np.testing.assert_array_equal(precision_of(sharp, np.arange(3)), expected)
    several = precision_of(sharp, np.array([[0, 1, 2], [2, 1, 0]]))
    np.testing.assert_array_equal(several, [expected, expected[::-1, ::-1]])


def test_measurements_are_made_as_sharp_as_what_was_found():
    scores = some_scores(5, 1000)
    told, items = Told(scores), np.array([0, 2, 4])
    precision = precision_of(np.ones((5, 5)), items)
    for bits in (1e-4, 0.3, 2.0):
        factor = sharpen(told, precision, items, bits)
        assert told.worth_of(items, factor * precision) == pytest.approx(bits, rel=1e-6)


def test_a_set_grows_by_what_tells_most():
    """Of two groups that are known well inside, one from each is the best pair, then more."""
    rng = np.random.default_rng(1)
    scores = 0.1 * rng.normal(size=(2000, 6))
    scores[:, 3:] += rng.normal(size=(2000, 1))
    told, sharp = Told(scores), 0.2 * np.ones((6, 6))
    grown = grow(told, sharp, np.array([0, 3]), np.arange(6), 4)
    assert list(grown[:2]) == [0, 3] and len(set(grown)) == 4
    # By brute force: no other item in the last place tells more.
    last = [np.append(grown[:3], x) for x in range(6) if x not in grown[:3]]
    worth = [told.worth_of(items, precision_of(sharp, items)) for items in last]
    assert told.worth_of(grown, precision_of(sharp, grown)) == pytest.approx(max(worth))
    assert list(grow(told, sharp, np.array([1, 4]), np.array([1, 4, 5]), 3)) == [1, 4, 5]


def test_swaps_are_all_sets_with_another_item():
    found = {frozenset(row.tolist()) for row in swaps(np.array([0, 1]), np.arange(4))}
    expected = {frozenset(pair) for pair in itertools.combinations(range(4), 2)}
    assert found == expected - {frozenset([0, 1]), frozenset([2, 3])}
    assert swaps(np.array([0, 1]), np.arange(2)).shape == (0, 2)


def test_entropy_of_many_is_that_of_each():
    p = np.random.default_rng(1).dirichlet(np.ones(4), 3)
    assert entropy(p, axis=1)[1] == pytest.approx(-(p[1] * np.log2(p[1])).sum())
