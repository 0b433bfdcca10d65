"""Noises given by functions: their tables, what they must be, and pairs of them."""

import numpy as np
import pytest
from scipy import special, stats

from bayesrank.kernels.maths.links import tails
from bayesrank.kernels.thurstone.difference_noise import check_noise, difference_table
from bayesrank.kernels.thurstone.noise_laws import log_densities, log_tails, noise_law
from bayesrank.kernels.thurstone.own_noise import own_noise

POINTS = np.array([-700.0, -50.0, -8.0, -2.5, -0.3, 0.0, 1e-3, 0.9, 4.0, 20.0, 300.0])


def evaluate(noise, points=POINTS):
    """Return log density, slope, log cdf, hazard below, log sf, hazard above."""
    law, _, table = noise_law(noise)
    rows = np.empty((6, points.size))
    log_densities(points, 0.0, law, table, rows[0], rows[1])
    log_tails(points, 0.0, 1.0, law, table, rows[2], rows[3])
    log_tails(points, 0.0, -1.0, law, table, rows[4], rows[5])
    return rows


def check(rows, log_density, slope, log_cdf, log_sf):
    # The tables have 1e-13 of the size of a logarithm.
    for row, expected in ((rows[0], log_density), (rows[2], log_cdf), (rows[4], log_sf)):
        np.testing.assert_allclose(row, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(rows[1], slope, rtol=1e-9, atol=1e-9)
    for row, tail in ((rows[3], log_cdf), (rows[5], log_sf)):
        np.testing.assert_allclose(row, np.exp(log_density - tail), rtol=1e-9, atol=1e-300)


def test_normal():
    expected = stats.norm.logpdf(POINTS), -POINTS
    check(evaluate("normal"), *expected, special.log_ndtr(POINTS), special.log_ndtr(-POINTS))
    dense = np.linspace(-40.0, 40.0, 2001)
    below = evaluate("normal", dense)[2]
    np.testing.assert_allclose(below, special.log_ndtr(dense), rtol=1e-13, atol=1e-15)


def test_logistic():
    below, above = special.log_expit(POINTS), special.log_expit(-POINTS)
    check(evaluate("logistic"), below + above, -np.tanh(POINTS / 2), below, above)


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
    named, own = evaluate(("t", df)), evaluate((law.logpdf, law.cdf))
    np.testing.assert_allclose(named, own, rtol=1e-9, atol=1e-11)
    # SciPy's own tails fail far out.
    near = np.abs(POINTS) < 10
    np.testing.assert_allclose(named[0], law.logpdf(POINTS), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(named[2, near], law.logcdf(POINTS[near]), rtol=1e-11)
    np.testing.assert_allclose(named[4, near], law.logsf(POINTS[near]), rtol=1e-11)


def test_power_laws_go_on_beyond_the_table():
    rows = evaluate(("t", 1.0), np.array([-1e15, 1e12]))
    # They do so with the slope at its end, which is right to 1e-12.
    np.testing.assert_allclose(rows[2, 0], -np.log(np.pi * 1e15), rtol=1e-10)
    np.testing.assert_allclose(rows[4, 1], -np.log(np.pi * 1e12), rtol=1e-10)
    np.testing.assert_allclose(rows[2, 1], -1 / (np.pi * 1e12), rtol=1e-4)


def unit_normal(z):
    return -0.5 * z * z - 0.5 * np.log(2 * np.pi)


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


def test_names_of_noises():
    own = (unit_normal, stats.norm.cdf)
    assert check_noise("gumbel") == "gumbel"
    assert check_noise(["t", 5]) == ("t", 5.0)
    assert check_noise(list(own)) == own
    for wrong in ("cauchy", ("t", 0.1), ("t", "5"), (unit_normal, 3), unit_normal, None):
        with pytest.raises(ValueError, match=r"`noise` must be .* got"):
            check_noise(wrong)


def test_differences_of_ones_own_noises():
    cases = [
        ((lambda z: -z - np.exp(-z), lambda z: np.exp(-np.exp(-z))), special.log_expit, 1000.0),
        ((unit_normal, stats.norm.cdf), lambda x: special.log_ndtr(x / np.sqrt(2)), 60.0),
        ((stats.cauchy.logpdf, stats.cauchy.cdf), lambda x: stats.cauchy.logcdf(x / 2), 1000.0),
        ((stats.laplace.logpdf, stats.laplace.cdf), lambda x: np.log1p(-x / 2) + x - np.log(2), 40),
    ]
    for noise, log_cdf, reach in cases:
        table = difference_table(noise)
        for x in POINTS[(POINTS >= 0) & (POINTS <= reach)]:
            assert tails(x, table)[0] == pytest.approx(log_cdf(-x), rel=1e-11, abs=1e-11)
