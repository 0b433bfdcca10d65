"""What the command line says of agents, categories and features, new fits and saved ones."""

import pandas as pd
import pytest

import bayesrank as br
from bayesrank.cli import voters
from bayesrank.cli.commands import main
from tests.judged_votes import EVERYTHING, fit_of_votes, votes_by_judges

FITTED = [
    "--agent", "judge", "--category", "topic", "--model", "davidson", "--method", "laplace",
    "--seed", "1", "--draws", "200", "--chains", "1", "--discrimination", "by-agent",
    "--order-effect", "by-agent", "--ties", "by-agent", "--scores", "by-category",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("votes")
    votes_by_judges().to_csv(path / "votes.csv", index=False)
    fit_of_votes(**EVERYTHING).save(path / "votes.nc")
    return path


def run(capsys, *arguments, code=0):
    assert main(["rank", *map(str, arguments)]) == code
    said = capsys.readouterr()
    return said.out, said.err


def test_the_flags_make_the_model(folder, capsys):
    path = folder / "new.nc"
    run(capsys, folder / "votes.csv", *FITTED, "--save", path)
    new, old = br.Fit.load(path), br.Fit.load(folder / "votes.nc")
    assert repr(new.specification) == repr(old.specification)
    pd.testing.assert_frame_equal(new.agents(), old.agents())


def test_agents(folder, capsys):
    out, _ = run(capsys, folder / "votes.nc", "--agents", "--top", "4")
    table = br.Fit.load(folder / "votes.nc").agents()
    lines = out.split("agents, the most votes first:\n")[1].splitlines()
    first, row = lines[1], table.iloc[0]
    assert first.startswith(f"{table.index[0]}") and first.rstrip().endswith(row["words"])
    spread = f"{row['discrimination_low']:.2f} to {row['discrimination_high']:.2f}"
    assert f"{row['discrimination']:.2f} ({spread})" in first
    assert lines[5] == "... and 1 more; --top shows them"
    assert lines[6].startswith("Among the agents, ") and "contrarian: judge 4" in lines[6]


def test_categories(folder, capsys):
    out, err = run(capsys, folder / "votes.nc", "--categories")
    fit = br.Fit.load(folder / "votes.nc")
    assert fit.about_categories in err
    lines = out.split("rank over all, and in each category:\n")[1].splitlines()
    assert lines[0].split("  ")[-3:] == ["topic 0", "topic 1", "topic 2"]
    ranks = fit.categories().xs("rank", axis=1, level=1)
    assert [line.split()[2:] for line in lines[1:7]] == ranks.astype(str).to_numpy().tolist()


def test_one_category(folder, capsys):
    table = folder / "one.csv"
    out, err = run(
        capsys, folder / "votes.nc", "--in-category", "topic 1", "--categories", "--out", table
    )
    fit = br.Fit.load(folder / "votes.nc")
    wanted, written = fit.ranking(category="topic 1"), pd.read_csv(table, index_col="item")
    assert written.index.tolist() == wanted.index.tolist()
    assert written["rank_in_topic 1"].tolist() == list(range(1, 7))
    assert "The ranking is of category topic 1." in err
    # What is said to be over all is over all.
    ranks = fit.categories().xs("rank", axis=1, level=1)["overall"]
    lines = out.split("rank over all, and in each category:\n")[1].splitlines()
    assert [line.split()[2] for line in lines[1:7]] == ranks.astype(str).tolist()


def test_a_narrow_window_has_several_grids(monkeypatch, capsys):
    monkeypatch.setattr(voters, "_room", lambda: 40)
    voters.print_categories(fit_of_votes(scores="by-category").categories(), 30)
    lines = capsys.readouterr().out.splitlines()
    heads = [line.split("  ")[-2:] for line in lines if line.startswith("item  ")]
    assert [head[-1] for head in heads] == ["topic 1", "topic 2"]
    assert max(len(line.rstrip()) for line in lines) <= 40


def test_a_narrow_window_has_no_intervals_of_agents(monkeypatch, capsys):
    monkeypatch.setattr(voters, "_room", lambda: 80)
    voters.print_agents(fit_of_votes(**EVERYTHING).agents(), "", 30, 0.95)
    out = capsys.readouterr().out
    assert " to " not in out.split("in a wider window")[0]
    assert "95% intervals" in out


def test_effects(capsys):
    row = {
        "per_unit": 0.5, "per_unit_low": 0.25, "per_unit_high": 0.75, "per_sd": 1.0,
        "per_sd_low": 0.5, "per_sd_high": 1.5, "words": "one standard deviation more adds",
    }  # fmt: skip
    voters.print_effects(pd.DataFrame([row], index=["length"]), 0.9)
    out = capsys.readouterr().out
    assert "with 90% intervals" in out and "0.500 (0.250 to 0.750)" in out
    assert out.endswith("length: one standard deviation more adds\n")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("baseball --agents", "--agents needs to know who judged: give the column as --agent."),
        ("baseball --categories", "--categories is for scores that differ between categories"),
        ("baseball --in-category x", "between categories: give --scores by-category."),
        ("baseball --effects", "--effects is about features, of which there are none"),
        ("baseball --plot x.png --picture agents", "--picture agents needs something that differs"),
        ("baseball --plot x.png --picture categories", "--picture categories is for scores that"),
        ("baseball --discrimination by-agent", "--discrimination by-agent needs to know who"),
        ("baseball --scores by-category", "--scores by-category needs to know its category"),
        ("baseball --model bradley-terry --ties by-item", "--ties by-item needs a model that"),
        ("pudding --scale inf --ties by-item", "--ties by-item needs a prior: give a finite --sca"),
        ("{nc} --ties by-agent", "--ties is for data; "),
        ("{nc} --discrimination by-agent", "--discrimination is for data; "),
        ("{nc} --in-category x", "--in-category must be one of topic 0, topic 1, topic 2"),
    ],
)
def test_what_is_refused_is_said_in_flags(command, words, folder, capsys):
    _, err = run(capsys, *command.format(nc=folder / "votes.nc").split(), code=2)
    assert words in err.splitlines()[-1]


def test_pictures_of_agents_and_categories(folder, capsys):
    for name in ("agents", "categories"):
        path = folder / f"{name}.png"
        run(capsys, folder / "votes.nc", "--picture", name, "--plot", path, "--quiet")
        assert path.read_bytes().startswith(b"\x89PNG")
