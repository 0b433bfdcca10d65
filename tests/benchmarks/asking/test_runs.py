"""Runs: one row for each look, up to the budget."""

import numpy as np

from benchmarks.asking.runs import Setting, curves, run

SETTING = Setting(
    "pairs-20", "davidson", 5, 2, 4, "prior", {"random": 18, "ASAP": 18}, replicates=2
)


def test_looks_go_up_to_the_budget():
    found = run(SETTING, "ASAP", 0)
    assert found["asked"].tolist() == [5, 9, 13, 17, 21]
    assert found["distance"].between(0, 1).all()


def test_those_who_do_not_look_are_asked_for_more_and_more():
    setting = Setting("x", "davidson", 5, 2, 4, "prior", {"random": 400}, 1)
    steps = np.diff(run(setting, "random", 0)["asked"])
    assert steps[0] == 4 and steps[-1] > 10


def test_all_strategies_meet_the_same_truths(capsys):
    found = curves(SETTING)
    assert len(found) == 2 * 2 * 5
    start = found[found["asked"] == 5].pivot(index="replicate", columns="strategy", values="error")
    assert (start["random"] == start["ASAP"]).all() and start["random"].nunique() == 2
    assert "davidson, 5 items, prior: random" in capsys.readouterr().out
