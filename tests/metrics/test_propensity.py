"""Propensities by hand, and the metrics that divide by them."""

import numpy as np
import pytest

from bayesrank.metrics import propensities, propensity_ndcg, propensity_precision

PROPENSITY = np.array([0.9, 0.2, 0.5, 0.5, 0.1, 0.3])


def test_propensities_by_hand():
    """Jain and others (2016): one over 1 + C exp(-A log(N_l + B))."""
    counts = np.array([0, 3, 40])
    constant = (np.log(50) - 1) * 2.5**0.55
    expected = 1 / (1 + constant * np.exp(-0.55 * np.log(counts + 1.5)))
    np.testing.assert_allclose(propensities(counts, 50), expected)
    with pytest.raises(ValueError, match="`counts` must be between 0 and the 30 `instances`"):
        propensities(counts, 30)
    with pytest.raises(ValueError, match="`instances` must be at least 3, got 2"):
        propensities([1], 2)


@pytest.mark.parametrize("discounted", [False, True])
def test_propensity_scores_are_a_ratio_of_means(discounted):
    rng = np.random.default_rng(8)
    score = rng.normal(size=(9, 6))
    relevance = rng.integers(0, 2, size=(9, 6))
    relevance[0] = 0
    metric = propensity_ndcg if discounted else propensity_precision
    value = metric(score, relevance, PROPENSITY, k=[1, 3, 6])
    for column, k in enumerate([1, 3, 6]):
        reached, best = [], []
        for scores, labels in zip(score, relevance, strict=True):
            discount = 1 / np.log2(np.arange(2, k + 2)) if discounted else np.ones(k)
            gain = labels / PROPENSITY
            scale = discount[: labels.sum()].sum() if discounted else k
            scale = scale or 1.0
            reached.append((gain[np.argsort(-scores)][:k] * discount).sum() / scale)
            best.append((np.sort(gain)[::-1][:k] * discount).sum() / scale)
        np.testing.assert_allclose(value[:, column].mean(), np.mean(reached) / np.mean(best))
    # The best order has the value 1, and equal propensities cancel.
    gain = relevance / PROPENSITY
    perfect = metric(gain, relevance, PROPENSITY, k=[1, 3, 6]).mean(axis=0)
    np.testing.assert_allclose(perfect, 1)
    flat = metric(score, relevance, 0.3, k=4)
    np.testing.assert_allclose(flat, metric(score, relevance, 1.0, k=4))


def test_propensities_must_be_probabilities():
    with pytest.raises(ValueError, match="`propensity` must be above 0 and at most 1, got 0 to"):
        propensity_precision([1.0, 2.0], [0, 1], [0.0, 0.5])
    with pytest.raises(ValueError, match="`propensity` must be one for each document or column"):
        propensity_precision([1.0, 2.0], [0, 1], [0.1, 0.2, 0.5])
    with pytest.raises(ValueError, match="`relevance` has no relevant document"):
        propensity_ndcg([1.0, 2.0], [0, 0], [0.2, 0.5])
