"""Scores over time, as tables."""

import numpy as np
import pytest

import bayesrank as br
from tests.model.moving_data import games_over_time, races_over_time


@pytest.fixture(scope="module")
def fit():
    data = games_over_time(rows=120, items=4, times=8, seed=2)
    return br.fit(data, scores="walk", method="laplace", seed=1)


def test_rows_of_the_history_are_those_of_the_rankings(fit):
    table = fit.history()
    for time in fit.specification.data.times[2:]:
        wanted = fit.at(time).ranking()
        found = table[table["time"] == time].set_index("item").loc[wanted.index]
        for name in ("score", "low", "high", "rank", "rank_low", "rank_high", "p_best"):
            assert found[name].to_numpy() == pytest.approx(wanted[name].to_numpy())


def test_some_items_and_other_intervals(fit):
    whole, some = fit.history(), fit.history(["b"], prob=0.5)
    assert set(some["item"]) == {"b"}
    assert len(some) == (whole["item"] == "b").sum()
    wide = whole[whole["item"] == "b"]
    assert ((wide["high"] - wide["low"]).to_numpy() > (some["high"] - some["low"]).to_numpy()).all()
    with pytest.raises(ValueError, match="nobody"):
        fit.history(["nobody"])


def test_peaks_are_the_highest_of_each_draw(fit):
    table = fit.peaks()
    assert table["p_best_ever"].sum() == pytest.approx(1.0)
    assert table["score"].is_monotonic_decreasing
    history = fit.history()
    highest = history.groupby("item")["score"].max()
    assert (table["score"] >= highest.loc[table.index] - 1e-9).all()
    assert ((table["low"] < table["score"]) & (table["score"] < table["high"])).all()
    assert set(table["time"]) <= set(fit.specification.data.times)


def test_a_mode_has_no_intervals():
    fit = br.fit(races_over_time(), scores="walk", method="map")
    table, peaks = fit.history(), fit.peaks()
    assert table["low"].isna().all()
    assert peaks[["low", "high", "p_time", "p_best_ever"]].isna().all(axis=None)
    assert np.isfinite(peaks["score"]).all()


def test_saved_fits_answer_the_same(fit, tmp_path):
    fit.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    assert again.history().equals(fit.history())
    assert again.ranking(at=2.0).equals(fit.ranking(at=2.0))
