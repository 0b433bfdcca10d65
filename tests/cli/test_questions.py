"""Questions to a fit: their answers, and those that cannot be answered."""

import os

import pandas as pd
import pytest

import bayesrank as br
from bayesrank import Fit, consensus
from bayesrank.cli.commands import main
from bayesrank.text import decimals


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


@pytest.mark.skipif(os.name != "posix", reason="such names of pipes are those of POSIX")
def test_a_ranking_to_judge_may_come_through_a_pipe(saved, capsys):
    capsys.readouterr()
    order = list(Fit.load(saved).ranking().index)
    reader, writer = os.pipe()
    os.write(writer, "\n".join(order).encode())
    os.close(writer)
    judged = ["--judge", f"/dev/fd/{reader}", "--consensus", "spearman", "--quiet"]
    assert main(["rank", str(saved), *judged]) == 0
    os.close(reader)
    assert "the given ranking: expected loss" in capsys.readouterr().out


@pytest.fixture(scope="module")
def moving(tmp_path_factory):
    """A saved fit of scores that move; z was not seen lately."""
    rows = [("x", "y", 0), ("y", "z", 0), ("z", "x", 0), ("x", "y", 2), ("y", "x", 2)]
    frame = pd.DataFrame(rows, columns=["left", "right", "t"]).assign(outcome=1)
    games = br.Comparisons.from_frame(frame, time="t")
    path = tmp_path_factory.mktemp("moving") / "run.nc"
    br.fit(games, scores="walk", method="laplace", draws=100, seed=1).save(path)
    return path


def test_a_ranking_of_those_who_are_ranked_is_judged(moving, tmp_path, capsys):
    given = tmp_path / "mine.txt"
    for at, names in (("2", "y x"), ("0", "z y x")):
        given.write_text(names.replace(" ", "\n"))
        assert main(["rank", str(moving), "--at", at, "--judge", str(given)]) == 0
        judged = Fit.load(moving).at(float(at)).expected_loss(names.split())
        assert f"the given ranking: expected loss {judged:.6g}" in capsys.readouterr().out
    given.write_text("x\nyy\n")
    assert main(["rank", str(moving), "--judge", str(given)]) == 2
    assert "--judge must hold items, each once; unknown: yy" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("at", "words"),
    [("-1", "--at is -1, before the first result"), ("x", "must be a number")],
)
def test_times_that_cannot_be_asked_for_are_refused_before_the_work(moving, capsys, at, words):
    assert main(["rank", str(moving), f"--at={at}"]) == 2
    assert words in capsys.readouterr().err
    walk = ["--scores", "walk", "--method", "map"]
    assert main(["rank", "bundesliga", *walk, "--at", "1999"]) == 2
    err = capsys.readouterr().err
    assert "--at is 1999-01-01, before the first result" in err
    assert "Fitting" not in err


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


@pytest.mark.parametrize("rule", ["expected", "certain"])
def test_rules_of_tiers(saved, tmp_path, capsys, rule):
    table, page = tmp_path / "table.csv", tmp_path / "page.html"
    capsys.readouterr()
    command = ["rank", str(saved), "--prob", "0.9", "--tiers", rule, "--quiet"]
    assert main([*command, "--out", str(table), "--report", str(page)]) == 0
    promised = f"{consensus.tiers_promise(0.9, rule)}\n"
    assert f"\ntiers: {promised}" in capsys.readouterr().out
    tier = Fit.load(saved).tiers(0.9, rule)
    assert tier.max() > 1
    assert pd.read_csv(table)["tier"].tolist() == tier.tolist()
    assert f"fall into {tier.max()} tiers: {promised.strip()}." in page.read_text("utf-8")


