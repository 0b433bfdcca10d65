"""The command line as a user meets it."""

import csv
import json
import logging
import re
import subprocess
import sys

import pandas as pd
import pytest

from bayesrank.cli.commands import main
from bayesrank.data import read
from bayesrank.model.likelihoods import default_likelihood
from tests.model.preference_data import queries, stars
from tests.odd_names import ODD_NAMES


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "bayesrank", *arguments], capture_output=True, text=True, check=False
    )


def test_rank_a_data_set_by_nuts():
    result = run("rank", "pudding", "--seed", "1")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[0].split()[:3] == ["rank", "item", "score"]
    assert "tie_rate" in result.stdout
    assert "0 divergences" in result.stderr
    assert "Warning" not in result.stderr


def test_outputs(tmp_path, capsys):
    table, record, picture, whole = (
        tmp_path / name for name in ("ranking.csv", "ranking.json", "ranking.png", "fit.nc")
    )
    common = ["rank", "baseball", "--method", "laplace", "--order-effect", "--seed", "1"]
    assert main([*common, "--out", str(table), "--plot", str(picture)]) == 0
    assert main([*common, "--out", str(record), "--save", str(whole), "--quiet"]) == 0
    frame = pd.read_csv(table, index_col="item")
    assert frame.index[0] == "Milwaukee" and frame["rank"].tolist() == list(range(1, 8))
    assert [row["item"] for row in json.loads(record.read_text())] == list(frame.index)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert whole.stat().st_size > 0
    assert "order_effect" in capsys.readouterr().out


def test_columns_of_a_file(tmp_path, capsys):
    path = tmp_path / "games.csv"
    path.write_text("h,a,x,y\nann,bob,2,1\nbob,ann,3,3\nbob,cyd,1,0\ncyd,ann,4,1\nann,bob,0,1\n")
    options = ["--left", "h", "--right", "a", "--outcome", "x,y", "--method", "map"]
    assert main(["rank", str(path), *options]) == 0
    assert "bob" in capsys.readouterr().out
    assert main(["rank", str(path), *options, "--top", "1"]) == 0
    assert "and 2 more" in capsys.readouterr().out


def test_any_name_survives_into_the_tables(tmp_path):
    source = tmp_path / "games.csv"
    items = sorted(ODD_NAMES)
    rows = {"left": ODD_NAMES, "right": [*ODD_NAMES[1:], ODD_NAMES[0]], "wins": 2, "losses": 1}
    pd.DataFrame(rows).to_csv(source, index=False, quoting=csv.QUOTE_NONNUMERIC)
    table, record, matrix = (tmp_path / name for name in ("r.csv", "r.json", "m.csv"))
    common = ["rank", str(source), "--method", "laplace", "--seed", "1", "--quiet"]
    assert main([*common, "--out", str(table), "--out-above", str(matrix)]) == 0
    assert main([*common, "--out", str(record)]) == 0
    assert sorted(row["item"] for row in json.loads(record.read_text())) == items
    # Only what a spreadsheet would run as a formula is written otherwise.
    harmless = sorted({*items, "'=1+1", "'-0"} - {"=1+1", "-0"})
    assert sorted(pd.read_csv(table, keep_default_na=False)["item"]) == harmless
    above = pd.read_csv(matrix, index_col=0, keep_default_na=False)
    assert sorted(above.index) == sorted(above.columns) == harmless
    with table.open(newline="", encoding="utf-8") as file:
        assert sorted(row["item"] for row in csv.DictReader(file)) == harmless


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "no file or data set called 'nowhere'"),
        (["{folder}"], "is a directory"),
        (["{folder}/empty.csv"], "is empty"),
        (["{folder}/binary.csv"], "cannot be read"),
        (["{folder}/games.csv", "--left", "x"], "Unknown column `x`"),
        (["{folder}/games.csv"], "Unknown outcome in `outcome`: zzz, row 1"),
        (["pudding", "--model", "bradley-terry"], "has none"),
        (["pudding", "--out", "ranking.txt"], "must end in .csv or .json"),
        (["pudding", "--plot", "{folder}/no/such.png"], "no such directory"),
        (["pudding", "--scale", "-1"], "`scale` must be a positive number"),
        (["pudding", "--draws", "0"], "--draws must be at least 1"),
        (["pudding", "--left", "x"], "--left is for files"),
        (["{folder}/games.csv", "--wins", "w", "--outcome", "x"], "give one or the other"),
        (["{folder}/games.csv", "--wins", "left", "--losses", "right"], "'a' in row 0"),
    ],
)
def test_a_user_s_mistake_is_one_sentence_and_exit_code_2(tmp_path, capsys, arguments, words):
    (tmp_path / "empty.csv").touch()
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "games.csv").write_text("left,right,outcome\na,b,a\nb,c,zzz\n")
    arguments = [argument.format(folder=tmp_path) for argument in arguments]
    assert main(["rank", *arguments]) == 2
    captured = capsys.readouterr()
    message = captured.err.strip().splitlines()[-1]
    assert words in message and message.startswith("bayesrank: ")
    assert "Traceback" not in captured.err


