"""Categories and features of comparisons: every engine counts the same, and says what is wrong."""

from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesrank as br
from bayesrank import Comparisons
from bayesrank.data.row_features import feature_columns
from bayesrank.text import at_the_terminal
from tests.data.frame_libraries import FRAMES

RNG = np.random.default_rng(1)
ROWS = 300
LEFT = RNG.integers(0, 3, ROWS)
COLUMNS = {
    "left": [f"m{k}" for k in LEFT],
    "right": [f"m{k}" for k in (LEFT + RNG.integers(1, 3, ROWS)) % 3],
    "outcome": np.array(["left", "right", "tie", "tie (bothbad)"])[RNG.integers(0, 4, ROWS)],
    "topic": np.array(["code", "art"])[RNG.integers(0, 2, ROWS)],
    "judge": np.array(["p", "q"])[RNG.integers(0, 2, ROWS)],
    "year": RNG.integers(2020, 2022, ROWS),
    "long_left": RNG.integers(0, 3, ROWS).astype(np.uint8),
    "long_right": RNG.integers(0, 3, ROWS).astype(np.uint8),
    "bold": RNG.integers(-1, 2, ROWS) / 4,
}
FEATURES = {"length": ("long_left", "long_right"), "bold": "bold"}
ALL = {"agent": "judge", "time": "year", "category": "topic", "features": FEATURES}


def counted(columns):
    """Return wins, losses, ties and votes against both, by all that is kept of a row."""
    found = defaultdict(Counter)
    for row in zip(*(np.asarray(values).tolist() for values in columns.values()), strict=True):
        row = dict(zip(columns, row, strict=True))
        length = float(row["long_left"] - row["long_right"])
        about = row["judge"], row["year"], row["topic"], length, row["bold"]
        found[row["left"], row["right"], *about][row["outcome"]] += 1
    words = ("left", "right", "tie", "tie (bothbad)")
    return {key: [times[word] for word in words] for key, times in found.items()}


def held(data):
    """Return what comparisons hold, in the same form."""
    names = ["left", "right", "agent", "time", "category", "length", "bold"]
    frame = data.to_frame()
    keys = zip(*(frame[name] for name in names), strict=True)
    counts = frame[["wins", "losses", "ties", "both_bad"]].to_numpy().tolist()
    return dict(zip(keys, counts, strict=True))


@FRAMES
@pytest.mark.filterwarnings("ignore:Votes that both")
def test_every_engine_counts_rows_that_agree_in_all(convert):
    data = Comparisons.from_frame(convert(COLUMNS), **ALL)
    assert held(data) == counted(COLUMNS)
    assert len(data) < ROWS


@FRAMES
@pytest.mark.filterwarnings("ignore:Votes that both")
def test_every_engine_adds_up_weights(convert):
    weight = RNG.integers(1, 4, ROWS)
    data = Comparisons.from_frame(convert(COLUMNS | {"n": weight}), weight="n", **ALL)
    repeated = {name: np.repeat(values, weight) for name, values in COLUMNS.items()}
    assert held(data) == counted(repeated)


@FRAMES
def test_tables_of_counts_in_every_library(convert):
    frame = pd.DataFrame({"left": list("abab"), "right": list("bcbc"), "wins": [1, 2, 4, 8],
                          "losses": 0, "topic": ["s", "t", "s", "u"], "x": [1.5, 2.0, 1.5, 2.0],
                          "y": [0.5, 0.0, 0.5, 0.0], "both_bad": [1, 0, 1, 0]})  # fmt: skip
    data = Comparisons.from_counts(
        convert(frame.to_dict("list")), category="topic", features={"d": ("x", "y"), "x": "x"}
    )
    assert data.to_frame()[["wins", "category", "both_bad", "d", "x"]].values.tolist() == [
        [5, "s", 2, 1.0, 1.5], [2, "t", 0, 2.0, 2.0], [8, "u", 0, 2.0, 2.0],
    ]  # fmt: skip


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, pl.LazyFrame])
def test_as_many_rows_as_features(make):
    """Floats that all differ keep their rows apart, whatever the number of columns."""
    rng, n = np.random.default_rng(2), 5_000
    values = {f"x{k}": rng.normal(size=n) for k in range(4)}
    rows = {"left": ["a"] * n, "right": ["b"] * n, "outcome": [1] * n}
    data = Comparisons.from_frame(make(rows | values), features=list(values))
    assert len(data) == n and data.counts.sum() == n
    expected = np.stack(list(values.values()), axis=1)
    np.testing.assert_array_equal(data.features, expected[np.argsort(expected[:, 0])])


