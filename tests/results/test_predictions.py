"""Observations under a fitted model: those seen, those drawn, and the next ranking."""

import numpy as np
import pandas as pd
import pymc as pm
import pytensor
import pytest

import bayesrank as br
from tests.model.preference_data import random_votes, ranked, simulated
from tests.model.ranked_lists import queries, rankings_for
from tests.model.varying_data import ballots_by_agents, votes_by_agents
from tests.modes import FAST


def test_pymc_gives_the_same_log_likelihood(davidson_luce):
    with davidson_luce.specification.pymc(), pytensor.config.change_flags(mode=FAST):
        theirs = pm.compute_log_likelihood(
            davidson_luce.idata, extend_inferencedata=False, progressbar=False
        )
    theirs = theirs["ranks"] if "ranks" in theirs else theirs["log_likelihood"]["ranks"]
    np.testing.assert_allclose(theirs.values, davidson_luce.log_likelihood().values, rtol=1e-9)


def test_pairs_from_a_ranking_model(davidson_luce):
    win, tie = davidson_luce.win_probabilities(), davidson_luce.win_probabilities("tie")
    off = ~np.eye(5, dtype=bool)
    total = win.to_numpy() + win.to_numpy().T + tie.to_numpy()
    np.testing.assert_allclose(total[off], 1.0, rtol=1e-12)
    fit = br.fit(rankings_for("partitioned-plackett-luce"), method="map")
    assert fit.specification.likelihood == "davidson-luce"
    fit = br.fit(rankings_for("plackett-luce"), method="map")
    np.testing.assert_allclose(fit.win_probabilities("tie").to_numpy()[off], 0.0)


def test_learning_to_rank(tmp_path):
    data = queries(1)
    fit = br.fit(data, "plackett-luce", method="laplace", seed=1)
    assert not fit.specification.item_effects
    beta = fit.parameters()
    assert list(beta.index) == ["beta[length]", "beta[age]"]
    truth = np.array([1.5, -0.1])
    assert np.all(np.abs(beta["mean"] - truth) < 4 * beta["sd"])
    assert np.all(beta["sd"] < 0.2 * np.abs(truth))
    # New documents, whose order the features decide.
    new = pd.DataFrame({"age": [100.0, 130.0, 70.0], "length": [0.0, 0.0, 0.0]})
    draws = fit.scores(new)
    assert draws.shape == (4000, 3)
    table = fit.predict(new, items=["now", "old", "young"], seed=1)
    assert list(table.index) == ["young", "now", "old"]
    assert table.loc["young", "p_best"] == 1.0 and 0.9 < table.loc["young", "p_first"] < 1.0
    assert table["mean_place"].sum() == pytest.approx(6.0)
    pd.testing.assert_frame_equal(
        table, fit.predict(new[["length", "age"]].to_numpy(), items=["now", "old", "young"], seed=1)
    )
    with pytest.raises(ValueError, match="Items have no scores of their own"):
        fit.ranking()
    with pytest.raises(ValueError, match="has no column age"):
        fit.scores(new[["length"]])
    with pytest.raises(ValueError, match="missing or infinite values in row 1"):
        fit.scores([[0.0, 1.0], [np.nan, 1.0]])
    with pytest.raises(ValueError, match="must have 2 columns"):
        fit.scores(np.zeros((3, 5)))
    fit.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    np.testing.assert_allclose(again.scores(new), draws)
    assert "Fit of" in repr(again)


def test_known_items_in_new_circumstances():
    """Items bring their own scores along with the features of their new entries."""
    data = rankings_for("plackett-luce")
    features = np.random.default_rng(6).normal(size=(*data.entries.shape, 1))
    fit = br.fit(data, method="map", features=features)
    beta = fit.parameters()["mean"]["beta[x1]"]
    table = fit.predict([[1.0], [0.0]], items=["a", "c"])
    own = fit.ranking()["score"]
    assert table["score"]["a"] == pytest.approx(own["a"] + beta)
    assert table["score"]["c"] == pytest.approx(own["c"])
    table = fit.predict([[1.0], [0.0]], items=["new", "c"])
    assert table["score"]["new"] == pytest.approx(beta)
    assert table["score"]["c"] == pytest.approx(own["c"])
    # Labels that were not given are no items, even where items are numbers.
    numbered = br.Rankings.from_lists([[0, 1, 2], [1, 0, 2], [0, 2, 1]])
    features = np.random.default_rng(7).normal(size=(3, 3, 1))
    fit = br.fit(numbered, method="map", features=features)
    np.testing.assert_allclose(fit.predict([[0.0], [0.0], [0.0]])["score"], 0.0)
    named = pd.DataFrame({"x1": [0.0, 1.0]}, index=["here", "there"])
    assert set(fit.predict(named).index) == {"here", "there"}


def test_next_ranking_among_known_items():
    """Under Plackett-Luce an item comes first with its share of the worths."""
    fit = br.fit(rankings_for("plackett-luce"), method="map")
    table = fit.predict(items=["a", "c", "e"], draws=4000, seed=1)
    worth = np.exp(fit.ranking()["score"][table.index])
    expected = (worth / worth.sum()).to_numpy()
    error = np.sqrt(expected * (1 - expected) / 4000)
    assert np.all(np.abs(table["p_first"] - expected) < 4 * error)
    assert table["sd"].isna().all()
    with pytest.raises(ValueError, match="do not occur: z"):
        fit.predict(items=["a", "z"])
    with pytest.raises(ValueError, match="at least two entries"):
        fit.predict(items=["a"])
    with pytest.raises(ValueError, match="fitted without features"):
        fit.scores(np.zeros((2, 1)))


