"""One prior whatever the method: MAP and Laplace learn the prior scale as NUTS does."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.data import DATASETS
from bayesrank.inference import normal
from bayesrank.model.specification import Specification
from benchmarks.one_prior import sparse_games
from tests.model.preference_data import simulated
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


def test_laplace_recovers_what_was_drawn():
    data, score = simulated(1)
    fit = br.fit(data, "mpm", method="laplace", variances=False, scale=2.0, seed=1)
    table = fit.items().sort_index()
    # Five scores and four adherences, each within four standard deviations.
    assert np.all(np.abs(table["score"] - score) < 4.0 * table["sd"])
    assert table["sd"].max() < 0.3 * np.ptp(score)
    assert np.all(table["variance"] == 0.5) and table["variance_sd"].isna().all()
    agents = fit.agents().sort_index()
    assert np.all(np.abs(agents["adherence"] - [0.2, 0.5, 0.8, 1.0]) < 4.0 * agents["sd"])
    assert np.all(agents["preferences"] == 150) and np.all(agents["ballots"] == 1)
    assert list(fit.agents().index) == list(agents.sort_values("adherence").index[::-1])


def test_the_note_says_where_scales_come_from():
    games = br.load_dataset("baseball")
    options = {"method": "laplace", "draws": 50, "chains": 1, "seed": 1, "progress": False}
    one = br.fit(games, "bradley-terry", order_effect=True, **options)
    assert "by their evidence" in one.note
    several = br.fit(games, "bradley-terry", order_effect="by-item", **options)
    assert "the closest normal" in several.note and "evidence" not in several.note
