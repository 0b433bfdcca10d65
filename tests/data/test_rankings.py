"""The container: slots, views, round trips, subsets."""

import numpy as np
import pandas as pd
import pytest

from bayesrank.data import Rankings
from tests.data.random_rankings import random_rankings, read_back

LISTS = [["a", {"b", "c"}, "d"], ["b", "a"], ["d", "c", "a"]]


def as_lists(data):
    """Return the blocks of each ranking, the unranked ones last under the rank 0."""
    return [
        {
            int(rank): {data.items[i] for i in entries[ranks == rank]}
            for rank in np.unique(ranks[ranks >= 0])
        }
        for entries, ranks in zip(data.entries, data.ranks, strict=True)
    ]


def test_slots_stand_best_first():
    data = Rankings.from_lists(LISTS, items=["d", "c", "b", "a", "e"], names=["x", "z", "y"])
    assert data.items == ["a", "b", "c", "d", "e"] and data.names == ["x", "z", "y"]
    assert data.entries.tolist() == [[0, 1, 2, 3], [1, 0, -1, -1], [3, 2, 0, -1]]
    assert data.ranks.tolist() == [[1, 2, 2, 3], [1, 2, -1, -1], [1, 2, 3, -1]]
    assert data.entries.dtype == data.ranks.dtype == np.int64
    assert data.weights.tolist() == [1.0, 1.0, 1.0]
    assert len(data) == 3 and data.n_entries == data.offered.sum() == 9
    assert data.coords == {"item": data.items, "ranking": data.names, "slot": [0, 1, 2, 3]}


def test_ties_are_among_ranked_items_only():
    assert Rankings.from_lists(LISTS).has_ties
    assert not Rankings.from_lists(LISTS[1:]).has_ties
    top = Rankings.from_lists([["a"], ["b", "a"]], items="abcd", unranked="below")
    assert not top.has_ties
    assert as_lists(top) == [{1: {"a"}, 0: {"b", "c", "d"}}, {1: {"b"}, 2: {"a"}, 0: {"c", "d"}}]


@pytest.mark.parametrize("seed", range(3))
def test_a_tidy_frame_reads_back(seed):
    data = random_rankings(seed)
    frame = data.to_frame()
    assert list(frame) == ["ranking", "item", "rank", "agent", "weight"]
    assert len(frame) == data.n_entries and frame["rank"].isna().sum() == (data.ranks == 0).sum()
    assert read_back(frame).same_as(data)
    assert read_back(frame.sample(frac=1, random_state=seed)).same_as(data)
    assert not read_back(frame.assign(weight=2.0)).same_as(data)
    plain = Rankings.from_lists(LISTS).to_frame()
    assert list(plain) == ["ranking", "item", "rank"]
    assert Rankings.from_frame(plain, "ranking").same_as(Rankings.from_lists(LISTS))


def test_features_follow_their_entries():
    rows = {"group": [1, 1, 1, 2, 2], "item": ["a", "b", "c", "d", "e"], "rank": [3, 1, 2, 2, 1]}
    frame = pd.DataFrame(rows | {"x": [1.0, 2.0, 3.0, 4.0, 5.0], "rank ": [5, 4, 3, 2, 1]})
    data = Rankings.from_frame(frame, features=["x", "rank "])
    assert data.features.tolist() == [[[2, 4], [3, 3], [1, 5]], [[5, 1], [4, 2], [0, 0]]]
    assert data.coords["feature"] == data.feature_names == ["x", "rank "]
    assert Rankings.from_frame(data.to_frame(), "ranking", features=["x", "rank "]).same_as(data)
    assert "2 features" in repr(data) and "each item is in one ranking" in repr(data)
    part = data.subset(["b", "a", "d", "e"])
    assert part.features[0].tolist() == [[2, 4], [1, 5]]


def test_a_feature_called_like_a_column_is_not_lost():
    frame = pd.DataFrame({"group": [1, 1], "item": ["a", "b"], "place": [1, 2], "rank": [7, 8]})
    data = Rankings.from_frame(frame, rank="place", features=["rank"])
    assert data.to_frame()["rank"].tolist() == [1, 2]
    assert data.to_frame()["feature rank"].tolist() == [7, 8]


def test_ratings_are_kept():
    rows = {"agent": ["x"] * 3 + ["y"] * 2, "item": list("abcab"), "rating": [1, 5, 5, 2.5, 0]}
    data = Rankings.from_ratings(pd.DataFrame(rows))
    assert as_lists(data) == [{1: {"b", "c"}, 2: {"a"}}, {1: {"a"}, 2: {"b"}}]
    assert data.ratings.tolist() == [[5, 5, 1], [2.5, 0, 0]]
    assert data.names == data.agents == ["x", "y"] and data.agent.tolist() == [0, 1]
    assert Rankings.from_ratings(data.to_frame()).same_as(data)
    assert data.subset(["a", "c"]).ratings.tolist() == [[5, 1]]


