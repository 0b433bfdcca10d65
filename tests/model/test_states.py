"""States: one for each item at each time at which it is seen."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model import states as module
from bayesrank.model.states import States
from tests.model.moving_data import games_over_time, races_over_time


def test_states_of_a_few_games():
    frame = pd.DataFrame({"winner": list("xxy"), "loser": list("yzx"), "t": [3.0, 1.0, 1.5]})
    data = br.Comparisons.from_frame(frame, winner="winner", loser="loser", time="t")
    states = States(data)
    assert states.labels == ["x / 1", "x / 1.5", "x / 3", "y / 1.5", "y / 3", "z / 1"]
    assert states.first.tolist() == [True, False, False, True, False, True]
    assert states.gap == pytest.approx([0.0, 0.5, 1.5, 0.0, 1.5, 0.0])
    assert states.starts.tolist() == [0, 3, 5, 6]
    assert states.seen.tolist() == [0, 1, 2]
    assert states.results.items == states.labels
    assert len(states.results) == 3


@pytest.mark.parametrize("data", [games_over_time(), races_over_time()], ids=["pairs", "rankings"])
def test_results_are_those_of_the_items_at_their_times(data):
    """Each state takes part in as many results as its item at its time."""
    states = States(data)
    if data.row == "pair":
        found = np.bincount(np.r_[states.results.left, states.results.right], minlength=len(states))
        slots = zip(np.r_[data.left, data.right], np.tile(data.time, 2), strict=True)
    else:
        found = np.bincount(states.results.entry_item, minlength=len(states))
        slots = zip(data.entry_item, data.time[data.entry_ranking], strict=True)
    slots = list(slots)
    for k, (item, time) in enumerate(zip(states.item, states.time, strict=True)):
        assert found[k] == slots.count((item, time)) > 0


def test_data_without_times_say_how_to_give_them(pudding):
    with pytest.raises(ValueError, match=r'time="date".*every="month"'):
        br.fit(pudding, scores="walk", method="map")


def test_instances_are_refused():
    frame = pd.DataFrame({"winner": list("xy"), "loser": list("yx"), "t": 1.0, "q": [1, 2]})
    data = br.Comparisons.from_frame(frame, winner="winner", loser="loser", time="t", instance="q")
    with pytest.raises(ValueError, match=r"one of the 2 by data.subset\(instances="):
        br.fit(data, scores="walk", method="map")


def test_too_many_time_stamps_ask_for_a_period(monkeypatch):
    monkeypatch.setattr(module, "_MANY", 10)
    with pytest.raises(ValueError, match=r"18 states.*every=1.0"):
        States(games_over_time())
    frame = games_over_time().to_frame()
    frame["time"] = pd.Timestamp("2019-01-01") + pd.to_timedelta(365.25 * frame["time"], "D")
    with pytest.raises(ValueError, match=r'18 states.*every="month"'):
        States(br.Comparisons.from_counts(frame, time="time"))


@pytest.mark.parametrize("apart", [1e-6, 0.02])
@pytest.mark.parametrize("scores", ["walk", "mean-reverting"])
def test_times_that_nearly_agree_are_fitted(apart, scores):
    """A microsecond is no step at all among numbers of years."""
    day = pd.Timestamp("2019-01-01")
    times = [day, day + pd.to_timedelta(apart, "s"), day + pd.to_timedelta(500, "D")] * 2
    frame = pd.DataFrame({"winner": list("xyzzxy"), "loser": list("yzxxyz"), "t": times})
    data = br.Comparisons.from_frame(frame, winner="winner", loser="loser", time="t")
    assert len(States(data)) == 9
    assert States(data).gap[~States(data).first].min() == 1e-9
    fit = br.fit(data, scores=scores, method="laplace", seed=1)
    states = fit.posterior["score"][0]
    assert np.isfinite(states).all()
    assert states[:, 0] == pytest.approx(states[:, 1], abs=1e-2)


def test_groups_are_of_states_that_meet():
    frame = pd.DataFrame({"winner": list("xzx"), "loser": list("ywz"), "t": [1.0, 1.0, 2.0]})
    data = br.Comparisons.from_frame(frame, winner="winner", loser="loser", time="t")
    states = States(data)
    assert states.labels == ["w / 1", "x / 1", "x / 2", "y / 1", "z / 1", "z / 2"]
    assert states.groups.tolist() == [0, 1, 2, 1, 0, 2]
    assert set(states.item_groups) == {0}
    races = br.Rankings.from_lists([["x", "y", "z"], ["w", "v"]], times=[1.0, 1.0])
    assert States(races).groups.tolist() == [0, 0, 1, 1, 1]
    assert States(races).item_groups.tolist() == [0, 0, 1, 1, 1]
