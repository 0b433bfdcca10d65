"""Sums and solutions along states, against dense matrices."""

import numpy as np
import pytest
from scipy import linalg

from bayesrank.kernels.tridiagonal import (
    back,
    factor,
    from_whitened,
    states_of,
    steps_of,
    to_whitened,
)


@pytest.fixture
def case():
    rng = np.random.default_rng(0)
    left, stretch = rng.uniform(0.5, 1.0, size=9), rng.uniform(0.2, 2.0, size=9)
    left[[0, 4, 5]] = 0.0  # where an item starts
    whole = np.array([states_of(left, stretch, unit) for unit in np.eye(9)]).T
    return left, stretch, whole, rng.normal(size=9), rng.uniform(0.0, 3.0, size=9)


def test_states_keep_what_is_left_of_the_one_before(case):
    left, stretch, whole, step, _ = case
    assert np.diag(whole) == pytest.approx(stretch)
    for k in range(1, 9):
        assert whole[k, :k] == pytest.approx(left[k] * whole[k - 1, :k])
    assert np.triu(whole, 1).max() == 0.0
    assert states_of(left, stretch, step) == pytest.approx(whole @ step)


def test_steps_and_derivatives_go_back(case):
    left, stretch, whole, step, _ = case
    assert steps_of(left, stretch, whole @ step) == pytest.approx(step)
    assert back(left, stretch, step) == pytest.approx(np.linalg.solve(whole.T, step))


def test_the_factor_is_that_of_the_dense_precision(case):
    left, stretch, whole, z, known = case
    precision = np.linalg.inv(whole @ whole.T) + np.diag(known)
    diagonal, below = factor(left, stretch, known)
    wanted = linalg.cholesky(precision, lower=True)
    assert diagonal == pytest.approx(np.diag(wanted))
    assert below[:-1] == pytest.approx(np.diag(wanted, -1), abs=1e-12)
    assert from_whitened(diagonal, below, z) == pytest.approx(np.linalg.solve(wanted.T, z))
    assert to_whitened(diagonal, below, z) == pytest.approx(np.linalg.solve(wanted, z))


def test_the_factor_keeps_its_digits_where_steps_are_short():
    """Three states that hardly move, with what is known of each: together they know all of it."""
    left, stretch = np.array([0.0, 1.0, 1.0]), np.array([1.0, 1e-9, 1e-9])
    diagonal, below = factor(left, stretch, np.array([2.0, 3.0, 4.0]))
    # Of all states together, without those after them, ten are known: one is the prior's.
    assert diagonal[-1] ** 2 == pytest.approx(10.0, rel=1e-9)
    states = from_whitened(diagonal, below, np.array([0.0, 0.0, 1.0]))
    assert states == pytest.approx(np.full(3, 10.0**-0.5), rel=1e-9)
