"""PrefLib's orders."""

import gzip
import re

import pytest

import bayesrank as br
from bayesrank.data import read_preflib

HEAD = [
    "# FILE NAME: 1.toi",
    "# DATA TYPE: toi",
    "# NUMBER ALTERNATIVES: 4",
    "# ALTERNATIVE NAME 1: San José",
    "# ALTERNATIVE NAME 2: The X-Files: Season 2",
    "# ALTERNATIVE NAME 3: b",
    "# ALTERNATIVE NAME 4: b",
]


def write(folder, lines, name="1.toi"):
    path = folder / name
    path.write_text("\n".join([*HEAD, *lines]) + "\n", encoding="utf-8")
    return path


def test_orders_with_ties(tmp_path):
    data = br.read(write(tmp_path, ["12: 2,{1,3},4", "3: 1, 2", "", "1: {4,2}"]))
    # A name that two have is told apart by their numbers.
    assert data.items == ["San José", "The X-Files: Season 2", "b (3)", "b (4)"]
    assert data.weights.tolist() == [12, 3, 1]
    assert data.entries.tolist() == [[1, 0, 2, 3], [0, 1, -1, -1], [1, 3, -1, -1]]
    assert data.ranks.tolist() == [[1, 2, 2, 3], [1, 2, -1, -1], [1, 1, -1, -1]]


def test_alternatives_left_out_may_be_below(tmp_path):
    path = write(tmp_path, ["3: 1,2", "5: 4"], "1.soi")
    assert br.read(path, unranked="below").ranks.tolist() == [[1, 2, 0, 0], [1, 0, 0, 0]]
    with pytest.warns(UserWarning, match="The orders of 5 of 8 voters have one alternative only"):
        data = br.read(path)
    assert data.ranks.tolist() == [[1, 2]] and data.weights.tolist() == [3]
    assert len(data.items) == 4
    with pytest.raises(ValueError, match=r"All orders of .* have one alternative only"):
        read_preflib(write(tmp_path, ["5: 4"]))
    with pytest.raises(ValueError, match='`unranked` must be "not offered" or "below"'):
        read_preflib(path, unranked="last")


def test_a_gzipped_file_without_names(tmp_path):
    path = tmp_path / "2.soc.gz"
    with gzip.open(path, "wt") as file:
        file.write("2: 10,2,1\n1: 1,2,10\n")
    assert br.read(path).weights.tolist() == [2, 1]
    assert set(br.read(path).items) == {"1", "2", "10"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1,2,3", "line 9: a line must be 'count: 2,{1,3},4', an order, got '1,2,3'"),
        ("0: 1,2", "line 9: a line must be"),
        ("2: 1,,2", "line 9: a line must be"),
        ("2: 1,{2,3", "line 9: a line must be"),
        ("2: 1,{2,{3,4}}", "line 9: a line must be"),
        ("2: {},1", "line 9: a line must be"),
        ("2: a,b", "line 9: a line must be"),
        ("2: 1,{2,1}", "line 9: alternative 1 may be in an order only once"),
        ("2: 1,5", "line 9: alternative 5 has no name at the head of the file"),
    ],
)
def test_bad_lines(tmp_path, line, message):
    path = write(tmp_path, ["1: 1,2,3,4", line])
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        read_preflib(path)
    assert str(path) in str(error.value)


def test_bad_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no file or data set called 'nowhere\.soc'"):
        br.read("nowhere.soc")
    with pytest.raises(ValueError, match="has no orders"):
        read_preflib(write(tmp_path, []))
    with pytest.raises(ValueError, match=r"`rank` names a column, but .* is a file of PrefLib"):
        br.read(write(tmp_path, ["1: 1,2"]), rank="rank")
