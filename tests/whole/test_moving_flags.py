"""Flags of scores that move: what they cannot do is said in flags, and before the work."""

import re

import pytest

from bayesrank.cli.commands import main


@pytest.fixture(scope="module")
def seasons(tmp_path_factory):
    path = tmp_path_factory.mktemp("moving") / "games.csv"
    rows = ["home,away,winner,date,q"]
    for year in (2018, 2019, 2020):
        rows += [f"ann,bob,ann,{year}-03-01,1", f"bob,cyd,bob,{year}-03-02,1",
                 f"cyd,ann,cyd,{year}-03-03,2"]  # fmt: skip
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scores", "walk"], "as --time date when you read.*--every month"),
        (["--scores", "walk", "--time", "winner"], "Write them so in the table"),
        (["--time", "date", "--every", "fortnight"], "--every must be one of day, week"),
        (["--every", "month"], "--every needs --time date"),
        (["--scores", "walk", "--time", "date", "--drift", "0"], "--drift must be a number from"),
        (["--scores", "walk", "--time", "date", "--persistence", ".5"],
         "--persistence is for --scores mean-reverting, not for --scores walk"),
        (["--time", "date", "--drift", "1"], "--drift is for --scores walk, not for --scores cons"),
        (["--scores", "walk", "--time", "date", "--scale", "inf"], "--scale from 1e-06"),
        (["--scores", "walk", "--time", "date", "--model", "mpm"], "leave out --scores"),
        (["--scores", "walk", "--time", "date", "--instance", "q"], "one of the 2 by --where"),
        (["--scores", "walk", "--time", "date", "--at", "soon"], "--at must be a date"),
        (["--scores", "walk", "--time", "date", "--at", "2000"], "--at is 2000-01-01, before"),
        (["--scores", "walk", "--time", "date", "--window", "-1"], "--window must be a number"),
        (["--time", "date", "--at", "2019"], "--at is for scores that move: give --scores walk"),
    ],
)  # fmt: skip
def test_what_scores_that_move_cannot_do_is_said_in_flags(
    arguments, message, seasons, capsys, monkeypatch
):
    """And before the work, which may take long."""
    monkeypatch.setattr("bayesrank.inference.fitting._run", None)
    assert main(["rank", seasons, *arguments]) == 2
    said = capsys.readouterr().err
    assert re.search(message, said), said
    assert "`" not in said or "column" in said or "`winner`" in said or "`date`" in said


def test_scores_that_move_are_ranked_at_a_time(seasons, tmp_path, capsys):
    picture = tmp_path / "history.png"
    moving = ["--scores", "walk", "--time", "date", "--every", "year", "--method", "laplace"]
    asked = ["--at", "2019-07-01", "--plot", str(picture), "--picture", "history"]
    assert main(["rank", seasons, *moving, *asked, "--seed", "1"]) == 0
    found = capsys.readouterr()
    assert "At 2019-07-01." in found.err
    assert "drift" in found.out
    assert picture.read_bytes().startswith(b"\x89PNG")
