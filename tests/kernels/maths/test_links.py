"""Tails of the normal link against SciPy's."""

import numpy as np
import pytest
from scipy import stats

from bayesrank.kernels.maths.links import tails
from bayesrank.kernels.thurstone.difference_noise import difference_table

POINTS = [0.0, 1e-3, 0.3, 1.0, 2.5, 10.0, 40.0, 700.0]


def test_normal_tails_match_scipy():
    table = difference_table("normal")
    for x in [*POINTS, 4.999, 5.001, 30.0]:
        below, hazard, above, hazard_above = tails(x, table)
        assert below == pytest.approx(stats.norm.logcdf(-x), rel=1e-13)
        assert above == pytest.approx(stats.norm.logcdf(x), rel=1e-12, abs=1e-300)
        assert hazard == pytest.approx(np.exp(stats.norm.logpdf(x) - below), rel=1e-9)
        assert hazard_above == pytest.approx(np.exp(stats.norm.logpdf(x) - above), rel=1e-12)
