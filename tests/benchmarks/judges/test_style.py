"""The effect of a feature."""

import pytest

from benchmarks.judges import style


def test_the_effect_is_found(monkeypatch):
    table = style.simulated(0, votes=20_000)
    mean, low, high = style.found(table, "laplace", 1)
    assert mean == pytest.approx(style.TRUE, rel=0.1) and low < mean < high < 2.0 * style.TRUE


def test_a_row_for_each_method(monkeypatch):
    monkeypatch.setattr(style, "VOTES", 100)
    monkeypatch.setattr(style, "find_spec", lambda name: None)
    monkeypatch.setattr(style, "found", lambda table, method, seed: (0.6, 0.1, 0.2 + seed))
    table = style.run(4, processes=1)
    assert table["method"].tolist() == ["ours, laplace", "ours, nuts"]
    assert table["estimate / true"].tolist() == pytest.approx([0.6 / style.TRUE] * 2)
    assert table["95 % intervals that hold it"].tolist() == [0.75, 0.75]


def test_arena_rank_without_its_penalty_agrees():
    pytest.importorskip("arena_rank")
    table = style.simulated(0)
    mine, theirs = style.found(table, "laplace", 1)[0], style.arena_rank(table, 1e-6)[0]
    assert theirs == pytest.approx(mine, rel=0.15)
    assert style.arena_rank(table)[0] < 0.5 * theirs
