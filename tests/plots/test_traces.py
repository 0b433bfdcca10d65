"""What ArviZ draws of a fit."""

import pytest

from bayesrank import _compat
from tests.plots.conftest import pair_fit


# ArviZ 0.23 calls matplotlib 3.11 in a way that the latter will not always take.
@pytest.mark.filterwarnings("ignore:Passing a dict or None as alias_mapping")
def test_arviz_draws_traces():
    fit = pair_fit(5)
    drawn = _compat.arviz().plot_trace(fit.idata, var_names=["nu", "tie_rate"])
    assert drawn is not None


def test_every_public_picture_is_exported():
    from bayesrank import plots

    assert [name for name in plots.__all__ if callable(getattr(plots, name))] == [
        "plot_adherences", "plot_check", "plot_prior", "plot_ranking", "plot_ranks",
        "plot_variances", "plot_wins", "plot_worths",
    ]  # fmt: skip
