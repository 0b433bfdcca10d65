"""The normal approximation, and what it says of the prior scale."""

import numpy as np
import pytest
from scipy import integrate

import bayesrank as br
from bayesrank.inference import laplace, normal
from bayesrank.model.specification import Specification
from benchmarks.one_prior import sparse_games


def test_the_density_of_the_scale_is_the_evidence():
    """Against an integral over the difference of two items."""
    data = br.Comparisons([0], [1], [[7, 2, 0]], ["a", "b"])
    specification = Specification(data, "bradley-terry")

    def log_evidence(t):
        sd = np.sqrt(2.0) * np.exp(t)  # of the difference of two scores that sum to zero

        def density(d):
            p = 1.0 / (1.0 + np.exp(-d))
            return p**7 * (1 - p) ** 2 * np.exp(-0.5 * (d / sd) ** 2) / sd

        prior = -0.5 * np.exp(2.0 * t) + t
        return np.log(integrate.quad(density, -30, 30, points=[0.0, 1.0])[0]) + prior

    at = np.array([-2.0, -1.0, -0.3, 0.3])
    exact = np.array([log_evidence(t) for t in at])
    found = [
        normal.NormalAtScale(specification, float(np.exp(t)), averaged=True).log_density(t)
        for t in at
    ]
    np.testing.assert_allclose(np.diff(found), np.diff(exact), atol=0.02)


def test_both_ways_to_the_scale_agree(monkeypatch):
    """Where matrices are small they need not be avoided."""
    data = sparse_games(80, 12, 1.0)
    specification = Specification(data, "bradley-terry")
    exact = normal.best_scale(specification)
    monkeypatch.setattr(normal, "DENSE", 10)
    assert normal.best_scale(specification) == pytest.approx(exact, rel=0.1)
    monkeypatch.setattr(laplace, "DENSE", 10)
    large = br.fit(data, method="laplace", seed=1, draws=500, progress=False)
    monkeypatch.undo()
    small = br.fit(data, method="laplace", seed=1, draws=500, progress=False)
    ratio = np.median(large.posterior["scale"]) / np.median(small.posterior["scale"])
    assert ratio == pytest.approx(1.0, abs=0.07)
    assert np.abs(large.scores().mean(axis=0) - small.scores().mean(axis=0)).max() < 0.15


@pytest.mark.parametrize("likelihood", ["bradley-terry", "davidson", "rao-kupper", "glenn-david"])
def test_averages_do_not_run_off_where_all_results_went_one_way(likelihood):
    """The density falls off exponentially there, and whole steps once led to scores of 1e5."""
    data = br.Rankings.from_lists([list("abcdef")], weights=[1000]).to_comparisons(warn=False)
    options = {"seed": 1, "progress": False}
    exact = br.fit(data, likelihood, **options)
    score, scale = exact.scores()[:, 0], np.median(exact.posterior["scale"])
    for method in ("laplace", "map"):
        fit = br.fit(data, likelihood, method=method, **options)
        assert np.median(fit.posterior["scale"]) == pytest.approx(scale, rel=0.1)
        assert abs(fit.scores()[:, 0].mean() - score.mean()) < 1.5 * score.std()
