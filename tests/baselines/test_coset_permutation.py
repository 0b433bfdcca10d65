"""The stagewise model of cosets against a sum over all permutations."""

from itertools import permutations

import numpy as np
import pytest

from bayesrank.baselines.borda import borda
from bayesrank.baselines.coset_permutation import (
    DISTANCES,
    _observed,
    coset_permutation,
    fit_coset_permutation,
)

PLAIN = {
    "kendall": lambda a, b: sum(
        (a[i] < a[j]) != (b[i] < b[j]) if b[i] != b[j] else 0.5
        for i in range(len(a))
        for j in range(i)
    ),
    "spearman": lambda a, b: sum((x - y) ** 2 for x, y in zip(a, b, strict=True)),
    "footrule": lambda a, b: sum(abs(x - y) for x, y in zip(a, b, strict=True)),
}


def mean_distance(first, ranks, distance):
    """Return the mean distance of all orders that begin with some documents."""
    n = len(ranks)
    rest = [k for k in range(n) if k not in first]
    values = []
    for tail in permutations(rest):
        own = np.empty(n)
        own[[*first, *tail]] = np.arange(1, n + 1)
        values.append(PLAIN[distance](own, ranks))
    return np.mean(values)


@pytest.mark.parametrize("distance", DISTANCES)
def test_costs_are_mean_distances_over_all_orders(distance):
    """Up to a constant of the stage; a list with a tie among them."""
    rng = np.random.default_rng(3)
    lists = [rng.permutation(6) + 1.0 for _ in range(2)] + [np.array([1.5, 4, 1.5, 6, 3, 5])]
    ranks = np.stack(lists, axis=1)
    found = _observed(ranks, 6, distance)
    for i in range(6):
        for column, own in enumerate(lists):
            slow = [mean_distance([*range(i), j], own, distance) for j in range(i, 6)]
            gap = found[i, i:, column] - slow
            np.testing.assert_allclose(gap - gap[0], 0.0, atol=1e-9)


@pytest.mark.parametrize("distance", DISTANCES)
def test_sequential_inference_takes_the_nearest_coset(distance):
    rng = np.random.default_rng(4)
    ranks = np.stack([rng.permutation(6) + 1.0 for _ in range(3)], axis=1)
    weights = np.array([0.5, 0.21, 0.33])
    first = []
    while len(first) < 6:
        rest = [k for k in range(6) if k not in first]
        costs = [
            sum(w * mean_distance([*first, j], own, distance)
                for w, own in zip(weights, ranks.T, strict=True))
            for j in rest
        ]  # fmt: skip
        first.append(rest[int(np.argmin(np.round(costs, 9)))])
    score = coset_permutation(ranks, weights=weights, distance=distance)
    assert np.argsort(-score).tolist() == first


@pytest.mark.parametrize("absent", ["below", "ignored"])
def test_spearman_s_distance_is_a_weighted_borda_count(absent):
    rng = np.random.default_rng(5)
    places = np.where(rng.random((12, 4)) < 0.3, np.nan, rng.random((12, 4)))
    theta = np.array([0.31, 1.07, 0.0, 0.53])
    points = sum(
        t * borda(own[:, None], absent=absent) for t, own in zip(theta, places.T, strict=True)
    )
    score = coset_permutation(places, weights=theta, distance="spearman", absent=absent)
    np.testing.assert_array_equal(np.argsort(-score), np.argsort(-points, kind="stable"))


def test_what_a_list_ignores_is_open():
    """The second list has two of four documents, and turns these two round."""
    nan = np.nan
    places = np.array([[1.0, nan], [2.0, 2.0], [3.0, 1.0], [4.0, nan]])
    for distance in DISTANCES:
        order = np.argsort(-coset_permutation(
            places, weights=[1.0, 5.0], distance=distance, absent="ignored"
        ))  # fmt: skip
        assert order.tolist().index(2) < order.tolist().index(1)
        alone = coset_permutation(places, weights=[1.0, 0.0], distance=distance, absent="ignored")
        assert np.argsort(-alone).tolist() == [0, 1, 2, 3]


def log_likelihood(theta, ranks, distance):
    """Return the log-probability of the order in which the documents are, over all cosets."""
    total, n = 0.0, len(ranks)
    for i in range(n - 1):
        costs = np.array([
            sum(t * mean_distance([*range(i), j], own, distance)
                for t, own in zip(theta, ranks.T, strict=True))
            for j in range(i, n)
        ])  # fmt: skip
        total -= costs[0] + np.log(np.exp(-costs).sum())
    return total


@pytest.mark.parametrize("distance", DISTANCES)
def test_weights_are_the_maximum_of_the_likelihood(distance):
    """Of three queries in strict orders: the gradient by differences vanishes."""
    rng = np.random.default_rng(6)
    queries = [np.stack([rng.permutation(5) + 1.0 for _ in range(2)], axis=1) for _ in range(3)]
    grades = np.tile([4, 3, 2, 1, 0], 3)
    found = fit_coset_permutation(
        np.concatenate(queries), grades, np.repeat([0, 1, 2], 5), distance=distance, negative=True
    )

    def total(theta):
        return sum(log_likelihood(theta, ranks, distance) for ranks in queries)

    for k in range(2):
        shift = np.eye(2)[k] * 1e-4
        slope = (total(found + shift) - total(found - shift)) / 2e-4
        scale = (2 * total(found) - total(found + shift) - total(found - shift)) / 1e-8
        assert abs(slope) < 1e-3 * np.sqrt(scale)  # a thousandth of a standard error


def test_good_lists_weigh_more_and_reversed_ones_nothing():
    rng = np.random.default_rng(7)
    grades = rng.integers(0, 3, 400)
    query = np.repeat(np.arange(40), 10)
    noise = rng.normal(size=(400, 3))
    places = np.array([-2.0, -0.4, 2.0]) * grades[:, None] + noise
    for distance in DISTANCES:
        theta = fit_coset_permutation(places, grades, query, distance=distance)
        assert theta[0] > 2.0 * theta[1] > 0.0 and theta[2] == 0.0
        free = fit_coset_permutation(places, grades, query, distance=distance, negative=True)
        assert free[2] < 0.0 < free[0]


def test_bad_arguments():
    with pytest.raises(ValueError, match=r"`distance` must be .* got 'cayley'"):
        coset_permutation([[1.0]], distance="cayley")
    with pytest.raises(ValueError, match="`weights` must be a finite number for each of 1 lists"):
        coset_permutation([[1.0]], weights=[1.0, 2.0])
    with pytest.raises(ValueError, match="`relevance` must hold one grade for each of the 2"):
        fit_coset_permutation([[1.0], [2.0]], [1])
    with pytest.raises(ValueError, match="`relevance` must differ within some query"):
        fit_coset_permutation([[1.0], [2.0]], [1, 0], [0, 1])


def test_separable_grades_are_said():
    with pytest.warns(UserWarning, match="no maximum of the likelihood"):
        fit_coset_permutation([[1, 1], [2, 3], [3, 2]], [2, 1, 0])


def test_unknown_grades_and_endless_places():
    with pytest.raises(ValueError, match="`relevance` must be finite, but is not in rows 2"):
        fit_coset_permutation([[1, 1], [2, 3], [3, 2]], [2, 1, np.nan])
    with pytest.raises(ValueError, match=r"`places` must be finite.* rows 1"):
        coset_permutation([[1, 1], [2, np.inf], [3, 2]])
