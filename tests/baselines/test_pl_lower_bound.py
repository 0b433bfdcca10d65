"""The lower bound of Plackett-Luce: a bound, and exact for blocks of one."""

import numpy as np

from bayesrank.baselines.pl_lower_bound import pl_lower_bound
from bayesrank.kernels import KERNELS
from bayesrank.kernels.partitions import partition

shares = KERNELS["shares"].function
partitioned = KERNELS["partitioned"].function


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