def test_differences_do_not_wrap_around_and_zeros_have_no_sign():
    x, y = np.array([[1, 1, 255], [255, 1, 1]], dtype=np.uint8)
    frame = pd.DataFrame({"left": list("aaa"), "right": list("bbb"), "outcome": [1, 1, -1],
                          "x": x, "y": y, "z": [-0.0, 0.0, 0.0]})  # fmt: skip
    data = Comparisons.from_frame(frame, features={"d": ("x", "y")})
    assert data.features.tolist() == [[-254], [0], [254]]
    data = Comparisons.from_frame(frame, features=["z"])
    assert len(data) == 1 and not np.signbit(data.features).any()
    assert not np.signbit(data.swapped().features).any()


def test_features_of_winners_and_losers_turn_with_their_row():
    frame = pd.DataFrame({"winner": list("aba"), "loser": list("bab"), "x": [1.0, -1.0, 2.0]})
    data = Comparisons.from_frame(frame, winner="winner", loser="loser", features="x")
    assert data.counts.tolist() == [[1, 1, 0], [1, 0, 0]]
    assert data.features.tolist() == [[1.0], [2.0]] and not data.sided


def test_how_features_are_named():
    assert feature_columns(None) == feature_columns([]) == {}
    assert feature_columns("x") == feature_columns(["x"]) == {"x": ("x",)}
    assert feature_columns({"d": ["x", "y"], "z": "z"}) == {"d": ("x", "y"), "z": ("z",)}


GOOD = pd.DataFrame({"left": list("abc"), "right": list("bca"), "outcome": [1, -1, 0],
                     "winner": list("acx"), "wins": 1, "losses": 2, "topic": list("sst"),
                     "x": [1.0, 2.0, 3.0], "y": [0.0, 1.0, 0.5]})  # fmt: skip
LAZY = ("row 1 (the first row is 0)", "1 rows")


@pytest.mark.parametrize(
    ("columns", "features", "message"),
    [
        ({"x": [1.0, None, 2.0]}, ["x"], "Missing values: `x` in {}. Drop these rows"),
        ({"x": [1.0, float("nan"), 2.0]}, {"d": ("y", "x")}, "Missing values: `x` in {}."),
        ({"x": [1.0, float("inf"), 2.0]}, ["x"], "`x` must hold finite numbers: {}."),
        ({"x": [1.0, -float("inf"), 2.0]}, {"d": ("y", "x")}, "`x` must hold finite numbers: {}."),
        ({"x": [1.0, 1e308, 2.0], "y": [1.0, -1e308, 2.0]}, {"d": ("x", "y")},
         "The difference of `x` and `y` is too large for a number: {}."),
        ({"x": ["1", "long", "2"]}, ["x"], "Column `x` must hold numbers, but its type is String"),
        ({"x": [True, False, True]}, ["x"], "Column `x` must hold numbers, but its type is Bool"),
        ({}, ["z"], "Unknown column `z`"),
        ({}, {"d": ("x", "z")}, "Unknown column `z`"),
        ({}, ["x", "x"], "`features` has names twice: x."),
        ({}, {"1": "x", 1: "y"}, "`features` has names twice: 1."),
        ({}, ["wins"], "No feature may be called wins"),
        ({}, {"time": ("x", "y")}, "Give it another name: features={{'my time': ('x', 'y')}}."),
        ({}, {"d": ("x", "x")}, "both sides of `d` are the same column, `x`"),
        ({}, {"d": ("x", "y", "x")}, "`d` has x, y, x."),
        ({}, {"d": None}, "`d` has None."),
    ],
)  # fmt: skip
def test_features_that_cannot_be_used(columns, features, message):
    rows = GOOD.to_dict("list") | columns
    for make, where in zip((pl.DataFrame, pl.LazyFrame), LAZY, strict=True):
        for read in (Comparisons.from_frame, Comparisons.from_counts):
            with pytest.raises(ValueError) as caught:
                read(make(rows), features=features)
            assert message.format(where) in str(caught.value)
    with pytest.raises(ValueError):
        Comparisons.from_frame(pd.DataFrame(rows), features=features)


