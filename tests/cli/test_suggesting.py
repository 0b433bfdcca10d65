"""The command that says what to compare next."""

import json

import pandas as pd
import pytest

import bayesrank as br
from bayesrank.cli.arguments import build_parser
from bayesrank.cli.commands import main
from tests.judged_votes import votes_by_judges

QUICK = ["--seed", "1", "--draws", "100", "--chains", "1"]


def run(capsys, *arguments):
    """Return the exit code of a command, and what it prints."""
    code = main(["suggest", *map(str, arguments)])
    return code, *capsys.readouterr()


@pytest.fixture
def votes(tmp_path):
    frame = votes_by_judges(votes=10)
    frame["topic"] = ["art", "code"] * (len(frame) // 2) + ["art"] * (len(frame) % 2)
    path = tmp_path / "votes.csv"
    frame.to_csv(path, index=False)
    return path


def test_a_table_and_what_it_means(tmp_path, capsys):
    out = tmp_path / "next.csv"
    code, printed, said = run(
        capsys, "baseball", "--n", 4, "--goal", "top", "--k", 3, "--out", out, *QUICK
    )
    assert code == 0 and said.endswith(f"wrote {out}\n")
    lines = printed.splitlines()
    assert lines[0].split() == ["left", "right", "gain", "P(left)", "P(right)"]
    assert len(lines) == 6 and lines[-1].startswith("gain: by how many bits each is expected")
    assert "who is among the first 3, beyond those above it" in lines[-1]
    assert lines[-1].endswith("bits are open, summed over the items")
    table = pd.read_csv(out)
    assert list(table) == ["left", "right", "gain", "alone", "p_left", "p_right"]
    fit = br.fit(br.load_dataset("baseball"), method="laplace", seed=1, draws=100, chains=1)
    pd.testing.assert_frame_equal(table, fit.suggest(4, goal="top", k=3), check_dtype=False)


def test_sets_of_items(tmp_path, capsys):
    out = tmp_path / "next.csv"
    arguments = ["fruits", "--n", 2, "--size", 3, "--quiet", "--goal", "scores", *QUICK]
    code, printed, said = run(capsys, *arguments, "--out", out)
    assert (code, said) == (0, "") and printed.splitlines()[1].count(",") == 2
    assert printed.splitlines()[-1].startswith("gain: what each is expected to tell")
    table = pd.read_csv(out)
    assert list(table) == ["item_1", "item_2", "item_3", "gain", "alone"]
    run(capsys, *arguments, "--out", tmp_path / "next.json")
    rows = json.loads((tmp_path / "next.json").read_text())
    assert [row["item_1"] for row in rows] == table["item_1"].tolist()


@pytest.mark.filterwarnings("default")
def test_items_and_costs_from_files(tmp_path, capsys):
    among, cost, out = tmp_path / "items.txt", tmp_path / "prices.csv", tmp_path / "next.csv"
    among.write_text("Boston\n\nDetroit\nHavana\n=SUM(A1)\n")
    cost.write_text("item,cost\nBoston,1\nDetroit,1\nHavana,9.5\n=SUM(A1),1\nToronto,3\n")
    code, _, said = run(
        capsys, "baseball", "--among", among, "--cost", cost, "--n", 6, "--out", out, *QUICK
    )
    assert code == 0
    assert "bayesrank: --among has 2 items that the data do not have" in said
    table = pd.read_csv(out)
    assert set(table["left"]) | set(table["right"]) == {"Boston", "Detroit", "Havana", "'=SUM(A1)"}
    assert set(table["cost"]) == {2.0, 10.5} and "gain_per_cost" in table


def test_judges_and_categories(votes, tmp_path, capsys):
    given = [
        votes, "--agent", "judge", "--category", "topic", "--discrimination", "by-agent",
        "--scores", "by-category", "--n", 3, *QUICK,
    ]  # fmt: skip
    judge = pd.read_csv(votes)["judge"][0]
    first, *others = (
        run(capsys, *given, *more)[1]
        for more in ([], ["--to-ask", judge], ["--in-category", "code"], ["--in-category", "all"])
    )
    assert len({first, *others}) == 4 and "category" in others[-1].splitlines()[0]
    for more, words in (
        (["--to-ask", "nobody"], "--to-ask must be one of"),
        (["--in-category", "nothing"], "--in-category must be all, or one of art, code, got"),
    ):
        code, printed, said = run(capsys, *given, *more)
        assert code == 2 and not printed and words in said


def test_a_saved_fit(saved, tmp_path, capsys):
    fit = tmp_path / "again.nc"
    code, printed, _ = run(capsys, saved, "--goal", "best", "--n", 2, "--save", fit)
    assert code == 0 and len(printed.splitlines()) == 4
    assert "what is open about who is the best" in printed
    assert run(capsys, fit, "--goal", "best", "--n", 2)[1] == printed


def test_other_methods_and_times(tmp_path, capsys):
    games = pd.DataFrame(
        {"left": list("abcabc"), "right": list("bcacab"), "outcome": list("abacab"),
         "year": [2000, 2000, 2001, 2001, 2002, 2002]}
    )  # fmt: skip
    games.to_csv(tmp_path / "games.csv", index=False)
    moving = [tmp_path / "games.csv", "--time", "year", "--scores", "walk", *QUICK]
    code, _, said = run(capsys, *moving, "--at", "2001", "--window", "0.5")
    assert code == 0 and "At 2001" in said
    code, _, said = run(capsys, "baseball", "--method", "nuts", "--tune", 20, *QUICK)
    assert code == 0 and "by nuts" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--n", "0"], "--n must be at least 1, got 0."),
        (
            ["--goal", "top"],
            "--goal top needs --k, from 1 to one less than the number of items, 6.",
        ),
        (["--goal", "top", "--k", "7"], "number of items, 6, got 7."),
        (["--k", "2"], "--k is for --goal top, not for --goal order."),
        (["--size", "3"], "--size is for rankings; a comparison has 2 items, got 3."),
        (["--method", "map"], "--method map has none; use nuts, advi or laplace."),
        (["--tune", "5"], "--tune is for --method nuts, not laplace."),
        (["--among", "nowhere.txt"], "--among: there is no file 'nowhere.txt'."),
        (["--to-ask", "x"], "--to-ask is for agents who differ: give --discrimination by-agent"),
        (["--in-category", "x"], "give --scores by-category."),
        (["--at", "2020"], "--at is for scores that move: give --scores walk."),
        (["--out", "next.txt"], "--out: "),
    ],
)
def test_what_is_refused(arguments, words, capsys):
    code, printed, said = run(capsys, "baseball", *arguments)
    assert code == 2 and not printed
    assert said.splitlines()[-1].startswith("bayesrank: ") and words in said.splitlines()[-1]


