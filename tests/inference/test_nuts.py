"""Draws by NUTS: samplers, seeds, interruptions, and what need not be imported."""

import subprocess
import sys

import numpy as np
import pytest

import bayesrank as br
from bayesrank import _compat
from tests.model.moving_data import games_over_time

FEW = pytest.mark.filterwarnings("ignore:Do not trust this fit yet")


def monte_carlo_error(fit):
    """Return the standard error of the posterior mean of each score."""
    ess = fit.diagnostics().min_ess_bulk
    return fit.scores().std(axis=0) / np.sqrt(ess)


def test_swapping_changes_no_posterior_draws_beyond_monte_carlo_error(nuts_fit, pudding):
    swapped = br.fit(pudding.swapped(), "davidson", seed=4, progress=False)
    error = np.hypot(monte_carlo_error(nuts_fit), monte_carlo_error(swapped))
    difference = nuts_fit.scores().mean(axis=0) - swapped.scores().mean(axis=0)
    assert np.all(np.abs(difference) < 4.5 * error)
    p, q = nuts_fit.win_probabilities(), swapped.win_probabilities()
    np.testing.assert_allclose(p, q, atol=0.02)
    ties = nuts_fit.posterior_predictive(seed=1).sel(outcome="tie").mean()
    other = swapped.posterior_predictive(seed=1).sel(outcome="tie").mean()
    assert float(ties) == pytest.approx(float(other), abs=0.1)


def test_pymc_s_own_sampler_agrees_with_nutpie(nuts_fit, pudding):
    own = br.fit(
        pudding, "davidson", sampler="pymc", chains=2, draws=500, tune=500, seed=5, progress=False
    )
    error = np.hypot(monte_carlo_error(nuts_fit), monte_carlo_error(own))
    difference = nuts_fit.scores().mean(axis=0) - own.scores().mean(axis=0)
    assert np.all(np.abs(difference) < 4.5 * error)


def test_pymc_takes_small_steps_where_scores_move(monkeypatch):
    """At its own rate of 0.8 a few of a thousand draws diverge, at this one none did."""
    asked = []

    def sample(model, *, target_accept, **_):
        asked.append(target_accept)
        raise KeyboardInterrupt

    monkeypatch.setattr(_compat, "sample_model", sample)
    for given in ({}, {"target_accept": 0.9}):
        with pytest.raises(KeyboardInterrupt):
            br.fit(games_over_time(), scores="walk", sampler="pymc", progress=False, **given)
    assert asked == [0.98, 0.9]


def test_a_posterior_needs_no_graph():
    """NUTS runs on the kernels: neither PyMC nor PyTensor has to be imported, let alone compile."""
    code = (
        "import sys; import bayesrank as br\n"
        "fit = br.fit(br.load_dataset('pudding'), draws=20, tune=20, chains=2, progress=False)\n"
        "fit.ranking(), fit.win_probabilities(), str(fit.diagnostics())\n"
        "print([name for name in ('pymc', 'pytensor') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"


def test_seeds_reproduce_nuts(nuts_fit, pudding):
    again, other = (br.fit(pudding, "davidson", seed=seed, progress=False) for seed in (3, 4))
    np.testing.assert_array_equal(again.scores(), nuts_fit.scores())
    assert not np.array_equal(other.scores(), nuts_fit.scores())


@FEW
def test_nuts_takes_any_seed_and_any_warm_up(pudding):
    for seed, tune in ((2**70, 30), (1, 0), (1, 1)):
        fit = br.fit(pudding, "davidson", draws=20, tune=tune, chains=2, seed=seed, progress=False)
        assert fit.shape == (2, 20) and np.isfinite(fit.scores()).all()


@pytest.mark.parametrize("likelihood", ["davidson", "glenn-david"])
def test_an_interruption_is_one(likelihood):
    """With and without Python between the sampler and the likelihood."""
    code = (
        "import os, signal, threading; import bayesrank as br\n"
        "data = br.load_dataset('pudding')\n"
        f"br.fit(data, '{likelihood}', draws=5, progress=False)\n"
        "threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        f"br.fit(data, '{likelihood}', draws=10_000_000, progress=False)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode != 0 and "KeyboardInterrupt" in result.stderr, result.stderr


def test_nuts_on_rankings(davidson_luce):
    assert davidson_luce.diagnostics().max_rhat < 1.02
    table = davidson_luce.parameters()
    assert list(table.index) == ["tie[2]", "tie[3]", "tie_rate[2]", "tie_rate[3]"]
    idata = davidson_luce.idata
    assert idata["log_likelihood"]["ranks"].dims == ("chain", "draw", "ranking")
    predicted = idata["posterior_predictive"]["ranks"]
    assert predicted.dims == ("chain", "draw", "ranking", "slot")
    offered = davidson_luce.specification.data.offered
    assert np.array_equal((predicted.values >= 1).all(axis=(0, 1)), offered)
    assert np.all(predicted.values[:, :, ~offered] == -1)
