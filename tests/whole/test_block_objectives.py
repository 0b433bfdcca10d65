"""Objectives of blocks against plain sums, and their gradients against differences."""

import itertools
import math

import numpy as np
import pytest

from bayesrank.baselines.attention_rank import attention_rank
from bayesrank.baselines.block_pairs import block_pairs
from bayesrank.baselines.pair_losses import pair_loss
from bayesrank.baselines.pl_lower_bound import pl_lower_bound
from bayesrank.kernels.partitions import partition
from tests.baselines.block_rankings import RANKS, SCORE


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
