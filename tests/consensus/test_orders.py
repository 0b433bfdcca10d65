"""The consensus under each loss against all orders, and losses against plain loops."""

import itertools

import numpy as np
import pytest

from bayesrank import consensus
from tests.consensus.posteriors import KINDS, POSTERIORS, posterior

# Means over draws of small sums, in another order of adding up.
PRECISION = 1e-10


def loss_of(order, scores, ranks, loss):
    """Return what an order loses against one draw."""
    n = len(order)
    place = {item: k for k, item in enumerate(order, start=1)}
    if loss == "kendall":
        pairs = itertools.combinations(range(n), 2)
        return sum((place[i] < place[j]) != (ranks[i] < ranks[j]) for i, j in pairs)
    if loss == "spearman":
        return sum((place[i] - ranks[i]) ** 2 for i in range(n))
    if loss == "footrule":
        return sum(abs(place[i] - ranks[i]) for i in range(n))
    if loss == "zero_one":
        return float(any(place[i] != ranks[i] for i in range(n)))
    worth = [np.exp(score - max(scores)) for score in scores]
    gained = sum(worth[item] / np.log2(1 + place[item]) for item in range(n))
    best = sum(w / np.log2(1 + k) for k, w in enumerate(sorted(worth, reverse=True), start=1))
    return 1 - gained / best


def brute(scores, order, loss):
    ranks = consensus.rank_draws(scores)
    pairs = zip(scores, ranks, strict=True)
    return np.mean([loss_of(order, draw, rank, loss) for draw, rank in pairs])


def all_losses(scores, loss):
    """Return the expected loss of every order, a draw's rank vector at a time."""
    n = scores.shape[1]
    orders = np.array(list(itertools.permutations(range(n))))
    if loss == "ndcg":
        return [brute(scores, order, loss) for order in orders]
    place = np.argsort(orders, axis=1) + 1
    total = np.zeros(len(orders))
    for rank in consensus.rank_draws(scores):
        if loss == "kendall":
            for i, j in itertools.combinations(range(n), 2):
                total += (place[:, i] < place[:, j]) != (rank[i] < rank[j])
        else:
            difference = np.abs(place - rank)
            total += {
                "spearman": (difference**2).sum(axis=1),
                "footrule": difference.sum(axis=1),
                "zero_one": difference.any(axis=1),
            }[loss]
    return total / len(scores)


@pytest.mark.parametrize("loss", consensus.LOSSES)
@pytest.mark.parametrize(("kind", "seed"), POSTERIORS[::2])
def test_expected_losses_by_plain_loops(kind, seed, loss):
    scores = posterior(kind, seed)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        order = rng.permutation(scores.shape[1])
        expected = brute(scores, order, loss)
        assert consensus.expected_loss(scores, order, loss) == pytest.approx(
            expected, abs=PRECISION
        )


@pytest.mark.parametrize("loss", consensus.LOSSES)
@pytest.mark.parametrize(("kind", "seed"), POSTERIORS)
def test_no_order_loses_less(kind, seed, loss):
    scores = posterior(kind, seed)
    found = consensus.best_order(scores, loss)
    assert sorted(found.order) == list(range(scores.shape[1]))
    assert found.expected_loss == pytest.approx(min(all_losses(scores, loss)), abs=PRECISION)
    again = consensus.expected_loss(scores, found.order, loss)
    assert found.expected_loss == pytest.approx(again, abs=PRECISION)
    assert found.loss == loss
    assert found.optimal and found.bound == found.expected_loss and found.gap == 0.0


@pytest.mark.parametrize("loss", consensus.LOSSES)
@pytest.mark.parametrize("kind", ["correlated", "cycles", "ties"])
def test_no_order_of_six_loses_less(kind, loss):
    scores = posterior(kind, 20, draws=[40, 10][loss == "ndcg"], n=6, spread=0.3)
    found = consensus.best_order(scores, loss)
    assert found.expected_loss == pytest.approx(min(all_losses(scores, loss)), abs=PRECISION)


@pytest.mark.parametrize("loss", consensus.LOSSES)
@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_nothing_is_lost_where_nothing_is_in_doubt(loss, scale):
    scores = scale * np.tile([0.3, -1.0, 2.0, 0.1, -2000.0, -1000.0], (20, 1))
    found = consensus.best_order(scores, loss)
    assert found.order == [2, 0, 3, 1, 5, 4]
    assert found.expected_loss == 0.0


@pytest.mark.parametrize("loss", consensus.LOSSES)
def test_order_of_columns_and_constant_do_not_matter(loss):
    scores = posterior("independent", 5, draws=200, n=5, spread=0.5)
    scores /= scores.std()
    turn = np.array([3, 0, 4, 1, 2])
    found, turned = (consensus.best_order(s, loss) for s in (scores, 1e3 + scores[:, turn]))
    assert turned.expected_loss == pytest.approx(found.expected_loss, abs=PRECISION)
    order = consensus.expected_loss(scores, turn[turned.order], loss)
    assert order == pytest.approx(found.expected_loss, abs=PRECISION)


def test_zero_one_says_when_no_order_is_likeliest():
    scores = np.array([[3.0, 2, 1], [3, 2, 1], [1, 2, 3], [2, 3, 1]])
    found = consensus.best_order(scores, "zero_one")
    assert found.order == [0, 1, 2] and found.expected_loss == 0.5
    assert found.proof.startswith("Proven")
    found = consensus.best_order(scores[1:], "zero_one")
    # All three once; mean ranks are 2, 5/3 and 7/3, and (2, 1, 3) is the nearest.
    assert found.order == [1, 0, 2] and found.expected_loss == pytest.approx(2 / 3)
    assert "equally frequent" in found.proof


@pytest.mark.parametrize("kind", KINDS)
def test_text_of_a_consensus(kind):
    found = consensus.best_order(posterior(kind, 3, n=6), "kendall")
    first = ", ".join(map(str, found.order[:5]))
    assert str(found).startswith(f"kendall consensus: {first}, ... (6 items)")
    assert found.proof in str(found)


@pytest.mark.parametrize("loss", ["brier", None, 3, ["kendall"], "Kendall", np.array(["a", "b"])])
def test_unknown_loss_lists_the_known(loss):
    scores = posterior("independent", 0)
    for call in (
        lambda: consensus.best_order(scores, loss),
        lambda: consensus.expected_loss(scores, [0, 1], loss),
    ):
        with pytest.raises(ValueError, match="`loss` must be one of") as error:
            call()
        assert all(f'"{name}"' in str(error.value) for name in consensus.LOSSES)
