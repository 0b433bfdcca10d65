"""Who is compared with whom."""

import numpy as np
import pandas as pd
import pytest

from bayesrank.calibration.designs import even_sets, given_sets, random_sets
from tests.data.frame_libraries import FRAMES

ITEMS = ["a", "b", "c", "d"]


@pytest.fixture
def rng():
    return np.random.default_rng(1)


@pytest.mark.parametrize("items", [2, 5, 6, 9])
def test_in_a_round_robin_all_meet_once_and_then_with_sides_exchanged(items, rng):
    pairs = items * (items - 1) // 2
    first, second = np.split(even_sets(items, 2, 2 * pairs, rng), 2)
    met = {frozenset(pair) for pair in first.tolist()}
    assert len(met) == pairs and all(len(pair) == 2 for pair in met)
    assert (second == first[:, ::-1]).all()


@pytest.mark.parametrize("items", [5, 6, 9])
def test_in_part_of_a_round_robin_all_are_seen_as_often(items, rng):
    """Wherever it is broken off; an odd one rests in each round."""
    sets = even_sets(items, 2, items * (items - 1), rng)
    for n in range(1, len(sets)):
        seen = np.bincount(sets[:n].ravel(), minlength=items)
        assert np.ptp(seen) <= 1 + items % 2


@pytest.mark.parametrize("items", [6, 9])
def test_in_a_round_robin_nobody_is_always_on_one_side(items, rng):
    sets = even_sets(items, 2, items * (items - 1) // 2, rng)
    left = np.bincount(sets[:, 0], minlength=items)
    assert (left > 0).all() and (left < items - 1).all()


def test_even_sets_hold_all_items_and_all_pairs_about_as_often(rng):
    sets = even_sets(7, 3, 28, rng)
    assert all(len(set(row)) == 3 for row in sets.tolist())
    assert np.bincount(sets.ravel()).tolist() == [12] * 7
    met = np.zeros((7, 7))
    for row in sets:
        met[np.ix_(row, row)] += 1
    # Four each if it were a perfect design.
    assert np.ptp(met[np.triu_indices(7, 1)]) <= 3


@pytest.mark.parametrize("size", [2, 3])
def test_random_sets_hold_all_items_in_all_slots_alike(size, rng):
    sets = random_sets(4, size, 4000, rng)
    assert all(len(set(row)) == size for row in sets.tolist())
    for slot in sets.T:
        # Five standard errors of a share of one quarter.
        assert np.abs(np.bincount(slot) / 4000 - 0.25).max() < 5 * np.sqrt(0.1875 / 4000)


@FRAMES
def test_pairs_of_a_frame(convert):
    frame = convert({"gain": [0.2, 0.1], "left": ["a", "d"], "right": ["c", "b"]})
    assert given_sets(frame, ITEMS, pairs=True).tolist() == [[0, 2], [3, 1]]


@pytest.mark.parametrize(
    "design",
    [
        [["a", "c"], ("d", "b")],
        np.array([["a", "c"], ["d", "b"]]),
        pd.DataFrame({"home": ["a", "d"], "away": ["c", "b"]}),
        (pair for pair in (["a", "c"], ["d", "b"])),
    ],
    ids=["lists", "array", "frame of two columns", "generator"],
)
def test_pairs(design):
    assert given_sets(design, ITEMS, pairs=True).tolist() == [[0, 2], [3, 1]]


@pytest.mark.parametrize(
    "design",
    [
        [["a", "c", "d"], ["d", "b"]],
        pd.DataFrame({"gain": [0.2, 0.1], "items": [["a", "c", "d"], ["d", "b"]]}),
        pd.DataFrame({"x": ["a", "d"], "y": ["c", "b"], "z": ["d", None]}),
    ],
    ids=["lists", "column of lists", "column for each slot"],
)
def test_sets_of_several_sizes(design):
    assert given_sets(design, ITEMS, pairs=False).tolist() == [[0, 2, 3], [3, 1, -1]]


def test_sets_of_two_are_pairs():
    frame = pd.DataFrame({"left": ["a"], "right": ["c"], "gain": [0.2]})
    assert given_sets(frame, ITEMS, pairs=False).tolist() == [[0, 2]]


def test_labels_that_are_numbers():
    assert given_sets(np.array([[3, 1]]), [1, 2, 3], pairs=True).tolist() == [[2, 0]]


@pytest.mark.parametrize(
    ("design", "pairs", "message"),
    [
        ([], True, "is empty"),
        ([["a", "x"]], True, "row 0 that are no items: x; items are a, b, c, d"),
        ([["a", "b"], ["c", "c"]], True, "two different items in each row; row 1 has c, c"),
        ([["a", "b", "c"]], True, "two different items in each row; row 0 has a, b, c"),
        ([["a"]], False, "at least two items, each once in each row; row 0 has a"),
        ([[None, None]], False, "row 0 has none"),
        ([[["a"], "b"]], True, "row 0 that are no items"),
        (pd.DataFrame({"left": ["a"], "away": ["b"], "n": [1]}), True, "it has left, away, n"),
    ],
)
def test_refusals(design, pairs, message):
    with pytest.raises(ValueError, match=message):
        given_sets(design, ITEMS, pairs=pairs)


@pytest.mark.parametrize("design", ["swiss", 3, {"a": "b"}, ["ab", "cd"]])
def test_what_is_no_design_is_refused(design):
    with pytest.raises(TypeError, match=r"`design` must"):
        given_sets(design, ITEMS, pairs=True)
