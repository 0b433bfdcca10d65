"""Data and more data: the same as the rows of both in one table."""

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesrank as br
from tests.data.any_data import ballots, games
from tests.data.random_instances import COLUMNS, RATED, random_counts, random_ratings
from tests.data.random_rankings import random_rankings
from tests.data.small_tables import changed

quiet = pytest.mark.filterwarnings("ignore::UserWarning")
ABOUT = {
    "agent": "judge", "time": "day", "category": "topic", "weight": "weight",
    "features": {"length": ("long", "short"), "bold": "bold"},
}  # fmt: skip


def votes(seed, rows=80, whole=False):
    """Return single comparisons of which everything is known, some of them against both."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 5, rows)
    right = (left + rng.integers(1, 5, rows)) % 5
    items = np.array([f"item {k}" for k in range(5)])
    return pd.DataFrame(
        {
            "left": items[left], "right": items[right],
            "outcome": rng.choice(["left", "right", "tie", "both bad"], rows),
            "judge": rng.choice(["x", "y", "z"], rows),
            "day": rng.choice(["2019-06-01", "2019-06-02", "2019-07-01"], rows),
            "topic": rng.choice(["code", "art"], rows),
            "long": rng.integers(0, 3, rows), "short": rng.integers(0, 2, rows),
            "bold": rng.integers(0, 2, rows),
            "weight": rng.integers(1, 4, rows) if whole else rng.choice([0.5, 1.0, 0.25], rows),
        }
    )  # fmt: skip


def parts_of(frame, seed, parts=2):
    """Return the rows of a frame, dealt out at random."""
    own = np.random.default_rng(seed).integers(0, parts, len(frame))
    return [frame[own == k] for k in range(parts)]


@quiet
@pytest.mark.parametrize("about", [{}, *({name: column} for name, column in ABOUT.items()), ABOUT])
@pytest.mark.parametrize("seed", [1, 2])
def test_parts_of_a_frame_add_up_to_the_whole(about, seed):
    frame = votes(seed)

    def read(rows):
        return br.Comparisons.from_frame(rows, **about)

    a, b, c = (read(part) for part in parts_of(frame, seed, 3))
    whole = read(frame)
    assert whole.both_bad.sum() > 0
    assert (a + b + c).same_as(whole) and (c + (b + a)).same_as(whole)
    assert sum([b, a, c]).same_as(whole)
    assert whole.counts.dtype == (a + b + c).counts.dtype


@quiet
def test_whole_counts_stay_whole_and_fractions_may_become_whole():
    data = br.Comparisons.from_frame(votes(1, whole=True), weight="weight")
    assert (data + data).counts.dtype == np.int64
    assert np.array_equal((data + data).counts, 2 * data.counts)
    half = data.with_outcomes(0.5 * data.counts)
    assert half.counts.dtype == float
    assert np.array_equal((half + half).counts, data.counts)
    assert (half + half).counts.dtype == np.int64


@pytest.mark.parametrize("name", ["pudding", "bundesliga", "baseball", "citations"])
@pytest.mark.parametrize("seed", [1, 2])
def test_splits_of_shipped_comparisons(name, seed):
    """Each result goes to either part, and rows that one of them lacks come back."""
    data = br.load_dataset(name)
    some = np.random.default_rng(seed).binomial(data.counts, 0.3)
    kept = some.sum(axis=1) > 0
    frame = data.with_outcomes(some).to_frame()[kept]
    times = {"time": "time"} if data.time is not None else {}
    first = br.Comparisons.from_counts(frame, **times)
    rest = data.with_outcomes(data.counts - some)
    assert (first + rest).same_as(data) and (rest + first).same_as(data)


def test_splits_of_shipped_rankings():
    data = br.load_dataset("nascar")
    frame = data.to_frame()
    for seed in (1, 2):
        races = np.random.default_rng(seed).permutation(data.names)

        def read(names):
            return br.Rankings.from_frame(
                frame[frame["ranking"].isin(names)], "ranking", time="time", unranked="not offered"
            )

        first, second = read(races[:11]), read(races[11:])
        assert len(first.items) < len(data.items)
        assert (first + second).same_as(data) and (second + first).same_as(data)


@quiet
@pytest.mark.parametrize("seed", range(4))
def test_rankings_with_ties_agents_and_weights(seed):
    data = random_rankings(seed)
    frame = data.to_frame()
    columns = {"agent": "agent", "weight": "weight", "unranked": "rows below"}
    own = np.random.default_rng(seed).random(len(data)) < 0.5
    a, b = (
        br.Rankings.from_frame(frame[own[frame["ranking"]] == part], "ranking", **columns)
        for part in (True, False)
    )
    assert (a + b).same_as(data) and (b + a).same_as(data)


@quiet
def test_ratings_with_features_and_instances():
    frame = pd.DataFrame(random_ratings(1))
    frame["bm25"] = np.random.default_rng(1).normal(size=len(frame))
    in_first = frame["engine"] < 2
    first, second, whole = (
        br.Rankings.from_ratings(rows, features=["bm25"], **RATED)
        for rows in (frame[in_first], frame[~in_first], frame)
    )
    both = first + second
    assert sorted(both.names) == sorted(whole.names)
    assert both.subset(rankings=[both.names.index(name) for name in whole.names]).same_as(whole)


def test_comparisons_of_several_instances():
    frame = pd.DataFrame(random_counts(1))
    a, b = (br.Comparisons.from_counts(part, **COLUMNS) for part in parts_of(frame, 1))
    assert (a + b).same_as(br.Comparisons.from_counts(frame, **COLUMNS))


@quiet
@given(rows=games(label=st.sampled_from("abcdef")), cut=st.floats(0.0, 1.0))
def test_any_games(rows, cut):
    frame = pd.DataFrame(rows, columns=["left", "right", "outcome"])
    # Signs of a few rows might be read as something else.
    frame["outcome"] = frame["outcome"].map({1: "left", -1: "right", 0: "tie"})
    k = round(cut * len(frame))
    if 0 < k < len(frame):
        parts = [br.Comparisons.from_frame(part) for part in (frame[:k], frame[k:])]
        assert (parts[0] + parts[1]).same_as(br.Comparisons.from_frame(frame))


@quiet
@given(found=ballots(unranked=False), cut=st.integers(1, 5))
def test_any_ballots_are_numbered_on(found, cut):
    _, lists = found
    if cut < len(lists):
        a, b = br.Rankings.from_lists(lists[:cut]), br.Rankings.from_lists(lists[cut:])
        assert (a + b).same_as(br.Rankings.from_lists(lists))
        assert (a + b).names == list(range(len(lists)))


def test_slots_that_were_given_stay():
    """Matrices with empty slots among others, of different widths."""
    a = br.Rankings([[0, -1, 1]], [[1, -1, 2]], ["a", "b"], names=["one"])
    b = br.Rankings([[1, 0]], [[1, 1]], ["b", "c"], names=["two"])
    both = b + a
    assert both.names == ["one", "two"] and both.items == ["a", "b", "c"]
    assert both.entries.tolist() == [[0, -1, 1], [2, 1, -1]]
    assert both.ranks.tolist() == [[1, -1, 2], [1, 1, -1]]


def test_what_is_said_of_all_counts():
    pairs = br.Rankings.from_lists([["a", "b"], ["b", "a"]]).to_comparisons()
    games = br.Comparisons.from_frame(changed())
    assert pairs.derived and (games + pairs).derived and not (games + games).derived
    assert (games + games).sided and not (games + replace(games, sided=False)).sided
    voted = replace(games, both_bad=np.array([1, 0, 2]))
    assert (games + voted).both_bad.tolist() == [1, 0, 2]
    assert (games + games).both_bad is None


def test_items_that_nobody_compared_are_kept():
    games = br.Comparisons.from_frame(changed())
    idle = replace(games, items=[*games.items, "d"], agent=None)
    assert (games + idle).items == ["a", "b", "c", "d"]


GAMES = br.Comparisons.from_frame(changed())
LISTS = br.Rankings.from_lists([["a", "b"], ["b", "c"]], names=["one", "two"])
OURS = replace(LISTS, agent=[0, 0], agents=[7])
RATINGS = br.Rankings.from_ratings(
    pd.DataFrame({"agent": [1, 1], "item": ["a", "b"], "rating": [2, 1]})
)
DAYS = [datetime(2020, 1, 1), datetime(2020, 1, 2), datetime(2020, 1, 3)]
TIMED = replace(GAMES, time=np.arange(3), times=DAYS)
ZONED = [day.replace(tzinfo=UTC) for day in DAYS]


@pytest.mark.parametrize(
    ("first", "second", "error", "words"),
    [
        (GAMES, LISTS, TypeError, "Comparisons and Rankings .* .to_comparisons"),
        (GAMES, changed(), TypeError, "Comparisons and DataFrame .* br.Comparisons.from_frame"),
        (GAMES, 1, TypeError, "Comparisons and int cannot be added"),
        (GAMES, replace(GAMES, agent=[0, 0, 0], agents=["x"]), ValueError,
         'with: the second, without: the first. Read both with agent="judge"'),
        (TIMED, GAMES, ValueError, 'Data with times .* time="date"'),
        (GAMES, replace(GAMES, category=[0, 0, 0], categories=["x"]), ValueError, "categories"),
        (GAMES, replace(GAMES, instance=[0, 0, 1], instances=["p", "q"]), ValueError,
         "a single instance is not kept"),
        (GAMES, replace(GAMES, items=[1, 2, 3]), ValueError,
         "`items` are texts in the first and numbers in the second"),
        (TIMED, replace(TIMED, times=[1.0, 2.0, 3.0]), ValueError,
         "dates without a time zone in the first and numbers of years in the second"),
        (TIMED, replace(TIMED, times=ZONED), ValueError, "dates with a time zone in the second"),
        (GAMES, replace(GAMES, features=np.ones((3, 1)), feature_names=["x"]), ValueError,
         "`features` differ: none in the first, x in the second"),
        (LISTS, LISTS, ValueError, "same name .* one, two. If they are the same"),
        (RATINGS, RATINGS, ValueError, "one ranking: read the rows of both together"),
        (RATINGS, OURS, ValueError, r"ratings: the first.*replace\(data, ratings=None\)"),
    ],
)  # fmt: skip
def test_what_cannot_be_added(first, second, error, words):
    with pytest.raises(error, match=words):
        first + second
    with pytest.raises(error):
        second + first


def test_the_advice_works():
    assert len(replace(RATINGS, ratings=None) + OURS) == 3
    assert len(LISTS + replace(LISTS, names=["three", "four"])) == 4


def test_a_new_spelling_is_told_once():
    games = br.Comparisons.from_frame(changed())
    other = replace(games, items=["A", "b", "c"])
    with pytest.warns(UserWarning, match="capitals.*'A' = 'a'. Give them one name first"):
        both = games + other
    assert both + games  # they are known by now: a warning would be an error here