def test_mistakes_are_found_before_the_work_starts(tmp_path, capsys):
    assert main(["rank", "pudding", "--out", str(tmp_path / "x" / "y.csv")]) == 2
    assert "Fitting" not in capsys.readouterr().err


def test_rank_races(tmp_path, capsys):
    races = pd.DataFrame(
        {
            "race": ["x"] * 3 + ["y"] * 3 + ["z"] * 2,
            "driver": ["ann", "bob", "cy", "bob", "ann", "cy", "cy", "ann"],
            "position": [1, 2, 3, 1, 2, 2, 1, 2],
        }
    )
    path, table = tmp_path / "races.csv", tmp_path / "ranking.csv"
    races.to_csv(path, index=False)
    columns = ["--group", "race", "--item", "driver", "--rank", "position"]
    assert main(["rank", str(path), *columns, "--method", "map", "--out", str(table)]) == 0
    out = capsys.readouterr()
    assert "davidson-luce" in out.err and "tie[2]" in out.out
    named = pd.read_csv(table)
    # The columns have usual names, so they need not be given.
    assert main(["rank", str(path), "--method", "map", "--out", str(table)]) == 0
    pd.testing.assert_frame_equal(pd.read_csv(table), named)
    assert main(["rank", str(path), "--model", "plackett-luce", "--method", "map"]) == 2
    assert 'of the rankings (y), but "plackett-luce" has none' in capsys.readouterr().err
    assert main(["rank", str(path), "--order-effect", "--method", "map"]) == 2
    assert "`order_effect` is for comparisons" in capsys.readouterr().err
    assert main(["rank", str(path), "--model", "davidson", "--method", "map"]) == 2
    assert "needs Comparisons, got Rankings" in capsys.readouterr().err
    assert main(["rank", str(path), "--left", "driver", "--rank", "position"]) == 2


