"""Tables of noise differences against closed forms and quadrature."""

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from bayesrank.kernels.maths.links import log_pdf, tails
from bayesrank.kernels.maths.vector_math import bounded_exp, compiled, log_from_one
from bayesrank.kernels.thurstone.difference_noise import difference_table

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


def test_normal_tails_match_scipy():
    table = difference_table("normal")
    for x in [*POINTS, 4.999, 5.001, 30.0]:
        below, hazard, above, hazard_above = tails(x, table)
        assert below == pytest.approx(stats.norm.logcdf(-x), rel=1e-13)
        assert above == pytest.approx(stats.norm.logcdf(x), rel=1e-12, abs=1e-300)
        assert hazard == pytest.approx(np.exp(stats.norm.logpdf(x) - below), rel=1e-9)
        assert hazard_above == pytest.approx(np.exp(stats.norm.logpdf(x) - above), rel=1e-12)


def test_vector_maths_is_within_rounding():
    @compiled()
    def evaluate(x, y):
        return bounded_exp(x), log_from_one(y)

    rng = np.random.default_rng(0)
    x = -rng.exponential(60.0, size=5000).clip(max=708.0)
    y = np.exp(rng.uniform(0.0, 700.0, size=5000))
    y[:2500] = 1.0 + rng.uniform(0.0, 2.0, size=2500)
    result = np.array([evaluate(a, b) for a, b in zip(x, y, strict=True)])
    np.testing.assert_allclose(result[:, 0], np.exp(x), rtol=5e-16)
    np.testing.assert_allclose(result[:, 1], np.log(y), rtol=5e-16, atol=3e-16)
    assert evaluate(0.0, 1.0) == (1.0, 0.0)
    assert 0.0 < evaluate(-1e6, 1.0)[0] < 1e-300
