"""Runs and judgements of TREC."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.data import read_qrels, read_runs
from bayesrank.metrics import average_precision

# Ranks from 0 in the first, and in the wrong order; scores decide. Equal scores in the second.
FIRST = [
    "301\tQ0\tD1\t0\t2.5\tone",
    "301 Q0 D2 1 7.5 one",
    "301 Q0 D3 2 -1e0 one",
    "9 Q0 D1 0 3 one",
    "9 Q0 D4 1 2 one",
]
SECOND = ["301 Q0 D4 1 4 two", "301 Q0 D2 2 3 two", "301 Q0 D1 3 3 two", "9 Q0 D4 1 1 two"]
QRELS = ["301 0 D1 1", "301 0 D2 0", "301 0 D9 2", "9 0 D4 -1", "9 0 D8 0", "400 0 D1 1"]


@pytest.fixture
def paths(tmp_path):
    for name, lines in (("one", FIRST), ("two", SECOND), ("qrels", QRELS)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return [tmp_path / "one", tmp_path / "two"]


def test_runs(paths):
    documents = read_runs(paths, paths[0].with_name("qrels"))
    assert documents.queries == [301, 9] and documents.columns == ["one", "two"]
    assert documents.query.tolist() == [0, 0, 0, 0, 1, 1]
    assert documents.documents == ["D1", "D2", "D3", "D4", "D1", "D4"]
    expected = [[2, 2.5], [1, 2.5], [3, np.nan], [np.nan, 1], [1, np.nan], [2, 1]]
    np.testing.assert_array_equal(documents.values, expected)
    assert documents.relevance.tolist() == [1, 0, 0, 0, 0, 0]
    assert documents.relevant.tolist() == [2, 0]  # D9 is in no run
    assert read_runs(paths[0]).relevance is None


def test_relevant_documents_in_no_run_count_in_average_precision(paths):
    documents = read_runs(paths, paths[0].with_name("qrels"))
    judged = -documents.values[:, 0], documents.relevance, documents.query
    score = np.where(np.isnan(judged[0]), -np.inf, judged[0])
    value = average_precision(score, *judged[1:], relevant=documents.relevant)
    assert value.tolist() == [0.25, 0]  # D1 is second, one of two


def test_depth(paths):
    documents = read_runs(paths, depth=2)
    # Of the equal scores of D2 and D1 the first in the file is left.
    expected = [[2, np.nan], [1, 2.5], [np.nan, 1], [1, np.nan], [2, 1]]
    np.testing.assert_array_equal(documents.values, expected)
    with pytest.raises(ValueError, match="`depth` must be at least 1, got 0"):
        read_runs(paths, depth=0)


def test_rankings_by_runs(paths):
    data = read_runs(paths).to_rankings(unranked="below")
    assert data.names == ["9 / one", "9 / two", "301 / one", "301 / two"]
    assert data.agents == ["one", "two"] and data.instances == [9, 301]
    assert data.items == ["D1", "D4", "D1", "D2", "D3", "D4"]
    assert data.ranks.tolist() == [[1, 2, -1, -1], [1, 0, -1, -1], [1, 2, 3, 0], [1, 2, 2, 0]]
    one = br.read(paths[0])
    assert one.names == ["9 / one", "301 / one"] and one.ranks.tolist() == [[1, 2, -1], [1, 2, 3]]


def test_judgements(paths):
    assert read_qrels(paths[0].with_name("qrels")) == {
        "301": {"D1": 1, "D2": 0, "D9": 2}, "9": {"D4": -1, "D8": 0}, "400": {"D1": 1}
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("301 Q0 D5 3 4", "line 2: a line must be 'topic Q0 document rank score tag', got '301 Q0"),
        ("301 Q0 D5 3 high one", "line 2: a line must be 'topic Q0"),
        ("301 Q0 D5 3 nan one", "line 2: a line must be 'topic Q0"),
        ("301 Q0 D1 3 1 one", "line 2: a document may be in a topic of a run only once"),
    ],
)
def test_bad_lines_of_runs(paths, line, message):
    paths[0].write_text(f"{FIRST[0]}\n{line}\n")
    with pytest.raises(ValueError, match=message) as error:
        read_runs(paths)
    assert str(paths[0]) in str(error.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("301 0 D5", "line 2: a line must be 'topic 0 document grade'"),
        ("301 0 D5 0.5", "line 2: a line must be 'topic 0 document grade'"),
        ("301 0 D1 2", "line 2: a document may have only one grade in a topic"),
    ],
)
def test_bad_lines_of_judgements(tmp_path, line, message):
    path = tmp_path / "qrels"
    path.write_text(f"301 0 D1 1\n{line}\n")
    with pytest.raises(ValueError, match=message):
        read_qrels(path)


def test_judgements_are_rankings_by_grade(paths):
    with pytest.warns(UserWarning, match="1 of 3 queries have one document only.*400"):
        data = br.read(paths[0].with_name("qrels"))
    assert data.instances == [9, 301, 400] and len(data) == 2
    found = [
        {data.items[e]: rank for e, rank in zip(*row, strict=True) if e >= 0}
        for row in zip(data.entries.tolist(), data.ranks.tolist(), strict=True)
    ]
    # Grades below 0 are spam.
    assert found == [{"D8": 1, "D4": 2}, {"D9": 1, "D1": 2, "D2": 3}]
    with pytest.raises(ValueError, match="holds judgements"):
        br.read(paths[0].with_name("qrels"), unranked="last")
