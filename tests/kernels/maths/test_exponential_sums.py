"""Bins of points whose exponentials are summed."""

import numpy as np

from bayesrank.kernels.maths.exponential_sums import bin_points


def test_far_points_are_summed_without_bins():
    assert len(bin_points(np.zeros(0), 100, 100.0, 1.0)[0]) == 0


def test_the_largest_point_has_a_bin():
    """However largest, width and their quotient are rounded: it would be written past the end."""
    rng = np.random.default_rng(2)
    none = np.zeros(0)
    for _ in range(3000):
        steepest = rng.random()
        largest = rng.integers(1, 400) / (6.0 * steepest)
        largest += rng.integers(-3, 4) * np.spacing(largest)
        moments, width = bin_points(none, 10_000, largest, steepest)
        assert int(largest * (1.0 / width)) < len(moments)
