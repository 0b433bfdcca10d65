"""Where data come from: files, links, pipes, standard input, and what is too large."""

import gzip
import io
import os
import sys
import tempfile
import threading
from pathlib import Path

import pandas as pd
import pytest

import bayesrank as br
from bayesrank.data.formats import source_files
from bayesrank.data.formats.registry import FORMATS
from bayesrank.text import at_the_terminal

GAMES = "left,right,outcome\na,b,left\nb,c,tie\nc,a,left\n"
POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes and links are those of POSIX")


def contents():
    """Return the same table in every format that is known by its content."""
    frame = pd.read_csv(io.StringIO(GAMES))
    excel, parquet = io.BytesIO(), io.BytesIO()
    frame.to_excel(excel, index=False)
    frame.to_parquet(parquet)
    return {
        "csv": GAMES.encode(),
        "tsv": GAMES.replace(",", "\t").encode(),
        "zipped": gzip.compress(GAMES.encode()),
        "utf-16": GAMES.encode("utf-16"),
        "json": frame.to_json(orient="records").encode(),
        "json in utf-16": frame.to_json(orient="records", indent=1).encode("utf-16"),
        "json lines": frame.to_json(orient="records", lines=True).encode(),
        "excel": excel.getvalue(),
        "parquet": parquet.getvalue(),
    }


CONTENTS = contents()


@pytest.fixture
def expected(write):
    return br.read(write("games.csv", GAMES))


@pytest.fixture
def pipe(tmp_path):
    """A named pipe into which another thread writes once."""
    threads = []

    def pipe(content, name="pipe"):
        path = tmp_path / name
        os.mkfifo(path)
        threads.append(threading.Thread(target=path.write_bytes, args=(content,), daemon=True))
        threads[-1].start()
        return path

    yield pipe
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


@POSIX
@pytest.mark.parametrize("kind", CONTENTS)
def test_a_pipe_is_read_once_and_known_by_its_content(kind, pipe, expected):
    assert br.read(pipe(CONTENTS[kind])).same_as(expected)


@POSIX
def test_a_pipe_that_is_called_by_its_number(expected):
    reader, writer = os.pipe()
    os.write(writer, GAMES.encode())
    os.close(writer)
    assert br.read(f"/dev/fd/{reader}").same_as(expected)
    os.close(reader)


@pytest.mark.parametrize("kind", CONTENTS)
def test_standard_input(kind, expected, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CONTENTS[kind])))
    assert br.read("-").same_as(expected)
    assert not sys.stdin.closed


def test_no_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ValueError, match="'-' is standard input, and there is none"):
        br.read("-")


@POSIX
@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"", r"pipe' is empty \(0 bytes\)"),
        (b"left,right,outcome\na,b,c,d\n", r"pipe', line 2: a row may have no more fields"),
        (b'[{"left": 1 2}]', r"pipe', line 1, column 13: there must be a comma"),
        (b"x,y\n1,2\n", r"The columns of '.*pipe' \(x, y\) have none of the usual names"),
        (b"2 qid:1 x\n", r"pipe', line 1: "),
    ],
)
def test_messages_keep_the_name_of_the_pipe(content, rule, pipe):
    with pytest.raises(ValueError, match=rule):
        br.read(pipe(content))


@POSIX
def test_nothing_is_left_behind(pipe, tmp_path, monkeypatch, expected):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert br.read(pipe(GAMES.encode())).same_as(expected)
    with pytest.raises(ValueError, match="no more fields"):
        br.read(pipe(b"left,right\na,b,c,d\n", "bad"))
    assert not list(folder.iterdir())


@POSIX
def test_the_ending_of_a_pipe_s_name_counts(pipe):
    assert br.read(pipe(b"1,2,5\n2,1,3\n", "votes.wmd")).counts.sum() == 8


@POSIX
def test_readers_of_single_formats_take_pipes_too(pipe):
    run, other = b"1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n", b"1 Q0 c 1 2.5 y\n"
    documents = br.data.read_runs([pipe(run), pipe(gzip.compress(other), "zipped")])
    assert documents.documents == ["a", "b", "c"]
    assert len(br.data.read_letor(pipe(b"1 qid:1 1:2\n0 qid:1 1:3\n", "letor"))) == 2
    assert len(br.data.read_preflib(pipe(b"# DATA TYPE: soc\n2: 1,2\n", "orders"))) == 1


@POSIX
def test_a_pipe_that_never_ends(pipe, monkeypatch):
    monkeypatch.setattr(source_files, "LARGEST", 50)
    with pytest.raises(ValueError, match=r"pipe' holds more than 50 bytes; read it by an engine"):
        br.read(pipe(GAMES.encode() + b"a,b,left\n"))


SUFFIXES = [suffix for known in FORMATS for suffix in known.suffixes]


@pytest.mark.parametrize("name", ["x", "x.csv.gz", *(f"x{suffix}" for suffix in SUFFIXES)])
def test_files_of_every_format_may_hold_two_gigabytes_at_most(name, tmp_path):
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(2**31 + 1)  # which takes no room on the disk
    with pytest.raises(ValueError, match=r"holds more than 2,147,483,648 bytes; read it by an en"):
        br.read(path)
    with at_the_terminal(), pytest.raises(ValueError, match="; choose or count its rows first, by"):
        br.read(path)


@POSIX
def test_links(write, tmp_path, expected):
    (tmp_path / "link.csv").symlink_to("games.csv")
    assert br.read(tmp_path / "link.csv").same_as(expected)
    (tmp_path / "loop.csv").symlink_to("pool.csv")
    (tmp_path / "pool.csv").symlink_to("loop.csv")
    with pytest.raises(OSError, match=r"loop\.csv' is a link that leads back to itself"):
        br.read(tmp_path / "loop.csv")
    with pytest.raises(OSError, match=r"loop\.csv' is a link that leads back to itself"):
        br.data.read_preflib(tmp_path / "loop.csv")
    (tmp_path / "astray.csv").symlink_to("nowhere.csv")
    with pytest.raises(FileNotFoundError, match=r"is a link to 'nowhere\.csv', where there is no"):
        br.read(tmp_path / "astray.csv")


@pytest.mark.parametrize("path", ["games.csv/more", "a\0b", Path("nowhere")])
def test_names_of_nothing(path, write, tmp_path, monkeypatch):
    write("games.csv", GAMES)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no file or data set called '.*'\. The data sets"):
        br.read(path)


@POSIX
def test_names_that_no_file_can_have():
    with pytest.raises(OSError, match="x' cannot be read: File name too long"):
        br.read("x" * 300)


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden to the superuser"
)
def test_files_that_may_not_be_read(write):
    path = write("games.csv", GAMES)
    path.chmod(0)
    with pytest.raises(PermissionError, match="may not be read"):
        br.read(path)


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="there is no such device")
def test_devices():
    with pytest.raises(ValueError, match="'/dev/null' is empty"):
        br.read("/dev/null")
