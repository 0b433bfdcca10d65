"""The geometric potential against all subsets, and with more items than are remembered."""

from itertools import combinations

import numpy as np
import pytest

from bayesrank.kernels import KERNELS
from bayesrank.kernels.partitions import partition

geometric = KERNELS["geometric"].function


@pytest.mark.parametrize("n", [2, 7, 12])
@pytest.mark.parametrize("spread", [1.0, 30.0])
def test_geometric_normaliser_matches_all_subsets(n, spread):
    """One block of everything: log P is its mean less the sum over all 2^n - 1 subsets."""
    score = np.random.default_rng(n).uniform(-spread, spread, size=n)
    means = [score[list(s)].mean() for m in range(1, n + 1) for s in combinations(range(n), m)]
    expected = score.mean() - np.logaddexp.reduce(means)
    order, sizes, _ = partition(np.ones((1, n), dtype=np.int64), np.ones((1, n), dtype=bool))
    value = geometric(score[None], np.ones((1, 1)), order, sizes, np.ones(1))[0][0]
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_geometric_remembers_or_repeats_with_the_same_result():
    """Beyond 126 items the sweeps are repeated: compare derivatives with differences there."""
    n = 150
    rng = np.random.default_rng(5)
    score, ranks = rng.normal(size=(1, n)), rng.integers(1, 6, size=(1, n))
    order, sizes, possible = partition(ranks, np.ones(ranks.shape, dtype=bool))
    assert possible.all()

    def evaluate(x):
        return geometric(x, np.full((1, 1), 0.8), order, sizes, np.ones(1))

    gradient = evaluate(score)[1][0]
    assert gradient.sum() == pytest.approx(0.0, abs=1e-12)
    for k in (0, 77, 149):
        step = np.zeros((1, n))
        step[0, k] = 1e-5
        slope = (evaluate(score + step)[0][0] - evaluate(score - step)[0][0]) / 2e-5
        assert gradient[k] == pytest.approx(slope, rel=1e-6, abs=1e-7)
