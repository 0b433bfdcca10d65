"""What is said of agents in a few words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bayesrank as br

KINDS = {"reader": 1.0, "swaps": -1.0, "clicks": 0.0, "ties": 0.0, "lefty": 0.0, "righty": 0.0}
ONE_WAY = {"ties": "tie", "lefty": "left", "righty": "right"}


def votes_of_kinds(votes=60):
    """Return votes of judges, each of a kind, of whom a good half read; one has three votes."""
    rng = np.random.default_rng(3)
    judges = {f"reader {k}": "reader" for k in range(6)} | {kind: kind for kind in KINDS}
    rows = []
    for judge, kind in judges.items():
        for _ in range(votes):
            a, b = rng.choice(4, 2, replace=False)
            ahead = KINDS[kind] * 1.5 * (b - a)
            won = "left" if rng.random() < 1.0 / (1.0 + np.exp(-ahead)) else "right"
            rows.append((f"item {a}", f"item {b}", ONE_WAY.get(kind, won), judge))
    rows += [("item 0", "item 1", "left", "new")] * 3 + [("item 1", "item 0", "left", "new")] * 3
    return pd.DataFrame(rows, columns=["left", "right", "outcome", "judge"])


@pytest.fixture(scope="module")
def words():
    data = br.Comparisons.from_frame(votes_of_kinds(), agent="judge")
    options = {"method": "laplace", "draws": 200, "chains": 1, "seed": 1, "progress": False}
    fit = br.fit(
        data, "davidson", order_effect="by-agent", ties="by-agent", discrimination="by-agent",
        **options,
    )  # fmt: skip
    return fit.agents()["words"]


def test_each_kind_of_agent_is_called_by_its_name(words):
    expected = {
        "reader": "follows the ranking", "swaps": "contrarian", "clicks": "looks random",
        "ties": "nearly always ties", "lefty": "nearly always left",
        "righty": "nearly always right", "new": "too few votes to tell",
    }  # fmt: skip
    assert words[list(expected)].to_dict() == expected


def test_who_follows_does_so_for_sure(monkeypatch):
    """Nobody follows the ranking whose votes are likelier without it, however little."""
    from bayesrank.results import agents

    data = br.Comparisons.from_frame(votes_of_kinds(), agent="judge")
    fit = br.fit(data, "davidson", method="map", scale=1.0, progress=False)
    monkeypatch.setattr(agents, "_SURE", np.inf)  # nobody is said to be random or contrarian
    words = fit.agents()["words"]
    assert words["clicks"] == words["swaps"] == "too few votes to tell"


def test_sides_that_mean_nothing_are_not_spoken_of():
    known = br.Comparisons.from_frame(votes_of_kinds(), agent="judge")
    words = [
        br.fit(data, "davidson", method="map", scale=1.0, progress=False).agents()["words"]
        for data in (known, replace(known, sided=False))
    ]
    assert [one.str.contains("left").sum() for one in words] == [1, 0]
