"""PrefLib's orders."""

import gzip
import re

import pytest

import bayesrank as br
from bayesrank.data import read_preflib, read_preflib_header, write_preflib

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
    with pytest.raises(ValueError, match=r"`rank` is for tables, but .* is a file of PrefLib"):
        br.read(write(tmp_path, ["1: 1,2"]), rank="rank")


CANONICAL = """# FILE NAME: lunch.toi
# TITLE: Lunch, by whom it concerns
# DESCRIPTION:
# DATA TYPE: toi
# NUMBER ALTERNATIVES: 4
# NUMBER VOTERS: 9
# NUMBER UNIQUE ORDERS: 3
# ALTERNATIVE NAME 1: soup
# ALTERNATIVE NAME 2: rice: fried, "hot"
# ALTERNATIVE NAME 3: pâté
# ALTERNATIVE NAME 4: fruit
5: 2,{1,3},4
3: 4,2
1: {1,2,3,4}
""".replace("DESCRIPTION:\n", "DESCRIPTION: \n")


def test_what_was_read_is_written_as_it_was(tmp_path):
    path = tmp_path / "lunch.toi"
    path.write_text(CANONICAL, encoding="utf-8")
    data = read_preflib(path)
    again = tmp_path / "again.toi"
    write_preflib(data, again, header=read_preflib_header(path))
    assert again.read_bytes() == path.read_bytes()


def test_a_head_is_made_where_there_is_none(tmp_path):
    data = br.Rankings.from_lists([["b", "a"], ["a", "b"]], weights=[3, 1])
    path = tmp_path / "two.soc"
    write_preflib(data, path)
    text = path.read_text()
    assert "# NUMBER VOTERS: 4\n" in text
    assert text.endswith("# ALTERNATIVE NAME 2: b\n3: 2,1\n1: 1,2\n")
    assert read_preflib(path).same_as(data)


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (br.Rankings.from_lists([["a", {"b", "c"}]]), "x.soc", r"must end in \.toc"),
        (
            br.Rankings.from_lists([["a", "b"], ["a", "c"]], unranked="not offered"),
            "x.soc",
            r"must end in \.soi",
        ),
        (br.Rankings.from_lists([["a", "b"]], weights=[0.5]), "x.soc", "whole numbers"),
        (br.Rankings.from_lists([["a", "b"]], weights=[1e15]), "x.soc", r"numbers below .* 1e\+15"),
        (br.Rankings.from_lists([["a\nb", "c"]]), "x.soc", "over two lines"),
        (br.Rankings.from_lists([["a ", "c"]]), "x.soc", "begin or end with a space: 'a '"),
    ],
)
def test_what_cannot_be_written(data, name, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        write_preflib(data, tmp_path / name)
    assert not (tmp_path / name).exists()


def test_weighted_pairs_are_comparisons(tmp_path):
    path = tmp_path / "pairs.wmd"
    head = "# ALTERNATIVE NAME 1: x\n# ALTERNATIVE NAME 2: y\n# ALTERNATIVE NAME 3: z\n"
    path.write_text(head + "1,2,3\n2,1,1.0\n3, 1, 2\n")
    data = br.read(path)
    frame = data.to_frame()
    assert frame[["left", "right", "wins"]].values.tolist() == [
        ["x", "y", 3], ["y", "x", 1], ["z", "x", 2],
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["1,2", "1,1,2", "1,2,nan", "1,2,-1", "1,2,x", "1,9,1", "1,2,3,4"])
def test_pairs_that_are_none(line, tmp_path):
    path = tmp_path / "pairs.wmd"
    path.write_text(f"# ALTERNATIVE NAME 1: x\n# ALTERNATIVE NAME 2: y\n{line}\n")
    with pytest.raises(ValueError, match="line 3"):
        br.read(path)


def test_names_may_come_after_the_pairs_but_must_be_all_there(tmp_path):
    path = tmp_path / "pairs.wmd"
    path.write_text("1,2,5\n# ALTERNATIVE NAME 1: a\n")
    with pytest.raises(ValueError, match="line 1: alternative 2 has no name"):
        br.read(path)


def test_a_file_without_an_ending_is_known_by_its_head(write):
    pairs = write("votes", "# FILE NAME: 00001-00000001.wmd\n# ALTERNATIVE NAME 1: a\n"
                  "# ALTERNATIVE NAME 2: b\n1,2,5\n2,1,3\n")  # fmt: skip
    assert br.read(pairs).items == ["a", "b"] and br.read(pairs).counts.sum() == 8
    orders = write("votes", "# DATA TYPE: soc\n5: 1,2\n3: 2,1\n")
    assert br.read(orders).weights.tolist() == [5, 3]
