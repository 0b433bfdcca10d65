"""The command line as a user meets it."""

import json
import subprocess
import sys

import pandas as pd
import pytest

from bayesrank.cli import main


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
    from bayesrank import cli
    from bayesrank.data import DATASETS
    from bayesrank.likelihoods import LIKELIHOODS

    assert set(cli.MODELS) == set(LIKELIHOODS)
    assert all(name in cli.EXAMPLES for name in DATASETS)


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom bayesrank.cli import main\n"
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
    path.write_text("left,right,outcome\n[red]a,[/b],left\n[/b],[red]a,left\n")
    assert main(["rank", str(path), "--method", "map"]) == 0
    out = capsys.readouterr().out
    assert "[red]a" in out and "[/b]" in out


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
    assert "--unranked-below is for files" in capsys.readouterr().err
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
