"""Two rankings against each other, by brute force over all pairs of draws."""

import itertools

import numpy as np
import pytest

import bayesrank as br
from bayesrank import consensus
from tests.consensus.posteriors import KINDS, posterior

LABELS = ["d", "b", "a", "c"]


def brute_disagreement(ranks, other_ranks):
    """Return the mean share of pairs in another order, over all pairs of draws."""
    n = ranks.shape[1]
    pairs = list(itertools.combinations(range(n), 2))
    return np.mean(
        [
            [np.mean([(r[i] < r[j]) != (q[i] < q[j]) for i, j in pairs]) for q in other_ranks]
            for r in ranks
        ]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_by_brute_force(kind):
    one, two = (posterior(kind, seed, draws=size, n=4) for seed, size in ((1, 24), (2, 40)))
    found = br.ScoreDraws(one, LABELS).compare_ranking(br.ScoreDraws(two, LABELS), 0.8)
    ranks, other_ranks = consensus.rank_draws(one), consensus.rank_draws(two)
    assert found.disagreement == pytest.approx(brute_disagreement(ranks, other_ranks))
    assert found.own == pytest.approx(brute_disagreement(ranks, ranks))
    assert found.other == pytest.approx(brute_disagreement(other_ranks, other_ranks))
    assert found.excess == pytest.approx(found.disagreement - (found.own + found.other) / 2)
    assert found.excess >= -1e-12
    table = found.items.loc[LABELS]
    np.testing.assert_allclose(table["mean_rank"], ranks.mean(axis=0))
    np.testing.assert_allclose(table["other_mean_rank"], other_ranks.mean(axis=0))
    np.testing.assert_allclose(table["shift"], table["other_mean_rank"] - table["mean_rank"])
    shift = other_ranks[:, None] - ranks[None]
    higher = (shift < 0).mean(axis=(0, 1)) + 0.5 * (shift == 0).mean(axis=(0, 1))
    np.testing.assert_allclose(table["p_higher"], higher, atol=1e-12)
    # Equal tails: beyond either end is at most half of what is left, which may round.
    below, beyond = (shift < table["low"].to_numpy()), (shift > table["high"].to_numpy())
    for outside in (below, beyond):
        assert np.all(outside.mean(axis=(0, 1)) <= 0.1 + 1e-9)
    # And none is longer than it needs to be.
    for outside in (shift <= table["low"].to_numpy(), shift >= table["high"].to_numpy()):
        assert np.all(outside.mean(axis=(0, 1)) >= 0.1 - 1e-9)
    assert np.all(np.diff(np.abs(found.items["shift"])) <= 1e-12)
    assert np.all(found.items["low"] <= found.items["high"])


def test_pairs_that_are_reversed():
    one = np.tile([4.0, 3.0, 2.0, 1.0], (20, 1))
    two = np.tile([1.0, 3.0, 2.0, 4.0], (40, 1))
    two[:2] = one[:2]  # one in twenty
    found = br.ScoreDraws(one, LABELS).compare_ranking(br.ScoreDraws(two, LABELS), 0.95)
    pairs = found.reversed
    expected = {("d", "b"), ("d", "a"), ("d", "c"), ("b", "c"), ("a", "c")}
    assert set(zip(pairs["above"], pairs["below"], strict=True)) == expected
    np.testing.assert_allclose(pairs["p"], 1.0)
    np.testing.assert_allclose(pairs["other_p"], 0.05)
    two[2] = one[2]
    found = br.ScoreDraws(one, LABELS).compare_ranking(br.ScoreDraws(two, LABELS), 0.95)
    assert len(found.reversed) == 0


def test_shares_that_are_just_enough():
    """In hundredths, whichever of the two columns is above, and rounded either way."""
    for good in (51, 54, 67, 75, 80, 90, 95, 99):
        one = np.zeros((100, 2))
        one[:good, 0], one[good:, 1] = 1.0, 1.0
        for scores in (one, one[:, ::-1]):
            found = br.ScoreDraws(scores).compare_ranking(br.ScoreDraws(-scores), good / 100)
            assert len(found.reversed) == 1, good
            found = br.ScoreDraws(scores).compare_ranking(-scores, (good + 0.5) / 100)
            assert len(found.reversed) == 0, good


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_ranking_has_no_excess(kind):
    scores = posterior(kind, 5, draws=50, n=4)
    draws = br.ScoreDraws(scores, LABELS)
    for prob in (0.6, 0.95):
        found = draws.compare_ranking(br.ScoreDraws(scores, LABELS), prob)
        assert found.excess == pytest.approx(0.0, abs=1e-12)
        assert len(found.reversed) == 0
        np.testing.assert_allclose(found.items["shift"], 0.0)


def test_items_of_one_only():
    scores = posterior("independent", 1, draws=30, n=4)
    one = br.ScoreDraws(scores, [("a", 1), 2, "c", "d"])
    other = br.ScoreDraws(scores[:, [3, 2, 0, 1]], ["e", "c", ("a", 1), 7])
    found = one.compare_ranking(other)
    assert set(found.items.index) == {("a", 1), "c"}
    assert found.only_own == [2, "d"] and found.only_other == ["e", 7]
    # Ranks are among the common items, whose scores are the same in both.
    np.testing.assert_allclose(found.items["shift"], 0.0)
    assert found.items["mean_rank"].sum() == pytest.approx(3.0)
    assert str(found).startswith("2 items in both, 4 in one only: ")


def test_columns_are_matched_by_label():
    scores = posterior("independent", 2, draws=30, n=4, spread=3.0)
    turn = [2, 0, 3, 1]
    other = br.ScoreDraws(scores[:, turn], [LABELS[k] for k in turn])
    found = br.ScoreDraws(scores, LABELS).compare_ranking(other)
    assert found.excess == pytest.approx(0.0, abs=1e-12)


def test_draws_of_any_form():
    scores = posterior("independent", 3, draws=30, n=4)
    found = br.ScoreDraws(scores).compare_ranking(scores.reshape(2, 15, 4))
    assert found.excess == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("other", [None, "text", 3, np.zeros((1, 2))], ids=str)
def test_what_is_no_ranking(other):
    with pytest.raises((TypeError, ValueError), match="`other`"):
        br.ScoreDraws(posterior("independent", 3)).compare_ranking(other)


def test_too_little_in_common():
    scores = posterior("independent", 3, n=3)
    one = br.ScoreDraws(scores, ["a", "b", "c"])
    with pytest.raises(ValueError, match=r"`other` must have .* in common .* got 1"):
        one.compare_ranking(br.ScoreDraws(scores, ["a", "x", "y"]))
    with pytest.raises(ValueError, match="got 0"):
        one.compare_ranking(scores)
