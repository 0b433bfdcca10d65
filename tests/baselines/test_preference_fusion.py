"""Preferences of lists by hand, and the two fusions against other solvers."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import bayesrank as br
from bayesrank.baselines import list_preferences, probit_fusion, svm_fusion
from bayesrank.data import JudgedDocuments


def by_hand():
    """Two systems, one topic: a b c, and c a; d is listed by nobody."""
    nan = np.nan
    values = np.array([[1.0, 2.0], [2.0, nan], [3.0, 1.0], [nan, nan]])
    return JudgedDocuments(np.zeros(4, dtype=int), ["t"], list("abcd"), values, ["x", "y"])


@pytest.mark.parametrize(
    ("absent", "expected"),
    [
        ("ignored", {"ab": 1, "ac": 1, "bc": 1, "ca": 1}),
        ("below", {"ab": 2, "ac": 1, "bc": 1, "ca": 1, "cb": 1}),
    ],
)
def test_preferences_by_hand(absent, expected):
    winners, losers, counts = list_preferences(by_hand(), absent=absent)
    found = {f"{'abcd'[i]}{'abcd'[j]}": c for i, j, c in zip(winners, losers, counts, strict=True)}
    assert found == expected
    winners, losers, counts = list_preferences(by_hand(), weights=[[3.0, 1.0]])
    assert counts.tolist() == [3.0, 3.0, 3.0, 1.0]


def test_only_some_systems():
    winners, losers, counts = list_preferences(by_hand(), [1])
    assert (winners.tolist(), losers.tolist(), counts.tolist()) == ([2], [0], [1.0])


def test_support_vectors_are_the_minimum():
    rng = np.random.default_rng(0)
    winners = rng.integers(0, 5, 30)
    losers = (winners + rng.integers(1, 5, 30)) % 5
    counts = rng.integers(1, 4, 30).astype(float)

    def objective(score):
        short = np.maximum(1.0 - (score[winners] - score[losers]), 0.0)
        return 0.5 * score @ score + 2.0 * counts @ short**2

    found = svm_fusion(np.zeros(5), winners, losers, counts, cost=2.0)
    slow = minimize(objective, np.ones(5), method="Powell", options={"xtol": 1e-8, "ftol": 1e-12})
    assert objective(found) == pytest.approx(slow.fun, rel=1e-5)


def test_probit_is_the_mode_of_our_fit():
    """Two queries at once; a document in no pair has no score."""
    rng = np.random.default_rng(1)
    query = np.repeat([3, 5], [6, 7])
    winners = np.concatenate([rng.integers(0, 6, 40), 6 + rng.integers(0, 6, 40)])
    losers = 6 * (winners // 6) + (winners + rng.integers(1, 6, 80)) % 6
    found = probit_fusion(query, winners, losers, np.ones(80), scale=2.0)
    assert np.isnan(found).tolist() == [False] * 12 + [True]
    for part in (slice(0, 40), slice(40, 80)):
        frame = pd.DataFrame({"left": winners[part], "right": losers[part], "wins": 1, "losses": 0})
        data = br.Comparisons.from_counts(frame)
        fit = br.fit(data, "thurstone-pairs", method="map", scale=2.0, progress=False)
        expected = fit.ranking()["score"].sort_index()
        np.testing.assert_allclose(found[expected.index], expected, atol=1e-4)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"absent": "gone"}, '`absent` must be "ignored" or "below"'),
        ({"systems": [0, 2]}, "`systems` must be from 0 to 1, got 2"),
        ({"systems": [True, False]}, "`systems` must be a list of column numbers"),
        ({"systems": []}, "`systems` must be a list of column numbers"),
        ({"weights": [[1.0, np.nan]]}, "`weights` must be finite"),
        ({"weights": [1.0, 2.0]}, "`weights` must have a row for each of 1 queries"),
    ],
)
def test_errors(wrong, message):
    with pytest.raises(ValueError, match=message):
        list_preferences(by_hand(), **wrong)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (([0, 3], [3, 4], [1, 1]), "two documents of one query, but are not in pairs 0"),
        (([0], [0], [1]), "two documents of one query"),
        (([-1], [0], [1]), "`winners` must be from 0 to 4, got -1"),
        (([0.0], [1], [1]), "`winners` must hold whole numbers"),
        (([0, 1], [1], [1]), "of one length"),
        (([0], [1], [-1]), "`counts` must be finite and not negative"),
        (([0], [1], [np.nan]), "`counts` must be finite and not negative"),
    ],
)
@pytest.mark.parametrize("fuse", [svm_fusion, probit_fusion])
def test_bad_pairs(fuse, pairs, message):
    with pytest.raises(ValueError, match=message):
        fuse([0, 0, 0, 1, 1], *pairs)


def test_no_pairs_and_bad_numbers():
    assert np.isnan(svm_fusion([0, 0], [], [], [])).all()
    with pytest.raises(ValueError, match="`cost` must be a positive number"):
        svm_fusion([0, 0], [0], [1], [1], cost=0)
    with pytest.raises(ValueError, match="`scale` must be a positive number"):
        probit_fusion([0, 0], [0], [1], [1], scale=np.inf)
