"""A network for labels: its gradient, and the best one is kept."""

import numpy as np
import pytest

from bayesrank.kernels.partitions import partition
from models import partitioned_preference as study
from models.partitioned_preference.label_network import LabelNetwork, train


def test_the_network_s_gradient_is_a_difference():
    rng = np.random.default_rng(4)
    network = LabelNetwork(5, 6, 8, rng)
    x, labels = rng.random((4, 5)), rng.random((4, 8)) < 0.3
    ranks = labels.astype(np.int64)
    order, sizes, _ = partition(ranks, np.ones(ranks.shape, dtype=bool))

    def value():
        return study.OBJECTIVES["PL-Partition"](network.score(x), order, sizes)[0].sum()

    _, by_score = study.OBJECTIVES["PL-Partition"](network.score(x), order, sizes)
    gradients = network.gradients(x, by_score)
    for array, gradient in zip(network.arrays, gradients, strict=True):
        place = np.unravel_index(np.argmax(np.abs(gradient)), array.shape)
        kept = array[place]
        array[place] = kept + 1e-5
        ahead = value()
        array[place] = kept - 1e-5
        behind = value()
        array[place] = kept
        # The 32 nodes move with the scores, which the derivative leaves out: 6e-8 here.
        assert gradient[place] == pytest.approx((ahead - behind) / 2e-5, rel=1e-6)


def test_the_best_network_is_kept():
    sets = study.simulated_labels(np.random.default_rng(1), pages=(300, 100), labels=40)
    objective = study.OBJECTIVES["PL-LB"]
    short = train(objective, *sets, 1e-2, np.random.default_rng(0), hidden=16, epochs=2)
    long = train(objective, *sets, 1e-2, np.random.default_rng(0), hidden=16, epochs=30)
    assert long[1] >= short[1] and short[2] == 2
    assert study.label_measures(long[0].score(sets[1][0]), sets[1][1], np.ones(40))["P"][2] == (
        pytest.approx(100 * long[1])
    )
