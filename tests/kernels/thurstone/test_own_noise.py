"""Noises given by functions: their tables, and what they must be."""

import numpy as np
import pytest
from scipy import special, stats

from bayesrank.kernels.thurstone.own_noise import own_noise
from tests.kernels.thurstone.noises import POINTS, evaluate, unit_normal


def test_logistic_as_ones_own():
    near = POINTS[np.abs(POINTS) < 100]

    def log_density(z):
        return special.log_expit(z) + special.log_expit(-z)

    np.testing.assert_allclose(
        evaluate((log_density, special.expit), near),
        evaluate("logistic", near),
        rtol=1e-9,
        atol=1e-11,
    )


@pytest.mark.parametrize("df", [0.5, 1.0, 3.0, 30.0])
def test_student_and_student_as_ones_own(df):
    law = stats.t(df)

    def cdf(x):
        """Return it by its definition: before SciPy 1.17 that of many degrees is not monotone."""
        tail = 0.5 * special.betainc(0.5 * df, 0.5, df / (df + x * x))
        return np.where(x < 0, tail, 1.0 - tail)

    named, own = evaluate(("t", df)), evaluate((law.logpdf, cdf))
    np.testing.assert_allclose(named, own, rtol=1e-9, atol=1e-11)
    # SciPy's own tails fail far out.
    near, tail = np.abs(POINTS) < 10, {"rtol": 1e-11, "atol": 1e-15}
    np.testing.assert_allclose(named[0], law.logpdf(POINTS), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(named[2, near], law.logcdf(POINTS[near]), **tail)
    np.testing.assert_allclose(named[4, near], law.logsf(POINTS[near]), **tail)


WRONG = {
    "must take an array": (lambda z: unit_normal(float(z[0])), stats.norm.cdf),
    "must integrate to 1, got 2": (lambda z: -np.abs(z), stats.laplace.cdf),
    "must be the integral": (unit_normal, special.expit),
    "must rise": (unit_normal, stats.norm.sf),
    "smooth except at 0": (
        lambda z: stats.laplace.logpdf(z - 1.0),
        lambda z: stats.laplace.cdf(z - 1.0),
    ),
    "positive and finite": (
        lambda z: np.where(np.abs(z - 1.0) < 0.1, np.nan, unit_normal(z)),
        stats.norm.cdf,
    ),
    "quartiles 135 apart": (stats.norm(0, 100).logpdf, stats.norm(0, 100).cdf),
    "0 of it below 0": (stats.norm(50, 1).logpdf, stats.norm(50, 1).cdf),
    "fall more slowly": (stats.t(0.1, scale=0.02).logpdf, stats.t(0.1, scale=0.02).cdf),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_no_noise_is_refused(message):
    with pytest.raises(ValueError, match=f"`noise`.*{message}"):
        own_noise(*WRONG[message])
