"""Studies and benchmarks, in small: that they run, and that what they claim is not absurd."""

import gzip
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import LIKELIHOODS

FOLDER = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture(autouse=True)
def beside_each_other(monkeypatch):
    """A script finds its neighbours, as it does when it is run as a command."""
    monkeypatch.syspath_prepend(str(FOLDER))


@pytest.fixture(scope="module")
def coverage():
    return runpy.run_path(str(FOLDER / "interval_coverage.py"))


@pytest.mark.parametrize(
    "likelihood",
    ["bradley-terry", "davidson", "rao-kupper", "glenn-david", "plackett-luce", "davidson-luce"],
)
def test_intervals_cover(coverage, likelihood):
    """Coverage of 95 % intervals over 150 tournaments of eight items, drawn from the prior.

    Scores must cover within four standard errors (of about 0.007, over tournaments) either way;
    intervals a fifth too narrow would cover 0.88. A single parameter must not fall short of
    its share by more than four standard errors of a binomial.
    """
    result = coverage["study"](likelihood, "laplace", 150, progress=False, draws=500, chains=1)
    share, error = result.pop("score")
    assert error < 0.012
    assert abs(share - 0.95) < 4 * error
    for quantity, (share, _) in result.items():
        assert share > 0.95 - 4 * np.sqrt(0.95 * 0.05 / 150), quantity


def test_the_table_is_kept(coverage, tmp_path, capsys):
    table = tmp_path / "table.csv"
    arguments = ["--method", "laplace", "--replicates", "2", "--likelihood", "davidson"]
    for _ in range(2):
        coverage["main"]([*arguments, "--table", str(table)])
    lines = table.read_text().splitlines()
    assert lines[0].startswith("likelihood,method,quantity") and len(lines) == 1 + 2 * 3
    assert "davidson" in capsys.readouterr().out


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


@pytest.fixture(scope="module")
def ranks():
    return runpy.run_path(str(FOLDER / "rank_coverage.py"))


def test_statements_about_ranks_are_held_against_the_truth(ranks):
    """Draws that leave no doubt: 0 above 1, 2 and 3, which nobody can tell apart, above 4."""
    draws = np.random.default_rng(1).normal([9.0, 0.0, 0.0, 0.0, -9.0], 0.1, size=(400, 5))
    known = br.ScoreDraws(draws, range(5))
    right = ranks["held_against"](known, np.array([2.0, 1.0, 1.0, 1.0, 0.0]))
    names = ("simultaneous", "posterior", "marginal")
    for name in ("best", "top", *(f"ranks, {name}" for name in names)):
        assert right[name] == 1.0, name
    assert right["ranks, simultaneous, all of equals"] == 1.0
    assert right["tiers"] == 3.0 and right["tiers, reversed or equal"] == 0.0
    # Ranks 1, 2-4 and 5: the mean of 1, 3, 3, 3 and 1.
    assert right["ranks, simultaneous, width"] == 11 / 5
    assert right["best, size"] == right["best, posterior, size"] == 1.0
    # The last is first in truth: wrong in all that is said of it, four pairs of seven reversed.
    wrong = ranks["held_against"](known, np.array([2.0, 1.0, 1.0, 1.0, 3.0]))
    for name in ("best", "best, posterior", "top", *(f"ranks, {name}" for name in names)):
        assert wrong[name] == 0.0, name
    assert wrong["tiers, reversed"] == 1.0 and wrong["tiers, share of pairs reversed"] == 4 / 7
    # All are equal in truth: no rank is wrong, but to tell them apart is.
    equal = ranks["held_against"](known, np.zeros(5))
    assert equal["ranks, simultaneous"] == equal["best"] == 1.0
    assert equal["ranks, simultaneous, all of equals"] == equal["best, all equals"] == 0.0
    assert equal["tiers, reversed"] == 0.0 and equal["tiers, reversed or equal"] == 1.0


def test_statements_about_ranks_hold(ranks):
    """Shares over 60 data sets, whose standard error is 0.028 at 0.95.

    Where scores are equal, sets and intervals for fixed scores keep their level and the set by
    posterior probability does not: it holds a given one of ten best items six times of ten.
    Where scores are drawn from the prior, what is said by posterior probability holds, too.
    """
    least = 0.95 - 4 * np.sqrt(0.95 * 0.05 / 60)
    sizes = {"progress": False, "draws": 500, "chains": 1}
    equal = ranks["study"](("bradley-terry", 10, "equal", "many"), "laplace", 60, **sizes)
    for name in ("ranks, simultaneous, all of equals", "best", "top"):
        assert equal[name][0] > least, name
    assert equal["best, posterior"][0] < least
    drawn = ranks["study"](("plackett-luce", 10, "prior", "few"), "laplace", 60, **sizes)
    for name in ("ranks, simultaneous", "ranks, posterior", "best", "best, posterior", "top"):
        assert drawn[name][0] > least, name
    assert drawn["ranks, posterior, width"][0] < drawn["ranks, simultaneous, width"][0]


