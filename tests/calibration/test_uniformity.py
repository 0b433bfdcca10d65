"""Whether ranks are uniform: p values and bands that hold as often as they say."""

import numpy as np

from bayesrank.calibration.uniformity import ecdf_band, p_value


def test_p_values_are_uniform_where_ranks_are():
    rng = np.random.default_rng(1)
    p = np.array([p_value(rng.integers(0, 100, 150), 99) for _ in range(400)])
    # Kolmogorov-Smirnov at a level of 0.001; the statistic is discrete, but hardly so.
    place = np.sort(p)
    distance = np.abs(place - (np.arange(400) + 0.5) / 400).max()
    assert distance < 1.95 / np.sqrt(400)


def test_the_band_holds_as_often_as_it_says():
    rng = np.random.default_rng(2)
    share, low, high = ecdf_band(150, 99, 0.9)
    inside = 0
    for _ in range(400):
        below = np.mean((rng.integers(0, 100, 150)[:, None] + 0.5) / 100 < share, axis=0)
        inside += bool(np.all((below >= low) & (below <= high)))
    assert abs(inside / 400 - 0.9) < 4 * np.sqrt(0.09 / 400)
