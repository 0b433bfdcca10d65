"""The command line as a user meets it."""

import csv
import json
import subprocess
import sys

import pandas as pd
import pytest

from bayesrank import Fit, consensus
from bayesrank.cli.commands import main
from bayesrank.data import read
from bayesrank.model.likelihoods import default_likelihood
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


def test_the_names_in_the_help_are_those_of_the_package():
    from bayesrank.cli import arguments
    from bayesrank.data import DATASETS
    from bayesrank.model.likelihoods import LIKELIHOODS

    assert set(arguments.MODELS) == set(LIKELIHOODS)
    assert all(name in arguments.EXAMPLES for name in DATASETS)
    assert arguments.LOSSES == consensus.LOSSES
    assert all(callable(getattr(Fit, f"plot_{p.partition('-')[0]}")) for p in arguments.PICTURES)


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom bayesrank.cli.commands import main\n"
        "try:\n    main(['--help'])\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "assert not {'numpy', 'pandas', 'scipy', 'numba', 'rich', 'pymc'} & set(sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "examples:" in result.stdout and "rank pudding" in result.stdout


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


def test_names_with_brackets_are_printed_as_they_are(tmp_path, capsys):
    path = tmp_path / "games.csv"
    path.write_text("left,right,outcome\n[red]a,[/b],left\n[/b],[red]a,left\n[/b],\x1b[2J,left\n")
    assert main(["rank", str(path), "--method", "map"]) == 0
    out = capsys.readouterr().out
    assert "[red]a" in out and "[/b]" in out
    assert "?[2J" in out and "\x1b" not in out  # which would clear the screen


def test_any_name_survives_into_the_tables(tmp_path):
    source = tmp_path / "games.csv"
    items = sorted(ODD_NAMES)
    rows = {"left": ODD_NAMES, "right": [*ODD_NAMES[1:], ODD_NAMES[0]], "wins": 2, "losses": 1}
    pd.DataFrame(rows).to_csv(source, index=False, quoting=csv.QUOTE_NONNUMERIC)
    table, record, matrix = (tmp_path / name for name in ("r.csv", "r.json", "m.csv"))
    common = ["rank", str(source), "--method", "laplace", "--seed", "1", "--quiet"]
    assert main([*common, "--out", str(table), "--out-above", str(matrix)]) == 0
    assert main([*common, "--out", str(record)]) == 0
    assert sorted(pd.read_csv(table, keep_default_na=False)["item"]) == items
    assert sorted(row["item"] for row in json.loads(record.read_text())) == items
    above = pd.read_csv(matrix, index_col=0, keep_default_na=False)
    assert sorted(above.index) == sorted(above.columns) == items
    with table.open(newline="", encoding="utf-8") as file:
        assert sorted(row["item"] for row in csv.DictReader(file)) == items


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


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A fit that was saved by the command line."""
    path = tmp_path_factory.mktemp("saved") / "baseball.nc"
    options = ["--method", "laplace", "--seed", "1", "--quiet", "--save", str(path)]
    assert main(["rank", "baseball", *options]) == 0
    return path


def test_questions_to_a_saved_fit(saved, tmp_path, capsys):
    capsys.readouterr()
    fit = Fit.load(saved)
    order = [str(item) for item in fit.ranking().index]
    given = tmp_path / "mine.txt"
    given.write_text("\n".join(reversed(order)) + "\n")
    questions = ["--top-k", "1", "--consensus", "kendall", "--consensus", "footrule", "--worths"]
    table = tmp_path / "ranking.csv"
    questions += ["--judge", str(given), "--against", str(saved), "--quiet", "--expected-ranks"]
    questions += ["--out", str(table), "--seconds", "5"]
    assert main(["rank", str(saved), *questions]) == 0
    out = capsys.readouterr().out
    best = fit.best()
    assert f"with 95% probability the best is one of {best['credible'].sum()} items" in out
    others = best.index[best["in_set"] & ~best["credible"]]
    assert len(others) and f"scores are, also: {', '.join(others)}" in out
    for loss in ("kendall", "footrule"):
        found, judged = fit.consensus(loss), fit.expected_loss(order[::-1], loss)
        unit = consensus.UNITS[loss]
        assert f"consensus under {loss}, expected loss {found.expected_loss:.6g} ({unit})" in out
        assert ", ".join(found.order) in out and found.proof in out
        assert f"the given ranking: expected loss {judged:.6g}" in out
    assert "spearman" not in out
    assert f"{fit.worths()['worth'].iloc[0]:.4f}" in out
    assert f"{fit.expected_ranks()['sucra'].iloc[0]:.3f}" in out
    written = pd.read_csv(table, index_col="item")
    assert written["place_kendall"].sort_values().index.tolist() == fit.consensus("kendall").order
    assert written["worth"].tolist() == pytest.approx(fit.worths()["worth"].tolist())
    assert written["in_set"].equals(best.loc[written.index, "in_set"].rename_axis("item"))
    assert {"mean_rank", "sucra", "p_top_1", "place_footrule", "quasi_sd"} <= set(written)
    assert "7 items in both" in out and "0 pairs are certain in both and opposite" in out


@pytest.mark.parametrize("kind", ["marginal", "posterior", "simultaneous"])
def test_kinds_of_rank_intervals(saved, capsys, kind):
    capsys.readouterr()
    assert main(["rank", str(saved), "--rank-intervals", kind, "--quiet", "--prob", "0.9"]) == 0
    out = capsys.readouterr().out
    meant = {"marginal": False, "posterior": "posterior", "simultaneous": True}[kind]
    first = Fit.load(saved).rank_intervals(0.9, simultaneous=meant).iloc[0]
    assert f" {first['low']}-{first['high']} " in out.splitlines()[1]
    assert "90% interval" in out
    assert ("at once with 90%" in out) == (kind != "marginal")
    assert ("whatever the true scores" in out) == (kind == "simultaneous")


def test_matrices_are_saved(saved, tmp_path):
    paths = {name: tmp_path / f"{name}.csv" for name in ("ranks", "above", "wins")}
    flags = [part for name, path in paths.items() for part in (f"--out-{name}", str(path))]
    assert main(["rank", str(saved), "--quiet", *flags]) == 0
    fit = Fit.load(saved)
    for name, table in (
        ("ranks", fit.rank_probabilities()),
        ("above", fit.probability_above()),
        ("wins", fit.win_probabilities()),
    ):
        again = pd.read_csv(paths[name], index_col="item")
        assert list(again.index) == list(table.index)
        assert again.to_numpy() == pytest.approx(table.to_numpy(), nan_ok=True)


@pytest.mark.parametrize("picture", ["ranking", "ranks", "wins", "worths", "check-wins", "prior"])
def test_every_picture_by_one_flag(saved, tmp_path, picture):
    path = tmp_path / f"{picture}.png"
    assert main(["rank", str(saved), "--quiet", "--plot", str(path), "--picture", picture]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_report_by_one_flag(saved, tmp_path):
    path = tmp_path / "page.html"
    assert main(["rank", str(saved), "--quiet", "--report", str(path), "--title", "<1987>"]) == 0
    text = path.read_text(encoding="utf-8")
    assert "Milwaukee" in text and "<title>&lt;1987&gt;</title>" in text


def test_influence_of_agents(capsys):
    options = ["--method", "laplace", "--seed", "1", "--quiet", "--influence", "--top", "2"]
    assert main(["rank", "fruits", *options]) == 0
    assert "Pareto k" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--prob", "95"], "--prob must be between 0 and 1, got 95"),
        (["--top-k", "0"], "--top-k must be from 1 to the number of items, 7, got 0"),
        (["--top-k", "8"], "--top-k must be from 1 to the number of items, 7, got 8"),
        (["--judge", "{folder}/none.txt"], "--judge: there is no file"),
        (["--judge", "{folder}/short.txt"], "--judge must hold each of the 7 items once; missing"),
        (["--against", "{folder}/none.nc"], "--against: there is no file"),
        (["--picture", "ranks"], "--picture ranks needs --plot"),
        (["--title", "x"], "give --report FILE.html too"),
        (["--seconds", "0"], "--seconds must be positive"),
        (["--report", "{folder}"], "must end in .html"),
        (["--method", "map", "--consensus", "kendall"], "--consensus needs posterior draws"),
        (["--method", "map", "--rank-intervals", "posterior"], "--rank-intervals needs posterior"),
        (["--method", "map", "--plot", "x.png", "--picture", "ranks"], "needs draws"),
        (["--report", "page.htm"], "must end in .html"),
        (["--report", "{folder}/no/page.html"], "no such directory"),
        (["--influence"], "give the column as --agent"),
        (["--against", "{folder}/short.txt"], "is no saved fit"),
        (["--judge", "{folder}/binary.txt"], "is no plain text"),
        (["--plot", "x.png", "--picture", "adherences"], "is for --model mpm, not bradley-terry"),
        (["--out", "o.csv", "--out-ranks", "o.csv"], "is the file of --out already"),
    ],
)
def test_questions_that_cannot_be_answered(tmp_path, capsys, arguments, words):
    (tmp_path / "short.txt").write_text("Milwaukee\nDetroit\n")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)))
    arguments = [argument.format(folder=tmp_path) for argument in arguments]
    assert main(["rank", "baseball", "--method", "laplace", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err.strip().splitlines()[-1]
    assert "Fitting" not in captured.err  # it is said before the work


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


def test_levels_are_written_with_all_their_digits(saved, capsys):
    capsys.readouterr()
    assert main(["rank", str(saved), "--quiet", "--prob", "0.999", "--top-k", "1", "--worths"]) == 0
    out = capsys.readouterr().out
    assert "99.9% interval" in out and "with 99.9% probability" in out and "100%" not in out


def test_a_reader_who_has_seen_enough_loses_no_file(saved, tmp_path):
    page = tmp_path / "page.html"
    command = f"{sys.executable} -m bayesrank rank {saved} --quiet --report {page} | head -1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert result.stdout.startswith("rank") and result.stderr == ""
    assert "Milwaukee" in page.read_text(encoding="utf-8")


def test_who_can_be_told_apart(saved, capsys):
    capsys.readouterr()
    assert main(["rank", str(saved), "--quiet", "--versus", "Detroit"]) == 0
    table = Fit.load(saved).versus("Detroit")
    out = capsys.readouterr().out
    still = table.index[table["order"] == "open"]
    assert f"and not told apart from {len(still)} others at 95%" in out
    listed = out.split("others at 95%:")[1]
    assert [item for item in table.index if item in listed] == list(still)
    assert main(["rank", str(saved), "--quiet", "--versus", "Detriot"]) == 2
    assert "--versus must hold items, each once; unknown: Detriot" in capsys.readouterr().err


@pytest.mark.parametrize("width", [80, 200])
def test_numbers_are_never_cut(width, monkeypatch, capsys):
    """Names give way in a terminal, and in a file nothing does."""
    import rich.console

    from bayesrank.cli import terminal

    names = ["model-06-instruct-large-and-some-more", "b"]
    row = {"rank": 19, "score": -0.312, "low": -0.586, "high": -0.021, "rank_low": 13,
           "rank_high": 1000, "p_best": 0.0, "p_top3": 0.0, "tier": 10}  # fmt: skip
    table = pd.DataFrame([row, row], index=names)
    real = rich.console.Console
    terminals = {"force_terminal": True, "width": width, "color_system": None}
    monkeypatch.setattr(rich.console, "Console", lambda **options: real(**(terminals | options)))
    terminal.print_ranking(table, 30, "nuts")
    shown = capsys.readouterr().out
    assert shown.count("-0.586 to -0.021") == shown.count("13-1000") == 2
    assert ("…" in shown) == (width == 80)
    monkeypatch.setattr(rich.console, "Console", lambda **options: real(**options))
    terminal.print_ranking(table, 30, "nuts")
    assert names[0] in capsys.readouterr().out


def test_columns_that_were_guessed_are_shown(tmp_path, capsys):
    path = tmp_path / "games.csv"
    path.write_text("home,away,winner\nx,y,x\ny,x,y\nx,y,y\n")
    main(["rank", str(path), "--method", "map"])
    assert "columns: left = home, right = away, outcome = winner\n" in capsys.readouterr().err
    arguments = ["--left", "home", "--right", "away", "--outcome", "winner"]
    main(["rank", str(path), "--method", "map", *arguments])
    assert "columns:" not in capsys.readouterr().err
    main(["rank", str(path), "--method", "map", "--quiet"])


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


def test_an_item_that_is_told_apart_from_all_has_no_empty_table(capsys):
    assert main(["rank", "citations", *QUICK, "--versus", "Comm Statist"]) == 0
    out = capsys.readouterr().out
    assert "Comm Statist: surely above 0, surely below 3, told apart from all others at 95%" in out
    assert "P(truly below)" not in out


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
