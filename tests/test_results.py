"""What a fit answers, and how it is kept."""

import numpy as np
import pandas as pd
import pymc as pm
import pytest

import bayesrank as br
from bayesrank import _compat
from bayesrank.report.page import gather
from bayesrank.results.diagnostics import diagnose
from bayesrank.text import at_the_terminal
from tests.random_tables import random_table

FEW = pytest.mark.filterwarnings("ignore:Do not trust this fit yet")


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


@pytest.mark.parametrize("options", [{}, {"order_effect": True}, {"features": True}], ids=str)
def test_save_and_load_round_trip(tmp_path, pudding, options):
    if options.get("features"):
        options = {"features": pd.DataFrame({"x": np.arange(6.0)}, index=pudding.items)}
    fit = br.fit(pudding, "davidson", method="laplace", draws=50, chains=2, seed=1, **options)
    fit.log_likelihood()
    fit.save(tmp_path / "run.nc")
    again = br.Fit.load(tmp_path / "run.nc")
    pd.testing.assert_frame_equal(again.ranking(), fit.ranking())
    pd.testing.assert_frame_equal(again.parameters(), fit.parameters())
    pd.testing.assert_frame_equal(again.win_probabilities(), fit.win_probabilities())
    assert again.specification.data.same_as(fit.specification.data)
    assert repr(again) == repr(fit) and again.seed == 1
    assert "log_likelihood" in _compat.group_names(again.idata)
    assert again.model.named_vars_to_dims["score"] == ("item",)


def test_loading_something_else(tmp_path, nuts_fit):
    foreign = _compat.make_idata({"posterior": _compat.to_dataset(nuts_fit.idata, "posterior")})
    foreign.to_netcdf(str(tmp_path / "foreign.nc"), engine="h5netcdf")
    with pytest.raises(ValueError, match="does not hold a fit of bayesrank"):
        br.Fit.load(tmp_path / "foreign.nc")


def test_nuts_fits_are_kept_whole(tmp_path, nuts_fit):
    nuts_fit.save(tmp_path / "run.nc")
    again = br.Fit.load(tmp_path / "run.nc")
    assert again.diagnostics() == nuts_fit.diagnostics()
    pd.testing.assert_frame_equal(again.ranking(), nuts_fit.ranking())


def test_compare_ranks_models_of_the_same_data(nuts_fit, pudding):
    other = br.fit(pudding, "rao-kupper", method="laplace", seed=1)
    table = br.compare({"davidson": nuts_fit, "rao-kupper": other})
    assert table["elpd"].is_monotonic_decreasing
    assert table["elpd_diff"].iloc[0] == 0 and table["diff_se"].iloc[0] == 0
    assert table["weight"].sum() == pytest.approx(1.0)
    with pytest.raises(ValueError, match="a dict of at least two fits"):
        br.compare({"davidson": nuts_fit})
    with pytest.raises(ValueError, match="needs posterior draws"):
        br.compare({"a": nuts_fit, "b": br.fit(pudding, method="map")})
    elsewhere = br.fit(random_table(1), method="laplace", seed=1)
    with pytest.raises(ValueError, match="`b` was fitted to other data"):
        br.compare({"a": nuts_fit, "b": elsewhere})


def test_compare_finds_the_order_effect():
    """Home advantage helps to predict baseball."""
    data = br.load_dataset("baseball")
    fits = {
        name: br.fit(data, method="laplace", order_effect=name == "home", seed=1)
        for name in ("home", "neutral")
    }
    assert br.compare(fits).index[0] == "home"


def test_diagnostics_in_words(nuts_fit):
    found = nuts_fit.diagnostics()
    assert found.ok and found.divergences == 0 and found.max_rhat < 1.01
    assert "0 divergences" in str(found)


