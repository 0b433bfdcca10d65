"""Workbooks that are none, and numbers beside texts."""

import zipfile

import pandas as pd
import pytest

import bayesrank as br
from bayesrank.data.formats import excel_tables


@pytest.fixture
def book(tmp_path):
    def book(**columns):
        path = tmp_path / "book.xlsx"
        pd.DataFrame(columns).to_excel(path, index=False)
        return path

    return book


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"no book", "it is cut off, or not a workbook of Excel"),
        (b"PK\x03\x04 no book", "it is cut off, or not a workbook of Excel"),
        (b"\xd0\xcf\x11\xe0" * 9, r"it has a password, or Excel's format before 2007; save it as"),
    ],
)
def test_files_that_are_no_workbooks(content, rule, tmp_path):
    path = tmp_path / "book.xlsx"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"'{path}' cannot be read as a table: {rule}"):
        br.read(path)


def test_parts_of_a_workbook(book, tmp_path):
    whole = book(left=["a"], right=["b"], outcome=["left"])
    path = tmp_path / "part.xlsx"
    path.write_bytes(whole.read_bytes()[:-100])
    with pytest.raises(ValueError, match="it is cut off, or not a workbook of Excel"):
        br.read(path)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", "<Types/>")
    with pytest.raises(ValueError, match="it is damaged, or not a workbook of Excel") as caught:
        br.read(path)
    assert caught.value.__cause__ is not None  # for whoever wants to know more


def test_a_workbook_that_would_fill_the_memory(book, monkeypatch):
    path = book(left=["a", "b"] * 2000, right=["b", "a"] * 2000, outcome="left")
    assert br.read(path).counts.sum() == 4000
    monkeypatch.setattr(excel_tables, "UNZIPPED", 1000)
    monkeypatch.setattr(excel_tables, "TIMES", 2)
    with pytest.raises(ValueError, match="holds more than 1,000 bytes once it is unzipped, and 2"):
        br.read(path)


def test_numbers_and_texts_are_one_name(book):
    path = book(left=[1, 2, 1], right=["2", "x", "x"], outcome=["left", "right", "tie"])
    assert br.read(path).items == ["1", "2", "x"]
    path = book(**{"first choice": [1, 2, 3], "second choice": [2, 3, None]})
    assert br.read(path, unranked="below").items == ["1", "2", "3"]
    path = book(**{"wins of": [1, 2], "1": [0, 2], "2": [3, 0]})
    assert br.read(path).counts.tolist() == [[3, 2, 0]]
