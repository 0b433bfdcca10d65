"""Weighted draws: their weights, what they are worth, and likelihoods of many draws at once."""

from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

import bayesrank as br
from bayesrank import _compat
from bayesrank.model.specification import Specification
from bayesrank.results.weighted_draws import (
    WeightedDraws,
    log_likelihoods,
    resampled_places,
    smoothed_weights,
)
from tests.data.random_rankings import random_rankings
from tests.model.preference_data import simulated
from tests.model.varying_data import ballots_by_agents, votes_by_agents


def test_equal_weights_keep_all_draws():
    weight, k = smoothed_weights(np.full(10, -3.0))
    assert weight == pytest.approx(0.1) and k == 0.0
    assert resampled_places(weight).tolist() == list(range(10))


def test_draws_are_repeated_as_often_as_they_weigh():
    weight = np.random.default_rng(1).dirichlet(np.full(500, 0.5))
    often = np.bincount(resampled_places(weight), minlength=500)
    assert np.abs(often - 500 * weight).max() < 1.0 and often.sum() == 500


BY_AGENT = {"discrimination": "by-agent", "ties": "by-agent"}
MODELS = [
    (br.load_dataset("pudding"), "davidson", {}),
    (br.load_dataset("pudding"), "rao-kupper", {"order_effect": True}),
    (br.load_dataset("pudding"), "glenn-david", {"ties": "by-item"}),
    (br.load_dataset("baseball"), "bradley-terry", {"order_effect": "by-item"}),
    (votes_by_agents(), "davidson", BY_AGENT | {"order_effect": "by-agent"}),
    (votes_by_agents(), "davidson", {"scores": "by-category", "ties": "by-category"}),
    (br.load_dataset("nascar"), "plackett-luce", {"scores": "walk"}),
    (random_rankings(1), "davidson-luce", {}),
    (random_rankings(1), "davidson-luce", BY_AGENT),
    (random_rankings(2), "partitioned-plackett-luce", {}),
    (random_rankings(2), "pmop", {}),
    (ballots_by_agents(), "plackett-luce", {"scores": "by-category"}),
    (random_rankings(3), "mpm", {}),
    (simulated(2)[0], "mpm", {}),
    (simulated(2)[0], "mpm", {"variances": False, "adherence": 0.5}),
]


@pytest.mark.parametrize(("data", "likelihood", "options"), MODELS)
def test_many_draws_at_once_and_rows_alone(data, likelihood, options):
    model = Specification(data, likelihood, **options)
    rng = np.random.default_rng(1)
    points = [model.constrain(x) for x in 0.5 * rng.normal(size=(6, model.size))]
    enters = [name for name, one in model.quantities.items() if one.enters and name in points[0]]
    draws = {name: np.array([point[name] for point in points]) for name in enters}
    observation = model.observation
    one_by_one = [
        observation.log_likelihood({name: point[name] for name in enters}).sum() for point in points
    ]
    together = log_likelihoods(observation, draws, len(data))
    # Sums of some thousand terms, in another order.
    assert together == pytest.approx(one_by_one, rel=1e-11, abs=1e-11)
    rows = rng.permutation(len(data))
    cut = len(data) // 3
    parts = 0.0
    for chosen in (rows[:cut], rows[cut:]):
        own = SimpleNamespace(counts=data.counts[chosen]) if data.row == "pair" else data
        parts = parts + log_likelihoods(observation.part(chosen, own), draws, len(data))
    # Ballots in parts have other coefficients, which are the same in all draws.
    constant = np.mean(parts - together) if data.row == "pair" else 0.0
    assert parts - constant == pytest.approx(one_by_one, rel=1e-11, abs=1e-11)


def normal_draws(seed, draws=1000):
    """Return standard normal draws in two chains, as those of a fit."""
    x = np.random.default_rng(seed).normal(size=(2, draws // 2, 1))
    group = xr.Dataset({"x": (("chain", "draw", "item"), x)})
    idata = _compat.make_idata({"posterior": group})
    return SimpleNamespace(posterior={"x": x}, idata=idata, shape=x.shape[:2])


def test_what_weighted_draws_are_worth():
    """By the spread of means over repetitions: draws of N(0, 1) for N(0.6, 1)."""
    means, sizes = [], []
    for seed in range(150):
        base = normal_draws(seed)
        weighted = WeightedDraws(base, 0.6 * base.posterior["x"].ravel(), 1, 1.0)
        means.append(weighted.draws()["x"].mean())
        sizes.append(weighted.sizes[0])
        assert weighted.draws()["x"].shape == base.posterior["x"].shape
        assert weighted.pareto_k < weighted.good_k == pytest.approx(2 / 3)
    # The variance of 150 means is known to 12%; three times that.
    assert np.var(means) * np.mean(sizes) == pytest.approx(1.0, abs=0.36)
    assert np.mean(means) == pytest.approx(0.6, abs=4.0 * np.std(means) / np.sqrt(150))


def test_dependent_draws_are_worth_less():
    base = normal_draws(1)
    slow = np.repeat(base.posterior["x"][:, :50], 10, axis=1)
    group = xr.Dataset({"x": (("chain", "draw", "item"), slow)})
    lazy = SimpleNamespace(
        posterior={"x": slow}, idata=_compat.make_idata({"posterior": group}), shape=slow.shape[:2]
    )
    sizes = [WeightedDraws(one, np.zeros(1000), 1, 1.0).sizes[0] for one in (base, lazy)]
    assert sizes[1] < 0.3 * sizes[0]
