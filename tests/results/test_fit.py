"""What a fit answers: its ranking, its groups and its text."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank import _compat


@pytest.fixture(scope="module")
def map_fit(pudding):
    return br.fit(pudding, "davidson", method="map")


def test_ranking_columns_and_order(nuts_fit):
    table = nuts_fit.ranking()
    assert list(table.columns) == [
        "score", "sd", "low", "high", "rank", "rank_low", "rank_high", "p_best", "p_top3", "tier",
    ]  # fmt: skip
    assert table.index.name == "item"
    assert table["rank"].tolist() == list(range(1, 7))
    assert table["score"].is_monotonic_decreasing
    assert table["score"].sum() == pytest.approx(0.0, abs=1e-10)
    assert ((table["low"] < table["score"]) & (table["score"] < table["high"])).all()
    assert ((table["rank_low"] <= table["rank"]) & (table["rank"] <= table["rank_high"])).all()
    assert table["p_best"].sum() == pytest.approx(1.0)
    assert table["p_top3"].sum() == pytest.approx(3.0)
    narrow = nuts_fit.ranking(prob=0.5)
    assert ((narrow["high"] - narrow["low"]) < (table["high"] - table["low"])).all()


def test_a_mode_has_no_intervals(map_fit):
    table = map_fit.ranking()
    assert table.drop(columns=["score", "rank"]).isna().all(axis=None)
    assert map_fit.parameters()[["sd", "low", "high"]].isna().all(axis=None)
    with pytest.raises(ValueError, match="needs posterior draws"):
        map_fit.rank_probabilities()
    assert "no uncertainty" in map_fit.diagnostics().summary


def test_rank_probabilities_are_doubly_stochastic(nuts_fit):
    table = nuts_fit.rank_probabilities()
    np.testing.assert_allclose(table.sum(axis=0), 1.0)
    np.testing.assert_allclose(table.sum(axis=1), 1.0)
    np.testing.assert_allclose(
        table[1].to_numpy(), nuts_fit.ranking().loc[table.index, "p_best"].to_numpy()
    )


def test_groups_have_named_coordinates(nuts_fit, pudding):
    groups = set(_compat.group_names(nuts_fit.idata))
    assert groups >= {
        "posterior", "sample_stats", "observed_data", "constant_data", "log_likelihood",
        "posterior_predictive",
    }  # fmt: skip
    posterior = nuts_fit.idata["posterior"]
    assert posterior["score"].dims == ("chain", "draw", "item")
    assert posterior["score"].coords["item"].values.tolist() == pudding.items
    assert nuts_fit.idata["log_likelihood"]["counts"].dims == ("chain", "draw", "pair")
    predicted = nuts_fit.idata["posterior_predictive"]["counts"]
    assert predicted.dims == ("chain", "draw", "pair", "outcome")
    assert np.array_equal(
        predicted.sum("outcome").values[0, 0], nuts_fit.specification.data.counts.sum(axis=1)
    )
    assert nuts_fit.idata["observed_data"]["counts"].values.sum() == 745


def test_repr_names_the_best(nuts_fit):
    text = repr(nuts_fit)
    assert "best: 6, 2" in text and "4 x 1000 draws" in text
