"""Polynomials by panel."""

import numpy as np

from bayesrank.kernels.panels import polynomials


def test_polynomials_pass_through_their_values():
    position = np.polynomial.chebyshev.chebpts1(8)
    values = np.stack([np.exp(position), np.sin(position), np.zeros(8), np.ones(8)])
    found = polynomials(values)
    assert found.shape == (4, 8)
    np.testing.assert_allclose(found @ position ** np.arange(8)[:, None], values, atol=1e-14)
    # Whether a last coefficient is exactly zero is a matter of rounding.
    np.testing.assert_allclose(found[2:], [[0.0] * 8, [1.0] + [0.0] * 7], atol=1e-13)