def test_one_tier_promises_nothing(saved, capsys):
    capsys.readouterr()
    assert main(["rank", str(saved), "--prob", "0.9999", "--quiet"]) == 0
    assert Fit.load(saved).tiers(0.9999).max() == 1
    assert "tiers:" not in capsys.readouterr().out


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
        (["--decided", "top"], "--decided top needs the number of items: give --top-k too."),
        (["--indifference", "-1"], "--indifference must be 0 or more, got -1."),
        (["--indifference", "nan"], "--indifference must be 0 or more, got nan."),
        (["--method", "map", "--decided", "best"], "--decided needs posterior draws"),
        (["--method", "map", "--indifference", "1"], "--indifference needs posterior draws"),
        (["--judge", "{folder}/none.txt"], "--judge: there is no file"),
        (["--judge", "{folder}/short.txt"], "--judge must hold each of the 7 items once; missing"),
        (["--against", "{folder}/none.nc"], "--against: there is no file"),
        (["--picture", "ranks"], "--picture ranks needs --plot"),
        (["--title", "x"], "give --report FILE.html too"),
        (["--seconds", "0"], "--seconds must be positive"),
        (["--report", "{folder}"], "must end in .html"),
        (["--method", "map", "--consensus", "kendall"], "--consensus needs posterior draws"),
        (["--method", "map", "--rank-intervals", "posterior"], "--rank-intervals needs posterior"),
        (["--method", "map", "--tiers", "certain"], "--tiers needs posterior draws"),
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


def test_whether_it_is_decided_who_is_best(saved, tmp_path, capsys):
    """One sentence where nothing is asked, more where it is, none where nothing is to be said."""
    capsys.readouterr()
    fit = Fit.load(saved)
    assert main(["rank", str(saved)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines.count(fit.decided("best").sentence) == 1 and "P(in order)" not in lines
    assert main(["rank", str(saved), "--quiet"]) == 0
    assert "decided" not in capsys.readouterr().out
    source = tmp_path / "games.csv"
    source.write_text("left,right,outcome,q\na,b,a,1\nb,a,b,1\nb,c,c,2\nc,b,tie,2\na,c,tie,1\n")
    for flags in (["--method", "map"], ["--method", "laplace", "--instance", "q"]):
        assert main(["rank", str(source), *flags]) == 0
        assert "decided" not in capsys.readouterr().out


def test_what_is_not_decided_is_shown(saved, capsys):
    capsys.readouterr()
    fit = Fit.load(saved)
    for flags, verdict, heads in (
        (["--decided", "best"], fit.decided("best", 0.9), "item P(best)"),
        (["--decided", "top", "--top-k", "3"], fit.decided("top", 0.9, k=3),
         "item P(top 3) chosen"),
        (["--decided", "order"], fit.decided("order", 0.9), "place above below P(in order)"),
        (["--indifference", "0.3"], fit.decided("best", 0.9, indifference=0.3), "item P(best)"),
    ):  # fmt: skip
        assert main(["rank", str(saved), "--quiet", "--prob", "0.9", *flags]) == 0
        out = capsys.readouterr().out.split(f"\n{verdict.sentence}\n")
        assert len(out) == 2, verdict.sentence
        lines = [line.split() for line in out[1].splitlines()]
        assert lines[0] == heads.split() and len(lines) == 1 + len(verdict.open)
        assert lines[1][-1] in {"yes", decimals(verdict.open.iloc[0, -1])}
    assert main(["rank", str(saved), "--quiet", "--decided", "order", "--top", "2"]) == 0
    still = len(fit.decided("order").open) - 2
    assert f"... and {still} more; --top shows them" in capsys.readouterr().out
    assert main(["rank", str(saved), "--quiet", "--prob", "0.5", "--decided", "best"]) == 0
    assert "Decided at 50% who is best: Milwaukee" in capsys.readouterr().out


def test_the_page_says_whether_it_is_decided(saved, tmp_path):
    path = tmp_path / "page.html"
    assert main(["rank", str(saved), "--quiet", "--report", str(path)]) == 0
    said = Fit.load(saved).decided("best").outlook(advice=False)
    assert f"Who is best is not decided at 95%. {said}" in path.read_text(encoding="utf-8")
