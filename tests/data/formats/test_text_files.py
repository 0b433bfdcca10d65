"""Texts in several encodings, plain and zipped."""

import gzip

import pytest

import bayesrank as br
from bayesrank.text import at_the_terminal

LIGA = "HomeTeam,AwayTeam,FTR\nCádiz,Málaga,H\nMálaga,Cádiz,D\nAlavés,Cádiz,A\n"


def test_encodings(write):
    expected = br.read(write("utf8.csv", LIGA))
    assert br.read(write("utf16.csv", LIGA, "utf-16")).same_as(expected)
    path = write("windows.csv", LIGA, "cp1252")
    with pytest.warns(UserWarning, match="read as cp1252 .* If line 2 is not 'Cádiz,Málaga,H'"):
        assert br.read(path).same_as(expected)
    assert br.read(path, encoding="cp1252").same_as(expected)
    east = LIGA.replace("Málaga", "Łódź")
    assert "Łódź" in br.read(write("e.csv", east, "iso8859-2"), encoding="iso8859-2").items
    with pytest.raises(ValueError, match="line 1: the text is not in utf-16"):
        br.read(write("odd.csv", "abc"), encoding="utf-16")
    with pytest.raises(ValueError, match="`encoding` must be a known one, got 'klingon'"):
        br.read(path, encoding="klingon")


@pytest.mark.parametrize("encoding", ["klingon", "hex", "", 5])
def test_encodings_that_are_none(encoding, write):
    rule = r"`encoding` must be a known one, got .*; say for example encoding=\"utf-8\" or enc"
    with pytest.raises(ValueError, match=rule):
        br.read(write("games.csv", LIGA), encoding=encoding)
    with (
        at_the_terminal(),
        pytest.raises(ValueError, match="for example --encoding utf-8 or --enc"),
    ):
        br.read(write("games.csv", LIGA), encoding=encoding)


def test_the_line_that_is_in_another_encoding(write):
    path = write("games.csv", LIGA)
    with pytest.raises(ValueError, match=r"games\.csv', line 2: the text is not in ascii"):
        br.read(path, encoding="ascii")
    with pytest.raises(ValueError, match=r"games\.csv': the text is not in undefined"):
        br.read(path, encoding="undefined")  # an encoding that never says where
    # A letter of which one half looks like the end of a line.
    content = "left,right,outcome\n\u0a0a,b,left\n".encode("utf-16") + b"x"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"games\.csv', line 3: the text is not in utf-16"):
        br.read(path)


@pytest.mark.parametrize("name", ["games.csv.gz", "games.jsonl.gz", "1.soc.gz"])
def test_zipped_files_that_are_cut_off(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(gzip.compress(LIGA.encode() * 100)[:-20])
    with pytest.raises(ValueError, match=f"{name}' is cut off or damaged: it cannot be unzipped"):
        br.read(path)


@pytest.mark.parametrize("ending", [".csv.gz", ".tsv.gz"])
def test_zipped_tables(ending, tmp_path):
    separator = "\t" if "tsv" in ending else ","
    path = tmp_path / f"games{ending}"
    text = "# a comment\nhome,away,winner\nx,y,x\ny,x,tie\n".replace(",", separator)
    path.write_bytes(gzip.compress(text.encode()))
    assert br.read(path).counts.tolist() == [[1, 0, 0], [0, 0, 1]]


def test_a_zipped_file_that_would_fill_the_memory(tmp_path, monkeypatch):
    from bayesrank.data.formats import text_files

    path = tmp_path / "games.csv.gz"
    path.write_bytes(gzip.compress(b"home,away,winner\n" + b"x,y,x\n" * 100_000))
    assert br.read(path).counts.sum() == 100_000
    monkeypatch.setattr(text_files, "UNZIPPED", 200_000)
    rule = "holds more than 200,000 bytes once it is unzipped, and 100 times as much as it is long"
    with pytest.raises(ValueError, match=rule):
        br.read(path)
    path.write_bytes(gzip.compress(b"home,away,winner\n" + b"x,y,x\n" * 100_000, compresslevel=0))
    assert br.read(path).counts.sum() == 100_000
    monkeypatch.setattr(text_files, "LARGEST", 10_000)
    with pytest.raises(ValueError, match="holds more than 10,000 bytes; read it by an engine"):
        br.read(path)
