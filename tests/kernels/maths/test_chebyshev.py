"""Polynomials by panel."""

import numpy as np

from bayesrank.kernels.maths.chebyshev import polynomials


def test_polynomials_pass_through_their_values(monkeypatch):
    position = np.polynomial.chebyshev.chebpts1(8)
    values = np.stack([np.exp(position), np.sin(position), position])
    found = polynomials(values)
    np.testing.assert_allclose(found @ position ** np.arange(8)[:, None], values, atol=1e-14)
    # Whether last coefficients that should be zero are so exactly is a matter of rounding.
    fit = np.polynomial.chebyshev.chebfit
    monkeypatch.setattr(
        np.polynomial.chebyshev, "chebfit", lambda *arguments: np.round(fit(*arguments), 13)
    )
    np.testing.assert_allclose(polynomials(values), found, atol=1e-11)
