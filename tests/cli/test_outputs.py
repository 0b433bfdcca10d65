"""Files that are written: whole or not at all, and whatever becomes of the others."""

import csv
import os
import subprocess
import sys

import pandas as pd
import pytest

import bayesrank as br
from bayesrank.cli.commands import main
from bayesrank.report.page import gather
from tests.report.fits import made_fit

FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device")
BAYESRANK = [sys.executable, "-m", "bayesrank", "rank"]


@FULL
@pytest.mark.parametrize("flag", ["--out", "--out-wins", "--plot", "--report"])
def test_one_file_that_fails_costs_nothing_else(flag, saved, tmp_path, capsys):
    capsys.readouterr()
    names = {"--out": "o.json", "--out-wins": "w.csv", "--plot": "p.svg", "--report": "page.html"}
    paths = {flag: tmp_path / name for flag, name in names.items()}
    paths[flag].symlink_to("/dev/full")
    flags = [part for flag, path in paths.items() for part in (flag, str(path))]
    assert main(["rank", str(saved), *flags]) == 2
    captured = capsys.readouterr()
    assert captured.out.startswith("rank ") and "Milwaukee" in captured.out
    told = f"bayesrank: {flag}: '{paths[flag]}' was not written: No space left on device."
    assert captured.err.splitlines()[-1] == told
    for path in paths.values():
        assert (f"wrote {path}" in captured.err) == (path != paths[flag])
        assert path.stat().st_size or path == paths[flag]


@FULL
def test_a_fit_that_cannot_be_saved_is_still_shown(tmp_path):
    fit, table = tmp_path / "fit.nc", tmp_path / "o.csv"
    fit.symlink_to("/dev/full")
    options = ["--method", "laplace", "--draws", "100", "--seed", "1"]
    files = ["--save", str(fit), "--out", str(table)]
    result = subprocess.run(
        [*BAYESRANK, "pudding", *options, *files], capture_output=True, text=True
    )
    assert result.returncode == 2 and result.stdout.startswith("rank ")
    assert len(pd.read_csv(table)) == 6
    last = result.stderr.splitlines()[-1]
    assert last.startswith(f"bayesrank: --save: '{fit}' was not written: ")
    assert "No space left on device" in last and "Traceback" not in result.stderr


# Python ignores the signal of this limit, and the write fails as on a full disk.
WITH_ROOM = ["bash", "-c", 'ulimit -f "$0" && exec "$@"']


@pytest.mark.parametrize(
    ("flag", "name", "kilobytes"), [("--report", "page.html", "48"), ("--save", "fit.nc", "7")]
)
def test_a_full_disk_leaves_what_was_there(flag, name, kilobytes, tmp_path):
    path, table = tmp_path / name, tmp_path / "o.csv"
    path.write_text("old")
    options = ["--method", "laplace", "--draws", "100", "--seed", "1", "--quiet"]
    result = subprocess.run(
        [*WITH_ROOM, kilobytes, *BAYESRANK, "pudding", *options, flag, path, "--out", table],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2 and result.stdout.startswith("rank ")
    assert result.stderr == f"bayesrank: {flag}: '{path}' was not written: File too large.\n"
    assert path.read_text() == "old" and len(pd.read_csv(table)) == 6
    assert sorted(tmp_path.iterdir()) == sorted([table, path])


def test_a_question_that_fails_costs_neither_the_others_nor_the_files(
    saved, tmp_path, capsys, monkeypatch
):
    def fail(self, *arguments, **options):
        raise ValueError("There are no worths.")

    monkeypatch.setattr(br.Fit, "worths", fail)
    capsys.readouterr()
    table = tmp_path / "o.csv"
    questions = ["--worths", "--expected-ranks", "--consensus", "footrule", "--out", str(table)]
    assert main(["rank", str(saved), *questions]) == 2
    captured = capsys.readouterr()
    assert "SUCRA" in captured.out and "consensus under footrule" in captured.out
    assert captured.err.splitlines()[-1] == "bayesrank: There are no worths."
    assert {"mean_rank", "place_footrule"} <= set(pd.read_csv(table))


def test_whoever_stops_a_long_question_sees_the_ranking(saved, capsys, monkeypatch):
    def stop(self, *arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(br.Fit, "worths", stop)
    capsys.readouterr()
    assert main(["rank", str(saved), "--quiet", "--worths"]) == 130
    captured = capsys.readouterr()
    assert captured.out.startswith("rank ") and captured.err == "bayesrank: stopped.\n"


@pytest.mark.parametrize(
    ("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("SVG", b"<?xml")]
)
def test_pictures_have_the_format_of_their_names(ending, start, saved, tmp_path):
    path = tmp_path / f"picture.{ending}"
    assert main(["rank", str(saved), "--quiet", "--plot", str(path)]) == 0
    assert path.read_bytes().startswith(start) and list(tmp_path.iterdir()) == [path]


NAMES = ["=cmd|' /C calc'!A0", "-5", "+1 up", "@home", "\ttab", " ends ", "plain", "'quoted"]


def test_no_name_is_run_as_a_formula_and_the_page_writes_the_same(tmp_path):
    source = tmp_path / "games.csv"
    rows = {"left": NAMES, "right": [*NAMES[1:], NAMES[0]], "wins": 2, "losses": 1}
    pd.DataFrame(rows).to_csv(source, index=False, quoting=csv.QUOTE_NONNUMERIC)
    table, wins, record = (tmp_path / name for name in ("o.csv", "w.csv", "o.json"))
    common = ["rank", str(source), "--method", "map", "--quiet"]
    assert main([*common, "--out", str(table), "--out-wins", str(wins)]) == 0
    assert main([*common, "--out", str(record)]) == 0
    with table.open(newline="", encoding="utf-8") as file:
        written = {row["item"] for row in csv.DictReader(file, skipinitialspace=True)}
    expected = {f"'{name}" for name in NAMES[:5]} | set(NAMES[5:])
    assert written == expected
    matrix = pd.read_csv(wins, index_col=0, skipinitialspace=True)
    assert set(matrix.index) == set(matrix.columns) == expected
    assert set(pd.read_json(record, dtype=False)["item"]) == set(NAMES)
    page = gather(made_fit(NAMES))
    on_page = [page["spreadsheet_names"].get(str(k), item) for k, item in enumerate(page["items"])]
    assert set(on_page) == expected


def test_instances_are_made_harmless_too(tmp_path):
    source, table = tmp_path / "games.csv", tmp_path / "o.csv"
    source.write_text("year,left,right,outcome\n=1,a,-b,left\n=1,-b,a,left\n2,a,-b,right\n")
    flags = ["--instance", "year", "--method", "map", "--quiet", "--out", str(table)]
    assert main(["rank", str(source), *flags]) == 0
    frame = pd.read_csv(table)
    assert set(frame["instance"]) == {"'=1", "2"} and set(frame["item"]) == {"a", "'-b"}
