"""Curvatures, where items have a handful of results beside billions too."""

import numpy as np
import pytest
from scipy import optimize
from scipy.special import expit

import bayesrank as br
from bayesrank.inference.curvature import hessian, precision, whitened
from bayesrank.inference.mode import find_mode
from bayesrank.model.specification import Specification


def uneven(times):
    counts = np.array([[times, times, 0], [0, 5, 0], [4, 1, 0]])
    return br.Comparisons([0, 1, 2], [1, 2, 3], counts, list("abcd"))


@pytest.fixture(scope="module")
def limit():
    """The mode where a and b, in the limit of ever more ties between them, are one item.

    With scores (s, s, t, -2s - t), standard normal but for their sum.
    """

    def loss(v):
        s, t = v
        last = -2.0 * s - t
        results = -5.0 * np.log(expit(t - s))
        results -= 4.0 * np.log(expit(t - last)) + np.log(expit(last - t))
        return results + 0.5 * (2.0 * s**2 + t**2 + last**2)

    found = optimize.minimize(loss, [0.0, 0.0], method="Nelder-Mead",
                              options={"xatol": 1e-10, "fatol": 1e-14})  # fmt: skip
    (s, t), h = found.x, 1e-4
    steps = np.eye(2) * h
    matrix = [
        [
            sum(
                i * j * loss(found.x + i * steps[a] + j * steps[b])
                for i in (1, -1) for j in (1, -1)
            )
            / (4 * h * h)
            for b in range(2)
        ]
        for a in range(2)
    ]  # fmt: skip
    covariance = np.linalg.inv(matrix)
    scores = np.array([[1, 0], [1, 0], [0, 1], [-2, -1]])
    return scores @ [s, t], np.sqrt(np.diag(scores @ covariance @ scores.T))


@pytest.mark.parametrize("times", [10**7, 10**10])
def test_a_handful_of_results_counts_beside_any_number(limit, times):
    mode = br.fit(uneven(times), "bradley-terry", method="map", scale=1.0).scores()[0]
    np.testing.assert_allclose(mode, limit[0], atol=1e-4)


@pytest.mark.parametrize("times", [10**7, 10**10])
def test_standard_deviations_of_few_results_beside_many(limit, times):
    model = Specification(uneven(times), "bradley-terry", scale=1.0)
    mode, _ = find_mode(model, jacobian=True)
    covariance = np.linalg.inv(precision(model, mode))
    unit = np.array([model.split(row)["score"] for row in np.eye(model.size)]).T
    found = np.sqrt(np.diag(unit @ covariance @ unit.T))
    np.testing.assert_allclose(found, limit[1], rtol=1e-3)


def test_both_ways_to_the_curvature_agree(pudding, monkeypatch):
    model = Specification(pudding, "davidson", scale=1.0)
    mode, _ = find_mode(model, jacobian=True)
    plain = precision(model, mode)
    monkeypatch.setattr("bayesrank.inference.curvature.UNEVEN", 0.0)
    np.testing.assert_allclose(precision(model, mode), plain, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(plain, -hessian(model, mode), rtol=1e-12)


def test_a_basis_makes_curvatures_one():
    matrix = np.array([[1e6, 1e3, 0.0], [1e3, 2.0, 0.5], [0.0, 0.5, 1.0]])
    basis = whitened(lambda x: matrix @ x, np.ones(3))
    basis = whitened(lambda x: matrix @ x, np.ones(3), basis)
    np.testing.assert_allclose(basis.T @ matrix @ basis, np.eye(3), atol=1e-8)


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        ({"method": "laplace"}, 'Use method="nuts" or method="advi"'),
        ({"method": "advi", "full_rank": True}, "Leave it out"),
    ],
    ids=["laplace", "full rank"],
)
def test_too_many_items_for_covariances_are_refused_before_the_work(options, remedy):
    n = 10_002
    counts = np.tile([1, 1, 0], (n - 1, 1))
    games = br.Comparisons(np.arange(n - 1), np.arange(1, n), counts, range(n))
    with pytest.raises(ValueError, match=rf"10,000 at most; this model has 10,00\d\. {remedy}"):
        br.fit(games, "bradley-terry", **options)


def test_curvature_is_the_derivative_of_the_gradient(pudding):
    specification = Specification(pudding, "davidson", scale=1.0)
    x = np.random.default_rng(0).normal(size=specification.size) * 0.3
    matrix = hessian(specification, x)
    direction = np.random.default_rng(1).normal(size=specification.size)
    up = specification.objective(x + 1e-5 * direction, jacobian=True)[1]
    down = specification.objective(x - 1e-5 * direction, jacobian=True)[1]
    np.testing.assert_allclose(matrix @ direction, (up - down) / 2e-5, rtol=1e-6, atol=1e-5)
