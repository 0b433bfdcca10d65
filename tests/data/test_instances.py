"""Several instances that share their agents: constructors and round trips, against plain loops."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.data import Comparisons, Rankings
from tests.data.frame_libraries import FRAMES
from tests.data.random_instances import (
    COLUMNS,
    RATED,
    as_dict,
    items_by_instance,
    random_counts,
    random_ratings,
    summed,
)


@FRAMES
def test_counts_of_any_frame(convert):
    rows = random_counts(0)
    data = Comparisons.from_counts(convert(rows), **COLUMNS)
    assert as_dict(data) == summed(rows)
    pairs = set(zip(rows["query"], rows["left"], strict=True))
    pairs |= set(zip(rows["query"], rows["right"], strict=True))
    # Sorted by instance, then label: the items of an instance are contiguous.
    assert items_by_instance(data) == sorted(pairs)
    assert data.instances == sorted(set(rows["query"]))
    assert data.coords["item"] == [f"{query} / {item}" for query, item in sorted(pairs)]
    assert data.coords["instance"] == data.instances and not data.derived
    assert data.pair_label(0) == "{0} / {2} vs {3} ({1})".format(*next(iter(as_dict(data))))
    assert len(set(data.coords["pair"])) == len(data)


@FRAMES
def test_raw_rows_of_any_frame(convert):
    rows = random_counts(1)
    winner = [
        ("left", "right", "tie")[np.argmax(counts)]
        for counts in zip(rows["wins"], rows["losses"], rows["ties"], strict=True)
    ]
    rows |= {name: [int(side == won) for won in winner] for name, side in
             (("wins", "left"), ("losses", "right"), ("ties", "tie"))}  # fmt: skip
    data = Comparisons.from_frame(convert(rows | {"outcome": winner}), **COLUMNS)
    assert as_dict(data) == summed(rows)


@FRAMES
def test_ratings_of_any_frame(convert):
    rows = random_ratings(0)
    data = Rankings.from_ratings(convert(rows), **RATED)
    frame = pd.DataFrame(rows)
    groups = dict(list(frame.groupby(["query", "engine"])))
    assert data.names == [f"{query} / {engine}" for query, engine in groups]
    assert data.agents == [0, 1, 2, 3] and data.instances == [f"q{k}" for k in range(5)]
    known = items_by_instance(data)
    assert known == sorted(set(zip(rows["query"], rows["doc"], strict=True)))
    for k, ((query, engine), part) in enumerate(groups.items()):
        part = part.sort_values(["score", "doc"], ascending=[False, True])
        offered = data.offered[k]
        expected = [(query, doc) for doc in part["doc"]]
        assert [known[i] for i in data.entries[k, offered]] == expected
        assert data.ratings[k, offered].tolist() == part["score"].tolist()
        ranks = part["score"].rank(method="dense", ascending=False).tolist()
        assert data.ranks[k, offered].tolist() == ranks and data.agents[data.agent[k]] == engine


@FRAMES
def test_tidy_rankings_of_any_frame(convert):
    rated = Rankings.from_ratings(pd.DataFrame(random_ratings(1)), **RATED)
    frame = rated.to_frame()
    assert list(frame) == ["ranking", "item", "rank", "instance", "agent", "rating"]
    rows = {name: frame[name].tolist() for name in frame}
    data = Rankings.from_frame(convert(rows), "ranking", agent="agent", instance="instance")
    for name in ("entries", "ranks", "items", "names", "agent", "agents", "instance", "instances"):
        assert np.array_equal(getattr(data, name), getattr(rated, name)), name


def test_lists_and_matrices():
    lists = [["a", "b"], ["c", ["a", "d"]], ["b", "a"], ["d", "a"]]
    about = {"agents": ["x", "x", "y", "y"], "instances": [2, 1, 2, 1]}
    data = Rankings.from_lists(lists, **about)
    expected = [(1, "a"), (1, "c"), (1, "d"), (2, "a"), (2, "b")]
    assert items_by_instance(data) == expected
    assert data.entries.tolist() == [[3, 4, -1], [1, 0, 2], [4, 3, -1], [2, 0, -1]]
    ranks = [[1, 2, 0, 0], [2, 0, 1, 2], [2, 1, 0, 0], [2, 0, 0, 1]]
    assert Rankings.from_matrix(ranks, "abcd", **about).same_as(data)
    below = Rankings.from_lists(lists, unranked="below", **about)
    assert items_by_instance(below) == expected
    assert below.ranks.tolist() == [[1, 2, -1], [1, 2, 2], [1, 2, -1], [1, 2, 0]]
    named = Rankings.from_lists(lists, items="dcba", unranked="below", **about)
    assert items_by_instance(named) == [(query, item) for query in (1, 2) for item in "abcd"]
    assert Rankings.from_matrix(ranks, "abcd", unranked="below", **about).same_as(named)
    assert "5 items, 2 instances, 4 rankings" in repr(data)
    assert "items: 1 / a, 1 / c, 1 / d, 2 / a, 2 / b\n" in repr(data)


def test_one_instance_is_as_none():
    lists, ranks = [["a", "b"], ["c", "a"]], [[1, 2, 0, 0], [2, 0, 1, 0]]
    assert Rankings.from_lists(lists, instances=["q", "q"]).same_as(Rankings.from_lists(lists))
    plain = Rankings.from_matrix(ranks, "abcd")
    assert Rankings.from_matrix(ranks, "abcd", instances=["q", "q"]).same_as(plain)
    frame = pd.DataFrame(random_ratings(2)).assign(query="q").drop_duplicates(["engine", "doc"])
    rated = {name: column for name, column in RATED.items() if name != "instance"}
    plain = Rankings.from_ratings(frame, **rated)
    assert Rankings.from_ratings(frame, **RATED).same_as(plain) and plain.names == plain.agents
    frame = pd.DataFrame(random_counts(2)).assign(query="q")
    counts = Comparisons.from_counts(frame, **COLUMNS)
    assert counts.instance is None and counts.instances is None
    assert counts.same_as(Comparisons.from_counts(frame, agent="agent"))


def test_comparisons_read_back_and_swap():
    data = Comparisons.from_counts(pd.DataFrame(random_counts(3)), **COLUMNS)
    frame = data.to_frame()
    assert list(frame) == ["left", "right", "wins", "losses", "ties", "agent", "instance"]
    again = Comparisons.from_counts(frame, agent="agent", instance="instance")
    assert again.same_as(data)
    assert not again.same_as(Comparisons.from_counts(frame, agent="agent"))
    turned = {
        (query, agent, right, left): [losses, wins, ties]
        for (query, agent, left, right), (wins, losses, ties) in as_dict(data).items()
    }
    assert as_dict(data.swapped()) == turned and data.swapped().swapped().same_as(data)
    pairs = len(set(zip(data.left, data.right, strict=True)))  # whoever compared them
    assert pairs < len(data)
    assert f"{len(data.items)} items, 4 instances, {pairs} ordered pairs, 3 agents" in repr(data)


def test_single_items_of_an_instance_are_kept():
    rows = {
        "query": ["p", "p", "p", "q", "q", "r"],
        "engine": ["y", "y", "x", "x", "y", "z"],
        "doc": ["a", "b", "c", "a", "a", "b"],
        "score": [2.0, 1.0, 5.0, 1.0, 3.0, 1.0],
        "w": [2.0, 2.0, 1.0, 3.0, 4.0, 5.0],
    }
    message = (
        "4 of 5 rankings have one item .* left out: rankings p / x, q / x, q / y, r / z.* kept"
    )
    with pytest.warns(UserWarning, match=message) as caught:
        data = Rankings.from_ratings(pd.DataFrame(rows), **RATED, weight="w")
    assert caught[0].filename == __file__
    assert data.names == ["p / y"] and data.agents == ["x", "y", "z"]
    assert data.agent.tolist() == [1] and data.weights.tolist() == [2]
    assert data.entries.tolist() == [[0, 1]] and data.ratings.tolist() == [[2, 1]]
    assert items_by_instance(data) == [
        ("p", "a"), ("p", "b"), ("p", "c"), ("q", "a"), ("r", "b"),
    ]  # fmt: skip
    # An instance of one item is connected; one with an item that nobody compared is not.
    assert data.connectivity().split == ["p"]
    pairs = data.to_comparisons(by_agent=True)
    assert pairs.items == data.items and pairs.agents == data.agents
    assert pairs.instances == ["p", "q", "r"]
    assert len(pairs.completed()) == 3 * 3
    with pytest.raises(ValueError, match="No agent rated two items in one ranking"):
        Rankings.from_ratings(pd.DataFrame(rows).iloc[2:], **RATED)


def from_ranks_as_ratings(frame, instance):
    return Rankings.from_ratings(frame, "group", "item", "rank", instance=instance)


RANKED = {
    "group": ["u", "u", "v", "v", "w", "w"],
    "item": list("ababab"),
    "rank": [1, 2, 1, 2, 2, 1],
    "query": ["p", "p", "q", "q", "q", "q"],
}


@pytest.mark.parametrize(
    ("make", "columns", "message"),
    [
        (Rankings.from_frame, {"query": ["p", None, "q", "q", "q", "q"]}, "`query` in row 1 "),
        (
            Rankings.from_frame,
            {"query": [1.0, 1.0, 2.0, 2.0, np.nan, np.nan]},
            "Missing values: `query` in rows 4, 5 ",
        ),
        (
            Rankings.from_frame,
            {"query": ["p", "q", "q", "q", "p", "r"]},
            r"must lie in one instance, but `group` u is in p, q; w is in p, r\. Give",
        ),
        (Rankings.from_frame, {"instance": "item"}, "`instance` and `item` are the same column"),
        (Rankings.from_frame, {"instance": "search"}, "Unknown column `search`"),
        (
            Rankings.from_frame,
            {"query": ["p", "p", "p / q", "p / q", "r", "r"], "item": ["q / b", "a", "b", *"aab"]},
            'a text, "instance / item", must be distinct: p / q / b is of two',
        ),
        (
            from_ranks_as_ratings,
            {"query": ["p", None, "q", "q", "q", "q"]},
            "Missing values: `query` in row 1 ",
        ),
        (
            from_ranks_as_ratings,
            {"item": list("abaaab")},
            "only once: a in `group` q / v",
        ),
    ],
)
def test_bad_instances_of_rankings(make, columns, message):
    instance = columns.get("instance", "query")
    rows = RANKED | {name: values for name, values in columns.items() if name != "instance"}
    with pytest.raises(ValueError, match=message):
        make(pd.DataFrame(rows), instance=instance)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"query": [None, 1, 1, 2, 2]}, r"Missing values: `query` in row 0 \("),
        ({"instance": "left"}, "`left` and `instance` are the same column, `left`"),
        ({"instance": "search"}, "Unknown column `search`"),
        ({"right": ["b", "b", "a", "a", "b"]}, r"compared with itself: b, row 1 \("),
        ({"wins": [0, 0, -1, 0, 0]}, r"`wins` must not be negative: -1.0 in row 2 \("),
    ],
)
def test_bad_instances_of_comparisons(columns, message):
    rows = {"left": list("abbba"), "right": list("baaab"), "query": [1, 1, 1, 2, 2]}
    rows |= {"wins": [1] * 5, "losses": [0] * 5, "outcome": ["left"] * 5}
    instance = columns.get("instance", "query")
    frame = pd.DataFrame(rows | {k: v for k, v in columns.items() if k != "instance"})
    with pytest.raises(ValueError, match=message):
        Comparisons.from_counts(frame, instance=instance)
    if "wins" not in columns:
        with pytest.raises(ValueError, match=message):
            Comparisons.from_frame(frame, instance=instance)


@pytest.mark.parametrize(
    ("instances", "message"),
    [
        (["p"], "`instances` must hold one label for each of the 2 rankings, got 1"),
        (["p", None], "`instances` has a missing label, None"),
        ([1.0, float("nan")], "`instances` has a missing label, nan"),
    ],
)
def test_bad_instances_of_lists(instances, message):
    with pytest.raises(ValueError, match=message):
        Rankings.from_lists([["a", "b"], ["b", "a"]], instances=instances)
    with pytest.raises(ValueError, match=message):
        Rankings.from_matrix([[1, 2], [2, 1]], "ab", instances=instances)


def test_items_that_occur_often_enough(write):
    """Counted again once others are gone."""
    rows = ["a,b,left"] * 3 + ["b,c,left"] * 2 + ["c,d,right"] * 2
    path = write("games.csv", "left,right,outcome\n" + "\n".join(rows) + "\n")
    assert br.read(path, min_count=3).items == ["a", "b"]
    assert br.read(path).subset(min_count=3).items == ["a", "b"]
    with pytest.raises(ValueError, match="leaves fewer than two items"):
        br.read(path, min_count=9)
    with pytest.raises(ValueError, match="`min_count` must be a number from 1 up"):
        br.read(path, min_count=0)
    lists = [["a", "b", "c"], ["b", "a"], ["a", "b"]]
    votes = br.Rankings.from_lists(lists, weights=[1, 2, 1])
    assert votes.subset(min_count=2).items == ["a", "b"]


def test_items_of_many_ballots_are_counted_where_they_have_a_rank(write):
    lists = [["a", "b"], ["b", "a"], ["a", "c"], ["b", "a"], ["a", "b"]]
    data = br.Rankings.from_lists(lists, unranked="below")
    assert data.subset(min_count=2).items == ["a", "b"]
