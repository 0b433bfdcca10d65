"""Tidy tables: any frame, and a message for each mistake that names column, rule and rows."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesrank.data import Rankings
from tests.data.frame_libraries import FRAMES

ROWS = {
    "race": ["x", "y", "x", "x", "y", "x"],
    "driver": ["a", "b", "b", "c", "a", "d"],
    "place": [1, 1, 2, 2, 2, 3],
    "judge": ["p", "q", "p", "p", "q", "p"],
    "w": [2.0, 0.5, 2.0, 2.0, 0.5, 2.0],
    "speed": [9.0, 8.0, 7.0, 6.0, 5.0, 4.0],
}
COLUMNS = {"group": "race", "item": "driver", "rank": "place"}
ABOUT = {"agent": "judge", "weight": "w", "features": ["speed"]}


@FRAMES
def test_any_frame_gives_the_same(convert):
    data = Rankings.from_frame(convert(ROWS), **COLUMNS, **ABOUT)
    assert data.items == ["a", "b", "c", "d"] and data.names == ["x", "y"]
    assert data.entries.tolist() == [[0, 1, 2, 3], [1, 0, -1, -1]]
    assert data.ranks.tolist() == [[1, 2, 2, 3], [1, 2, -1, -1]]
    assert data.agents == ["p", "q"] and data.agent.tolist() == [0, 1]
    assert data.weights.tolist() == [2.0, 0.5]
    assert data.features[:, :, 0].tolist() == [[9, 7, 6, 4], [8, 5, 0, 0]]
    same = Rankings.from_ratings(convert(ROWS), "race", "driver", "speed")
    assert same.entries.tolist() == [[0, 1, 2, 3], [1, 0, -1, -1]]
    assert same.ratings.tolist() == [[9, 7, 6, 4], [8, 5, 0, 0]]


@FRAMES
def test_a_missing_rank_is_an_error_or_below(convert):
    frame = convert(ROWS | {"place": [1, 1, 2, 2, 2, None]})
    with pytest.raises(ValueError, match=r'(?s)Missing values: `place` in .*unranked="below"'):
        Rankings.from_frame(frame, **COLUMNS)
    data = Rankings.from_frame(frame, **COLUMNS, unranked="rows below")
    assert data.ranks.tolist() == [[1, 2, 2, 0], [1, 2, -1, -1]]
    data = Rankings.from_frame(frame, **COLUMNS, unranked="below")
    assert data.ranks.tolist() == [[1, 2, 2, 0], [1, 2, 0, 0]]


@pytest.mark.parametrize("convert", [pl.DataFrame, pl.LazyFrame, pa.table])
def test_not_a_number_is_missing_too(convert):
    rows = ROWS | {"place": [1.0, 1.0, 2.0, 2.0, 2.0, float("nan")]}
    with pytest.raises(ValueError, match="Missing values: `place` in"):
        Rankings.from_frame(convert(rows), **COLUMNS)
    data = Rankings.from_frame(convert(rows), **COLUMNS, unranked="below")
    assert data.ranks[0].tolist() == [1, 2, 2, 0]


def test_ranks_may_go_on_after_a_tie_in_two_ways():
    rows = {"group": list("xxxxxx"), "item": list("abcdef")}
    expected = [1, 2, 2, 3, 3, 4]
    for ranks in ([1, 2, 2, 3, 3, 4], [1, 2, 2, 4, 4, 6]):
        data = Rankings.from_frame(pd.DataFrame(rows | {"rank": ranks}))
        assert data.ranks.tolist() == [expected]


def test_each_group_may_count_in_its_own_way():
    frame = pd.DataFrame(
        {"group": list("xxxyyy"), "item": list("abcabc"), "rank": [1, 1, 3, 1, 1, 2]}
    )
    assert Rankings.from_frame(frame).ranks.tolist() == [[1, 1, 2], [1, 1, 2]]


def test_groups_and_items_may_be_numbers_dates_or_categories():
    dates = np.array(["2024-02-01", "2024-02-01", "2023-01-01", "2023-01-01"], "datetime64[ns]")
    rows = {"group": dates, "item": [10, 9, 9, 10], "rank": [1, 2, 1, 2]}
    data = Rankings.from_frame(pd.DataFrame(rows))
    assert [name.year for name in data.names] == [2023, 2024]
    assert data.items == [9, 10] and type(data.items[0]) is int
    frame = pd.DataFrame(ROWS).astype({"race": "category", "driver": "category"})
    assert Rankings.from_frame(frame, **COLUMNS).items == ["a", "b", "c", "d"]


def test_an_agent_may_make_many_rankings_and_be_the_group():
    frame = pd.DataFrame(ROWS).assign(judge="p")
    data = Rankings.from_frame(frame, **COLUMNS, agent="judge")
    assert data.agents == ["p"] and data.agent.tolist() == [0, 0]
    data = Rankings.from_frame(frame, **COLUMNS, agent="race")
    assert data.agents == data.names == ["x", "y"]


def changed(**columns):
    return pd.DataFrame(ROWS | columns)


@pytest.mark.parametrize(
    ("frame", "arguments", "message"),
    [
        (changed(), {"group": "heat"}, "Unknown column `heat`; the table has `race`, `driver`"),
        (changed(), {"features": ["speed", "age"]}, "Unknown column `age`"),
        (changed(), {"item": "race"}, "`group` and `item` are the same column, `race`"),
        (changed(), {"rank": "driver"}, "`item` and `rank` are the same column, `driver`"),
        (changed(), {"features": ["speed", "speed"]}, "`features` has columns twice: speed"),
        (changed(), {"unranked": "last"}, '`unranked` must be "not offered" or "below" or "rows'),
        (changed().iloc[:0], {}, "The table has no rows: at least one ranking is needed"),
        (changed(place=list("123123")), {}, "Column `place` must hold numbers"),
        (changed(speed=list("abcdef")), ABOUT, "Column `speed` must hold numbers"),
        (changed(w=list("222222")), ABOUT, "Column `w` must hold numbers"),
        (changed(driver=["a", "b", None, "c", "a", "d"]), {}, "Missing values: `driver` in row 2 "),
        (changed(race=["x", "y", None, "x", "y", "x"]), {}, "Missing values: `race` in row 2 "),
        (changed(judge=["p", "q", None, "p", "q", "p"]), ABOUT, "values: `judge` in row 2 "),
        (changed(w=[2, 1, np.nan, 2, 1, 2]), ABOUT, r"Missing values: `w` in row 2 .*Drop these"),
        (changed(speed=[1, 2, 3, np.nan, 5, 6]), ABOUT, "Missing values: `speed` in row 3 "),
        (
            changed(speed=[1, 2, 3, np.inf, 5, 6]),
            ABOUT,
            "`speed` must hold finite .*: inf in row 3",
        ),
        (changed(place=[1, 1, 2.5, 2, 2, 3]), {}, r"`place` must hold whole .*: 2.5 in row 2 \("),
        (changed(place=[1, 0, 2, 2, 1, -3]), {}, "0.0 in row 1, -3.0 in row 5 "),
        (changed(place=[1, 1, 2, 2, 2, np.inf]), {}, "inf in row 5"),
        (changed(place=[1, 1, 2, 2, 2, 5]), {}, "Ranks skip: `race` x has 1, 2, 2, 5. In each"),
        (changed(place=[2, 1, 3, 3, 2, 4]), {}, "Ranks skip: `race` x has 2, 3, 3, 4"),
        # Ties that share the highest place, 1, 3, 3, 4.
        (changed(place=[1, 1, 3, 3, 2, 4]), {}, "Ranks skip: `race` x has 1, 3, 3, 4"),
        (changed(place=[1, 2, 2, 4, 3, 5]), {}, "x has 1, 2, 4, 5; `race` y has 2, 3"),
        (changed(driver=["a", "b", "a", "c", "a", "d"]), {}, "only once: a in `race` x"),
        (
            changed(race=["x", "y", "x", "x", "z", "x"]),
            {},
            r"one item says nothing, it needs two: `race` y, z\. Drop .*groupby\(\"race\"\)",
        ),
        (changed(w=[2, 1, 2, 3, 1, 2]), ABOUT, "`w` must be the same .* differs in `race` x"),
        (changed(judge=list("pqpppp")), ABOUT, "`judge` must be the same .* differs in `race` y"),
        (changed(w=[2, 0, 2, 2, 0, 2]), ABOUT, "positive weights: 0.0 in row 1, 0.0 in row 4"),
        (changed(w=[2, 1, 2, 2, 1, np.inf]), ABOUT, "finite, positive weights: inf in row 5"),
        (
            changed(place=[1, None, 2, 2, None, 3]),
            {"unranked": "below"},
            "no item is ranked says nothing: `race` y",
        ),
    ],
)
def test_bad_tables(frame, arguments, message):
    before = frame.copy()
    with pytest.raises(ValueError, match=message):
        Rankings.from_frame(frame, **(COLUMNS | arguments))
    pd.testing.assert_frame_equal(frame, before)


def test_lazy_frames_count_the_rows_they_cannot_number():
    frame = pl.LazyFrame(ROWS | {"place": [1, 0, 2, 2, 0, 3]})
    with pytest.raises(ValueError, match=r"1 for the best: 0\.0, 2 rows"):
        Rankings.from_frame(frame, **COLUMNS)
    with pytest.raises(ValueError, match="Missing values: `place` in 1 rows"):
        Rankings.from_frame(pl.LazyFrame(ROWS | {"place": [1, 1, 2, 2, 2, None]}), **COLUMNS)


RATINGS = {"agent": list("xxyyz"), "item": list("abcaa"), "rating": [5, 3, 4, 4, 1], "w": [1] * 5}


def test_rankings_of_one_item_are_left_out_but_nothing_else_is_lost():
    frame = pd.DataFrame(RATINGS | {"item": list("abbad"), "f": [1.0, 2.0, 3.0, 4.0, 5.0]})
    message = r"1 of 3 agents rated one item .* left out: agent z\. .* kept, with nothing known"
    with pytest.warns(UserWarning, match=message) as caught:
        data = Rankings.from_ratings(frame, weight="w", features=["f"])
    assert caught[0].filename == __file__
    assert data.agents == ["x", "y", "z"] and data.items == ["a", "b", "d"]
    assert data.names == ["x", "y"] and data.agent.tolist() == [0, 1]
    assert data.weights.tolist() == [1, 1]
    assert data.ranks.tolist() == [[1, 2], [1, 1]] and data.ratings.tolist() == [[5, 3], [4, 4]]
    assert data.features[:, :, 0].tolist() == [[1, 2], [4, 3]]
    assert not data.connectivity().connected
    with pytest.raises(ValueError, match=r"No agent rated two items.*: agents x, y rated one"):
        Rankings.from_ratings(frame.iloc[[0, 2]])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"rating": [5, None, 4, 4, 1]}, "Missing values: `rating` in row 1 .*Drop these rows or"),
        ({"rating": [5, np.inf, 4, 4, 1]}, "`rating` must hold finite ratings: inf in row 1"),
        ({"rating": list("54445")}, "Column `rating` must hold numbers"),
        ({"agent": ["x", "x", None, "y", "z"]}, "Missing values: `agent` in row 2"),
        ({"item": list("aacaa")}, "only once: a in `agent` x"),
        ({"w": [1, 2, 1, 1, 1]}, "`w` must be the same in all rows .* differs in `agent` x"),
    ],
)
def test_bad_ratings(columns, message):
    frame = pd.DataFrame(RATINGS | columns).iloc[:4]
    with pytest.raises(ValueError, match=message):
        Rankings.from_ratings(frame, weight="w")


def test_something_else_than_a_frame():
    with pytest.raises(TypeError, match="Expected a data frame"):
        Rankings.from_frame([["a", "b"]])


def test_a_rating_does_not_explain_itself():
    frame = pd.DataFrame({"agent": [1, 1], "item": ["a", "b"], "rating": [2.0, 1.0]})
    with pytest.raises(ValueError, match="`features` must not hold `rating`"):
        Rankings.from_ratings(frame, features=["rating"])


TOPICS = ["t", "s", "t", "t", "s", "t"]


@FRAMES
def test_categories_of_rankings(convert):
    data = Rankings.from_frame(convert(ROWS | {"topic": TOPICS}), **COLUMNS, category="topic")
    assert data.categories == ["s", "t"] and data.category.tolist() == [1, 0]
    again = Rankings.from_frame(data.to_frame(), "ranking", category="category")
    assert again.same_as(data)


def test_rankings_of_two_categories_are_refused():
    rows = pd.DataFrame(ROWS | {"topic": ["t", "s", "s", "t", "s", "t"]})
    with pytest.raises(ValueError, match=r"`topic` must be the same in all .* in `race` x"):
        Rankings.from_frame(rows, **COLUMNS, category="topic")
    rows.loc[1, "topic"] = None
    with pytest.raises(ValueError, match="Missing values: `topic` in row 1 "):
        Rankings.from_frame(rows, **COLUMNS, category="topic")
    with pytest.raises(ValueError, match="`category` and `item` are the same column, `driver`"):
        Rankings.from_frame(rows, **COLUMNS, category="driver")


@FRAMES
def test_each_agent_has_a_ranking_of_each_category(convert):
    rows = {"who": ["p"] * 4 + ["q"] * 3, "film": list("xyxyxyx"), "stars": [1, 2, 5, 3, 4, 1, 2],
            "about": ["plot", "plot", "art", "art", "art", "art", "plot"]}  # fmt: skip
    with pytest.warns(UserWarning, match=r"1 of 4 rankings have one item only.*: ranking q / plot"):
        data = Rankings.from_ratings(convert(rows), "who", "film", "stars", category="about")
    assert data.names == ["p / art", "q / art", "p / plot"]
    assert data.categories == ["art", "plot"] and data.category.tolist() == [0, 0, 1]
    assert [data.agents[k] for k in data.agent] == ["p", "q", "p"]
    assert [data.items[k] for k in data.entry_item] == list("xyxyyx")


def test_ratings_by_category_time_and_instance():
    rows = pd.DataFrame(
        [(q, t, c, w, item, t + len(c + w)) for q in "AB" for t in (1, 2)
         for c in "st" for w in "pq" for item in "xy"],
        columns=["query", "year", "topic", "who", "doc", "grade"],
    )  # fmt: skip
    names = {"agent": "who", "item": "doc", "rating": "grade"}
    data = Rankings.from_ratings(rows, **names, instance="query", time="year", category="topic")
    assert len(data) == 16 and data.names[0] == "A / p / s / 1"
    one = data.subset(categories=["t"], agents=["q"], instances=["B"])
    assert one.names == ["B / q / t / 1", "B / q / t / 2"] and one.time.tolist() == [0, 1]
    with pytest.raises(ValueError, match='"agent / category", must be distinct: p / x / y is of'):
        Rankings.from_ratings(
            pd.DataFrame({"agent": ["p", "p", "p / x", "p / x"], "item": list("abab"),
                          "rating": 1, "topic": ["x / y", "x / y", "y", "y"]}),
            category="topic",
        )  # fmt: skip


def test_features_of_rankings_have_no_names_of_their_own():
    with pytest.raises(TypeError, match=r'Features of rankings are columns.*features=\["column"'):
        Rankings.from_frame(pd.DataFrame(ROWS), **COLUMNS, features={"v": "speed"})
