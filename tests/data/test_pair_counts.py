"""Counts that are too large for integers, or for any number: they never wrap around."""

import json
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import bayesrank as br
from tests.data.frame_libraries import FRAMES

LARGE = 2**62  # twice this is more than a signed integer holds
BEYOND = 10**400  # more than any float


@pytest.mark.parametrize("kind", [np.int64, np.uint64, float, object])
def test_large_counts_of_any_type_are_floats(kind):
    given = np.array([[LARGE, LARGE, 0], [1, LARGE, 2]]).astype(kind)
    data = br.Comparisons([0, 1], [1, 2], given, ["x", "y", "z"])
    assert data.counts.dtype == float and data.counts.sum() == 3.0 * LARGE
    assert "1.383505806e+19 comparisons, 2 ties (0%)" in repr(data)
    assert data.with_outcomes(given).counts.dtype == float
    assert data.completed().counts.sum() == data.swapped().counts.sum() == 3.0 * LARGE


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.uint64, bool, object])
def test_other_counts_are_plain_integers(kind):
    """Sums and differences of two columns must hold what a column of a smaller type would not."""
    given = np.array([[1, 0, 1], [0, 1, 0]]).astype(kind)
    counts = br.Comparisons([0, 0], [1, 2], given, ["x", "y", "z"]).counts
    assert counts.dtype == (float if kind is object else np.int64)
    assert (counts[:, 0] - counts[:, 1]).tolist() == [1, -1]
    most = np.full((1, 3), 100, dtype=np.int8)
    assert br.Comparisons([0], [1], most, ["x", "y"]).connectivity().strong


@pytest.mark.parametrize("counts", [[[1, 2, 0], [BEYOND, 1, 0]], [[1, 2, 0], [1, 0, -BEYOND]]])
def test_counts_beyond_all_floats_are_refused_by_row(counts):
    with pytest.raises(ValueError, match=r"must be finite and not negative: .*inf.* in row 1 \("):
        br.Comparisons([0, 0], [1, 2], counts, ["x", "y", "z"])


def test_counts_that_are_no_numbers():
    for value in ("a", {}):
        with pytest.raises(TypeError, match="`counts` must hold numbers"):
            br.Comparisons([0], [1], np.array([[value, 1, 0]], dtype=object), ["x", "y"])
    with pytest.raises(ValueError, match=r"must be finite and not negative: \[nan, .* in row 0"):
        br.Comparisons([0], [1], [[None, 1, 0]], ["x", "y"])
    decimal = br.Comparisons([0], [1], [[Decimal("1.5"), 1, 0]], ["x", "y"])
    assert decimal.counts.tolist() == [[1.5, 1.0, 0.0]]


@FRAMES
def test_sums_of_large_weights_in_every_frame(convert):
    rows = {"left": list("xxx"), "right": list("yyz"), "outcome": list("xxz"), "w": [LARGE] * 3}
    data = br.Comparisons.from_frame(convert(rows), weight="w")
    assert data.counts.tolist() == [[2.0 * LARGE, 0, 0], [0, 1.0 * LARGE, 0]]


@FRAMES
def test_large_counts_in_every_frame(convert):
    rows = {"left": list("xx"), "right": list("yy"), "wins": [LARGE] * 2, "losses": [LARGE, 1]}
    counts = br.Comparisons.from_counts(convert(rows)).counts
    assert counts.tolist() == [[2.0 * LARGE, 1.0 * LARGE, 0.0]]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_unsigned_weights_do_not_wrap_around_to_nothing(make):
    """Twice 2**63 is 0 for an unsigned integer."""
    weight = np.array([2**63] * 2, dtype=np.uint64)
    rows = make({"left": ["x"] * 2, "right": ["y"] * 2, "outcome": ["x"] * 2, "w": weight})
    assert br.Comparisons.from_frame(rows, weight="w").counts.tolist() == [[2.0**64, 0, 0]]


def test_columns_of_objects_name_the_rows():
    frame = pd.DataFrame({"left": ["x", "x"], "right": ["y", "z"], "wins": [1, 2**64]})
    frame["losses"], frame["outcome"] = 1, "x"
    rule = r"Column `wins` holds whole numbers that are too large, 2\*\*63 or more: row 1 \("
    with pytest.raises(ValueError, match=rule):
        br.Comparisons.from_counts(frame)
    with pytest.raises(ValueError, match=rule):
        br.Comparisons.from_frame(frame, weight="wins")
    frame["wins"] = ["one", "two"]
    with pytest.raises(ValueError, match="Column `wins` must hold numbers, but its type is"):
        br.Comparisons.from_counts(frame.astype({"wins": object}))


