"""Laws of noises by name: densities and tails, near and far out."""

import numpy as np
from scipy import special, stats

from tests.kernels.thurstone.noises import POINTS, evaluate


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


def test_power_laws_go_on_beyond_the_table():
    rows = evaluate(("t", 1.0), np.array([-1e15, 1e12]))
    # They do so with the slope at its end, which is right to 1e-12.
    np.testing.assert_allclose(rows[2, 0], -np.log(np.pi * 1e15), rtol=1e-10)
    np.testing.assert_allclose(rows[4, 1], -np.log(np.pi * 1e12), rtol=1e-10)
    np.testing.assert_allclose(rows[2, 1], -1 / (np.pi * 1e12), rtol=1e-4)
