"""LETOR's files of features and of lists, and the rankings they become."""

import gzip

import numpy as np
import pytest

import bayesrank as br
from bayesrank.data import read_letor

FEATURES = [
    "# made up",
    "0 qid:9 1:0.5 2:0 3:-1e-3 #docid = x1 inc = 1 prob = 0.1",
    "2 qid:9 1:0.25 2:1 3:7 #docid = x2 inc = 1 prob = 0.1",
    "",
    "1 qid:10 1:0.5 2:0 3:2 #docid = x1 inc = 1 prob = 0.1\r",
    "1 qid:10 1:0.5 2:3 3:4 #docid = x3 inc = 1 prob = 0.1",
    "0 qid:9 1:0 2:0 3:4 #docid = x3 inc = 1 prob = 0.1",
]
LISTS = [
    "2 qid:7 1:1 2:30 3:2 #docid = a inc = 1",
    "0 qid:7 1:2 2:4 3:NULL #docid = b inc = 1",
    "0 qid:7 1:7 2:NULL 3:NULL #docid = c inc = 1",
    "1 qid:12 1:5 2:NULL 3:1 #docid = a inc = 1",
    "0 qid:12 1:5 2:NULL 3:4 #docid = d inc = 1",
    "0 qid:12 1:NULL 2:NULL 3:NULL #docid = e inc = 1",
]


def write(folder, lines, name="S1.txt"):
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path


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


def test_features_become_a_ranking_of_each_query(tmp_path):
    data = br.read(write(tmp_path, FEATURES))
    assert data.names == data.agents == data.instances == [9, 10]
    assert data.ranks.tolist() == [[1, 2, 2], [1, 1, -1]]
    assert data.ratings.tolist() == [[2, 0, 0], [1, 1, 0]]
    assert [data.items[k] for k in data.entries[0]] == ["x2", "x1", "x3"]
    assert data.feature_names == ["1", "2", "3"]
    assert data.features[0, 0].tolist() == [0.25, 1, 7]
    fit = br.fit(data, "pmop", method="map", scale=1.0, progress=False)
    assert len(fit.parameters()) == 3  # a coefficient for each feature


def test_lists(tmp_path):
    documents = read_letor(write(tmp_path, LISTS))
    np.testing.assert_array_equal(documents.values[:2], [[1, 30, 2], [2, 4, np.nan]])
    assert documents.has_missing
    assert documents.index.to_list()[3:5] == [(12, "a"), (12, "d")]


def test_some_queries(tmp_path):
    documents = read_letor(write(tmp_path, FEATURES))
    first = documents.of_queries([9])
    assert first.queries == [9] and first.query.tolist() == [0, 0, 0]
    assert first.documents == ["x1", "x2", "x3"] and first.relevance.tolist() == [0, 2, 0]
    assert first.values[2].tolist() == [0, 0, 4] and first.relevant.tolist() == [1]
    assert documents.of_queries([10, 9]).query.tolist() == documents.query.tolist()
    with pytest.raises(ValueError, match="`queries` has 11: not there"):
        documents.of_queries([9, 11])
    with pytest.raises(ValueError, match="`queries` must be a sequence of labels"):
        documents.of_queries("9")


def test_lists_become_rankings_by_agents_in_instances(tmp_path):
    documents = read_letor(write(tmp_path, LISTS))
    with pytest.warns(UserWarning, match="1 of 5 rankings have one document only"):
        data = documents.to_rankings()
    assert data.names == ["7 / 1", "7 / 2", "12 / 1", "12 / 3"]
    assert data.agents == [1, 2, 3] and data.agent.tolist() == [0, 1, 0, 2]
    assert data.items == ["a", "b", "c", "a", "d", "e"]  # that in no list as well
    assert data.entries.tolist() == [[0, 1, 2], [1, 0, -1], [3, 4, -1], [3, 4, -1]]
    assert data.ranks.tolist() == [[1, 2, 3], [1, 2, -1], [1, 1, -1], [1, 2, -1]]
    with pytest.warns(UserWarning, match="one document only"):
        assert br.read(tmp_path / "S1.txt").same_as(data)
    with pytest.warns(UserWarning, match="one document only"):
        turned = documents.to_rankings(best="largest")
    assert turned.entries[0].tolist() == [2, 1, 0]


def test_documents_that_a_list_does_not_have_may_be_below(tmp_path):
    documents = read_letor(write(tmp_path, LISTS))
    data = documents.to_rankings(unranked="below")
    # The second list has none of query 12's documents: it says nothing.
    assert data.names == ["7 / 1", "7 / 2", "7 / 3", "12 / 1", "12 / 3"]
    assert data.ranks.tolist() == [[1, 2, 3], [1, 2, 0], [1, 0, 0], [1, 1, 0], [1, 2, 0]]
    assert data.entries[2].tolist() == [0, 1, 2]
    assert br.read(tmp_path / "S1.txt", unranked="below").same_as(data)


def test_scores_of_a_fit_come_back_in_the_order_of_the_file(tmp_path):
    documents = read_letor(write(tmp_path, LISTS[3:] + LISTS[:3]))
    data = documents.to_rankings(unranked="below")
    fit = br.fit(data, "davidson-luce", method="map", scale=1.0, progress=False)
    score = fit.ranking()["score"].reindex(documents.index)
    assert score.notna().all()
    assert score[(7, "a")] > score[(7, "c")] and score[(12, "a")] > score[(12, "e")]


def test_one_query_has_no_instances(tmp_path):
    data = read_letor(write(tmp_path, LISTS[:3])).to_rankings(unranked="below")
    assert data.instances is None and data.names == [1, 2, 3]


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


def test_what_the_documents_do_not_say(tmp_path):
    lists = read_letor(write(tmp_path, LISTS))
    with pytest.raises(
        ValueError, match=r"Features must be finite, but these are places .* rows 1,"
    ):
        lists.to_graded_rankings()
    with pytest.raises(ValueError, match='`best` must be "smallest" or "largest"'):
        lists.to_rankings(best="low")
    with pytest.raises(ValueError, match='`unranked` must be "not offered" or "below"'):
        lists.to_rankings(unranked="last")
    nothing = read_letor(write(tmp_path, ["0 qid:1 1:NULL", "1 qid:1 1:3"]))
    with pytest.raises(ValueError, match="No list has two documents of a query"):
        nothing.to_rankings()
    path = write(tmp_path, ["0 qid:1 1:4", "1 qid:2 1:3", "0 qid:2 1:5"])
    with pytest.warns(UserWarning, match="1 of 2 queries have one document only, .* left out: 1"):
        assert br.read(path).names == [2]
    with pytest.raises(ValueError, match="no value is NULL: it is read as features"):
        br.read(path, unranked="below")
    with pytest.raises(ValueError, match=r"`item` is for tables, but .* is a file of LETOR"):
        br.read(path, item="name")


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
