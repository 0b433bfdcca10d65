"""How much is needed until a mean curve reaches a value."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.asking.needed import crossing, mean_curve, needed, summary
from tests.benchmarks.asking.asked_runs import made_runs


def rng():
    return np.random.default_rng(1)


def test_where_a_curve_reaches_a_value():
    asked = np.array([10.0, 20.0, 40.0])
    assert crossing(asked, np.array([0.5, 0.3, 0.1]), 0.2, rising=False) == pytest.approx(30.0)
    assert crossing(asked, np.array([0.1, 0.5, 0.9]), 0.9, rising=True) == 40.0
    assert crossing(asked, np.array([0.1, 0.1, 0.1]), 0.2, rising=False) == 10.0
    assert crossing(asked, np.array([0.5, 0.5, 0.4]), 0.2, rising=False) == np.inf


def test_a_mean_curve_never_turns_back():
    values = np.array([[0.5, 0.2, 0.4, 0.1], [0.5, 0.2, 0.2, 0.1]])
    assert mean_curve(values, rising=False) == pytest.approx([0.5, 0.25, 0.25, 0.1])


def test_a_curve_that_falls_by_a_rule():
    runs = made_runs(replicates=40)
    ours = runs[runs["strategy"] == "suggest order"]
    random = runs[runs["strategy"] == "random"]
    found = needed(ours, random, "distance", 0.1, rng())
    # 0.5 exp(-x / 50) = 0.1; paces differ by a tenth, so that the mean of 40 is within 8 %.
    assert found["needed"] == pytest.approx(50 * np.log(5), rel=0.08)
    assert found["ratio"] == pytest.approx(0.5, abs=5 * found["ratio_se"])
    # One tenth by the root of 40, in units of what is needed.
    assert found["se"] == pytest.approx(0.1 / np.sqrt(40) * found["needed"], rel=0.5)
    assert not found["less_than"]


def test_what_never_gets_there():
    runs = made_runs()
    random, slow = runs[runs["strategy"] == "random"], runs[runs["strategy"] == "ASAP"].copy()
    slow["distance"] = 0.4
    found = needed(slow, random, "distance", 0.1, rng())
    assert found["needed"] == np.inf and np.isnan(found["ratio"]) and np.isnan(found["se"])
    found = needed(random, slow, "distance", 0.1, rng())
    assert found["less_than"] and found["ratio"] == pytest.approx(found["needed"] / 600)


def test_a_summary_has_each_goal_and_its_own_strategy():
    table = summary(pd.concat([made_runs(), made_runs(truth="leader")]), rng())
    assert set(table.loc[table["truth"] == "leader", "goal"]) == {"best"}
    for goal, rows in table.groupby("goal"):
        ours = {name for name in rows["strategy"] if name.startswith("suggest")}
        assert ours == {f"suggest {goal}"}
    assert set(table["replicates"]) == {6} and set(table["budget"]) == {600}