def test_features_that_are_the_outcome():
    for outcome, features in (("winner", {"w": "winner"}), (("x", "y"), {"d": ("x", "y")})):
        with pytest.raises(
            ValueError, match=r"must not hold `(winner|x)`, the outcome to be explained"
        ):
            Comparisons.from_frame(GOOD, outcome=outcome, features=features)
    for features in ({"d": ("wins", "losses")}, {"d": "n"}):
        with pytest.raises(ValueError, match="the outcome to be explained: see `d`"):
            Comparisons.from_counts(GOOD.assign(n=0), both_bad="n", features=features)


def test_two_columns_need_a_name():
    with pytest.raises(TypeError, match=r'need a name: features=\{"length": \("length_left"'):
        Comparisons.from_frame(GOOD, features=[("x", "y")])
    with at_the_terminal(), pytest.raises(ValueError, match="--feature 'my time=x,y'"):
        Comparisons.from_frame(GOOD, features={"time": ("x", "y")})
    with at_the_terminal(), pytest.raises(ValueError, match="--feature length=length_left,length_"):
        Comparisons.from_frame(GOOD, features={"d": ("x", "y", "x")})


@FRAMES
def test_a_missing_category_is_named(convert):
    rows = GOOD.to_dict("list") | {"topic": ["s", None, "t"]}
    for read in (Comparisons.from_frame, Comparisons.from_counts):
        with pytest.raises(ValueError, match=r"Missing values: `topic` in (row 1 \(|1 rows)"):
            read(convert(rows), category="topic")


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_category_is_no_item(side):
    with pytest.raises(ValueError, match=f"`{side}` and `category` are the same column"):
        Comparisons.from_frame(GOOD, category=side)


def test_categories_of_any_kind():
    for topics in ([1, 2, 1], pd.Categorical(["s", "t", "s"]), ["s", 1, "s"]):
        frame = GOOD.assign(topic=topics)
        data = Comparisons.from_frame(frame, category="topic")
        assert len(data.categories) == 2
        assert br.Comparisons.from_counts(data.to_frame(), category="category").same_as(data)


FLOATS = st.floats(-1e300, 1e300)


PAIRS, SIDES = st.sampled_from(["ab", "ba", "bc"]), st.sampled_from(["left", "right"])
GAMES = st.tuples(PAIRS, SIDES, FLOATS, FLOATS, st.sampled_from("st"))


@given(st.lists(GAMES, min_size=1, max_size=20))
def test_a_table_of_counts_comes_back(rows):
    frame = pd.DataFrame(rows, columns=["pair", "outcome", "x", "y", "topic"])
    frame = frame.assign(left=frame["pair"].str[0], right=frame["pair"].str[1])
    made = Comparisons.from_frame(frame, category="topic", features={"d": ("x", "y"), "x": "x"})
    columns = {"category": "category", "features": ["d", "x"]}
    table = made.to_frame()
    assert table[["wins", "losses", "ties"]].to_numpy().sum() == len(rows)
    for source in (table, table[::-1], pl.from_pandas(table), pl.from_pandas(table).lazy()):
        assert Comparisons.from_counts(source, **columns).same_as(made)
    turned = made.swapped()
    assert turned.swapped().same_as(made)
    assert Comparisons.from_counts(turned.to_frame(), **columns).counts.sum() == len(rows)
    np.testing.assert_array_equal(turned.features, -made.features)
