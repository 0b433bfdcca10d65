"""Ballots: what agents said, by comparisons or rankings, and how much that counts for."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.inference.curvature import hessian
from bayesrank.model.specification import Specification
from tests.model.preference_data import SETTINGS, compared, ranked, rated, stars


@pytest.mark.parametrize("make", [rated, ranked], ids=["ratings", "ranks"])
@pytest.mark.parametrize("instances", SETTINGS["instances"])
def test_rankings_are_their_differences(make, instances):
    """Given as they are or as comparisons, where each agent has one ranking in an instance."""
    data = make(instances)
    pairs = data.to_comparisons("difference", by_agent=True, warn=False)
    rng = np.random.default_rng(5)
    for variances in (True, False):
        for weight in (1.0, "effective"):
            for adherence in ("learned", *["by-instance"] * (instances == "several"), 0.6):
                options = {"variances": variances, "weight": weight, "adherence": adherence}
                one = Specification(data, "mpm", scale=1.0, **options)
                other = Specification(pairs, "mpm", scale=1.0, **options)
                # Ballots are called by their ranking or their agent, but come in one order.
                ballots = one.observation.ballots, other.observation.ballots
                assert np.array_equal(ballots[0].agent, ballots[1].agent)
                x = rng.normal(size=one.size)
                value, gradient = one.objective(x)
                assert other.objective(x)[0] == pytest.approx(value, rel=1e-12)
                np.testing.assert_allclose(other.objective(x)[1], gradient, rtol=1e-9, atol=1e-10)


def test_weights_count_rankings():
    """A weight of three is the ranking three times."""
    lists, agents = [list("abc"), list("cab"), list("bca")], ["x", "y", "x"]
    one = br.Rankings.from_lists(lists, agents=agents, weights=[1, 3, 1])
    other = br.Rankings.from_lists([*lists, lists[1], lists[1]], agents=[*agents, "y", "y"])
    for variances in (True, False):
        specifications = [
            Specification(data, "mpm", scale=1.0, variances=variances) for data in (one, other)
        ]
        x = np.random.default_rng(7).normal(size=specifications[0].size)
        (value, gradient), (again, same) = (s.objective(x) for s in specifications)
        assert again == pytest.approx(value, rel=1e-12)
        np.testing.assert_allclose(same, gradient, rtol=1e-10, atol=1e-12)


def test_effective_weight_of_a_strict_ranking():
    for m in range(2, 12):
        data = br.Rankings.from_lists([list(range(m)), list(range(m))[::-1]])
        specification = Specification(data, "mpm")
        np.testing.assert_allclose(specification.observation.weight, 4.0 / m**2, rtol=1e-13)
        np.testing.assert_allclose(specification.observation.ballots.total, m * (m * m - 1) / 6)
        again = Specification(data, "mpm", weight=0.3)
        assert np.all(again.observation.weight == 0.3)
    assert Specification(compared("one"), "mpm").observation.weight.tolist() == [1.0] * 3


def every_ranking():
    return br.Rankings.from_lists([list(order) for order in permutations("abcd")])


def every_short_ranking():
    return br.Rankings.from_lists(
        [list(order) for order in permutations("abcd", 3)], unranked="not offered"
    )


def every_rating():
    rows = [
        (agent, item, star)
        for agent, stars in enumerate(product([0.1, 0.2, 0.5], repeat=4))
        for item, star in zip("abcd", stars, strict=True)
    ]
    return br.Rankings.from_ratings(pd.DataFrame(rows, columns=["agent", "item", "rating"]))


@pytest.mark.parametrize("make", [every_ranking, every_short_ranking, every_rating])
def test_random_rankings_carry_the_information_that_the_likelihood_claims(make):
    """Over all rankings, equally likely: squares of the score vector add up to the curvature.

    That is what the effective weight is for; without it they differ, whatever the unit.
    """
    data = make()
    options = {"variances": False, "adherence": 0.7, "scale": np.inf}
    for weight, holds in (("effective", True), (1.0, False)):
        everything = Specification(data, "mpm", weight=weight, **options)
        nothing = np.zeros(everything.size)
        claimed = -hessian(everything, nothing, jacobian=False)
        scores = []
        for row in np.flatnonzero(data.ranks.max(axis=1) > 1):
            alone = Specification(data.subset(rankings=[row]), "mpm", weight=weight, **options)
            scores.append(alone.objective(nothing)[1])
        squares = np.array(scores).T @ np.array(scores)
        size = np.abs(claimed).max()
        assert np.allclose(squares, claimed, rtol=0.0, atol=1e-6 * size) == holds


def test_a_ranking_that_is_one_tie_says_nothing_whatever_the_rating():
    """Sums of equal numbers that cancel only up to rounding included."""
    for star in (3.0, 0.1, 4.7, 1 / 3):
        for items in range(2, 12):
            rows = [("flat", k, star) for k in range(items)] + [("x", k, k) for k in range(items)]
            frame = pd.DataFrame(rows, columns=["agent", "item", "rating"])
            data = br.Rankings.from_ratings(frame)
            assert Specification(data, "mpm").observation.silent == ["flat"]


@pytest.fixture(scope="module")
def films():
    return br.Rankings.from_ratings(stars(), "user", "film", "stars")


def test_the_unit_of_ratings_does_not_matter():
    found = []
    for factor in (1.0, 100.0, 1e-4):
        frame = stars().assign(stars=lambda table, factor=factor: table["stars"] * factor)
        data = br.Rankings.from_ratings(frame, "user", "film", "stars")
        found.append(Specification(data, "mpm").observation.information)
    np.testing.assert_allclose(found, found[0], rtol=1e-12)


def test_a_ballot_counts_for_no_more_draws_than_it_has_pairs():
    # Preferences that cancel in every item leave no net wins to judge by.
    frame = pd.DataFrame(
        {"left": ["a", "b", "c"], "right": ["b", "c", "a"], "wins": 5, "losses": 0}
    )
    data = br.Comparisons.from_counts(frame)
    observation = Specification(data, "mpm", weight="effective").observation
    assert observation.information == pytest.approx(3.0)


def test_counts_that_forgot_their_rankings_are_told(films):
    counts = films.to_comparisons("difference", by_agent=True, warn=False)
    with pytest.warns(UserWarning, match="made from rankings, and do not tell from how many"):
        pooled = Specification(counts, "mpm").observation
    np.testing.assert_allclose(
        np.sort(pooled.weight), np.sort(Specification(films, "mpm").observation.weight)
    )
