"""Noises of differences, tabulated: closed forms, quadrature, and what is no noise."""

import mpmath as mp
import numpy as np
import pytest
from scipy import special, stats

from bayesrank.kernels.maths.links import log_pdf, tails
from bayesrank.kernels.thurstone.difference_noise import check_noise, difference_table
from tests.kernels.thurstone.noises import POINTS as BOTH_SIDES
from tests.kernels.thurstone.noises import unit_normal

POINTS = [0.0, 1e-3, 0.3, 1.0, 2.5, 10.0, 40.0, 700.0]


def test_cauchy_difference_is_a_wider_cauchy():
    table = difference_table(("t", 1.0))
    for x in POINTS:
        below, hazard, above, _ = tails(x, table)
        height, slope = log_pdf(x, table)
        assert below == pytest.approx(stats.cauchy.logcdf(-x / 2), abs=1e-12)
        assert above == pytest.approx(stats.cauchy.logcdf(x / 2), abs=1e-12)
        assert height == pytest.approx(stats.cauchy.logpdf(x / 2) - np.log(2), abs=1e-12)
        assert hazard == pytest.approx(np.exp(height - below), rel=1e-12)
        assert slope == pytest.approx(-2 * x / (4 + x * x), rel=1e-10, abs=1e-12)


def test_logistic_difference_has_its_closed_form():
    table = difference_table("logistic")
    with mp.workdps(50):
        for x in POINTS[1:]:
            exact = mp.mpf(x)
            u = mp.exp(-exact)
            below = mp.log(u * (exact - 1 + u) / (1 - u) ** 2)
            height = mp.log(u * ((exact - 2) + (exact + 2) * u) / (1 - u) ** 3)
            assert float(abs(tails(x, table)[0] - below)) < 1e-12 * max(1.0, x)
            assert float(abs(log_pdf(x, table)[0] - height)) < 1e-12 * max(1.0, x)


def test_logistic_tail_goes_on_as_an_exponential():
    table = difference_table("logistic")
    assert tails(1e8, table)[0] == pytest.approx(-1e8, rel=1e-6)
    assert log_pdf(-1e8, table)[1] == pytest.approx(1.0, rel=1e-6)


def test_student_difference_matches_adaptive_quadrature():
    nu = mp.mpf(5)
    constant = mp.gamma((nu + 1) / 2) / mp.sqrt(nu * mp.pi) / mp.gamma(nu / 2)

    def density(z):
        return constant * (1 + z * z / nu) ** (-(nu + 1) / 2)

    table = difference_table(("t", 5.0))
    for x in (0.0, 1.0, 12.0):
        centres = sorted({-mp.inf, -30, -3, 0, 3, x / 2, x - 3, x, x + 3, x + 30, mp.inf})
        expected = mp.log(mp.quad(lambda z, x=x: density(z) * density(z - x), centres))
        assert log_pdf(x, table)[0] == pytest.approx(float(expected), abs=1e-11)


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
        for x in BOTH_SIDES[(BOTH_SIDES >= 0) & (BOTH_SIDES <= reach)]:
            assert tails(x, table)[0] == pytest.approx(log_cdf(-x), rel=1e-11, abs=1e-11)
