"""Rivals of partitioned Plackett-Luce against plain sums, each other and other solvers."""

import itertools
import math

import numpy as np
import pytest

import bayesrank as br
from bayesrank.baselines.attention_rank import attention_rank
from bayesrank.baselines.block_pairs import block_pairs, count_wins, counted_pairs
from bayesrank.baselines.item_scores import fit_item_pairs, fit_item_scores
from bayesrank.baselines.pair_losses import fit_pair_loss, pair_loss
from bayesrank.baselines.pl_lower_bound import pl_lower_bound
from bayesrank.kernels.additive import shares
from bayesrank.kernels.partitioned import partitioned
from bayesrank.kernels.partitions import partition

# Blocks of several sizes, unranked items, empty slots, one block only, far-off scores.
RANKS = np.array([
    [2, 1, 1, 3, 2, 3], [1, 0, 0, 2, 1, -1], [-1, 1, 2, 3, -1, -1], [1, 1, 1, 1, 1, 1],
    [0, 0, 1, 1, 1, 0],
])  # fmt: skip
SCORE = np.random.default_rng(1).normal(scale=2.0, size=RANKS.shape)
SCORE[4, 2] = 400.0


def blocks_of(ranks):
    """Return the slots of each block, unranked ones last."""
    ranked = [np.flatnonzero(ranks == r) for r in range(1, ranks.max() + 1)]
    unranked = np.flatnonzero(ranks == 0)
    return ranked + ([unranked] if unranked.size else [])


def log_sum(x):
    return x.max() + math.log(np.exp(x - x.max()).sum())


def plain_lower_bound(score, ranks):
    blocks, total = blocks_of(ranks), 0.0
    for s, block in enumerate(blocks[:-1]):
        remaining = score[np.concatenate(blocks[s:])]
        total += math.log(math.factorial(block.size))
        total += sum(score[i] - log_sum(remaining) for i in block)
    return total


def plain_attention(score, ranks):
    blocks = blocks_of(ranks)
    if len(blocks) < 2:
        return 0.0
    everyone = score[np.concatenate(blocks)]
    weight = {i: math.exp(len(blocks) - 1 - s) for s, b in enumerate(blocks[:-1]) for i in b}
    return sum(w * (score[i] - log_sum(everyone)) for i, w in weight.items()) / sum(weight.values())


def plain_pairs(loss):
    def value(score, ranks):
        blocks = blocks_of(ranks)
        pairs = [
            (i, j) for a, b in itertools.combinations(blocks, 2) for i, j in itertools.product(a, b)
        ]
        return -sum(pair_loss(loss, np.array([score[i] - score[j]]))[0][0] for i, j in pairs)

    return value


def logistic(score, order, sizes):
    return block_pairs(score, order, sizes, False)


def hinge(score, order, sizes):
    return block_pairs(score, order, sizes, True)


CASES = {
    "lower bound": (pl_lower_bound, plain_lower_bound),
    "attention": (attention_rank, plain_attention),
    "logistic": (logistic, plain_pairs("logistic")),
    "hinge": (hinge, plain_pairs("hinge")),
}


@pytest.mark.parametrize("name", CASES)
def test_values_are_plain_sums(name):
    objective, plain = CASES[name]
    order, sizes, possible = partition(RANKS, RANKS >= 0)
    assert possible.all()
    value, _ = objective(SCORE, order, sizes)
    expected = [plain(s, r) for s, r in zip(SCORE, RANKS, strict=True)]
    # Sums of some ten numbers, each of them right to the last digits.
    np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_differences(name):
    objective, _ = CASES[name]
    order, sizes, _ = partition(RANKS, RANKS >= 0)
    _, by_score = objective(SCORE, order, sizes)
    step = 1e-6
    for slot in range(RANKS.shape[1]):
        shift = np.zeros(SCORE.shape)
        shift[:, slot] = step
        ahead, behind = (objective(SCORE + s, order, sizes)[0] for s in (shift, -shift))
        # Values of up to 2 000 carry a rounding error of 2e-13, divided by the step.
        difference = (ahead - behind) / (2 * step)
        np.testing.assert_allclose(by_score[:, slot], difference, atol=1e-6)
    assert np.all(by_score[RANKS < 0] == 0.0)
    np.testing.assert_allclose(by_score.sum(axis=1), 0.0, atol=1e-12)


def test_the_bound_is_a_bound_and_exact_for_blocks_of_one():
    rng = np.random.default_rng(2)
    score = rng.normal(size=(50, 7))
    ranks = np.array([np.unique(r, return_inverse=True)[1] for r in rng.integers(3, size=(50, 7))])
    order, sizes, _ = partition(ranks + 1, np.ones(ranks.shape, dtype=bool))
    bound, _ = pl_lower_bound(score, order, sizes)
    exact, _ = partitioned(score, order, sizes, np.array([64.0]))
    several = sizes[:, 1] > 0
    # Equal where all but the last block are of one, up to rounding.
    assert several.any() and np.all(bound[several] <= exact[several] + 1e-12)
    assert np.any(bound[several] < exact[several] - 0.1)
    ranks = np.argsort(rng.normal(size=(50, 7)), axis=1) + 1
    order, sizes, _ = partition(ranks, ranks > 0)
    for by_bound, by_shares in zip(
        pl_lower_bound(score, order, sizes), shares(score, order, sizes), strict=True
    ):
        np.testing.assert_allclose(by_bound, by_shares, atol=1e-12)


