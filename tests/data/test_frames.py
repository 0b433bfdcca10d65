"""Bad tables: each mistake has its own message, which names the column, the rule and the rows."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesrank import Comparisons
from tests.data.small_tables import GOOD, changed


@pytest.mark.parametrize(
    ("frame", "arguments", "message"),
    [
        (changed(), {"left": "x"}, "Unknown column `x`; the table has `left`, `right`, `outcome`"),
        (changed(), {"left": "right"}, "`left` and `right` are the same column"),
        (changed(), {"outcome": ("left", "right", "outcome")}, "`outcome` must be one column"),
        (changed().iloc[:0], {}, "The table has no rows"),
        (
            pd.DataFrame({"left": ["a"], "right": ["a"], "outcome": ["a"]}),
            {},
            "Only one item occurs, a",
        ),
        (changed(right=["b", "b", "c"]), {}, r"compared with itself: b, row 1 \("),
        (changed(outcome=["a", "?", "b"]), {}, r"Unknown outcome in `outcome`: \?, b, rows 1, 2 "),
        (changed(outcome=[1, 2, -1]), {}, r"Unknown outcome in `outcome`: 2, row 1 "),
        (changed(outcome=["a", "left", "c"]), {}, r"Unknown outcome in `outcome`: left, row 1 "),
        (changed(outcome=["a", None, None]), {}, r"Missing values: `outcome` in rows 1, 2 "),
        (changed(left=["a", None, "a"]), {}, r"Missing values: `left` in row 1 "),
        (changed(w=[1, -2, 1]), {"weight": "w"}, r"`w` must not be negative: row 1 "),
        (changed(w=[1, np.nan, 1]), {"weight": "w"}, r"Missing weights: `w` in row 1 "),
        (changed(w=[1, 1, np.inf]), {"weight": "w"}, r"`w` must hold finite weights: row 2 "),
        (changed(w=["1", "1", "2"]), {"weight": "w"}, "Column `w` must hold numbers"),
        (
            changed(x=[1, np.nan, 2], y=[0, 1, 2]),
            {"outcome": ("x", "y")},
            r"Missing values: `x` in row 1 ",
        ),
        (changed(x=["1", "2", "2"], y=[0, 1, 2]), {"outcome": ("x", "y")}, "`x` must hold numbers"),
        (
            pd.DataFrame({"left": [1, 0], "right": [0, 1], "outcome": [1, 0]}),
            {},
            "can be read as the winner's name and as",
        ),
        (
            pd.DataFrame({"left": ["0", "0"], "right": ["1", "1"], "outcome": ["0", "tie"]}),
            {},
            "can be read as the winner's name and as",
        ),
    ],
)
def test_raw_rows(frame, arguments, message):
    before = frame.copy()
    with pytest.raises(ValueError, match=message):
        Comparisons.from_frame(frame, **arguments)
    pd.testing.assert_frame_equal(frame, before)


COUNTS = {"left": ["a", "b"], "right": ["b", "c"], "wins": [1, 2], "losses": [3, 4], "t": [0, 1]}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"wins": [1, -1]}, r"`wins` must not be negative: -1.0 in row 1 "),
        ({"losses": [np.inf, 1]}, r"`losses` must hold finite counts: inf in row 0 "),
        ({"losses": [np.nan, 1]}, r"Missing values: `losses` in row 0 "),
        ({"t": ["x", "y"]}, "Column `t` must hold numbers"),
        ({"left": ["b", "b"]}, "compared with itself: b, row 0 "),
    ],
)
def test_tables_of_counts(columns, message):
    with pytest.raises(ValueError, match=message):
        Comparisons.from_counts(pd.DataFrame(COUNTS | columns), ties="t")


@pytest.mark.parametrize("convert", [pd.DataFrame, pl.DataFrame, pa.table, pl.LazyFrame])
def test_a_missing_score_does_not_win(convert):
    """Some engines hold NaN for the largest number."""
    rows = {"left": ["a", "b"], "right": ["b", "a"], "x": [1.0, float("nan")], "y": [0.0, 1.0]}
    with pytest.raises(ValueError, match="Missing values: `x` in"):
        Comparisons.from_frame(convert(rows), outcome=("x", "y"))


def test_numbers_against_texts():
    frame = pd.DataFrame({"left": [1, 2], "right": ["2", "A"], "outcome": ["left", "left"]})
    with pytest.raises(ValueError, match="items must be numbers in both columns or texts"):
        Comparisons.from_frame(frame)


def test_categories_are_texts():
    frame = changed().astype("category")
    assert Comparisons.from_frame(frame).items == ["a", "b", "c"]
    with pytest.raises(ValueError, match=r"Unknown outcome in `outcome`: \?, row 0"):
        Comparisons.from_frame(changed(outcome=["?", "tie", "c"]).astype("category"))


def test_lazy_frames_count_the_rows_they_cannot_number():
    frame = pl.LazyFrame(GOOD | {"outcome": ["a", "?", "?"]})
    with pytest.raises(ValueError, match=r"Unknown outcome in `outcome`: \?, 2 rows"):
        Comparisons.from_frame(frame)


DOUBLE = {
    "left": ["a", "b", "a", "a", "b"],
    "right": ["b", "a", "b", "c", "a"],
    "wins": [1, 2, 3, 4, 5],
    "losses": [0, 0, 1, 0, 0],
    "agent": ["x", "x", "x", "y", "y"],
    "query": [7, 7, 7, 7, 8],
}


def test_rows_of_the_same_pair_may_be_refused():
    frame = pd.DataFrame(DOUBLE)
    once = {"duplicates": "error"}
    with pytest.raises(ValueError, match=r"a vs b in rows 0, 2; b vs a in rows 1, 4 \(the first"):
        Comparisons.from_counts(frame, **once)
    with pytest.raises(ValueError, match=r"one row: a vs b \(x\) in rows 0, 2 \("):
        Comparisons.from_counts(frame, agent="agent", **once)
    with pytest.raises(ValueError, match=r"one row: a vs b \(x, 7\) in rows 0, 2 \("):
        Comparisons.from_counts(frame, agent="agent", instance="query", **once)
    with pytest.raises(ValueError, match=r"one row: a vs b in 2 rows; b vs a in 2 rows\.$"):
        Comparisons.from_counts(pl.LazyFrame(DOUBLE), **once)
    single = frame.iloc[1:]
    read = Comparisons.from_counts(single, agent="agent", instance="query", **once)
    assert read.same_as(Comparisons.from_counts(single, agent="agent", instance="query"))
    many = pd.concat([frame.assign(left=f"item {k}") for k in range(9)])
    with pytest.raises(ValueError, match=r"and 13 more \(the first row is 0\)\.$"):
        Comparisons.from_counts(many, **once)
    with pytest.raises(ValueError, match='`duplicates` must be "sum" or "error", got \'first\''):
        Comparisons.from_counts(frame, duplicates="first")


def test_lazy_tables_of_counts_have_no_row_numbers():
    rows = DOUBLE | {"wins": [1, -2, 3, -2, 5]}
    with pytest.raises(ValueError, match=r"`wins` must not be negative: -2\.0, 2 rows"):
        Comparisons.from_counts(pl.LazyFrame(rows))


def test_something_else_than_a_frame():
    with pytest.raises(TypeError, match="Expected a data frame"):
        Comparisons.from_frame([("a", "b", "a")])