def test_models_and_data_that_cannot_say(tmp_path, capsys):
    lists = "race,query,doc,rank\n1,x,a,1\n1,x,b,2\n2,y,c,1\n2,y,d,2\n3,x,b,1\n3,x,a,2\n"
    (tmp_path / "queries.csv").write_text(lists)
    given = [tmp_path / "queries.csv", "--group", "race", "--item", "doc", "--model", "mpm"]
    code, _, said = run(capsys, *given, "--instance", "query")
    assert code == 2 and "Suggestions are for one ranking, and there are 2 instances" in said
    code, _, said = run(capsys, *given, "--where", "query == 'x'")
    assert code == 2 and "use another model" in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Boston,1\nDetroit", "--cost: line 2 of 'prices.csv' must be an item and a number."),
        ("Boston,1\nDetroit,much", "--cost: 'much' in line 2 of 'prices.csv' is no number."),
        ("Boston,1", "--cost has no number for Baltimore"),
        ("item,cost\nBoston,-1", "--cost has no number for Baltimore"),
    ],
)
def test_costs_that_are_none(text, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prices.csv").write_text(text)
    code, _, said = run(capsys, "baseball", "--cost", "prices.csv", *QUICK)
    assert code == 2 and words in said


def test_it_reads_and_fits_as_the_ranking_does():
    (commands,) = (a for a in build_parser()._actions if hasattr(a, "choices") and a.choices)
    rank, suggest = (
        {flag: vars(action) for action in commands.choices[name]._actions
         for flag in action.option_strings}
        for name in ("rank", "suggest")
    )  # fmt: skip
    own = {"--n", "--goal", "--k", "--size", "--among", "--cost", "--to-ask"}
    assert set(suggest) - set(rank) == own
    for flag in ("--model", "--left", "--unranked", "--ties", "--order-effect", "--scores"):
        for key in ("dest", "default", "choices", "const", "help"):
            assert rank[flag][key] == suggest[flag][key], flag
