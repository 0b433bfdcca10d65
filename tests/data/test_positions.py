"""Arrays that compiled code would read past their ends are refused when data are made."""

import numpy as np
import pytest

import bayesrank as br

ENTRIES = np.array([[0, 1, 2], [1, 2, 0]])
RANKS = np.array([[1, 2, 3], [1, 2, 3]])
ITEMS = ["a", "b", "c"]
COUNTS = np.array([[3, 1, 0], [2, 2, 0], [1, 4, 0]])
LEFT, RIGHT = np.array([0, 1, 2]), np.array([1, 2, 0])


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"entries": ENTRIES + 100_000}, ValueError, "`entries` must be positions in `items`"),
        ({"entries": ENTRIES * 1.0}, TypeError, "`entries` must hold whole numbers"),
        ({"weights": np.ones(1)}, ValueError, "`weights` must hold one element for each of the 2"),
        ({"agent": [0, 2], "agents": ["x", "y"]}, ValueError, "positions in `agents`, from 0 to 1"),
        ({"agent": [0, -1], "agents": ["x", "y"]}, ValueError, "got -1 to 0"),
        ({"features": np.ones((9, 3, 1))}, ValueError, "`features` must have a row for each of"),
        ({"ratings": np.ones((3, 2))}, ValueError, "`ratings` must have a row for each of"),
        ({"entries": ENTRIES * [[1], [0]] - [[0], [1]], "ranks": RANKS * [[1], [0]] - [[0], [1]]},
         ValueError, "A ranking without an item says nothing: row 1"),
        ({"instance": [1, 1, 1], "instances": ["p", "q"]}, ValueError, "without an item: p"),
        ({"instance": [1, 0, 1], "instances": ["p", "q"]}, ValueError, "must not decrease"),
        ({"instance": [0, 1], "instances": ["p", "q"]}, ValueError, "each of the 3 items"),
    ],
)  # fmt: skip
def test_rankings(changes, error, message):
    arguments = {"entries": ENTRIES, "ranks": RANKS, "items": ITEMS} | changes
    with pytest.raises(error, match=message):
        br.Rankings(**arguments)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"right": RIGHT - 1}, "`right` must be positions in `items`, from 0 to 2, got -1 to 1"),
        ({"left": LEFT + 1}, "`left` must be positions in `items`"),
        ({"right": RIGHT[:1]}, "`right` must hold one element for each of the 3 rows"),
        ({"agent": [0, 1, 5], "agents": ["x", "y"]}, "`agent` must be positions in `agents`"),
        ({"instance": [1, 1, 1], "instances": ["p", "q"]}, "without an item: p"),
    ],
)
def test_comparisons(changes, message):
    arguments = {"left": LEFT, "right": RIGHT, "counts": COUNTS, "items": ITEMS} | changes
    with pytest.raises(ValueError, match=message):
        br.Comparisons(**arguments)


def test_slots_that_nobody_uses_stay():
    """Arrays of the shape that was given still fit."""
    entries, ranks = np.array([[0, 1, -1], [1, 0, -1]]), np.array([[1, 2, -1], [1, 2, -1]])
    data = br.Rankings(entries, ranks, ["a", "b"])
    assert np.array_equal(data.entries, entries) and data.coords["slot"] == [0, 1, 2]
    assert np.array_equal(data.with_outcomes(ranks).ranks, ranks)
    features = np.random.default_rng(0).random((2, 3, 1))
    model = br.Specification(data, "plackett-luce", features=features, scale=1.0)
    assert model.feature_names == ["x1"]


def test_slots_between_others_stay_empty():
    entries, ranks = np.array([[0, -1, 1], [1, 0, -1]]), np.array([[2, -1, 1], [1, 2, -1]])
    data = br.Rankings(entries, ranks, ["a", "b"])
    assert np.array_equal(data.entries, entries) and np.array_equal(data.ranks, ranks)
    packed = br.Rankings(np.array([[0, 1], [1, 0]]), np.array([[2, 1], [1, 2]]), ["a", "b"])
    assert not data.same_as(packed)
    x = np.array([0.7])
    value = br.Specification(data, "plackett-luce", scale=1.0).objective(x)[0]
    assert value == br.Specification(packed, "plackett-luce", scale=1.0).objective(x)[0]


FEATURES = np.array([[1.0], [2.0], [3.0]])


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"category": [0, 1, 2], "categories": ["s", "t"]}, ValueError, "positions in `cat"),
        ({"category": [0.0, 1, 1], "categories": ["s", "t"]}, TypeError, "hold whole numbers"),
        ({"category": [0, 1], "categories": ["s", "t"]}, ValueError, "for each of the 3 rows"),
        ({"category": [0, 1, 1]}, ValueError, "`category` and `categories` go together"),
        ({"categories": ["s"]}, ValueError, "`category` and `categories` go together"),
        ({"category": [0, 1, 1], "categories": ["t", "s"]}, ValueError, "must be sorted, each"),
        ({"category": [0, 1, 1], "categories": ["s", "s"]}, ValueError, "must be sorted, each"),
        ({"features": FEATURES}, ValueError, "`features` and `feature_names` go together"),
        ({"feature_names": ["x"]}, ValueError, "`features` and `feature_names` go together"),
        ({"features": FEATURES[:2], "feature_names": ["x"]}, ValueError, r"got shape \(2, 1\)"),
        ({"features": FEATURES, "feature_names": ["x", "y"]}, ValueError, r"got shape \(3, 1\)"),
        ({"features": FEATURES[:, 0], "feature_names": ["x"]}, ValueError, r"got shape \(3,\)"),
        ({"features": [["a"]] * 3, "feature_names": ["x"]}, TypeError, "must hold numbers"),
        ({"features": [[1], [np.inf], [1]], "feature_names": ["x"]}, ValueError, "finite: row 1 "),
        ({"features": FEATURES, "feature_names": ["wins"]}, ValueError, "may be called wins"),
        ({"features": np.ones((3, 2)), "feature_names": ["x", "x"]}, ValueError, "twice: x"),
        ({"both_bad": [1, 2]}, ValueError, "`both_bad` must hold one element for each of the 3"),
        ({"both_bad": [1, -2, 0]}, ValueError, "`both_bad` must be finite .*: -2 in row 1 "),
        ({"both_bad": [1, 0, np.nan]}, ValueError, "`both_bad` must be finite .*: nan in row 2 "),
        ({"both_bad": ["a", "b", "c"]}, TypeError, "`both_bad` must hold numbers"),
    ],
)  # fmt: skip
def test_what_is_known_of_the_rows_of_comparisons(changes, error, message):
    with pytest.raises(error, match=message):
        br.Comparisons(left=LEFT, right=RIGHT, counts=COUNTS, items=ITEMS, **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"category": [0, 2], "categories": ["s", "t"]}, "positions in `categories`, from 0 to 1"),
        ({"category": [0], "categories": ["s"]}, "one element for each of the 2 rankings"),
        ({"category": [0, 0]}, "`category` and `categories` go together"),
    ],
)
def test_categories_of_rankings(changes, message):
    with pytest.raises(ValueError, match=message):
        br.Rankings(ENTRIES, RANKS, ITEMS, **changes)
