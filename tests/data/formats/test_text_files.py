"""Texts in several encodings, plain and zipped."""

import gzip

import pytest

import bayesrank as br

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
