"""Fits that several tests look at, made once."""

import matplotlib
import pytest

import bayesrank as br

matplotlib.use("agg")


@pytest.fixture(scope="session")
def pudding():
    return br.load_dataset("pudding")


@pytest.fixture(scope="session")
def nuts_fit(pudding):
    """A real posterior of the Davidson model with all groups."""
    store = ("log_likelihood", "posterior_predictive")
    return br.fit(pudding, "davidson", seed=3, progress=False, store=store)
