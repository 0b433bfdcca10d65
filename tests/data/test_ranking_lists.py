"""Lists of labels and matrices of ranks, good and bad."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesrank.data import Rankings

RANKS = np.array([[1, 2, 0, 0], [4, 1, 2, 3], [2, 1, 1, 1]])
FRUITS = ["apple", "banana", "orange", "pear"]


@pytest.mark.parametrize("block", [{"b", "c"}, frozenset("bc"), ["c", "b"], ("b", "c")])
def test_a_block_may_be_a_set_a_list_or_a_tuple(block):
    data = Rankings.from_lists([["a", block], (block, "a")])
    assert data.entries.tolist() == [[0, 1, 2], [1, 2, 0]]
    assert data.ranks.tolist() == [[1, 2, 2], [1, 1, 2]]


def test_labels_of_arrays_become_plain():
    data = Rankings.from_lists(np.array([[3, 1], [1, 2]]))
    assert data.items == [1, 2, 3] and type(data.items[0]) is int
    data = Rankings.from_lists([np.array(["b", "a"]), pd.Series(["c", "b"])])
    assert data.items == ["a", "b", "c"] and type(data.items[0]) is str


def test_what_a_list_leaves_out_may_be_below():
    lists = [["a", "b"], ["c"]]
    assert Rankings.from_lists(lists, unranked="below").ranks.tolist() == [[1, 2, 0], [1, 0, 0]]
    data = Rankings.from_lists(lists, items=["d", "c", "b", "a"], unranked="below")
    assert data.entries.tolist() == [[0, 1, 2, 3], [2, 0, 1, 3]]
    assert data.ranks.tolist() == [[1, 2, 0, 0], [1, 0, 0, 0]]


def test_items_that_nobody_ranks_are_kept_if_named():
    data = Rankings.from_lists([["b", "a"]], items=["c", "b", "a"])
    assert data.items == ["a", "b", "c"] and data.n_entries == 2


def test_agents_and_weights_of_lists():
    lists = [["a", "b"], ["b", "a"], ["a", "b"]]
    data = Rankings.from_lists(lists, agents=["y", "x", "y"], weights=[1, 2.5, 3])
    assert data.agents == ["x", "y"] and data.agent.tolist() == [1, 0, 1]
    assert data.weights.tolist() == [1, 2.5, 3]


@pytest.mark.parametrize(
    ("lists", "arguments", "error", "message"),
    [
        ("ab", {}, TypeError, "`lists` must be a list of rankings, got str"),
        (3, {}, TypeError, "`lists` must be a list of rankings, got int"),
        ([], {}, ValueError, "`lists` is empty"),
        ([["a", "b"], "ab"], {}, TypeError, r"`lists\[1\]` must be .*, got the str 'ab'"),
        ([["a", "b"], 7], {}, TypeError, r"`lists\[1\]` must be .*, got the int 7"),
        ([{"a"}], {}, TypeError, r"`lists\[0\]` must be .*, got the set"),
        ([["a", "b"], []], {}, ValueError, r"`lists\[1\]` is an empty ranking"),
        ([["a", "b", set()]], {}, ValueError, r"`lists\[0\]` has an empty block"),
        ([["a", ["b", ["c"]]]], {}, TypeError, r"labels and blocks of labels, got \['c'\]"),
        ([["a", "b"], ["a", None]], {}, ValueError, r"`lists\[1\]` has a missing label, None"),
        ([["a", float("nan")]], {}, ValueError, r"`lists\[0\]` has a missing label, nan"),
        ([["a", pd.NA]], {}, ValueError, r"`lists\[0\]` has a missing label, <NA>"),
        ([["a", "b"], ["a", {"b", "a"}]], {}, ValueError, "only once: a in ranking 1"),
        ([["a", "b"], ["b"], ["a"]], {}, ValueError, 'two: rankings 1, 2. Leave .*"below"'),
        ([["a"]], {"unranked": "below"}, ValueError, "needs two: ranking 0"),
        ([["a", "b"]], {"unranked": "?"}, ValueError, "`unranked` must be"),
        ([["a", "b"]], {"items": ["a", "c"]}, ValueError, "`items` does not have b"),
        ([["a", "b"]], {"items": ["a", "b", "a"]}, ValueError, "`items` has labels twice: a"),
        ([["a", "b"]], {"items": ["a", "b", None]}, ValueError, "`items` has a missing label"),
        ([["a", "b"]], {"weights": [1, 2]}, ValueError, r"each of the 1 rankings, got shape \(2,"),
        ([["a", "b"]], {"weights": ["x"]}, ValueError, "`weights` must hold numbers, got"),
        ([["a", "b"]], {"weights": [0]}, ValueError, "finite and positive: 0 at 0"),
        ([["a", "b"]], {"weights": [np.nan]}, ValueError, "finite and positive: nan at 0"),
        ([["a", "b"]], {"weights": [np.inf]}, ValueError, "finite and positive: inf at 0"),
        ([["a", "b"]], {"agents": ["x", "y"]}, ValueError, "`agents` must hold one label .* got 2"),
        ([["a", "b"]], {"agents": [None]}, ValueError, "`agents` has a missing label"),
        ([["a", "b"]], {"names": []}, ValueError, "`names` must hold one label .* got 0"),
        ([["a", "b"]] * 2, {"names": ["x", "x"]}, ValueError, "`names` has labels twice: x"),
    ],
)
def test_bad_lists(lists, arguments, error, message):
    with pytest.raises(error, match=message):
        Rankings.from_lists(lists, **arguments)


def with_missing(missing):
    rows = [[missing if rank == 0 else int(rank) for rank in row] for row in RANKS]
    return {name: [row[k] for row in rows] for k, name in enumerate(FRUITS)}


@pytest.mark.parametrize(
    "ranks",
    [
        RANKS,
        RANKS.tolist(),
        np.where(RANKS == 0, np.nan, RANKS),
        np.where(RANKS == 0, None, RANKS),
        pd.DataFrame(RANKS, columns=FRUITS),
        pd.DataFrame(with_missing(float("nan"))),
        pd.DataFrame(with_missing(None), dtype="Int64"),
        pd.DataFrame(with_missing(None), dtype=object),
        pd.DataFrame(with_missing(pd.NA), dtype=object),
        pl.DataFrame(with_missing(None)),
        pl.LazyFrame(with_missing(None)),
        pa.table(with_missing(None)),
    ],
    ids=lambda ranks: type(ranks).__name__,
)
@pytest.mark.parametrize("unranked", ["not offered", "below"])
def test_matrices_of_any_kind(ranks, unranked):
    data = Rankings.from_matrix(ranks, FRUITS, unranked=unranked)
    first = ["apple", "banana"]
    lists = [first, ["banana", "orange", "pear", "apple"], [["banana", "orange", "pear"], "apple"]]
    assert data.same_as(Rankings.from_lists(lists, items=FRUITS, unranked=unranked))


def test_columns_of_a_frame_are_the_items():
    frame = pd.DataFrame(RANKS, columns=["d", "c", "b", "a"]).assign(weight=[1.0, 2.0, 3.0])
    data = Rankings.from_matrix(frame, ["d", "c", "b", "a"], weights=frame["weight"])
    assert data.items == ["a", "b", "c", "d"] and data.weights.tolist() == [1, 2, 3]
    assert data.entries[0].tolist() == [3, 2, -1, -1]
    numbers = Rankings.from_matrix(pd.DataFrame(RANKS))
    assert numbers.items == [0, 1, 2, 3] and numbers.entries[0].tolist() == [0, 1, -1, -1]


@pytest.mark.parametrize(
    ("ranks", "items", "error", "message"),
    [
        (RANKS, None, ValueError, "`items` must name the columns of `ranks`"),
        (RANKS, ["a"], ValueError, "`items` must name the 4 columns of `ranks`, got 1 labels"),
        (RANKS, list("aabc"), ValueError, "`items` has labels twice: a"),
        (RANKS[0], FRUITS, ValueError, r"a row for each ranking .* got shape \(4,\)"),
        (RANKS[:0], FRUITS, ValueError, r"got shape \(0, 4\)"),
        ([[1, 2], [1]], ["a", "b"], ValueError, "as many columns in each row"),
        ([[1, -2]], ["a", "b"], ValueError, "whole numbers.*: -2 in row 0 for b "),
        ([[2, 1], [1, 1.5]], ["a", "b"], ValueError, r"1.5 in row 1 for b \(the first row is 0"),
        ([[1, np.inf]], ["a", "b"], ValueError, "inf in row 0 for b"),
        ([[1, "2"]], ["a", "b"], ValueError, "Ranks must be numbers, got '1' in row 0 for a"),
        ([[True, False]], ["a", "b"], ValueError, "Ranks must be numbers, got True in row 0 for a"),
        ([[2, 1, 4], [1, 2, 3]], list("abc"), ValueError, "Ranks skip: row 0 has 1, 2, 4"),
        ([[1, 0, 0], [1, 2, 0], [0, 0, 0]], list("abc"), ValueError, "it needs two: rows 0, 2"),
        (pd.DataFrame(RANKS), ["x"], ValueError, "Unknown column `x`"),
        (pd.DataFrame({"a": ["1"], "b": [2]}), None, ValueError, "got '1' in row 0 for a"),
        (pd.DataFrame({"a": [], "b": []}), None, ValueError, "The table has no rows"),
    ],
)
def test_bad_matrices(ranks, items, error, message):
    with pytest.raises(error, match=message):
        Rankings.from_matrix(ranks, items)


def test_a_matrix_that_ranks_nothing_in_a_row():
    with pytest.raises(ValueError, match="no item is ranked says nothing: row 1"):
        Rankings.from_matrix([[1, 2], [0, 0]], ["a", "b"], unranked="below")


def test_categories_of_lists_and_of_matrices():
    lists = Rankings.from_lists([["x", "y"], ["y", "x"]], categories=["t", "s"])
    matrix = Rankings.from_matrix([[1, 2], [2, 1]], ["x", "y"], categories=["t", "s"])
    assert lists.same_as(matrix) and lists.categories == ["s", "t"]
    assert lists.category.tolist() == [1, 0]
    for make in (
        lambda labels: Rankings.from_lists([["x", "y"]], categories=labels),
        lambda labels: Rankings.from_matrix([[1, 2]], ["x", "y"], categories=labels),
    ):
        with pytest.raises(ValueError, match="`categories` must hold one label for each of the 1"):
            make(["s", "t"])
        with pytest.raises(ValueError, match="`categories` has a missing label"):
            make([None])
