"""Gradients whose cost is measured: they are differences."""

import numpy as np
import pytest

from models.ordered_partitions import gradient_cost


def test_gradients_by_the_scores_are_differences():
    rng = np.random.default_rng(2)
    ranks = gradient_cost.graded([4, 6, 3], rng)
    assert ranks.shape == (3, 6) and np.all((ranks >= 0).sum(axis=1) == [4, 6, 3])
    score = rng.normal(size=ranks.shape)
    for name, gradient in gradient_cost.gradients(ranks).items():
        if "Gibbs" in name:
            continue  # whose gradient is sampled

        def value(moved, gradient=gradient):
            return np.sum(gradient(moved)[0])

        by_score = gradient(score)[1].reshape(ranks.shape)
        for place in ((0, 1), (1, 5), (2, 0), (2, 5)):
            step = np.zeros(ranks.shape)
            step[place] = 1e-6
            slow = (value(score + step) - value(score - step)) / 2e-6
            assert by_score[place] == pytest.approx(slow, abs=1e-6), name