def test_win_probabilities_are_those_of_a_faithful_agent():
    """Of the two ways to prefer one item of a pair, with every pair enumerated."""
    data, _ = simulated(3)
    fit = br.fit(data, "mpm", method="map")
    score, variance = fit.scores()[0], fit._flat("variance")[0]
    weight = np.exp((score[:, None] - score) / (variance[:, None] + variance))
    expected = weight / (weight + weight.T)
    np.fill_diagonal(expected, np.nan)
    np.testing.assert_allclose(fit.win_probabilities(), expected, rtol=1e-12)
    off = ~np.eye(5, dtype=bool)
    np.testing.assert_allclose(fit.win_probabilities("loss").to_numpy(), expected.T, rtol=1e-12)
    assert np.all(fit.win_probabilities("tie").to_numpy()[off] == 0.0)


def test_predictions_keep_totals_and_follow_the_model():
    data, _ = simulated(4, items=3, preferences=50)
    fit = br.fit(data, "mpm", method="laplace", seed=1, draws=100, chains=2)
    predicted = fit.posterior_predictive(seed=1)
    assert predicted.dims == ("chain", "draw", "pair", "outcome")
    for k in range(4):
        assert np.all(predicted.values[:, :, data.agent == k].sum(axis=(2, 3)) == 50)
    expected = np.zeros(data.counts.shape)
    for score, variance, adherence in zip(
        fit.scores(), fit._flat("variance"), fit._flat("adherence"), strict=True
    ):
        d = (score[:, None] - score) / (variance[:, None] + variance)
        weight = np.exp(adherence[:, None, None] * d) * (1.0 - np.eye(3))
        p = weight / weight.sum(axis=(1, 2), keepdims=True)
        expected[:, 0] += 50 * p[data.agent, data.left, data.right] / 200
        expected[:, 1] += 50 * p[data.agent, data.right, data.left] / 200
    # Means of 200 counts whose standard deviation is at most sqrt(50 / 4).
    error = np.sqrt(50 / 4 / 200)
    assert np.max(np.abs(predicted.values.mean(axis=(0, 1)) - expected)) < 4.5 * error
    incomplete = br.fit(random_votes(np.random.default_rng(1), 6, 2, 8), "mpm", method="map")
    with pytest.raises(ValueError, match=r"List all pairs \(Comparisons.completed\(\)\)"):
        incomplete.posterior_predictive()
    for fit in (
        br.fit(ranked("one"), "mpm", method="map"),
        br.fit(data, "mpm", method="map", weight=0.5),
    ):
        with pytest.raises(ValueError, match="no distribution to draw new ones from"):
            fit.posterior_predictive()


def test_there_is_no_next_ranking():
    """The model is of preferences between pairs: it cannot draw the outcome of a ranking."""
    fit = br.fit(ranked("one"), "mpm", method="map")
    with pytest.raises((TypeError, ValueError), match="predict"):
        fit.predict()


def test_win_probabilities_add_up(nuts_fit):
    win, tie = nuts_fit.win_probabilities(), nuts_fit.win_probabilities("tie")
    loss = nuts_fit.win_probabilities("loss")
    off = ~np.eye(6, dtype=bool)
    total = win.to_numpy() + tie.to_numpy() + loss.to_numpy()
    np.testing.assert_allclose(total[off], 1.0, rtol=1e-12)
    np.testing.assert_allclose(loss.to_numpy()[off], win.to_numpy().T[off], rtol=1e-12)
    with pytest.raises(ValueError, match="`outcome` must be"):
        nuts_fit.win_probabilities("draw")
    with pytest.raises(ValueError, match="`draws` must be at least 1"):
        nuts_fit.win_probabilities(draws=0)
    with pytest.raises(ValueError, match="`prob` must be between 0 and 1, got 95"):
        nuts_fit.ranking(prob=95)


def test_log_likelihood_is_pymc_s(nuts_fit):
    thinned = nuts_fit.idata["posterior"]["score"].isel(draw=slice(0, 3))
    reference = br.Davidson.dist(
        thinned.values[0][:, nuts_fit.specification.data.left],
        thinned.values[0][:, nuts_fit.specification.data.right],
        nuts_fit.posterior["nu"][0, :3, None],
        n=nuts_fit.specification.data.counts.sum(axis=1),
    )
    expected = pm.logp(reference, nuts_fit.specification.data.counts).eval(mode="FAST_COMPILE")
    np.testing.assert_allclose(
        nuts_fit.idata["log_likelihood"]["counts"].values[0, :3], expected, rtol=1e-10
    )


def test_predicted_tie_rate_matches_the_data(nuts_fit):
    """Davidson fits the number of ties exactly at its maximum, so predictions centre on it."""
    ties = nuts_fit.idata["posterior_predictive"]["counts"].sel(outcome="tie").sum("pair")
    assert float(ties.mean()) == pytest.approx(202, abs=6)


@pytest.mark.parametrize("data", [votes_by_agents(), ballots_by_agents(ties=True)])
def test_ties_in_a_category(data):
    """Where only ties differ between categories besides the scores, and of rankings, too."""
    fit = br.fit(data, scores="by-category", ties="by-category", method="laplace", seed=1)
    fit.posterior["ties_by_category"][:] = [-2.0, 2.0]
    few, many = (fit.in_category(label).win_probabilities("tie") for label in data.categories)
    off = ~np.eye(len(data.items), dtype=bool)
    assert (few.to_numpy() < 0.5 * many.to_numpy())[off].all()
    total = sum(fit.in_category("topic 0").win_probabilities(o) for o in ("win", "loss", "tie"))
    np.testing.assert_allclose(total.to_numpy()[off], 1.0, rtol=1e-12)
