"""Races that stop when it is decided, and forecasts of when, in small."""

import numpy as np
import pytest

from bayesrank.consensus import ScoreDraws
from benchmarks import stopping


def surely(scores, goal, **options):
    """Return the answer of draws that leave no doubt."""
    draws = np.tile(np.asarray(scores, dtype=float), (10, 1))
    return ScoreDraws(draws, range(len(scores))).decided(goal, **options)


def test_answers_are_held_against_the_truth():
    race = stopping.Race("davidson", 6, "even", np.random.default_rng(1))
    assert race.score[0] > race.score[-1] and race.score.sum() == pytest.approx(0.0)
    order = race.score
    swapped = order[[0, 1, 3, 2, 4, 5]]  # says that the fourth is before the third
    assert race.is_right(surely(order, "order")) and not race.is_right(surely(swapped, "order"))
    assert race.is_right(surely(swapped, "order", indifference=0.31))
    assert race.is_right(surely(swapped, "best")) and race.is_right(surely(swapped, "top", k=2))
    assert not race.is_right(surely(swapped, "top", k=3))
    assert race.is_right(surely(swapped, "top", k=3, indifference=0.31))
    assert not race.is_right(surely(-order, "best"))
    # Of equals any is the best.
    equal = stopping.Race("davidson", 6, "equal", np.random.default_rng(1))
    assert all(equal.is_right(surely(order, goal)) for goal in ("best", "order"))
    assert stopping.Race("davidson", 6, "equal, width 0.3", equal.rng).width == 0.3


@pytest.mark.parametrize("likelihood", stopping.LOOKS)
def test_results_are_drawn_from_the_truth(likelihood):
    """The first item wins, or comes first, as often as the model says (5 standard errors)."""
    race = stopping.Race(likelihood, 6, "leader", np.random.default_rng(1))
    race.add(2000)
    assert race.results == 2000
    if race.pairs:
        mine = race.seen[race.left == 0]
        worths = np.exp(0.75), 1.0, 2 * 0.2 / 0.8 * np.exp(0.375)
        expected, (won, _, _) = worths[0] / sum(worths), mine.sum(axis=0)
        total = mine.sum()
    else:
        with_first = [0 in order for order in race.orders]
        first = [order[0] == 0 for order in race.orders]
        total, won = race.seen[with_first].sum(), race.seen[first].sum()
        expected = np.exp(0.75) / (np.exp(0.75) + 3)
    assert won / total == pytest.approx(expected, abs=5 * np.sqrt(0.25 / total))


def test_races_stop_when_it_is_decided_and_are_counted():
    rows = stopping.races("plackett-luce", "leader", 3, progress=False, last=300)
    assert [row[2:4] for row in rows] == [
        [goal, prob] for goal in stopping.GOALS for prob in stopping.PROBS
    ]
    best = {row[3]: row for row in rows if row[2] == "best"}
    assert best[0.8][5] == 1.0 and best[0.8][8] <= 300  # all stopped, after so many rankings
    assert best[0.8][5] >= best[0.95][5]
    assert all(np.isnan(row[6]) == (row[5] == 0.0) for row in rows)


def test_forecasts_are_held_against_what_it_took():
    rng = np.random.default_rng(3)
    found = [stopping.forecast("plackett-luce", 6, 20, "best", 0.6, rng) for _ in range(4)]
    known = [one for one in found if one is not None]
    assert known and all(low <= median <= high for low, median, high, _ in known)
    assert all(0 < took for *_, took in known)
    row = stopping.forecasts("plackett-luce", 6, 20, "best", 0.6, 4, seed=3, progress=False)
    assert row[:5] == ["plackett-luce", 6, 20, "best", 0.6] and row[5] <= 4
    assert len(row) == len(stopping.FORECAST)


@pytest.mark.parametrize("part", stopping.PARTS)
def test_tables_are_kept(part, tmp_path, monkeypatch, capsys):
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n<!-- {part} -->\n\n<!-- /{part} -->\nafter\n")
    monkeypatch.setattr(stopping, "FOLDER", tmp_path)
    monkeypatch.setattr(stopping, "TRUTHS", ("leader",))
    monkeypatch.setattr(stopping, "FORECASTS", [("plackett-luce", 6, 20, "best", 0.6)])
    stopping.main(["--quick", "--save", "--only", part])
    lines = capsys.readouterr().out.splitlines()
    assert "\n".join(lines) in readme.read_text()
    assert lines[0].startswith("| model |") and len({line.count("|") for line in lines}) == 1
    kept = (tmp_path / f"stopping_{part}.csv").read_text().splitlines()
    assert len(kept) == 1 + {"races": 2 * 6, "forecasts": 1}[part]
    assert len({line.count(",") for line in kept}) == 1
