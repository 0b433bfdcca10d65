"""Scores at one time: between states, after the last, and who counts."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from tests.model.moving_data import games_over_time


@pytest.fixture(scope="module")
def league():
    """x and y play all along; z stops early; w comes late."""
    rows = [("x", "y", t) for t in (0, 1, 2, 3, 4, 5, 6)]
    rows += [("x", "z", t) for t in (0, 1)] + [("y", "w", t) for t in (5, 6)]
    frame = pd.DataFrame(rows * 3, columns=["left", "right", "t"])
    frame["outcome"] = np.random.default_rng(0).choice([1, -1], size=len(frame))
    return br.Comparisons.from_frame(frame, time="t")


@pytest.fixture(scope="module")
def fit(league):
    return br.fit(league, scores="walk", scale=1.0, drift=0.5, method="laplace", seed=1, draws=8000)


def test_now_is_the_last_time_and_who_was_not_seen_lately_is_left_out(fit):
    assert sorted(fit.ranking().index) == ["w", "x", "y"]
    assert fit.left_out == ["z"]
    assert fit.about_time == "At 6. Left out, not seen in the year up to 6: z."
    assert sorted(fit.at(1.5).ranking().index) == ["x", "y", "z"]
    assert sorted(fit.at(window=None).ranking().index) == ["w", "x", "y", "z"]
    assert fit.at(window=None).left_out == []


def test_scores_after_the_last_time_drift(fit):
    """The variance of a difference grows by two drifts squared in a year."""
    now, later = (fit.at(t, window=None) for t in (6.0, 9.0))
    names = now.ranking().index.sort_values()
    pick = [list(names).index(name) for name in ("x", "y")]
    variances = [np.var(np.diff(f.scores()[:, pick])) for f in (now, later)]
    assert variances[1] - variances[0] == pytest.approx(2 * 3 * 0.5**2, rel=0.1)
    means = [np.mean(np.diff(f.scores()[:, pick])) for f in (now, later)]
    assert means[0] == pytest.approx(means[1], abs=0.08)


@pytest.mark.parametrize("scores", ["walk", "mean-reverting"])
def test_scores_between_two_times_are_those_of_a_model_with_a_state_there(scores):
    """A comparison that counts for nothing gives items a state, and changes nothing else."""
    frame = games_over_time(seed=4).to_frame()
    middle = float(frame["time"].unique()[2:4].mean())
    more = pd.DataFrame(
        [["a", "b", 1e-9, 0, 0, middle], ["b", "c", 1e-9, 0, 0, middle]], columns=frame.columns
    )
    rate = {"drift": 0.5} if scores == "walk" else {"persistence": 0.5}
    options = {"scores": scores, "scale": 1.0, "method": "laplace", "seed": 1, "draws": 8000}
    found, wanted = (
        br.fit(br.Comparisons.from_counts(table, time="time"), "davidson", **options, **rate)
        .at(middle, window=None).scores()
        for table in (frame, pd.concat([frame, more]))
    )  # fmt: skip
    assert found.mean(axis=0) == pytest.approx(wanted.mean(axis=0), abs=0.05)
    assert np.cov(found.T) == pytest.approx(np.cov(wanted.T), abs=0.05)


def test_times_at_which_nobody_is_ranked_are_refused_with_advice_that_works(fit):
    with pytest.raises(ValueError, match=r"`at` is -1, before the first result.*from 0 on"):
        fit.at(-1)
    with pytest.raises(ValueError, match="before the first result"):
        fit.at(-1, window=None)


def test_a_window_with_fewer_than_two_items_is_refused():
    rows = [("x", "y", 0), ("x", "z", 1), ("x", "w", 2)]
    frame = pd.DataFrame(rows * 3, columns=["left", "right", "t"]).assign(outcome=1)
    fit = br.fit(br.Comparisons.from_frame(frame, time="t"), scores="walk", method="map")
    assert fit.at(1, window=0).ranking().index.tolist() == ["x", "z"]
    with pytest.raises(ValueError, match=r"in the 0\.1 years up to 0\.5.*at\(time, window=1\)"):
        fit.at(0.5, window=0.1)
    assert len(fit.at(0.5, window=1).ranking()) == 2


def test_predictions_are_about_those_who_were_active_at_the_end(fit):
    later = fit.at(500)
    assert sorted(later.ranking().index) == ["w", "x", "y"]
    assert later.about_time == "At 500. Left out, not seen in the year up to 6: z."
    assert len(fit.at(500, window=None).ranking()) == 4
    assert fit.win_probabilities(at=500).shape == (3, 3)


@pytest.mark.parametrize("last", [2020, 2021, 2022, 2023])  # 366 days after the first, or 365
def test_who_was_last_seen_a_year_before_to_the_day_is_left_out(last):
    rows = [("x", "y", last - 1), ("x", "z", last - 1), ("x", "y", last)]
    frame = pd.DataFrame(rows * 3, columns=["left", "right", "t"])
    for times in (frame["t"], pd.to_datetime(frame["t"].astype(str) + "-01-01")):
        games = br.Comparisons.from_frame(frame.assign(outcome=1, t=times), time="t")
        fit = br.fit(games, scores="walk", method="map")
        assert fit.left_out == ["z"]
        assert fit.at(window=2).left_out == []


@pytest.mark.parametrize("window", [-1, np.nan, "1", [1]])
def test_windows_that_are_none_are_refused(fit, window):
    for asked in (lambda: fit.at(1, window=window), lambda: fit.history(window=window)):
        with pytest.raises(ValueError, match="`window` must be a number of years, 0 or more"):
            asked()


def test_answers_are_about_the_time_that_is_asked_for(fit):
    then = fit.at(1)
    assert fit.ranking(at=1).equals(then.ranking())
    assert fit.win_probabilities(at=1).equals(then.win_probabilities())
    assert sorted(then.best().index) == ["x", "y", "z"]
    assert sorted(then.tiers().index) == ["x", "y", "z"]
    assert sorted(then.consensus().order) == ["x", "y", "z"]


def test_scores_that_stay_have_no_times(pudding):
    constant = br.fit(pudding, method="laplace", seed=1, draws=50)
    assert constant.left_out == []
    assert constant.about_time == ""
    for ask in (lambda f: f.at("2019"), lambda f: f.history(), lambda f: f.ranking(at=3)):
        with pytest.raises(ValueError, match='scores="walk"'):
            ask(constant)
