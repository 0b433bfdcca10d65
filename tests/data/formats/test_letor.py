"""LETOR's files of features and of lists, and what is refused of them."""

import gzip

import numpy as np
import pytest

import bayesrank as br
from bayesrank.data import read_letor
from tests.data.formats.letor_lines import FEATURES, LISTS, write


def test_features(tmp_path):
    documents = read_letor(write(tmp_path, FEATURES))
    assert documents.queries == [9, 10] and documents.query.tolist() == [0, 0, 1, 1, 0]
    assert documents.documents == ["x1", "x2", "x1", "x3", "x3"]
    assert documents.relevance.tolist() == [0, 2, 1, 1, 0]
    assert documents.relevant.tolist() == [1, 2]
    assert documents.columns == [1, 2, 3]
    assert documents.values[:3].tolist() == [[0.5, 0, -1e-3], [0.25, 1, 7], [0.5, 0, 2]]
    assert len(documents) == 5 and not documents.has_missing
    assert repr(documents) == (
        "JudgedDocuments: 5 documents of 2 queries, 3 columns, 0 values missing"
    )


def test_lists(tmp_path):
    documents = read_letor(write(tmp_path, LISTS))
    np.testing.assert_array_equal(documents.values[:2], [[1, 30, 2], [2, 4, np.nan]])
    assert documents.has_missing
    assert documents.index.to_list()[3:5] == [(12, "a"), (12, "d")]


def test_several_files_are_one(tmp_path):
    whole = read_letor(write(tmp_path, LISTS))
    parts = [write(tmp_path, LISTS[:2], "S2.txt"), tmp_path / "S3.txt.gz"]
    with gzip.open(parts[1], "wt") as file:
        file.write("\n".join(LISTS[2:]))
    together = read_letor(parts)
    assert together.documents == whole.documents and together.queries == whole.queries
    np.testing.assert_array_equal(together.values, whole.values)
    np.testing.assert_array_equal(together.query, whole.query)


def test_documents_without_names_and_features_left_out(tmp_path):
    documents = read_letor(write(tmp_path, ["1 qid:a 2:3", "0 qid:b 1:1 3:2", "0 qid:a"]))
    assert documents.documents == [1, 1, 2] and documents.queries == ["a", "b"]
    assert documents.values.tolist() == [[0, 3, 0], [1, 0, 2], [0, 0, 0]]
    with pytest.warns(UserWarning, match="left out: b"):
        data = documents.to_graded_rankings()
    assert data.features[0].tolist() == [[0, 3, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 1:2", "line 2: a line must be 'grade qid:query 1:value 2:value ...', got '0 1:2'"),
        ("x qid:7 1:2", "line 2: a line must be"),
        ("-1 qid:7 1:2", "line 2: a line must be"),
        ("0 qid:7 1:2:3 4", "line 2: a line must be"),
        ("0 qid:7 0:2", "line 2: a line must be"),
        (
            "0 qid:7 1:two #docid = z",
            "line 2: a value must be a finite number or NULL, got '1:two'",
        ),
        (
            "0 qid:7 1:nan #docid = z",
            "line 2: a value must be a finite number or NULL, got '1:nan'",
        ),
        ("0 qid:7 1:0\u2028.5 #docid = z", "line 2: a value must be a finite number or NULL"),
        ("0 qid:7 1:1e999 #docid = z", "line 2: a value must be a finite number or NULL"),
        ("0 qid:7 2:1 1:3 #docid = z", "line 2: columns must be numbered upwards, each once"),
        ("0 qid:7 1:1 1:3 #docid = z", "line 2: columns must be numbered upwards, each once"),
        ("0 qid:7 1:1", "line 2: a line must name its document as others do"),
        ("0 qid:7 1:1 #docid = a", "line 2: a document may be in a query only once, and line 1"),
    ],
)
def test_bad_lines(tmp_path, line, message):
    path = write(tmp_path, [LISTS[0], line, LISTS[2]])
    with pytest.raises(ValueError, match=message) as error:
        read_letor(path)
    assert str(path) in str(error.value)


def test_bad_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file called 'nowhere'"):
        read_letor("nowhere")
    with pytest.raises(IsADirectoryError, match="is a directory"):
        read_letor(tmp_path)
    with pytest.raises(ValueError, match="is empty"):
        read_letor(write(tmp_path, [""]))
    with pytest.raises(ValueError, match="has comments only"):
        read_letor(write(tmp_path, ["# nothing"]))
    with pytest.raises(ValueError, match="`paths` is empty"):
        read_letor([])
    path = tmp_path / "latin.txt"
    path.write_bytes(b"0 qid:1 1:1 #docid = a\n0 qid:1 1:2 #docid = \xe9\n")
    with pytest.raises(ValueError, match="line 2: the text is not in UTF-8"):
        read_letor(path)
    path = tmp_path / "cut.txt.gz"
    whole = gzip.compress("\n".join(LISTS * 50).encode())
    for content in (whole[:-30], whole[:40] + bytes(20) + whole[60:]):
        path.write_bytes(content)
        for read in (read_letor, br.read):
            with pytest.raises(
                ValueError, match=r"cut\.txt\.gz' (is cut off or damaged|cannot be)"
            ):
                read(path)


@pytest.mark.parametrize("column", ["99999999999", "100001", "9" * 5000])
def test_absurd_columns_are_refused(column, tmp_path):
    path = tmp_path / "letor.txt"
    path.write_text(f"1 qid:1 1:0.5\n0 qid:1 {column}:1\n")
    with pytest.raises(ValueError, match="line 2: columns may be numbered to 100,000"):
        br.read(path)


def test_lists_that_are_far_apart(tmp_path):
    """A column that nobody fills takes no room, and a list that a line leaves out has no place."""
    lines = ["1 qid:1 1:1 100000:NULL #docid = a", "0 qid:1 1:2 100000:1 #docid = b",
             "0 qid:1 100000:2 #docid = c"]  # fmt: skip
    documents = read_letor(write(tmp_path, lines))
    assert documents.columns == [1, 100_000]
    data = documents.to_rankings()
    assert data.agents == [1, 100_000]
    assert data.entries.tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("value", ["1", "NULL"])
def test_columns_that_are_nearly_empty(value, tmp_path):
    lines = [f"1 qid:1 {k}:{value}" for k in range(1, 6001)]
    with pytest.raises(
        ValueError, match=r"gives 6,000 of the numbers of 6,000 documents in 6,000 "
    ):
        read_letor(write(tmp_path, lines))


def test_query_files_of_lightgbm(write):
    rows = ["0 1:0.5 2:1", "2 1:0.1", "1 1:0.2 2:3", "0 1:4", "1 2:1"]
    path = write("rank.train", "\n".join(rows) + "\n")
    with pytest.raises(ValueError, match=r"'rank\.train\.query' beside it must have the number"):
        br.read(path)
    write("rank.train.query", "3\n2\n")
    queries = [1, 1, 1, 2, 2]
    lines = [row.replace(" ", f" qid:{q} ", 1) for row, q in zip(rows, queries, strict=True)]
    assert br.read(path).same_as(br.read(write("same.txt", "\n".join(lines) + "\n")))
    for sizes, message in (("3\n3\n", "and there are fewer"), ("3\n1\n", "and there are more")):
        write("rank.train.query", sizes)
        with pytest.raises(ValueError, match=message):
            br.read(path)
