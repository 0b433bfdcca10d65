"""ASAP's rule: message passing by its formulas, gains by doing it in full, and spanning trees."""

import numpy as np
import pytest
from scipy.stats import norm

from benchmarks.asking.asap import PRIOR, Posterior, sets_of_tree, tree


def divergence(after, before):
    """Return the divergence of normals, each given by precisions and precisions times means."""
    (precision, shift), (old, old_shift) = after.T, before.T
    apart = (shift / precision - old_shift / old) ** 2 * old
    return 0.5 * np.sum(old / precision - 1.0 - np.log(old / precision) + apart)


def rounds_of_messages(results, sent, items, rounds):
    """Return messages and scores after some rounds, every result by itself, as in the paper.

    Messages and scores are precisions and precisions times means, of winner and loser.
    """
    sent = np.array(sent, dtype=float).reshape(len(results), 2, 2)
    for _ in range(rounds):
        score = np.tile([1.0 / PRIOR, 0.0], (items, 1))
        for k, pair in enumerate(results):
            score[pair] += sent[k]
        rest = np.array([score[pair] - sent[k] for k, pair in enumerate(results)])
        mean, variance = rest[..., 1] / rest[..., 0], 1.0 / rest[..., 0]
        gap, spread = mean[:, 0] - mean[:, 1], 1.0 + variance.sum(axis=1)
        z = gap / np.sqrt(spread)
        ratio = norm.pdf(z) / norm.cdf(z)
        sharp = 1.0 / (spread * (1.0 - ratio * (ratio + z))) - 1.0 / spread
        there = (gap + np.sqrt(spread) * ratio) * (sharp + 1.0 / spread) - gap / spread
        precision = 1.0 / (1.0 / sharp[:, None] + 1.0 + variance[:, ::-1])
        told = np.stack([mean[:, 1] + there / sharp, mean[:, 0] - there / sharp], axis=1)
        sent = np.stack([precision, precision * told], axis=-1)
    score = np.tile([1.0 / PRIOR, 0.0], (items, 1))
    for k, pair in enumerate(results):
        score[pair] += sent[k]
    return sent, score


@pytest.fixture(scope="module")
def wins():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 3, size=(6, 6)).astype(float)
    np.fill_diagonal(table, 0.0)
    return table


@pytest.fixture(scope="module")
def passed(wins):
    """Every result by itself, and its messages when nothing changes any more."""
    results = [[i, j] for i in range(6) for j in range(6) for _ in range(int(wins[i, j]))]
    return results, *rounds_of_messages(results, np.zeros((len(results), 2, 2)), 6, 100)


def test_one_win_by_the_formula_of_a_truncated_normal():
    wins = np.zeros((3, 3))
    wins[0, 1] = 1
    found = Posterior(wins)
    spread = np.sqrt(2 * PRIOR + 1)
    ratio = norm.pdf(0) / norm.cdf(0)
    mean, variance = PRIOR / spread * ratio, PRIOR - (PRIOR / spread * ratio) ** 2
    np.testing.assert_allclose(found.mean, [mean, -mean, 0.0], atol=1e-9)
    np.testing.assert_allclose(found.variance, [variance, variance, PRIOR], atol=1e-9)


def test_equal_results_count_as_if_they_were_by_themselves(wins, passed):
    _, _, score = passed
    found = Posterior(wins)
    # Rounds end when no message changes by more than a millionth.
    np.testing.assert_allclose(found.mean, score[:, 1] / score[:, 0], atol=1e-5)
    np.testing.assert_allclose(found.variance, 1.0 / score[:, 0], atol=1e-5)


def test_no_results_leave_the_prior_and_equal_gains():
    found = Posterior(np.zeros((4, 4)))
    np.testing.assert_allclose(found.variance, PRIOR)
    score = rounds_of_messages([[0, 1]], np.zeros((1, 2, 2)), 4, 2)[1]
    expected = divergence(score, np.tile([1.0 / PRIOR, 0.0], (4, 1)))
    np.testing.assert_allclose(found.gains()[np.triu_indices(4, 1)], expected, rtol=1e-9)


def test_gains_are_those_of_two_rounds_after_each_result(wins, passed):
    results, sent, before = passed
    found = Posterior(wins)
    gains = found.gains()
    for i, j in zip(*np.triu_indices(6, 1), strict=True):
        told = []
        for pair in ([i, j], [j, i]):
            start = np.concatenate([sent, np.zeros((1, 2, 2))])
            told.append(divergence(rounds_of_messages([*results, pair], start, 6, 2)[1], before))
        gap, spread = found.mean[i] - found.mean[j], found.variance[i] + found.variance[j]
        p = norm.cdf(gap / np.sqrt(1.0 + spread))
        # Messages that still changed by a millionth.
        assert gains[i, j] == pytest.approx(p * told[0] + (1 - p) * told[1], rel=1e-3)
    np.testing.assert_array_equal(gains, gains.T)


def test_a_tree_links_all_by_the_pairs_of_most_gain():
    gains = np.full((5, 5), 0.1)
    for i, j, gain in ((0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.7), (3, 4, 0.6), (2, 3, 0.5)):
        gains[i, j] = gains[j, i] = gain
    pairs = tree(gains, np.random.default_rng(1))
    assert [set(pair) for pair in pairs.tolist()] == [{0, 1}, {1, 2}, {3, 4}, {2, 3}]


def test_equal_gains_do_not_all_go_to_one_item():
    pairs = tree(np.ones((12, 12)), np.random.default_rng(1))
    assert len(pairs) == 11
    assert np.bincount(pairs.ravel()).max() < 8


def test_sets_grow_from_the_pairs_of_most_gain():
    gains = np.full((6, 6), 0.1)
    gains[np.ix_([1, 3, 5], [1, 3, 5])] = 0.5
    sets = sets_of_tree(gains, 3, 7, np.random.default_rng(1))
    assert sets.shape == (7, 3)
    assert set(sets[0].tolist()) == {1, 3, 5}
    assert all(len(set(row)) == 3 for row in sets.tolist())