def test_rank_top_lists_and_ratings(tmp_path, capsys):
    votes = tmp_path / "votes.csv"
    votes.write_text("voter,candidate,rank\n1,a,1\n1,b,\n1,c,\n2,b,1\n2,a,2\n2,c,\n3,c,1\n3,a,\n")
    assert main(["rank", str(votes), "--method", "map"]) == 2
    assert "Missing" in capsys.readouterr().err
    assert main(["rank", "nascar", "--unranked-below"]) == 2
    assert "--unranked is for files" in capsys.readouterr().err
    assert main(["rank", str(votes), "--method", "map", "--unranked-below"]) == 0
    assert "plackett-luce" in capsys.readouterr().err
    films = tmp_path / "films.csv"
    films.write_text("user,film,stars\n1,a,5\n1,b,3\n2,a,4\n2,b,4\n2,c,1\n3,c,2\n3,b,1\n")
    columns = ["--agent", "user", "--item", "film", "--rating", "stars"]
    assert main(["rank", str(films), *columns, "--method", "laplace", "--seed", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[1] == "a"
    usual = tmp_path / "usual.csv"
    usual.write_text(films.read_text().replace("film", "item"))
    assert main(["rank", str(usual), "--method", "map"]) == 0
    strange = tmp_path / "strange.csv"
    strange.write_text("x,y\n1,2\n")
    assert main(["rank", str(strange)]) == 2
    assert "none of the usual names" in capsys.readouterr().err


def test_rank_nascar(capsys):
    assert main(["rank", "nascar", "--method", "laplace", "--seed", "1", "--top", "3"]) == 0
    out = capsys.readouterr()
    assert "36 rankings" in out.err and "and 84 more" in out.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--model", "davidson"], "--model is for data"),
        (["--method", "map"], "--method is for data"),
        (["--seed", "1"], "--seed is for data"),
        (["--order-effect"], "--order-effect is for data"),
        (["--top-k", "9"], "--top-k must be from 1 to the number of items, 7, got 9"),
        (["--save", "{saved}"], "is the source already"),
    ],
)
def test_a_saved_fit_is_what_it_is(saved, capsys, arguments, words):
    capsys.readouterr()
    arguments = [argument.format(saved=saved) for argument in arguments]
    assert main(["rank", str(saved), *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err and captured.out == ""


def test_no_such_saved_fit(tmp_path, capsys):
    assert main(["rank", str(tmp_path / "none.nc")]) == 2
    assert "There is no file" in capsys.readouterr().err


def test_a_reader_who_has_seen_enough_loses_no_file(saved, tmp_path):
    page = tmp_path / "page.html"
    command = f"{sys.executable} -m bayesrank rank {saved} --quiet --report {page} | head -1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert result.stdout.startswith("rank") and result.stderr == ""
    assert "Milwaukee" in page.read_text(encoding="utf-8")


def test_columns_that_were_guessed_are_shown(tmp_path, capsys):
    path = tmp_path / "games.csv"
    path.write_text("home,away,winner\nx,y,x\ny,x,y\nx,y,y\n")
    main(["rank", str(path), "--method", "map"])
    assert "columns: left = home, right = away, outcome = winner\n" in capsys.readouterr().err
    arguments = ["--left", "home", "--right", "away", "--outcome", "winner"]
    main(["rank", str(path), "--method", "map", *arguments])
    assert "columns:" not in capsys.readouterr().err
    main(["rank", str(path), "--method", "map", "--quiet"])


def test_the_log_is_shown_by_this_command_only(tmp_path, capsys):
    path = tmp_path / "games.csv"
    path.write_text("home,away,winner\nx,y,x\ny,x,y\nx,y,y\n")
    log = logging.getLogger("bayesrank.read")
    before = log.level, list(log.handlers)
    assert main(["rank", str(path), "--method", "map"]) == 0
    assert "columns: left = home" in capsys.readouterr().err
    assert (log.level, log.handlers) == before
    assert main(["rank", str(path), "--method", "map", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_a_separator_that_was_guessed_is_shown(tmp_path, capsys):
    path = tmp_path / "games.csv"
    path.write_text("home;away;FTR\nx;y;H\ny;z;D\nz;x;A\ny;x;H\n")
    assert main(["rank", str(path), "--outcome", "FTR", "--method", "map"]) == 0
    assert "separator: ;" in capsys.readouterr().err


def test_wide_tables(tmp_path, capsys):
    path = tmp_path / "wide.csv"
    path.write_text("x,y,z\n1,2,3\n2,1,3\n1,3,2\n")
    main(["rank", str(path), "--wide", "--method", "map"])
    assert "3 rankings of 3 items" in capsys.readouterr().err


QUICK = ["--method", "laplace", "--draws", "200", "--seed", "1"]


@pytest.mark.filterwarnings("default")
def test_the_terminal_names_all_that_never_lost(tmp_path, capsys):
    """There is no other way to them; in Python there is, and it is named."""
    rows = [f"winner {k},loser {k},left" for k in range(30)]
    path = tmp_path / "games.csv"
    path.write_text("\n".join(["left,right,outcome", *rows]) + "\n")
    assert main(["rank", str(path), *QUICK]) == 0
    said = capsys.readouterr().err
    names = said.split("never beaten: ")[1].splitlines()[0]
    assert "winner 0, " in names and "winner 29" in names and " more" not in names
    text = str(read(path).connectivity())
    assert "and 25 more" in text and text.endswith("(.connectivity() has them all)")


def test_the_terminal_says_what_was_assumed(tmp_path, capsys):
    path = tmp_path / "races.csv"
    path.write_text("race,driver,position\n1,a,1\n1,b,2\n1,c,\\N\n2,b,1\n2,a,2\n2,d,\n")
    assert main(["rank", str(path), *QUICK, "--unranked", "rows-below"]) == 0
    said = capsys.readouterr().err
    assert "assumed: 2 entries without a rank are taken as below all ranked ones" in said
    assert "assumed: Items that are not in a ranking are taken as not offered in it (25%" in said
    assert main(["rank", str(path), *QUICK, "--unranked", "below"]) == 0
    said = capsys.readouterr().err
    assert "assumed: 4 entries" in said and "not offered" not in said


def test_ratings_are_unseen_order_by_default(tmp_path, capsys):
    """As docs/choosing.md says, in Python and here."""
    path = tmp_path / "films.csv"
    path.write_text("user,film,stars\nx,a,5\nx,b,5\nx,c,1\ny,b,4\ny,a,3\ny,c,3\n")
    assert main(["rank", str(path), *QUICK]) == 0
    assert "Fitting partitioned-plackett-luce by laplace" in capsys.readouterr().err
    assert default_likelihood(read(path)) == "partitioned-plackett-luce"


def test_one_page_for_each_instance(tmp_path, capsys):
    path = tmp_path / "games.csv"
    path.write_text("year,left,right,outcome\n1,a,b,left\n1,b,a,left\n2,a,b,right\n2,b,a,right\n")
    page = tmp_path / "page.html"
    command = ["rank", str(path), "--instance", "year", *QUICK]
    assert main([*command, "--report", str(page)]) == 0
    assert sorted(p.name for p in tmp_path.glob("*.html")) == [
        "page-1.html", "page-2.html", "page.html",
    ]  # fmt: skip
    assert main([*command, "--top-k", "1"]) == 2
    assert "read one of them by --where" in capsys.readouterr().err
    one = ["rank", str(path), *QUICK, "--where", "year == 1", "--top-k", "1"]
    assert main(one) == 0


def test_the_command_line(tmp_path, capsys):
    path = tmp_path / "films.csv"
    stars().to_csv(path, index=False)
    out = tmp_path / "ranking.csv"
    columns = ["--agent", "user", "--item", "film", "--rating", "stars"]
    arguments = ["rank", str(path), *columns, "--model", "mpm", "--method", "map"]
    assert main([*arguments, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "adherence of agents:" in shown and "variance" in shown
    assert "variance" in pd.read_csv(out)
    path = tmp_path / "queries.csv"
    queries().to_csv(path, index=False)
    columns = ["--item", "document", "--rating", "minus", "--instance", "query"]
    arguments = ["rank", str(path), *columns, "--model", "mpm", "--method", "map"]
    assert main([*arguments, "--agent", "engine"]) == 0
    assert "0 / d" in capsys.readouterr().out
    assert main([*arguments, "--agent", "engine", "--plot", str(tmp_path / "o.png")]) == 2
    assert "--plot is for one ranking" in capsys.readouterr().err
    assert main(arguments) == 2
    assert "agent" in capsys.readouterr().err


def test_what_the_data_leave_to_the_prior(tmp_path, capsys):
    path = tmp_path / "games.csv"
    path.write_text("winner,loser\nann,bob\nann,cyd\nbob,cyd\ncyd,bob\n")
    assert main(["rank", str(path), *QUICK]) == 0
    told = capsys.readouterr().err
    assert "- Never beaten: ann. How far above the others they are comes from the prior." in told
    assert "Sample by NUTS where that matters: --method nuts." in told
    assert main(["rank", str(path), *QUICK, "--quiet"]) == 0
    assert "Never beaten" not in capsys.readouterr().err


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
        (["--scores", "walk", "--time", "date", "--at", "9999"], "window: --window 7979"),
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
