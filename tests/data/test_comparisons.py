"""The container: aggregation, views, round trips."""

import dask.dataframe
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesrank import Comparisons

ROWS = {
    "home": ["a", "b", "a", "b", "c", "a"],
    "away": ["b", "a", "b", "c", "a", "c"],
    "winner": ["a", "b", "tie", "c", "a", "a"],
    "side": ["left", "left", "tie", "right", "right", "left"],
    "sign": [1, 1, 0, -1, -1, 1],
    "home_goals": [2, 1, 0, 0, 1, 3],
    "away_goals": [0, 0, 0, 2, 2, 1],
    "judge": ["x", "y", "x", "x", "y", "y"],
    "weight": [1.0, 2.0, 0.5, 1.0, 1.0, 1.0],
}
#  a-b: one left win, one tie; a-c: one left win; b-a: left win; b-c: loss; c-a: loss
EXPECTED = {
    ("a", "b"): [1, 0, 1],
    ("a", "c"): [1, 0, 0],
    ("b", "a"): [1, 0, 0],
    ("b", "c"): [0, 1, 0],
    ("c", "a"): [0, 1, 0],
}


def as_dict(data):
    return {
        (data.items[i], data.items[j]): row.tolist()
        for i, j, row in zip(data.left, data.right, data.counts, strict=True)
    }


@pytest.mark.parametrize("outcome", ["winner", "side", "sign", ("home_goals", "away_goals")])
def test_outcomes_may_be_spelled_in_four_ways(outcome):
    data = Comparisons.from_frame(pd.DataFrame(ROWS), "home", "away", outcome)
    assert as_dict(data) == EXPECTED
    assert data.items == ["a", "b", "c"]
    assert data.counts.dtype == np.int64


def test_true_and_false_say_whether_left_won():
    rows = {"left": ["a", "b"], "right": ["b", "a"], "outcome": [True, False]}
    assert as_dict(Comparisons.from_frame(pd.DataFrame(rows))) == {
        ("a", "b"): [1, 0, 0],
        ("b", "a"): [0, 1, 0],
    }


def test_winners_may_be_numbers():
    rows = {"left": [7, 8, 9], "right": [8, 9, 7], "outcome": [7, 9, 9]}
    data = Comparisons.from_frame(pd.DataFrame(rows))
    assert data.items == [7, 8, 9]
    assert as_dict(data) == {(7, 8): [1, 0, 0], (8, 9): [0, 1, 0], (9, 7): [1, 0, 0]}


def test_an_item_may_be_called_like_an_outcome():
    rows = {"left": ["left", "b"], "right": ["b", "left"], "outcome": ["right", "left"]}
    assert as_dict(Comparisons.from_frame(pd.DataFrame(rows))) == {
        ("left", "b"): [0, 1, 0],
        ("b", "left"): [1, 0, 0],
    }


@pytest.mark.parametrize(
    "convert",
    [
        pd.DataFrame,
        pl.DataFrame,
        pl.LazyFrame,
        pa.table,
        lambda rows: duckdb.from_arrow(pa.table(rows)),
        lambda rows: dask.dataframe.from_pandas(pd.DataFrame(rows), npartitions=2),
    ],
    ids=["pandas", "polars", "polars-lazy", "pyarrow", "duckdb", "dask"],
)
def test_any_frame_gives_the_same(convert):
    frame = convert(ROWS)
    assert as_dict(Comparisons.from_frame(frame, "home", "away", "winner")) == EXPECTED
    scores = Comparisons.from_frame(frame, "home", "away", ("home_goals", "away_goals"))
    assert as_dict(scores) == EXPECTED


