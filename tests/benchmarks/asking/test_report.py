"""The study for readers."""

import pandas as pd
import pytest

from benchmarks.asking.needed import summary
from benchmarks.asking.report import END, START, draw, markdown, save, wide
from tests.benchmarks.asking.asked_runs import made_runs


@pytest.fixture(scope="module")
def runs():
    return pd.concat([made_runs(), made_runs("pairs-60", "leader")], ignore_index=True)


def test_one_row_for_each_setting_and_value(runs):
    table = wide(summary(runs))
    assert table[["part", "truth", "goal", "value"]].to_numpy().tolist() == [
        ["pairs-20", "prior", "order", 0.1], ["pairs-20", "prior", "order", 0.05],
        ["pairs-20", "prior", "best", 0.9], ["pairs-60", "leader", "best", 0.9],
    ]  # fmt: skip
    assert (table[""] == "holds").all()
    assert table.loc[0, "random"].startswith("16") and "±" in table.loc[0, "random"]


def test_what_does_not_hold_is_in_bold(runs):
    same = runs.copy()
    ours, random = same["strategy"] == "suggest best", same["strategy"] == "random"
    for measure in ("distance", "found"):
        same.loc[ours, measure] = same.loc[random, measure].to_numpy()
    text = markdown(summary(same))
    assert text.count("**does not hold**") == 2 and "the best is found in 90% of runs" in text


def test_what_was_never_reached(runs):
    slow = runs.copy()
    slow.loc[slow["strategy"] == "random", "distance"] = 0.3
    table = wide(summary(slow))
    assert table.loc[0, "random"] == "> 600" and table.loc[0, "by random"].startswith("< 0.")


def test_all_is_kept(runs, tmp_path):
    (tmp_path / "README.md").write_text(f"before\n{START}\nlast time\n{END}\nafter\n")
    paths = save(tmp_path, runs, summary(runs))
    assert all(path.exists() for path in paths)
    text = (tmp_path / "README.md").read_text()
    assert "last time" not in text and text.startswith("before") and text.endswith("after\n")
    curves = pd.read_csv(tmp_path / "asking_curves.csv")
    assert len(curves) == 2 * 5 * 30 and curves["distance_se"].gt(0).all()


def test_a_panel_for_each_part_goal_and_truth(runs):
    figure = draw(runs)
    assert len(figure.axes) == 2 * 5
    assert len(figure.axes[0].lines) == 4 + 2  # strategies and values that are to be reached
