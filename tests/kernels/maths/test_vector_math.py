"""Exponentials and logarithms that the compiler may vectorise."""

import numpy as np

from bayesrank.kernels.maths.vector_math import bounded_exp, compiled, log_from_one


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
