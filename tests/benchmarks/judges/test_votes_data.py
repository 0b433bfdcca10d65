"""Simulated votes of judges of known kinds."""

import numpy as np

from benchmarks.judges.votes_data import JUDGES, OUTCOMES, compared, simulated


def test_there_are_judges_of_all_kinds():
    table = simulated(0)
    kinds = table.groupby("worker")["kind"].first()
    assert kinds.value_counts().to_dict() == JUDGES
    assert (table.loc[table["kind"] == "ties", "outcome"] == "tie").all()
    assert set(table["outcome"]) == set(OUTCOMES) and (table["left"] != table["right"]).all()


def test_contrarian_judges_turn_the_order_round():
    judges = {"good": 30, "contrarian": 30}
    table = simulated(0, judges=judges, sizes=(200,), prompts=1)
    table = table[table["outcome"] != "tie"]
    won = table["left"].where(table["outcome"] == "left", table["right"])
    shares = {
        kind: won[rows].value_counts().div(
            table.loc[rows, "left"].value_counts() + table.loc[rows, "right"].value_counts()
        )
        for kind, rows in table.groupby("kind").groups.items()
    }  # fmt: skip
    assert shares["good"].corr(shares["contrarian"]) < -0.8


def test_same_answers_have_the_same_items_and_prompt():
    table = simulated(0)
    columns = ["prompt", "left", "right"]
    assert (table.groupby("id")[columns].nunique() == 1).all(axis=None)
    data = compared(table)
    assert data.counts.sum() == len(table) and len(data.categories) == 5
    assert np.isin(data.agents, table["worker"]).all()