def test_cross_tables_and_weights_of_rankings():
    large = br.Comparisons.from_matrix([[0, 2**64], [1, 0]], ["x", "y"])
    assert large.counts.tolist() == [[2.0**64, 1, 0]]
    for ties in (None, [[0, BEYOND], [0, 0]]):
        wins = [[0, BEYOND if ties is None else 1], [1, 0]]
        with pytest.raises(ValueError, match="must hold counts, got inf for x against y"):
            br.Comparisons.from_matrix(wins, ["x", "y"], ties=ties)
    lists = [["a", "b"], ["b", "a"]]
    with pytest.raises(ValueError, match=r"must be finite and positive: inf at 1 \("):
        br.Rankings.from_lists(lists, weights=[1, BEYOND])
    slots = {"entries": [[0, 1], [0, 1]], "ranks": [[1, 2], [2, 1]], "items": ["a", "b"]}
    assert br.Rankings(**slots, weights=[LARGE, LARGE]).weights.sum() == 2.0 * LARGE
    for weights in ([1, BEYOND], [1, -1]):
        with pytest.raises(ValueError, match=r"must be finite, from 0 up: (inf|-1) at 1 \("):
            br.Rankings(**slots, weights=weights)


@pytest.mark.parametrize("value", [LARGE, 2**63, 2**64, 1e19])
def test_files(value, tmp_path):
    """Texts and JSON have numbers of any size."""
    games, single = tmp_path / "counts.csv", tmp_path / "games.csv"
    games.write_text(f"left,right,wins,losses\nx,y,{value},{value}\n")
    assert br.read(games).counts.tolist() == [[float(value), float(value), 0]]
    single.write_text(f"left,right,outcome,w\nx,y,x,{value}\nx,y,x,{value}\n")
    assert br.read(single, weight="w").counts.tolist() == [[2.0 * value, 0, 0]]
    lines = tmp_path / "games.jsonl"
    lines.write_text(json.dumps({"left": "x", "right": "y", "wins": value, "losses": "1"}))
    assert br.read(lines).counts.tolist() == [[float(value), 1, 0]]


def test_a_fit_to_large_counts():
    """Where counts are this large the scores are those of maximum likelihood."""
    counts = [[3 * LARGE, LARGE, 0]]
    games = br.Comparisons([0], [1], counts, ["x", "y"])
    score = br.fit(games, "bradley-terry", method="map", scale=np.inf).ranking()["score"]
    assert score["x"] - score["y"] == pytest.approx(np.log(3.0), abs=1e-4)
    votes = br.Specification(games, "mpm", adherence=1.0, variances=False, scale=1.0)
    assert votes.observation.ballots.rows[3].sum() == 4.0 * LARGE


@FRAMES
def test_votes_against_both_are_counted_apart(convert):
    rows = {"left": ["a", "b"], "right": ["b", "c"], "wins": [1, 0], "losses": [1, 0]}
    data = br.Comparisons.from_counts(convert(rows | {"both_bad": [2, 3]}))
    assert data.both_bad.tolist() == [2, 3] and data.counts.sum() == 2 and len(data) == 2
    data = br.Comparisons.from_counts(convert(rows | {"n": [0.5, 0]}), both_bad="n")
    assert data.both_bad.tolist() == [0.5, 0] and data.counts.dtype == np.int64
    assert br.Comparisons.from_counts(convert(rows)).both_bad is None


@pytest.mark.parametrize(
    ("values", "message"),
    [([1, -2], r"`n` must not be negative: -2\.0 in row 1 "),
     ([np.inf, 1], "`n` must hold finite counts: inf in row 0 "),
     ([1, None], "Missing values: `n` in row 1 "), (["a", "b"], "Column `n` must hold numbers"),
     ([1, 1], "All votes say that both were bad, as `n` counts them")],
)  # fmt: skip
def test_votes_against_both_that_are_no_counts(values, message):
    rows = {"left": ["a", "b"], "right": ["b", "c"], "wins": 0, "losses": 0, "n": values}
    with pytest.raises(ValueError, match=message):
        br.Comparisons.from_counts(pd.DataFrame(rows), both_bad="n")
