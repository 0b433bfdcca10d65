"""Scores of items by the rivals of partitioned Plackett-Luce, against other solvers."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.baselines.block_pairs import counted_pairs
from bayesrank.baselines.item_scores import fit_item_pairs, fit_item_scores
from bayesrank.baselines.pair_losses import fit_pair_loss
from bayesrank.baselines.pl_lower_bound import pl_lower_bound
from bayesrank.kernels import KERNELS
from tests.baselines.block_rankings import all_pairs, drawn

partitioned = KERNELS["partitioned"].function


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
