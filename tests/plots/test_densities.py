"""Smooth densities against known ones."""

import numpy as np
import pytest
from scipy import stats

from bayesrank.plots.densities import density


def test_a_normal_density():
    draws = stats.norm(2.0, 0.5).ppf((np.arange(20_000) + 0.5) / 20_000)
    grid, height = density(draws)
    # The kernel widens the law a little: 0.9 n^(-1/5) of its deviation.
    wide = stats.norm(2.0, 0.5 * np.hypot(1.0, 0.9 * 20_000**-0.2))
    np.testing.assert_allclose(height, wide.pdf(grid) / wide.pdf(2.0), atol=0.01)


@pytest.mark.parametrize("ends", [(0.0, 1.0), (0.0, None)])
def test_ends_are_not_smoothed_away(ends):
    draws = (np.arange(20_000) + 0.5) / 20_000
    grid, height = density(draws, *ends)
    assert grid[0] == pytest.approx(0.0, abs=0.01) and height[0] > 0.97
    assert (height[-1] > 0.97) == (ends[1] is not None)


def test_draws_that_do_not_vary_are_a_spike():
    grid, height = density(np.full(50, 3.0))
    assert grid[height.argmax()] == pytest.approx(3.0, rel=1e-3)
    assert np.all(np.isfinite(height))
