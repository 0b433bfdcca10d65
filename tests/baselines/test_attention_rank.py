"""Attention over blocks, beside the lower bound."""

import numpy as np

from bayesrank.baselines.attention_rank import attention_rank
from bayesrank.baselines.pl_lower_bound import pl_lower_bound
from bayesrank.kernels.partitions import partition
from tests.baselines.block_rankings import SCORE


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
