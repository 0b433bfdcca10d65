"""Statements about ranks against counting."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank import consensus
from tests.consensus.posteriors import KINDS, POSTERIORS, posterior

UNTIED = [kind for kind in KINDS if kind not in ("ties", "two values", "twins", "all equal")]


@pytest.mark.parametrize(("kind", "seed"), POSTERIORS)
def test_ranks_by_counting(kind, seed):
    """Equal scores share the places between those above and those below them."""
    scores = posterior(kind, seed)
    ranks = consensus.rank_draws(scores)
    for draw, rank in zip(scores, ranks, strict=True):
        assert sorted(rank) == list(range(1, len(draw) + 1))
        for own, place in zip(draw, rank, strict=True):
            assert 1 + sum(draw > own) <= place <= sum(draw >= own)


@pytest.mark.parametrize(("kind", "seed"), POSTERIORS)
def test_probabilities_by_counting(kind, seed):
    scores = posterior(kind, seed)
    n = scores.shape[1]
    # A loop over the ranks, which the test above has checked; tied items must agree on them.
    ranks = consensus.rank_draws(scores)
    places = range(1, n + 1)
    by_rank = [[np.mean([rank[i] == r for rank in ranks]) for r in places] for i in range(n)]
    np.testing.assert_allclose(consensus.rank_probabilities(scores), by_rank, rtol=1e-12)
    for k in places:
        top = np.sum(np.array(by_rank)[:, :k], axis=1)
        np.testing.assert_allclose(consensus.probability_top(scores, k), top, atol=1e-12)
    mean = np.array(by_rank) @ places
    np.testing.assert_allclose(consensus.expected_ranks(scores), mean, rtol=1e-12)
    above = consensus.probability_above(scores)
    for i in range(n):
        for j in range(n):
            count = np.mean([rank[i] < rank[j] for rank in ranks]) if i != j else 0.5
            assert above[i, j] == pytest.approx(count, abs=1e-12)
    # The surface under the curve of P(rank <= k), k from 1 to n - 1; and the share beaten.
    curve = np.cumsum(by_rank, axis=1)[:, :-1].mean(axis=1)
    np.testing.assert_allclose(consensus.sucra(mean), curve, atol=1e-12)
    beaten = (above.sum(axis=1) - 0.5) / (n - 1)
    np.testing.assert_allclose(consensus.sucra(mean), beaten, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_sums_are_one(kind):
    scores = posterior(kind, 7, n=6)
    p = consensus.rank_probabilities(scores)
    np.testing.assert_allclose(p.sum(axis=0), 1.0)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    above = consensus.probability_above(scores)
    np.testing.assert_allclose(above + above.T, 1.0, rtol=1e-15)


@pytest.mark.parametrize("kind", UNTIED)
def test_order_of_columns_does_not_matter(kind):
    scores = posterior(kind, 8, draws=50, n=5)
    turn = np.array([3, 0, 4, 1, 2])
    assert np.array_equal(
        consensus.rank_draws(scores)[:, turn], consensus.rank_draws(scores[:, turn])
    )
    above = consensus.probability_above(scores)[np.ix_(turn, turn)]
    # One of P(i above j) and P(j above i) is one less the other, which may round.
    np.testing.assert_allclose(consensus.probability_above(scores[:, turn]), above, atol=1e-15)
    p = consensus.rank_probabilities(scores)[turn]
    assert np.array_equal(consensus.rank_probabilities(scores[:, turn]), p)


@pytest.mark.parametrize("shift", [1e6, "random"])
def test_shift_of_a_draw_does_not_matter(shift):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(50, 5))
    moved = scores + (1e3 * rng.normal(size=(50, 1)) if shift == "random" else shift)
    assert np.array_equal(consensus.rank_draws(moved), consensus.rank_draws(scores))


def test_twins_share_their_ranks():
    """Items that are equal in every draw, as features without item effects make them."""
    scores = np.random.default_rng(0).normal(size=(4000, 3))[:, [0, 0, 2]]
    p = consensus.rank_probabilities(scores)
    # Four standard deviations of a share of half of 4000.
    atol = 4 * 0.5 / np.sqrt(4000)
    np.testing.assert_allclose(p[0], p[1], atol=2 * atol)
    assert consensus.probability_above(scores)[0, 1] == pytest.approx(0.5, abs=atol)
    np.testing.assert_allclose(p[2, 0], np.mean(scores[:, 2] > scores[:, 0]))


@pytest.mark.parametrize("prob", [0.6, 0.9])
@pytest.mark.parametrize("kind", KINDS)
def test_who_can_be_told_apart_by_counting(kind, prob):
    scores = posterior(kind, 2, draws=50, n=5)
    ranks = consensus.rank_draws(scores)
    draws = br.ScoreDraws(scores, list("abcde"))
    for k, item in enumerate("abcde"):
        table = draws.versus(item, prob)
        assert list(table.index) == [label for label in draws.ranking().index if label != item]
        for other, row in table.iterrows():
            above = sum(ranks[:, k] < ranks[:, "abcde".index(other)]) / 50
            assert row["p_above"] == pytest.approx(above)
            order = "above" if above >= prob else "below" if 1 - above >= prob - 1e-12 else "open"
            assert row["order"] == order
    with pytest.raises(ValueError, match="`item` must hold items, each once; unknown: z"):
        draws.versus("z")
