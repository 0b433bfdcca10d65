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