def test_a_failed_fit_warns_in_the_words_of_whoever_reads(pudding):
    """In Python by itself, at the terminal in its flags, on the page in plain words."""
    few = {"draws": 20, "tune": 20, "chains": 2, "seed": 1, "progress": False}
    python = r"Do not trust this fit yet. R-hat .*: tune=40, draws=40\."
    with pytest.warns(UserWarning, match=python):
        short = br.fit(pudding, "davidson", **few)
    found = short.diagnostics()
    assert any("Make more draws: draws=1000." in message for message in found.messages)
    with at_the_terminal():
        assert "the draws: --tune 40 --draws 40." in str(found)
        br.fit(pudding, "davidson", **few)  # the terminal shows its diagnostics anyway
    plain = [finding.plain for finding in found.findings]
    assert any(text.endswith("Double the warm-up and the draws.") for text in plain)
    data = gather(short)["diagnostics"]
    assert data["messages"] == plain


def test_many_fits_name_those_that_failed(pudding):
    few = {"draws": 20, "tune": 20, "chains": 2, "seed": 1, "progress": False, "processes": 1}
    with pytest.warns(UserWarning, match="Do not trust 1 of 1 fits yet: all"):
        fits = br.fit_many({"all": pudding}, "davidson", **few)
    assert fits.doubtful == ["all"]


def test_diagnostics_say_what_to_do(nuts_fit):
    # Chains in different places, and draws that diverged.
    bad = br.Fit.from_idata(nuts_fit.specification, "nuts", nuts_fit.idata.copy())
    score = bad.idata["posterior"]["score"].copy()
    score[0] = score[0] + 5.0
    posterior = _compat.to_dataset(bad.idata, "posterior").assign(score=score)
    stats = _compat.to_dataset(bad.idata, "sample_stats")
    diverging = stats["diverging"].copy()
    diverging[0, :7] = True
    bad.idata["posterior"], bad.idata["sample_stats"] = posterior, stats.assign(diverging=diverging)
    text = str(diagnose(bad))
    assert "7 of 4000 draws diverged" in text and "R-hat" in text and "tune" in text


@FEW
def test_too_few_draws_are_no_good_news(pudding):
    """Where nothing can be computed, that is said, and not taken for agreement."""
    few = br.fit(pudding, "davidson", draws=3, tune=20, chains=2, seed=1, progress=False)
    found = few.diagnostics()
    assert np.isnan(found.min_ess_bulk) and not found.ok
    assert any("There are too few draws" in message for message in found.messages)


def test_where_an_approximation_was_found_wanting_it_is_said():
    votes = br.Rankings.from_lists(
        [["a", "b", "c"], ["b", "a", "c"], ["a", "c", "b"]], agents=["x", "y", "z"]
    )
    options = {"method": "laplace", "seed": 1, "draws": 50, "chains": 2, "progress": False}
    learned = br.fit(votes, "mpm", **options).diagnostics()
    assert not learned.ok and "found too certain" in str(learned)
    assert br.fit(votes, "mpm", adherence=1.0, **options).diagnostics().ok
    assert br.fit(votes, "plackett-luce", **options).diagnostics().ok
    options |= {"method": "advi", "steps": 20}
    learned = br.fit(votes, "plackett-luce", **options).diagnostics()
    assert learned.ok and "too certain of the prior scale" in str(learned)
    assert br.fit(votes, "plackett-luce", full_rank=True, scale=1.0, **options).diagnostics().ok
    ties = br.fit(votes, "pmop", **options).diagnostics()
    assert not ties.ok and "models of ties as results" in str(ties)
    full = br.fit(votes, "plackett-luce", full_rank=True, **options).diagnostics()
    assert not full.ok and "cannot follow a learned prior scale" in str(full)


def test_repr_names_the_best(nuts_fit):
    text = repr(nuts_fit)
    assert "best: 6, 2" in text and "4 x 1000 draws" in text


@pytest.mark.parametrize("items", [5, 150])
def test_ranking_picture(items):
    data = random_table(5, items=items)
    fit = br.fit(data, method="laplace", draws=100, chains=1, seed=1)
    ax = fit.plot_ranking()
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == [str(item) for item in fit.ranking().index]
    assert len(ax.collections[0].get_segments()) == items
    ax.figure.clear()


def test_ranking_picture_of_a_mode(map_fit):
    ax = map_fit.plot_ranking()
    assert "posterior mode" in ax.get_title(loc="left")
    ax.figure.clear()
