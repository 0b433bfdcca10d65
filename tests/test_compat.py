"""Versions of ArviZ that differ: what it draws of a fit."""

import matplotlib.pyplot as plt
import pytest

from bayesrank import _compat
from tests.plots.conftest import pair_fit


# ArviZ 0.23 calls matplotlib 3.11 in a way that the latter will not always take.
@pytest.mark.filterwarnings("ignore:Passing a dict or None as alias_mapping")
def test_arviz_draws_traces():
    fit = pair_fit(5)
    drawn = _compat.arviz().plot_trace(fit.idata, var_names=["nu", "tie_rate"])
    assert drawn is not None
    plt.close("all")
