"""Which format a file is in."""

import gzip
from collections import Counter

import pytest

from bayesrank.data import formats
from bayesrank.data.formats.registry import FORMATS, find_format

FIRST_LINES = {
    "2 qid:1 1:0.5 2:1 #docid = a": "LETOR",
    "401 Q0 doc1 1 9.5 system": "TREC",
    "401 0 doc1 1": "qrels",
    "# a comment": "CSV",
    "home,away,winner": "CSV",
    "": "CSV",
}


def test_each_ending_is_of_one_format():
    times = Counter(suffix for known in FORMATS for suffix in known.suffixes)
    assert set(times.values()) == {1}


def test_every_ending_is_documented():
    for known in FORMATS:
        for suffix in known.suffixes:
            assert suffix in formats.__doc__


@pytest.mark.parametrize(
    ("suffix", "name"), [(suffix, known.name) for known in FORMATS for suffix in known.suffixes]
)
def test_formats_by_ending(suffix, name, tmp_path):
    """Of files that need not exist."""
    for path in (tmp_path / f"x{suffix}", tmp_path / f"X{suffix.upper()}.gz"):
        assert find_format(path).name == name


@pytest.mark.parametrize(("line", "name"), FIRST_LINES.items())
def test_formats_by_first_line(line, name, tmp_path):
    """Comments and empty lines may come before it, and the ending of a table does not matter."""
    text = f"# a comment\n\n{line}\n"
    for ending in ("", ".txt", ".csv"):
        path = tmp_path / f"x{ending}"
        path.write_text(text)
        assert find_format(path).name == name
        path.write_bytes(gzip.compress(text.encode()))
        assert find_format(path).name == name
    path = tmp_path / "x.soc"
    path.write_text(text)
    assert find_format(path).name == "PrefLib"


STARTS = {
    b'[{"left": 1}]': "JSON",
    b' [\n { "left": 1 } ]': "JSON",
    b'\xef\xbb\xbf{"left": 1}\n': "JSON",
    b"PAR1...": "Parquet",
    b"PK\x03\x04\x14\0\0\0\x08\0[Content_Types].xml": "Excel",
    b"\xd0\xcf\x11\xe0": "Excel",
    b"# FILE NAME: 1.toc\n# TITLE: x\n2: 1,{2,3}\n": "PrefLib",
    b"# DATA TYPE: wmd\n1,2,5\n": "PrefLib",
    b"2: 1,{2,3},4\n": "PrefLib",
    b"[left],right\n": "CSV",
    b"{left},right\n": "CSV",
    b"PK,right\n": "CSV",
    b"2: two, 3: three\n": "CSV",
    b"# about soc\nleft,right\n": "CSV",
}


@pytest.mark.parametrize(("start", "name"), STARTS.items())
def test_formats_by_their_starts(start, name, tmp_path):
    """Only where no ending is known: a table that says that it is CSV is."""
    for ending in ("", ".txt"):
        path = tmp_path / f"x{ending}"
        path.write_bytes(start)
        assert find_format(path).name == name
    path = tmp_path / "x.csv"
    path.write_bytes(start)
    assert find_format(path).name == "CSV"