def test_subsets_of_items_close_the_gaps():
    data = Rankings.from_lists(LISTS, weights=[1, 2, 3], agents=["x", "y", "x"])
    part = data.subset(["a", "d", "b"])
    assert part.items == ["a", "b", "d"] and part.names == [0, 1, 2]
    assert as_lists(part) == [
        {1: {"a"}, 2: {"b"}, 3: {"d"}},
        {1: {"b"}, 2: {"a"}},
        {1: {"d"}, 2: {"a"}},
    ]
    part = data.subset(["c", "d"])
    assert part.names == [0, 2] and part.weights.tolist() == [1, 3]
    assert part.entries.shape == (2, 2) and part.agents == ["x", "y"]
    top = Rankings.from_lists([["a"], ["b"]], items="abc", unranked="below")
    assert as_lists(top.subset(["b", "c"])) == [{1: {"b"}, 0: {"c"}}]


def test_subsets_of_agents_and_rankings():
    data = Rankings.from_lists(LISTS, weights=[1, 2, 3], agents=["x", "y", "x"])
    part = data.subset(agents=["x"])
    assert part.names == [0, 2] and part.agents == ["x"] and part.agent.tolist() == [0, 0]
    assert data.subset(agents=["y"]).agents == ["y"]
    assert data.subset(rankings=[True, False, True]).subset(agents=["x"]).same_as(part)
    assert data.subset(rankings=[2, 0]).weights.tolist() == [3, 1]
    assert data.subset(rankings=[-1]).names == [2]
    both = data.subset(agents=["x"], rankings=[1, 2])
    assert both.names == [2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"items": ["a", "z"]}, "`items` has labels that do not occur: z"),
        ({"agents": ["x"]}, "`agents` was given, but these rankings have no agents"),
        ({"items": ["a"]}, "No ranking is left"),
        ({"rankings": []}, "No ranking is left"),
        ({"rankings": [0, 3]}, "positions from 0 to 2, got 3"),
        ({"rankings": [True]}, r"mask or positions of the 3 rankings, got shape \(1,\)"),
        ({"rankings": [0.5]}, "mask or positions, got float64"),
        ({"rankings": [1, 1]}, "without repetition"),
    ],
)
def test_impossible_subsets(arguments, message):
    with pytest.raises(ValueError, match=message):
        Rankings.from_lists(LISTS).subset(**arguments)


def test_repr_says_what_matters():
    text = repr(Rankings.from_lists(LISTS))
    assert text.startswith("Rankings: 4 items, 3 rankings of 2 to 4 items, 9 entries, 2 tied (22%)")
    assert "items: a, b, c, d" in text and "connected" in text
    text = repr(
        Rankings.from_lists([["a"], ["b"]], items="abc", unranked="below", weights=[2, 3.5])
    )
    assert "2 rankings of 3 items, 6 entries, 4 unranked (67%), total weight 5.5" in text
    assert "never above another: c" in text
    assert "2 agents" in repr(Rankings.from_lists([["a", "b"], ["b", "a"]], agents=["x", "y"]))


def test_plain_arrays_make_rankings_too():
    data = Rankings(np.array([[0, 1], [1, 0]]), np.array([[1, 2], [1, 2]]), ["a", "b"])
    assert data.same_as(Rankings.from_lists([["a", "b"], ["b", "a"]]))


def test_more_than_a_million_entries():
    rng = np.random.default_rng(5)
    sizes = rng.integers(2, 120, 20_000)
    group = np.repeat(np.arange(sizes.size), sizes)
    slot = np.arange(group.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    assert group.size > 1_200_000
    frame = pd.DataFrame({"group": group, "item": (group + 7 * slot) % 3000, "rank": slot + 1})
    data = Rankings.from_frame(frame.sample(frac=1, random_state=1), unranked="not offered")
    assert data.entries.shape == (sizes.size, sizes.max()) and data.n_entries == group.size
    assert np.array_equal(data.ranks[data.offered], frame["rank"])
    assert np.array_equal(data.entries[data.offered], frame["item"])
    rated = Rankings.from_ratings(
        frame.assign(stars=-(frame["rank"] // 3)), "group", rating="stars"
    )
    assert rated.ranks.shape == data.ranks.shape and rated.has_ties
    assert data.connectivity().connected