def test_the_table_of_ranks_is_kept(ranks, tmp_path, capsys):
    table = tmp_path / "table.csv"
    arguments = ["--replicates", "2", "--likelihood", "davidson", "--truth", "leader"]
    for _ in range(2):
        ranks["main"]([*arguments, "--data", "few", "--table", str(table)])
    lines = table.read_text().splitlines()
    assert lines[0] == ",".join(ranks["COLUMNS"])
    assert len(lines) % 2 == 1 and len(lines) > 40
    printed = capsys.readouterr().out.splitlines()
    assert printed[2].startswith("| davidson | 10 | leader | few |")
    assert len({line.count("|") for line in printed[:3]}) == 1


@pytest.mark.parametrize("part", ["a", "b", "c", "d", "e"])
def test_the_consensus_benchmark_runs(part, capsys):
    runpy.run_path(str(FOLDER / "consensus.py"))["main"](["--quick", "--only", part])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert len({row.count("|") for row in rows}) == 1
    assert rows[2].startswith(f"| {part} |")


def test_zero_sum_scores_are_worth_it(capsys):
    runpy.run_path(str(FOLDER / "zero_sum.py"))["main"](["--quick"])
    ratio = float(capsys.readouterr().out.rpartition("ratio: ")[2])
    assert ratio > 10  # some five hundred at full size


@pytest.mark.parametrize("part", ["a", "c", "d"])
def test_the_preference_benchmark_runs(part, capsys, tmp_path):
    # Two queries as LETOR writes them, with lists by three engines.
    lines = [
        "2 qid:1 1:1 2:30 3:2 #docid = a inc = 1",
        "0 qid:1 1:2 2:4 3:NULL #docid = b inc = 1",
        "0 qid:1 1:7 2:NULL 3:9 #docid = c inc = 1",
        "1 qid:2 1:3 2:2 3:1 #docid = a inc = 1",
        "0 qid:2 1:1 2:5 3:4 #docid = d inc = 1",
    ]
    with gzip.open(tmp_path / "S1.txt.gz", "wt") as file:
        file.write("\n".join(lines) + "\n")
    arguments = ["--quick", "--only", part, "--letor", str(tmp_path)]
    runpy.run_path(str(FOLDER / "preferences.py"))["main"](arguments)
    assert f"({part})" in capsys.readouterr().out


@pytest.mark.parametrize("part", ["b", "c"])
def test_the_ranking_benchmark_runs(part, capsys):
    runpy.run_path(str(FOLDER / "rankings.py"))["main"](["--quick", "--only", part])
    assert f"({part})" in capsys.readouterr().out


def test_the_calibration_study_runs(capsys, tmp_path, monkeypatch):
    from benchmarks import calibration

    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{calibration.START}\nold\n{calibration.END}\nafter\n")
    monkeypatch.setattr(calibration, "HERE", tmp_path)
    monkeypatch.setattr(calibration, "TABLE", tmp_path / "calibration.csv")
    monkeypatch.setattr(calibration, "PICTURE", tmp_path / "calibration.png")
    monkeypatch.setattr(calibration, "RANKS", tmp_path / "calibration.npz")
    arguments = ["--only", "davidson", "--methods", "laplace", "--n", "12", "--save"]
    first = calibration.main(arguments)
    assert "| `davidson` |" in capsys.readouterr().out
    # What is done is not done again.
    monkeypatch.setattr(calibration, "study", None)
    pd.testing.assert_frame_equal(calibration.main(arguments), first)
    assert "old" not in readme.read_text()
    assert "| `davidson` |" in readme.read_text()
    assert (tmp_path / "calibration.png").stat().st_size > 1000


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_the_calibration_study_has_a_design_for(likelihood):
    from benchmarks.calibration import design

    model = br.Specification(design(likelihood), likelihood)
    values = {name: value[0] for name, value in model.prior(1, seed=1).items()}
    assert model.observation.draw(values, np.random.default_rng(1)).sum() > 0


def test_what_the_calibration_study_says():
    from benchmarks.calibration import verdict

    rows = {"p_adjusted": [0.001, 0.002, 0.5], "shift": [0.0, -0.2, 0.0], "spread": [1.3, 1.0, 1.0]}
    table = pd.DataFrame(rows, index=["scale", "score[0]", "nu"])
    assert verdict(table) == "scale too narrow, score[0] too high"
    assert verdict(table.iloc[2:]) == "calibrated"


# Dask calls pandas 3.1 in a way that this announces to end.
@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_many_rows_of_a_file_are_counted_by_engines(tmp_path):
    pytest.importorskip("duckdb")
    from benchmarks.big_rows import ENGINES, make_rows, measure

    path = tmp_path / "votes.parquet"
    make_rows(path, 200_000)
    for engine in ENGINES:
        found = measure(engine, path)
        assert found["comparisons"] == 200_000
        assert found["items"] == 150
        assert int(found["first"].split()[1]) < 15  # the best are the first
