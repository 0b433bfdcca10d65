"""Intervals of preferences cover, and rankings count for what they are worth, in small."""

import runpy

import pytest

from tests.benchmarks.scripts import FOLDER


@pytest.fixture(scope="module")
def preferences():
    return runpy.run_path(str(FOLDER / "preference_coverage.py"))


def test_intervals_of_preferences_cover(preferences):
    """Twenty sets of draws from the multinomial preference model, 30 items each.

    Relative scores and adherences times the size of scores are what the likelihood knows; they
    must not fall short by more than four standard errors over the sets.
    """
    result = preferences["study"]("draws 200", "laplace", 20, progress=False, draws=500, chains=1)
    for name in ("relative score, 95 %", "adherence x size of scores, 95 %"):
        share, error = result["1", name]
        assert error < 0.02
        assert share > 0.95 - 4 * error
    assert result["1", "noise agents last"][0] == 1.0


def test_rankings_count_for_what_they_are_worth(preferences):
    """Squared errors over variances, which are 1 on average where the weight is right.

    The mean over six sets of rankings has a standard error of about 0.15; four of these are
    0.6. A weight twice as large gives 1.9, and the pairs of rankings as they are about 200.
    """
    result = preferences["study"](
        "plackett-luce", "laplace", 3, progress=False, weights=("1", "effective"), sets=2,
        times=10, draws=500, chains=1,
    )  # fmt: skip
    name = "relative score, squared error / variance"
    assert abs(result["effective", name][0] - 1.0) < 0.6
    assert result["1", name][0] > 20.0
    assert result["effective", "rank, 95 %"][0] > result["1", "rank, 95 %"][0]


def test_the_table_of_preferences_is_kept(preferences, tmp_path, capsys):
    table = tmp_path / "table.csv"
    for _ in range(2):
        preferences["main"](["--data", "draws 200", "--replicates", "2", "--table", str(table)])
    lines = table.read_text().splitlines()
    assert lines[0] == ",".join(preferences["COLUMNS"])
    assert len(lines) % 2 == 1 and len(lines) > 20
    assert "noise agents last" in capsys.readouterr().out
