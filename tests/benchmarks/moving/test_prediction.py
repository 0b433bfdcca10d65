"""The table of log-losses."""

import pytest

from benchmarks.moving import prediction


def test_losses_are_held_against_our_walk(monkeypatch):
    monkeypatch.setattr(prediction, "PEERS", {})
    table, seconds = prediction.run(quick=True)
    assert not seconds and len(table) == 2 * len(prediction.KINDS)
    for _, part in table.groupby("matches"):
        walk = part[part["method"] == "ours, walk"].iloc[0]
        assert walk["more than ours"] == walk["standard error"] == 0.0
        more = part["log-loss"] - walk["log-loss"]
        assert part["more than ours"].tolist() == pytest.approx(more.tolist())
