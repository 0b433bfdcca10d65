"""One prior whatever the method: MAP and Laplace learn the prior scale as NUTS does."""

import numpy as np
import pytest
from scipy import integrate

import bayesrank as br
from bayesrank.data import DATASETS
from bayesrank.inference import laplace, normal
from bayesrank.model.specification import Specification
from benchmarks.one_prior import sparse_games
from tests.random_tables import random_table


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.filterwarnings("ignore:Do not trust this fit yet")
def test_laplace_and_nuts_say_the_same_of_every_data_set(name):
    """P(best) within 0.05, scores within 0.15 sd, sds within a tenth, ends of ranks within 5.

    Of that, 0.03 and 0.06 are the noise of draws, of which NUTS makes some thousands that count.
    """
    data = br.load_dataset(name)
    options = {"seed": 1, "draws": 1500, "progress": False}
    nuts, normals = (br.fit(data, method=method, **options) for method in ("nuts", "laplace"))
    found, other = nuts.ranking(), normals.ranking().loc[nuts.ranking().index]
    assert np.abs(found["p_best"] - other["p_best"]).max() < 0.05
    assert (np.abs(found["score"] - other["score"]) / found["sd"]).max() < 0.15
    assert (np.abs(np.log(other["sd"] / found["sd"]))).max() < 0.1
    for end in ("rank_low", "rank_high"):
        assert np.abs(found[end] - other[end]).max() <= (5 if len(data.items) > 20 else 1)
    scale = nuts.posterior["scale"], normals.posterior["scale"]
    assert np.mean(scale[1]) == pytest.approx(np.mean(scale[0]), rel=0.1)
    mode = br.fit(data, method="map", progress=False).posterior["scale"].item()
    assert np.quantile(scale[0], 0.1) < mode < np.quantile(scale[0], 0.9)


def test_a_given_scale_is_fixed(pudding):
    fits = [br.fit(pudding, method=m, scale=1.0, seed=1) for m in ("map", "laplace")]
    assert all("scale" not in fit.posterior for fit in fits)
    learned = br.fit(pudding, method="laplace", seed=1).ranking()["p_best"]["6"]
    assert fits[1].ranking()["p_best"]["6"] > learned + 0.1


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


@pytest.mark.parametrize("items", [60, 520], ids=["few", "many"])
def test_the_scale_of_sparse_data_is_not_too_small(items):
    """Six results for each item. The normal at the mode alone makes it a quarter too small."""
    data = sparse_games(items, 6, 1.5)
    nuts = br.fit(data, seed=1, draws=500, chains=2, progress=False)
    scale = np.median(nuts.posterior["scale"])
    found = br.fit(data, method="laplace", seed=1, draws=500, progress=False)
    assert np.median(found.posterior["scale"]) == pytest.approx(scale, rel=0.12)
    spread = found.scores().std(axis=0) / nuts.scores().std(axis=0)
    assert np.median(spread) == pytest.approx(1.0, abs=0.08)
    mode = br.fit(data, method="map", progress=False).posterior["scale"].item()
    assert mode == pytest.approx(scale, rel=0.15)
    if items < normal.DENSE:
        plain = normal.nearest_normal(Specification(data, "bradley-terry"), averaged=False)
        assert plain.scale < 0.85 * scale


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


@pytest.mark.parametrize("method", ["map", "laplace"])
def test_the_same_data_give_the_same_fit(method):
    """Swapped columns, rows in another order, and weights for repetitions change nothing."""
    table = random_table(5)
    options = {"method": method, "seed": 1, "draws": 50, "chains": 1}
    scores = br.fit(table, "davidson", **options).scores()
    np.testing.assert_allclose(
        br.fit(table.swapped(), "davidson", **options).scores(), scores, atol=1e-6
    )
    lists = [["a", "b", "c"], ["b", "a", "c"], ["c", "a", "b"]]
    twice = br.Rankings.from_lists(lists * 2, unranked="not offered")
    weighted = br.Rankings.from_lists(lists, weights=[2, 2, 2])
    one, other = (br.fit(data, **options).scores() for data in (twice, weighted))
    np.testing.assert_allclose(one, other, atol=1e-6)


def test_saved_fits_keep_the_scale(pudding, tmp_path):
    for method in ("map", "laplace"):
        fit = br.fit(pudding, method=method, seed=1, draws=50, chains=1)
        fit.save(tmp_path / "fit.nc")
        again = br.Fit.load(tmp_path / "fit.nc")
        assert again.specification.learns_scale
        np.testing.assert_array_equal(again.posterior["scale"], fit.posterior["scale"])


def test_a_calibration_of_the_learned_scale():
    model = Specification(random_table(2, items=4, per_pair=4), "davidson")
    found = br.calibrate(model, 30, method="laplace", seed=1, processes=1, progress=False)
    assert "scale" in found.names and found.passes()
