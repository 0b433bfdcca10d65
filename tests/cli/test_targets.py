"""What must not be written to is refused before the work, whatever name it has."""

import os
import subprocess
import sys

import pytest

from bayesrank.cli.commands import main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and devices are those of POSIX")
GAMES = "left,right,outcome\na,b,left\nb,c,left\nc,a,left\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder, which is the current one, with a table that has two names, and links."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.csv").write_text(GAMES)
    (tmp_path / "hard.csv").hardlink_to("games.csv")
    (tmp_path / "soft.csv").symlink_to("games.csv")
    (tmp_path / "one.csv").write_text("old")
    (tmp_path / "two.csv").hardlink_to("one.csv")
    (tmp_path / "loop.csv").symlink_to("pool.csv")
    (tmp_path / "pool.csv").symlink_to("loop.csv")
    (tmp_path / "astray.csv").symlink_to("no/such.csv")
    (tmp_path / "open.csv").symlink_to("new.csv")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "order.txt").write_text("a\nb\nc\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "hard.csv"], "--out: 'hard.csv' is the source already."),
        (["--out-wins", "soft.csv"], "--out-wins: 'soft.csv' is the source already."),
        (["--out", "folder.csv/../games.csv"], "is the source already."),
        (["--out", "one.csv", "--out-wins", "two.csv"], "'two.csv' is the file of --out already."),
        (["--out", "x.csv", "--out-wins", "./folder.csv/../x.csv"], "is the file of --out already"),
        (["--out", "open.csv", "--out-wins", "new.csv"], "is the file of --out already."),
        (["--out", "loop.csv"], "--out: 'loop.csv': is a link that leads back to itself."),
        (["--out", "astray.csv"], "--out: 'astray.csv': there is no such directory to write to."),
        (["--out", "games.csv/x.csv"], "there is no such directory to write to."),
        (["--out", "folder.csv"], "--out: 'folder.csv': is a directory, not a file to write."),
        (["--out", "x" * 300 + ".csv"], ".csv': File name too long."),
        (["--out", "/dev/stdout"], "--out: the name must end in .csv or .json, got '/dev/stdout'."),
        (["--out", "no\nsuch/x.csv"], "--out: 'no such/x.csv': there is no such directory"),
    ],
)
def test_targets_that_are_refused(arguments, words, folder, capsys):
    assert main(["rank", "games.csv", "--method", "map", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err and captured.err.count("\n") == 1
    assert captured.out == "" and (folder / "games.csv").read_text() == GAMES


def test_other_sources_are_not_overwritten_either(folder, saved, capsys):
    capsys.readouterr()
    (folder / "fit.nc").hardlink_to(saved)
    assert main(["rank", str(saved), "--against", "fit.nc", "--save", "fit.nc"]) == 2
    assert "is the file of --against already" in capsys.readouterr().err
    (folder / "order.csv").hardlink_to("order.txt")
    arguments = ["rank", "games.csv", "--judge", "order.txt", "--out", "order.csv"]
    assert main(arguments) == 2
    assert "--out: 'order.csv' is the file of --judge already." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("redirection", "words"),
    [
        ("- --out hard.csv < games.csv", "'hard.csv' is the source already."),
        ("/dev/stdin --out hard.csv < games.csv", "'hard.csv' is the source already."),
        ("games.csv --out two.csv > one.csv", "'two.csv' is where the table is printed to"),
        ("games.csv --out one.csv 2>> two.csv", "'one.csv' is where messages are printed to"),
    ],
)
def test_redirections_are_known_by_their_files(redirection, words, folder):
    command = f"{sys.executable} -m bayesrank rank --method map {redirection}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert result.returncode == 2
    assert words in result.stderr + (folder / "one.csv").read_text()
    assert (folder / "games.csv").read_text() == GAMES


def test_links_and_names_that_may_be_written_to(folder, capsys):
    names = ["open.csv", "new\nline.csv"]
    flags = ["--out", names[0], "--out-wins", names[1]]
    assert main(["rank", "games.csv", "--method", "map", *flags]) == 0
    assert (folder / "new.csv").read_text().startswith("item,")
    assert (folder / "open.csv").is_symlink() and (folder / names[1]).exists()
    assert "wrote new?line.csv\n" in capsys.readouterr().err


def test_any_number_of_outputs_may_be_thrown_away(folder):
    for name in ("here.csv", "there.csv"):
        (folder / name).symlink_to(os.devnull)
    flags = ["--out", "here.csv", "--out-wins", "there.csv", "--quiet"]
    assert main(["rank", "games.csv", "--method", "map", *flags]) == 0
    assert (folder / "here.csv").is_symlink()
