"""Cells of CSV and TSV: their spaces and quotes, and tables that cannot be split into them."""

import csv
import tempfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesrank as br
from bayesrank.data.formats.csv_tables import CSV, PIECE
from tests.odd_names import names


@pytest.mark.parametrize(("ending", "separator"), [(".csv", ","), (".csv", ";"), (".tsv", "\t")])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_spaces_at_both_ends_are_not_part_of_a_cell(ending, separator, line_end, write):
    lines = [
        "left ,right  , outcome ",
        "Ann ,  Bob,Ann ",
        '"Ann",Bob   ,Ann',
        '  "Bob"  ,Ann , tie  ',
    ]
    text = line_end.join(lines).replace(",", separator)
    data = br.read(write(f"games{ending}", text))
    assert data.items == ["Ann", "Bob"] and data.counts.sum(axis=0).tolist() == [2, 0, 1]


def test_spaces_in_quotes_are_part_of_a_cell(write):
    text = 'left,right,outcome\n"Ann ", Bob ,left\n" Ann",Bob,left \nBob,"A, n ,n",left\n'
    with pytest.warns(UserWarning, match="differ in capitals, spaces"):
        assert br.read(write("games.csv", text)).items == [" Ann", "A, n ,n", "Ann ", "Bob"]


def test_names_over_several_lines_keep_their_spaces(write):
    text = 'left,right,outcome\n"two \nlines , here",b ,left\nb,"say ""x"" ",left\n'
    data = br.read(write("games.csv", text))
    assert data.items == ["b", 'say "x" ', "two \nlines , here"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_spaces_in_any_encoding(encoding, write):
    path = write("games.csv", '"left" ,right ,outcome\nCádiz ,b,left\nb,Cádiz,left ', encoding)
    given = {"encoding": encoding} if encoding == "cp1252" else {}
    assert br.read(path, **given).items == ["Cádiz", "b"]


def test_spaces_in_an_encoding_that_has_to_be_found(write):
    path = write("games.csv", "left,right,outcome\nÿ ,b,left\nb,ÿ,left\n", "cp1252")
    with pytest.warns(UserWarning, match="is read as cp1252"):
        assert br.read(path).items == ["b", "ÿ"]


def test_a_cell_of_spaces_is_empty(write):
    """Also the first of a row in files of old Macs, where pandas loses one without any space."""
    for line_end in ("\n", "\r\n", "\r"):
        frame = CSV.read(write("x.csv", "x,y\n ,b\na,  \n  ,c \n".replace("\n", line_end)))
        assert frame.fillna("").to_numpy().tolist() == [["", "b"], ["a", ""], ["", "c"]]


def test_a_space_at_the_end_of_a_piece_is_found(tmp_path):
    path = tmp_path / "games.csv"
    start = b"left,right,outcome\n" + b"a,b,left\n" * ((PIECE - 50) // 9)
    start += b"c" * (PIECE - 1 - len(start))
    path.write_bytes(start + b" ,b,left\n")
    assert br.read(path).items[-1].strip("c") == ""


@given(st.lists(names("\0\r"), min_size=1, max_size=5))
def test_cells_in_quotes_come_back(cells):
    """Between cells that are not in quotes, and end with spaces."""
    lines = ["x ,y , z"]
    for cell in cells:
        quoted = '"' + cell.replace('"', '""') + '"'
        lines.append(f"a ,{quoted}, b  ")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.csv"
        path.write_bytes("\n".join(lines).encode())
        frame = CSV.read(path)
    assert list(frame.columns) == ["x", "y", "z"]
    assert frame["y"].tolist() == cells
    assert set(frame["x"]) == {"a"} and set(frame["z"]) == {"b"}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('left,right,outcome\na,b,left\n"a,b,left\nb,a,left\n',
         "line 3: a cell that starts with a quotation mark must end with one"),
        ('# about\n\n"left,right,outcome\na,b,left\n',
         "line 3: a cell that starts with a quotation mark must end with one"),
        ('left,right,outcome\r\n"two\r\nlines",b,left\r\nb, "a,left\r\n',
         "line 4: a cell that starts with a quotation mark must end with one"),
        ('left,right,outcome\n"two\nlines",b,left\n\nb,a,left,1,2\n',
         "line 5: a row may have no more fields than there are names of columns, 3, got 5"),
        ('left,right,outcome\n"\n\n\n",b,"\n"\nb,a,left,1\n',
         "line 7: a row may have no more fields than there are names of columns, 3, got 4"),
        ('left,right,outcome\ra,b,left\rb,a,left,1\r',
         "line 3: a row may have no more fields than there are names of columns, 3, got 4"),
    ],
)  # fmt: skip
def test_tables_that_cannot_be_split_into_cells(text, rule, write):
    path = write("games.csv", text)
    with pytest.raises(ValueError, match=rule) as caught:
        br.read(path)
    assert str(caught.value).startswith(f"'{path}', line ")


def test_what_pandas_writes_is_read(tmp_path):
    """With spaces wherever a program may put them."""
    frame = pd.DataFrame({"left": ["a b", "c"], "right": ["c", "a b"], "wins": [1, 2], "losses": 1})
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC):
        path = tmp_path / "x.csv"
        path.write_text(frame.to_csv(index=False, quoting=quoting).replace(",", " , "))
        assert br.read(path).counts.tolist() == [[1, 1, 0], [2, 1, 0]]
