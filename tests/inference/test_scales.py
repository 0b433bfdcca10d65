"""Coordinates and normals where several scales are learned."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.inference import scales
from bayesrank.inference.scales import NormalAtScales, WhitenedByScale, usual_scales
from bayesrank.model.specification import Specification
from tests.model.varying_data import votes_by_agents

OPTIONS = {"discrimination": "by-agent", "ties": "by-agent", "scores": "by-category"}


@pytest.fixture(scope="module")
def model():
    return Specification(votes_by_agents(rows=200), "davidson", **OPTIONS)


@pytest.fixture(scope="module")
def space(model):
    return usual_scales(model, steps=100)


def differences(coordinates, z):
    step = 1e-5 * np.eye(coordinates.size)
    ends = [[coordinates.objective(z + way * unit)[0] for way in (1, -1)] for unit in step]
    return np.subtract(*np.transpose(ends)) / 2e-5


def test_the_gradient_is_right(space):
    z = np.random.default_rng(2).normal(size=space.size)
    np.testing.assert_allclose(space.objective(z)[1], differences(space, z), rtol=1e-5, atol=1e-5)


def test_the_density_is_the_posterior_s(space):
    def volume(z):
        steps = np.eye(space.size) * 1e-5
        turned = np.array([space.point(z + s) - space.point(z - s) for s in steps])
        return np.linalg.slogdet(turned / 2e-5)[1]

    z = np.random.default_rng(1).normal(size=space.size)
    expected = space.specification.objective(space.point(z), jacobian=True)[0] + volume(z)
    found = space.objective(z)[0] + space.log_volume
    assert found == pytest.approx(expected, rel=1e-7, abs=1e-5)


def test_the_map_is_the_same_where_matrices_would_be_too_large(model, monkeypatch):
    monkeypatch.setattr(scales, "LARGE", 5)
    normal = NormalAtScales(model, np.full(4, -0.7))
    large = WhitenedByScale(normal, 0.09 * np.eye(4))
    z = np.random.default_rng(3).normal(size=large.size)
    np.testing.assert_allclose(large.objective(z)[1], differences(large, z), rtol=1e-5, atol=1e-5)


def test_a_normal_at_other_scales_has_what_the_data_say(model):
    """At its own scales the mean is the mode; at tiny ones the effects are zero."""
    normal = NormalAtScales(model, np.full(4, -0.7))
    np.testing.assert_allclose(normal.at(normal.log_scales)[0], normal.mean, atol=1e-6)
    tiny = normal.at(np.full(4, -9.0))[0]
    assert np.abs(tiny[normal.group >= 0]).max() < 1e-5


@pytest.fixture(scope="module")
def judged():
    """Votes by judges of whom half hardly look at the items, and who tie in different measure."""
    rng = np.random.default_rng(4)
    rows, items, agents = 4000, 8, 12
    score, ties = np.linspace(1.0, -1.0, items), np.linspace(-1.5, 1.5, agents)
    sharp = np.where(np.arange(agents) % 2, 2.0, 0.5)
    left = rng.integers(0, items, rows)
    right = (left + rng.integers(1, items, rows)) % items
    agent = rng.integers(0, agents, rows)
    d = sharp[agent] * (score[left] - score[right])
    shares = np.stack([np.exp(d / 2), np.exp(-d / 2), np.exp(ties[agent])], axis=1)
    shares /= shares.sum(axis=1, keepdims=True)
    drawn = (rng.random((rows, 1)) > shares.cumsum(axis=1)).sum(axis=1)
    return br.Comparisons(
        left, right, np.eye(3, dtype=int)[drawn], [f"item {k}" for k in range(items)],
        agent=agent, agents=[f"agent {k:02}" for k in range(agents)],
    )  # fmt: skip


def test_all_methods_find_the_same(judged):
    options = {"discrimination": "by-agent", "ties": "by-agent", "seed": 1, "progress": False}
    sampled = br.fit(judged, "davidson", draws=500, chains=2, **options)
    assert sampled.diagnostics().divergences == 0
    assert sampled.diagnostics().max_rhat < 1.05
    truth = sampled.agents().sort_index()
    for method in ("laplace", "advi", "map"):
        found = br.fit(judged, "davidson", method=method, **options).agents().sort_index()
        for name, width in (("discrimination", 0.15), ("tie_rate", 0.03)):
            np.testing.assert_allclose(found[name], truth[name], atol=width)
    # Those who look twice as closely are found, each above all others.
    sharp = truth["discrimination"].to_numpy()
    assert sharp[1::2].min() > sharp[::2].max()
    assert np.all(np.diff(truth["tie_rate"]) > -0.05)


def test_pymc_samples_the_same_model(judged):
    few = judged.subset(agents=judged.agents[:4])
    options = {"ties": "by-agent", "draws": 300, "chains": 2, "seed": 1, "progress": False}
    own = br.fit(few, "davidson", **options)
    theirs = br.fit(few, "davidson", sampler="pymc", tune=300, **options)
    np.testing.assert_allclose(theirs.agents()["tie_rate"], own.agents()["tie_rate"], atol=0.03)
