"""Pairs across blocks: counted, and one by one."""

import numpy as np
import pytest

from bayesrank.baselines.block_pairs import block_pairs, counted_pairs
from bayesrank.kernels.partitions import partition
from tests.baselines.block_rankings import all_pairs, drawn


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
