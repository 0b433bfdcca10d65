"""Preferences between pairs and the rankings they imply."""

import itertools

import numpy as np
import pytest

from bayesrank.data import Rankings, maximal_partition


def closure(pairs):
    above = set(pairs)
    while True:
        more = above | {(a, d) for a, b in above for c, d in above if b == c}
        if more == above:
            return above
        above = more


def ordered_partitions(items):
    """Yield all ordered partitions of a set, as lists of sets."""
    items = sorted(items)
    if not items:
        yield []
    for size in range(1, len(items) + 1):
        for block in itertools.combinations(items, size):
            for rest in ordered_partitions(set(items) - set(block)):
                yield [set(block), *rest]


def says_no_more(partition, above):
    return all(
        (a, b) in above
        for upper, lower in itertools.combinations(partition, 2)
        for a in upper
        for b in lower
    )


@pytest.mark.parametrize("seed", range(60))
def test_no_finer_partition_says_no_more(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    order = rng.permutation(n).tolist()
    density = rng.random()
    pairs = [pair for pair in itertools.combinations(order, 2) if rng.random() < density]
    rng.shuffle(pairs)
    pairs = [tuple(map(int, pair)) for pair in pairs]
    above = closure(pairs)
    allowed = [blocks for blocks in ordered_partitions(range(n)) if says_no_more(blocks, above)]
    finest = max(len(blocks) for blocks in allowed)
    assert [blocks for blocks in allowed if len(blocks) == finest] == [
        maximal_partition(pairs, range(n))
    ]


def test_chains_and_diamonds():
    assert maximal_partition([("b", "c"), ("a", "b")]) == [{"a"}, {"b"}, {"c"}]
    diamond = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]
    assert maximal_partition(diamond) == [{"a"}, {"b", "c"}, {"d"}]
    # d is below a only, and so belongs to no end.
    assert maximal_partition([("a", "b"), ("b", "c"), ("a", "d")]) == [{"a"}, {"b", "c", "d"}]
    assert maximal_partition([("a", "b")], items="abc") == [{"a", "b", "c"}]
    assert maximal_partition([], items=["a"]) == [{"a"}]
    assert maximal_partition([]) == []


def test_a_thousand_items_in_a_chain_of_blocks():
    """Every item of a block above every item of the next one: the blocks come back."""
    blocks = [set(range(k, k + 4)) for k in range(0, 1000, 4)]
    pairs = [(a, b) for upper, lower in itertools.pairwise(blocks) for a in upper for b in lower]
    assert maximal_partition(reversed(pairs)) == blocks


def test_a_cycle_is_shown():
    with pytest.raises(ValueError, match="cycle: b > c > d > b"):
        maximal_partition([("a", "b"), ("b", "c"), ("c", "d"), ("d", "b"), ("d", "e")])
    with pytest.raises(ValueError, match="cycle: a > a"):
        maximal_partition([("a", "b"), ("a", "a")])
    ring = [(k, (k + 1) % 50) for k in range(50)]
    with pytest.raises(ValueError, match=r"cycle: 0 > 1 > 2 > 3 > 4 > 5 > \.\.\. > 46 > .* > 0\."):
        maximal_partition(ring)


def test_rankings_of_preferences():
    first, second = [("a", "b"), ("a", "c")], [("c", "b"), ("b", "a")]
    data = Rankings.from_preferences([first, second], weights=[2, 3], agents=["x", "y"])
    expected = Rankings.from_lists(
        [["a", {"b", "c"}], ["c", "b", "a"]], weights=[2, 3], agents=["x", "y"]
    )
    assert data.same_as(expected)
    array = Rankings.from_preferences([np.array(first), np.array(second)])
    assert array.same_as(Rankings.from_lists([["a", {"b", "c"}], ["c", "b", "a"]]))


def test_preferences_that_split_nothing_are_left_out():
    lists = [[("a", "b"), ("c", "d")], [("a", "b")], []]
    with pytest.warns(UserWarning, match="2 of 3 lists of preferences split no .*: 0, 2 "):
        data = Rankings.from_preferences(lists, weights=[1, 2, 3], agents=["x", "y", "z"])
    assert data.names == [1] and data.weights.tolist() == [2]
    assert data.agents == ["y"] and data.items == ["a", "b"]
    with pytest.raises(ValueError, match="No list of `preferences` splits"):
        Rankings.from_preferences(lists[:1])
    with pytest.raises(ValueError, match="No list of `preferences` splits"):
        Rankings.from_preferences([[("a", "b")]], items=["a", "b", "c"])


@pytest.mark.parametrize(
    ("preferences", "arguments", "error", "message"),
    [
        ([[("a", "b")], [("a", "b"), ("b", "a")]], {}, ValueError, r"\[1\]`: .*cycle: a > b > a"),
        ([[("a", "b", "c")]], {}, TypeError, r"`preferences\[0\]` must hold pairs .* got \('a',"),
        ([["ab"]], {}, TypeError, r"`preferences\[0\]` must hold pairs .* got 'ab'"),
        (["ab"], {}, TypeError, r"`preferences\[0\]` must be a list of pairs"),
        ([[("a", None)]], {}, ValueError, r"`preferences\[0\]` has a missing label"),
        ([[("a", "b")]], {"items": ["a"]}, ValueError, r"\[0\]`: `items` does not have b"),
        ([[("a", "b")]], {"weights": [1, 2]}, ValueError, "each of the 1 rankings"),
        ([[("a", "b")]], {"agents": []}, ValueError, "`agents` must hold one label"),
        ([[("a", "b")]], {"names": [1, 2]}, ValueError, "`names` must hold one label"),
    ],
)
def test_bad_preferences(preferences, arguments, error, message):
    with pytest.raises(error, match=message):
        Rankings.from_preferences(preferences, **arguments)


@pytest.mark.parametrize("preferences", [None, 3, "ab"])
def test_something_else_than_lists_of_pairs(preferences):
    with pytest.raises(TypeError, match="`preferences` must be a list with one list"):
        Rankings.from_preferences(preferences)
