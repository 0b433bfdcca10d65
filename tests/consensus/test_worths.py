"""Worths, and quasi-variances against another optimiser and published values."""

import itertools

import numpy as np
import pytest
from scipy.optimize import least_squares

import bayesrank as br
from bayesrank import consensus
from bayesrank.inference.curvature import hessian
from bayesrank.inference.mode import find_mode


def variances_of_differences(covariance):
    own = np.diag(covariance)
    return own[:, None] + own - 2.0 * covariance


def log_errors(q, covariance):
    target = variances_of_differences(covariance)
    pairs = itertools.combinations(range(len(q)), 2)
    return np.array([np.log((q[i] + q[j]) / target[i, j]) for i, j in pairs])


def brute(covariance):
    """Return the least sum of squared errors from several starts."""
    rng = np.random.default_rng(0)
    middle = np.log(variances_of_differences(covariance).mean() / 2)
    starts = middle + rng.normal(size=(5, len(covariance)))

    def errors(log_q):
        return log_errors(np.exp(log_q), covariance)

    return min(2 * least_squares(errors, s, xtol=1e-12, ftol=1e-12).cost for s in starts)


def random_covariance(seed, n, scale=1.0):
    factor = np.random.default_rng(seed).normal(size=(n, 2 * n))
    return scale * factor @ factor.T


def test_worths_by_definition():
    scores = np.random.default_rng(0).normal(size=(20, 4))
    expected = [[np.exp(s) / sum(np.exp(draw)) for s in draw] for draw in scores]
    np.testing.assert_allclose(consensus.worth_draws(scores), expected, rtol=1e-12)
    np.testing.assert_allclose(consensus.worth_draws(scores + 1e3), expected, rtol=1e-11)
    far = consensus.worth_draws(np.array([[0.0, 1e8, -1e8]]))
    np.testing.assert_array_equal(far, [[0.0, 1.0, 0.0]])


@pytest.mark.parametrize("scale", [1e-16, 1.0, 1e16])
def test_two_and_three_items_are_exact(scale):
    q, error = consensus.quasi_variances(scale * np.array([[2.0, 0.5], [0.5, 1.0]]))
    np.testing.assert_allclose(q, scale * 1.0)
    assert error == 0.0
    covariance = scale * np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]])
    q, error = consensus.quasi_variances(covariance + 11.0 * scale)
    # The optimiser stops where logarithms are known to 1e-5 or better.
    np.testing.assert_allclose(q, scale * np.array([1.0, 2.0, 3.0]), rtol=1e-5)
    assert error < 1e-5


def test_three_items_that_no_numbers_fit():
    """One difference varies more than the other two together: the nearest, none negative."""
    covariance = np.array([[1.0, 0.0, -0.9], [0.0, 0.1, 0.0], [-0.9, 0.0, 1.0]])
    q, error = consensus.quasi_variances(covariance)
    assert np.all(q >= 0.0) and error > 0.05
    assert np.sum(log_errors(q, covariance) ** 2) == pytest.approx(brute(covariance), abs=1e-5)


@pytest.mark.parametrize("scale", [1e-16, 1.0, 1e16])
@pytest.mark.parametrize("n", [3, 4, 6])
def test_quasi_variances_against_another_optimiser(n, scale):
    for seed in range(5):
        covariance = random_covariance(seed, n, scale)
        q, error = consensus.quasi_variances(covariance)
        errors = log_errors(q, covariance)
        assert np.sum(errors**2) == pytest.approx(brute(covariance), rel=1e-5, abs=1e-8)
        assert error == pytest.approx(np.max(np.abs(np.exp(errors / 2) - 1)))


def test_independent_scores_have_their_own_variances():
    variances = np.array([0.5, 1.0, 2.0, 4.0, 0.1])
    q, error = consensus.quasi_variances(np.diag(variances) + 7.0)
    np.testing.assert_allclose(q, variances, rtol=1e-5)
    assert error < 1e-5


@pytest.mark.parametrize("n", [2, 3, 5])
def test_items_that_are_always_equal(n):
    q, error = consensus.quasi_variances(np.full((n, n), 2.0))
    np.testing.assert_array_equal(q, np.zeros(n))
    assert error == 0.0
    scores = np.repeat(np.random.default_rng(0).normal(size=(30, 1)), n, axis=1)
    table = br.ScoreDraws(scores).worths()
    np.testing.assert_allclose(table["worth"], 1 / n)
    # Up to the rounding of differences that are zero.
    np.testing.assert_allclose(table["quasi_sd"], 0.0, atol=1e-7)


@pytest.mark.parametrize("size", [1e3, 1e6, 1e8])
def test_shift_of_a_draw_does_not_matter(size):
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(300, 4)) @ rng.normal(size=(4, 4))
    expected = br.ScoreDraws(scores).worths()
    shifted = br.ScoreDraws(scores + size * rng.normal(size=(300, 1))).worths()
    # Numbers of the size of the shifts have sixteen digits, and the optimiser five.
    np.testing.assert_allclose(
        shifted["quasi_variance"], expected["quasi_variance"], rtol=1e-5 + 1e-15 * size
    )
    np.testing.assert_allclose(shifted["worth"], expected["worth"], rtol=1e-9 + 1e-15 * size)


def test_published_quasi_variances(pudding):
    """Those the R package qvcalc gives for the Davidson model of the R package PlackettLuce.

    They were printed after seven iterations, which had settled five digits.
    """
    specification = br.Specification(pudding, "davidson", scale=float("inf"))
    mode, _ = find_mode(specification)
    covariance = np.linalg.inv(-hessian(specification, mode, jacobian=False))
    n = len(pudding.items)
    basis = np.array([specification.parameters[0].constrain(unit) for unit in np.eye(n - 1)]).T
    q, _ = consensus.quasi_variances(basis @ covariance[: n - 1, : n - 1] @ basis.T)
    printed = [0.01766108, 0.01761919, 0.01948091, 0.01769538, 0.01957908, 0.01937796]
    q = dict(zip(specification.data.items, q, strict=True))
    np.testing.assert_allclose([q[str(k)] for k in range(1, 7)], printed, rtol=2e-5)
