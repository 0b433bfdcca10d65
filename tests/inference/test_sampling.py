"""Models of the user's own are sampled, and bad draws are not kept quiet."""

import warnings

import numpy as np
import pymc as pm
import pytest

import bayesrank as br


@pytest.fixture
def easy():
    with pm.Model(coords={"item": ["a", "b"]}) as model:
        pm.Normal("score", dims="item")
    return model


def test_sampling_is_quiet_and_labelled(easy, capfd):
    with easy, warnings.catch_warnings():
        warnings.simplefilter("error")
        idata = br.sample(draws=1000, tune=300, chains=2, seed=1, progress=False)
    assert capfd.readouterr() == ("", "")
    draws = idata["posterior"]["score"]
    assert draws.dims == ("chain", "draw", "item") and draws.shape == (2, 1000, 2)
    again = br.sample(easy, draws=1000, tune=300, chains=2, seed=1, progress=False)
    assert np.array_equal(draws, again["posterior"]["score"])


def test_draws_that_cannot_be_trusted(easy):
    with pytest.warns(UserWarning, match="effective sample size is down to .*: make more draws"):
        br.sample(easy, draws=100, tune=300, chains=2, seed=1, progress=False)
    with pm.Model() as funnel:
        spread = pm.Normal("spread", 0.0, 3.0)
        pm.Normal("x", 0.0, pm.math.exp(spread / 2), shape=9)
    with pytest.warns(UserWarning, match="draws diverged: take smaller steps, target_accept=0.75"):
        br.sample(funnel, draws=300, tune=300, chains=2, seed=1, progress=False, target_accept=0.5)


def test_no_model_to_sample():
    with pytest.raises(TypeError, match="`model` must be a PyMC model, given or by `with model:`"):
        br.sample()
