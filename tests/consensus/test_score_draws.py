"""Draws in every form, labels of every kind, and refusals in words."""

from itertools import count

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import bayesrank as br

SCORES = np.random.default_rng(0).normal([0.0, 1.0, 4.0], 1.0, size=(40, 3))
ABC = ["a", "b", "c"]


def as_data_array(**coords):
    coords = coords or {"item": ABC}
    return xr.DataArray(SCORES.reshape(2, 20, 3), dims=("chain", "draw", "item"), coords=coords)


@pytest.mark.parametrize(
    ("draws", "labels"),
    [
        (SCORES, [1, 2, 3]),
        (SCORES.tolist(), [1, 2, 3]),
        (SCORES.reshape(2, 20, 3), [1, 2, 3]),
        (np.asfortranarray(SCORES), [1, 2, 3]),
        (SCORES.astype(object), [1, 2, 3]),
        (pd.DataFrame(SCORES, columns=ABC), ABC),
        (pd.DataFrame(SCORES, columns=ABC).astype("Float64"), ABC),
        (pd.DataFrame(SCORES, columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])),
         [("a", 1), ("a", 2), ("b", 1)]),
        (as_data_array(), ABC),
        (as_data_array().transpose("item", "draw", "chain"), ABC),
        (as_data_array().stack(sample=("chain", "draw")), ABC),
        (as_data_array().drop_vars("item"), [1, 2, 3]),
        (as_data_array().rename(item="team"), ABC),
        (br.ScoreDraws(SCORES, ABC), ABC),
    ],
)  # fmt: skip
def test_forms_of_draws(draws, labels):
    found = br.ScoreDraws(draws)
    np.testing.assert_allclose(found.scores(), SCORES, rtol=1e-15)
    assert found.rank_probabilities().index.tolist() == labels
    assert found.consensus().order == labels[::-1]
    assert br.ScoreDraws(draws, ["x", "y", "z"]).consensus().order == ["z", "y", "x"]


def test_whole_and_short_numbers():
    whole = np.array([[1, 2], [1, 3]])
    assert br.ScoreDraws(whole).consensus().order == [2, 1]
    assert br.ScoreDraws(SCORES.astype(np.float32)).scores().dtype == float


def test_one_chain_of_a_data_array():
    np.testing.assert_array_equal(br.ScoreDraws(as_data_array()[0]).scores(), SCORES[:20])


def test_a_fit(pudding):
    fit = br.fit(pudding, "davidson", method="laplace", seed=1, progress=False)
    draws = br.ScoreDraws(fit)
    pd.testing.assert_frame_equal(draws.ranking(), fit.ranking(), check_index_type=False)
    assert draws.consensus().order == fit.consensus().order
    for comparison in (draws.compare_ranking(fit), fit.compare_ranking(draws)):
        assert comparison.excess == pytest.approx(0.0, abs=1e-12)
        assert len(comparison.items) == 6


def test_a_fit_without_draws(pudding):
    fit = br.fit(pudding, "davidson", method="map")
    with pytest.raises(ValueError, match="a MAP fit has none"):
        br.ScoreDraws(fit)


def test_later_changes_of_the_array_change_no_answer():
    mine = SCORES.copy()
    draws = br.ScoreDraws(mine, ABC)
    mine *= -1.0
    assert draws.consensus().order == ["c", "b", "a"]


@pytest.mark.parametrize(
    "labels",
    [
        [3, 1, 2],
        [0.5, 1.5, 2.0],
        [1, 2.5, "b"],
        [("a", 1), ("b", 2), ("c", 3)],
        [("a",), ("b", 2), "c"],
        ["é", "日本", "🙂"],
        ["", " ", "nan"],
        [1, "1", (1,)],
        [True, False, 2],
        [frozenset([1]), frozenset([2]), "x"],
    ],
    ids=count(),
)
def test_labels_come_back_as_they_were(labels):
    draws = br.ScoreDraws(SCORES, labels)
    order = draws.consensus().order
    assert order == labels[::-1]
    assert [type(label) for label in order] == [type(label) for label in labels[::-1]]
    for table in (
        draws.ranking(), draws.expected_ranks(), draws.rank_intervals(), draws.worths(),
        draws.tiers(), draws.best(),
    ):  # fmt: skip
        assert sorted(map(str, table.index)) == sorted(map(str, labels))
        assert table.index.name == "item"
    above = draws.probability_above()
    assert above.index.tolist() == above.columns.tolist() == labels
    assert draws.expected_loss(labels) > draws.expected_loss(order)
    comparison = draws.compare_ranking(br.ScoreDraws(-SCORES, labels), prob=0.6)
    assert set(comparison.items.index) == set(labels)
    assert not comparison.only_own and not comparison.only_other
    assert [labels[2], labels[0]] in comparison.reversed[["above", "below"]].values.tolist()