def test_with_two_blocks_attention_is_the_bound_per_item():
    """As the paper says of labels: the two differ by a weight of each list and a constant."""
    ranks = np.array([[1, 1, 0, 0, 1], [0, 1, 0, 0, 0]])
    order, sizes, _ = partition(ranks, ranks >= 0)
    score = SCORE[:2, :5]
    above = np.array([[3.0], [1.0]])
    np.testing.assert_allclose(
        attention_rank(score, order, sizes)[1] * above,
        pl_lower_bound(score, order, sizes)[1],
        atol=1e-12,
    )


def drawn(rankings=60, items=12, seed=3):
    rng = np.random.default_rng(seed)
    utility = np.linspace(2.0, -2.0, items) + rng.gumbel(size=(rankings, items))
    entries = np.argsort(-utility, axis=1)
    ranks = np.tile(np.repeat([1, 2, 0], [3, 4, items - 7]), (rankings, 1))
    return br.Rankings(entries, ranks, list(range(items)))


def all_pairs(data):
    order, sizes, _ = partition(data.ranks, data.offered)
    wins = count_wins(data.entries, order, sizes, len(data.items))
    better, worse = np.nonzero(wins)
    return wins, better, worse, wins[better, worse].astype(float)


@pytest.mark.parametrize("use_hinge", [False, True])
def test_counted_pairs_are_the_pairs_of_the_rankings(use_hinge):
    data = drawn()
    wins, _, _, times = all_pairs(data)
    assert times.sum() == len(data) * (3 * 9 + 4 * 5)
    score = np.random.default_rng(4).normal(size=len(data.items))
    order, sizes, _ = partition(data.ranks, data.offered)
    value, by_slot = block_pairs(score[data.entries], order, sizes, use_hinge)
    counted, gradient = counted_pairs(score, wins, use_hinge)
    assert counted == pytest.approx(value.sum(), rel=1e-12)
    np.testing.assert_allclose(
        gradient, np.bincount(data.entries.ravel(), by_slot.ravel()), atol=1e-9
    )


def test_the_exact_likelihood_gives_the_mode_that_fit_gives():
    data = drawn()
    nodes = np.array([64.0])
    score = fit_item_scores(data, lambda s, o, z: partitioned(s, o, z, nodes), scale=2.0)
    fit = br.fit(data, "partitioned-plackett-luce", method="map", scale=2.0, progress=False)
    # Gradients of 1e-7 a ranking, where the curvature is at least the prior's 1/4 / 60.
    np.testing.assert_allclose(score, fit.scores()[0], atol=1e-4)
    assert np.ptp(score) > 2.0


def test_ranknet_is_the_logistic_fit_of_all_pairs():
    data = drawn()
    _, better, worse, times = all_pairs(data)
    score = fit_item_pairs(data, "logistic", scale=2.0)
    other = fit_pair_loss(better, worse, loss="logistic", penalty=0.25, weights=times)
    np.testing.assert_allclose(score, other, atol=1e-4)


def test_ranking_svm_all_but_reaches_the_least_loss():
    """L-BFGS stops at kinks, of which so few pairs have many: 0.12 % above the least loss here."""
    data = drawn()
    wins, better, worse, times = all_pairs(data)
    score = fit_item_pairs(data, "hinge", scale=2.0)
    other = fit_pair_loss(better, worse, loss="hinge", penalty=0.25, weights=times)

    def cost(x):
        return -counted_pairs(x, wins, True)[0] + 0.125 * x @ x

    assert cost(other) - 1e-6 <= cost(score) <= 1.003 * cost(other)
    assert cost(score) < 0.8 * cost(np.zeros(score.size))


def test_weights_count():
    data = drawn(rankings=10)
    twice = br.Rankings(
        np.repeat(data.entries, 2, axis=0), np.repeat(data.ranks, 2, axis=0), data.items
    )
    weighted = br.Rankings(data.entries, data.ranks, data.items, weights=np.full(10, 2.0))
    first, second = (fit_item_scores(d, pl_lower_bound, scale=1.0) for d in (twice, weighted))
    np.testing.assert_allclose(first, second, atol=1e-5)
    with pytest.raises(ValueError, match="weight 1"):
        fit_item_pairs(weighted)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"loss": "squared"}, '`loss` must be "logistic" or "hinge", got \'squared\''),
        ({"scale": 0.0}, "`scale` must be a positive number, got 0.0"),
        ({"tolerance": None}, "`tolerance` must be a positive number, got None"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        fit_item_pairs(drawn(rankings=5), **arguments)
