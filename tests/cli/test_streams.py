"""Readers who leave early, streams that are closed or full, letters that a terminal lacks."""

import os
import subprocess
import sys

import pytest

from bayesrank.cli.streams import PatientStream, patient_streams

POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes and devices are those of POSIX")
QUICK = ["--method", "laplace", "--draws", "100", "--seed", "1"]
FILES = {
    "--save": "fit.nc", "--out": "o.csv", "--out-ranks": "r.csv", "--out-above": "a.csv",
    "--out-wins": "w.csv", "--plot": "p.png", "--report": "page.html",
}  # fmt: skip
BAYESRANK = [sys.executable, "-m", "bayesrank"]


def all_files(folder):
    """Return the flags of all files that can be asked for, and their paths."""
    paths = {flag: folder / name for flag, name in FILES.items()}
    return [part for flag, path in paths.items() for part in (flag, str(path))], paths.values()


def closed_pipe():
    """Return the writing end of a pipe whose reader has left."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@POSIX
@pytest.mark.parametrize("closed", [("stdout",), ("stderr",), ("stdout", "stderr")])
def test_all_files_are_there_whoever_stops_reading_before_the_fit(closed, tmp_path):
    flags, paths = all_files(tmp_path)
    writer = closed_pipe()
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | dict.fromkeys(closed, writer)
    result = subprocess.run([*BAYESRANK, "rank", "pudding", *QUICK, *flags], **streams)
    os.close(writer)
    assert result.returncode == 0
    assert all(path.stat().st_size for path in paths)
    if "stdout" not in closed:
        assert result.stdout.startswith(b"rank ")
    if "stderr" not in closed:
        assert b"wrote " in result.stderr and b"Broken" not in result.stderr


@POSIX
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_streams_that_were_never_open(closed, saved, tmp_path):
    table = tmp_path / "o.csv"
    command = f"{' '.join(BAYESRANK)} rank {saved} --out {table} {closed}"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert result.returncode == 0 and table.stat().st_size
    assert result.stdout.startswith("rank ") == (closed == "2>&-")
    assert "divergences" not in result.stdout and "Traceback" not in result.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device")
def test_a_ranking_that_cannot_be_printed_costs_no_file(saved, tmp_path):
    table = tmp_path / "o.csv"
    with open("/dev/full", "w") as full:
        command = [*BAYESRANK, "rank", str(saved), "--quiet", "--out", str(table)]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2 and table.stat().st_size
    assert result.stderr == (
        "bayesrank: the table could not be printed: No space left on device.\n"
    )
    with open("/dev/full", "w") as full:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, text=True)
    assert result.returncode == 0 and result.stdout.startswith("rank ")


@POSIX
def test_help_for_somebody_who_does_not_read_it():
    writer = closed_pipe()
    command = [*BAYESRANK, "rank", "--help"]
    result = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert result.returncode == 0 and result.stderr == b""


def test_letters_that_the_terminal_lacks(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("left,right,outcome\nŁódź,b,left\nb,Łódź,left\n", encoding="utf-8")
    result = subprocess.run(
        [*BAYESRANK, "rank", str(path), "--method", "map"],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert result.returncode == 0, result.stderr
    assert rb"\u0141\xf3d\u017a" in result.stdout


@POSIX
def test_what_is_written_after_the_reader_has_left_is_thrown_away():
    with os.fdopen(closed_pipe(), "w") as pipe:
        stream = PatientStream(pipe)
        assert stream.write("x" * 100_000) == 100_000
        stream.flush()
        assert isinstance(stream.error, BrokenPipeError)
        assert stream.write("more") == 4 and not stream.isatty()
        stream.flush()
    # That closing the file has not failed shows that nothing waits to be written.


def test_streams_are_put_back(capsys):
    before = sys.stdout, sys.stderr
    with patient_streams() as (out, err):
        assert (sys.stdout, sys.stderr) == (out, err)
        print("said")
        print("told", file=sys.stderr)
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr() == ("said\n", "told\n")