def test_weights_and_agents():
    frame = pd.DataFrame(ROWS)
    data = Comparisons.from_frame(frame, "home", "away", "winner", weight="weight", agent="judge")
    assert data.agents == ["x", "y"]
    assert data.counts.sum() == frame["weight"].sum()
    assert data.counts.dtype == np.float64
    only = data.subset(agents=["y"])
    assert only.counts.sum() == frame.loc[frame.judge == "y", "weight"].sum()
    assert only.agents == ["y"] and set(only.agent) == {0}
    assert "agent" in only.coords
    assert only.coords["pair"] == ["a vs c (y)", "b vs a (y)", "c vs a (y)"]
    again = Comparisons.from_counts(data.to_frame(), agent="agent")
    assert again.same_as(data) and not again.same_as(only)


def test_counts_are_added_up_and_round_trip():
    frame = pd.DataFrame(
        {"i": ["a", "a", "b"], "j": ["b", "b", "c"], "w": [1, 2, 3], "l": [0, 1, 0], "t": [1, 1, 0]}
    )
    data = Comparisons.from_counts(frame, left="i", right="j", wins="w", losses="l", ties="t")
    assert as_dict(data) == {("a", "b"): [3, 1, 2], ("b", "c"): [3, 0, 0]}
    assert Comparisons.from_counts(data.to_frame()).same_as(data)
    no_ties = Comparisons.from_counts(frame, left="i", right="j", wins="w", losses="l")
    assert not no_ties.has_ties and data.has_ties


def test_items_and_agents_without_a_count_are_kept():
    rows = {
        "left": ["a", "a", "b"],
        "right": ["b", "c", "d"],
        "wins": [1, 0, 0],
        "losses": [2, 0, 0],
        "judge": ["x", "y", "x"],
        "outcome": ["a", "a", "d"],
    }
    data = Comparisons.from_counts(pd.DataFrame(rows), agent="judge")
    assert data.items == ["a", "b", "c", "d"] and data.agents == ["x", "y"]
    assert data.counts.tolist() == [[1, 2, 0], [0, 0, 0], [0, 0, 0]]
    data = Comparisons.from_frame(pd.DataFrame(rows), weight="wins", agent="judge")
    assert data.items == ["a", "b", "c", "d"] and data.agents == ["x", "y"]
    assert data.counts.sum() == 1 and len(data) == 3


def test_swapping_twice_is_nothing():
    data = Comparisons.from_frame(pd.DataFrame(ROWS), "home", "away", "winner")
    assert data.swapped().swapped().same_as(data)
    swapped = as_dict(data.swapped())
    assert swapped[("b", "a")] == [0, 1, 1]


def test_subset_keeps_only_pairs_within():
    data = Comparisons.from_frame(pd.DataFrame(ROWS), "home", "away", "winner")
    part = data.subset(["a", "c"])
    assert part.items == ["a", "c"]
    assert as_dict(part) == {k: v for k, v in EXPECTED.items() if "b" not in k}
    with pytest.raises(ValueError, match="`items` has labels that do not occur: z"):
        data.subset(["a", "z"])
    with pytest.raises(ValueError, match="have no agents"):
        data.subset(agents=["x"])
    with pytest.raises(ValueError, match="there is only one instance"):
        data.subset(instances=["x"])
    data = Comparisons.from_frame(pd.DataFrame(ROWS), "home", "away", "winner", agent="judge")
    with pytest.raises(ValueError, match="`agents` has labels that do not occur: z"):
        data.subset(agents=["x", "z"])


def test_repr_says_what_matters():
    text = repr(Comparisons.from_frame(pd.DataFrame(ROWS), "home", "away", "winner"))
    assert "3 items, 5 ordered pairs, 6 comparisons, 1 ties (17%)" in text
    assert "connected" in text


@pytest.mark.parametrize("convert", [pd.DataFrame, pl.DataFrame, pa.table, pl.LazyFrame])
def test_texts_are_kept_to_their_end(convert):
    """NumPy's own arrays of texts cut zeros off."""
    names = ["x", "x\0", "y "]
    rows = {"left": names, "right": [*names[1:], names[0]], "n": [1] * 3}
    assert Comparisons.from_counts(convert(rows), wins="n", losses="n").items == names
    assert Comparisons.from_frame(convert(rows), outcome="left").items == names