@pytest.mark.parametrize(
    ("items", "error", "words"),
    [
        (["a", "b"], ValueError, "each of the 3 items, got 2"),
        (["a", "b", "c", "d"], ValueError, "each of the 3 items, got 4"),
        (["a", "a", "b"], ValueError, "repeated: a"),
        ([True, 1, 2], ValueError, "repeated"),
        ("abc", TypeError, "list of labels, got 'abc'"),
        (3, TypeError, "list of labels, got 3"),
        ({"a", "b", "c"}, TypeError, "list"),
        (["a", None, "b"], ValueError, "None"),
        ([float("nan"), 1, 2], ValueError, "nan"),
        ([pd.NA, 1, 2], ValueError, "NA"),
        ([pd.NaT, 1, 2], ValueError, "NaT"),
        ([["a"], ["b"], ["c"]], ValueError, "got"),
        ([("a", [1]), ("b", [2]), "c"], ValueError, "got"),
        ([np.array([1, 2]), np.array([3, 4]), "c"], ValueError, "got"),
        (np.eye(3), ValueError, "got"),
    ],
    ids=count(),
)
def test_labels_that_are_refused(items, error, words):
    with pytest.raises(error, match=f"`items` .*{words}"):
        br.ScoreDraws(SCORES, items)


NOT_A_NUMBER, INFINITE = SCORES.copy(), SCORES.copy()
NOT_A_NUMBER[3, 1], INFINITE[7, 2] = np.nan, -np.inf


@pytest.mark.parametrize(
    ("draws", "error", "words"),
    [
        (NOT_A_NUMBER, ValueError, "finite numbers; 1 are not: 2 in draw 3"),
        (INFINITE, ValueError, "finite numbers; 1 are not: 3 in draw 7"),
        (np.full((40, 3), np.nan), ValueError, "120 are not: .* and 115 more"),
        (np.ma.masked_greater(SCORES, 4.0), ValueError, "finite"),
        ([["x", "y"], ["z", "w"]], TypeError, "numbers"),
        ([["1", "2"], ["3", "4"]], TypeError, "numbers"),
        ("text", TypeError, "numbers"),
        (SCORES + 1j, TypeError, "numbers"),
        (np.array([["2020-01-01", "2021-01-01"]] * 2, dtype="datetime64[D]"), TypeError, "number"),
        ([[1.0, 2.0], [3.0]], (TypeError, ValueError), ""),
        ({"a": [1.0, 2.0], "b": [3.0, 4.0]}, TypeError, ""),
        (None, (TypeError, ValueError), ""),
        (3.0, ValueError, "0 dimensions"),
        (SCORES[:, 0], ValueError, "1 dimensions"),
        ([], ValueError, "dimensions"),
        (SCORES[None, None], ValueError, "4 dimensions"),
        (SCORES[:, :1], ValueError, "at least two items, got 1"),
        (SCORES[:, :0], ValueError, "at least two items, got 0"),
        (np.zeros((2, 3, 0)), ValueError, "at least two items, got 0"),
        (SCORES[:1], ValueError, "at least two draws, got 1"),
        (SCORES[:0], ValueError, "at least two draws, got 0"),
        (pd.DataFrame({"a": ["x", "y"], "b": [1, 2]}), TypeError, "numbers"),
        (as_data_array().to_dataset(name="score"), TypeError, "data set"),
        (as_data_array().rename(chain="x", draw="y"), ValueError, "one dimension of items"),
        (as_data_array()[:, :, 0], ValueError, "one dimension of items"),
        (as_data_array().expand_dims("other"), ValueError, "one dimension of items"),
    ],
    ids=count(),
)
def test_draws_that_are_refused(draws, error, words):
    with pytest.raises(error, match=f"`draws` must .*{words}"):
        br.ScoreDraws(draws)


def test_repeated_columns_are_refused():
    with pytest.raises(ValueError, match="repeated: a"):
        br.ScoreDraws(pd.DataFrame(SCORES, columns=["a", "a", "b"]))


def test_text():
    assert repr(br.ScoreDraws(SCORES)) == "ScoreDraws: 3 items, 40 draws"
