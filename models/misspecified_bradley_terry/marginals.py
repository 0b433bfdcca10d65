"""Figure 4.1: probabilities of pairs of nine items without features."""

import numpy as np
from scipy import special

import bayesrank as br
from bayesrank.baselines import fit_pair_loss

__all__ = ["WORTHS", "marginal_probabilities"]

WORTHS = np.array([10.0, 8.0, 6.0, 4.9, 4.6, 4.3, 1.2, 1.1, 1.0])  # the nine items


def marginal_probabilities(n, seed=0):
    """Return the probabilities of each pair of nine items: true, and as three models fit them."""
    score = np.log(WORTHS)
    rng = np.random.default_rng([seed, 3])
    seen = score + rng.normal(scale=np.sqrt(0.5), size=(n, score.size))
    left, right = np.triu_indices(score.size, 1)
    wins = (seen[:, left] > seen[:, right]).sum(axis=0)
    counts = np.stack([wins, n - wins, np.zeros_like(wins)], axis=1)
    games = br.Comparisons(left, right, counts, list(range(score.size)))
    order = np.argsort(-seen, axis=1)
    ranks = np.tile(np.arange(1, score.size + 1), (n, 1))
    rankings = br.Rankings(order, ranks, list(range(score.size)))
    true = special.ndtr(score[left] - score[right])
    result = {"true": true}
    for likelihood in ("bradley-terry", "thurstone-pairs", "thurstone"):
        data = rankings if likelihood == "thurstone" else games
        fit = br.fit(data, likelihood, method="map", scale=np.inf, progress=False)
        fitted = fit.ranking()["score"].sort_index().to_numpy()
        d = fitted[left] - fitted[right]
        if likelihood == "thurstone":
            d = d / np.sqrt(2.0)  # its noise has variance 1
        result[likelihood] = special.expit(d) if likelihood == "bradley-terry" else special.ndtr(d)
    both = np.concatenate([left, right]), np.concatenate([right, left])
    fitted = fit_pair_loss(*both, weights=np.concatenate([true, 1.0 - true]))
    result["bradley-terry, limit"] = special.expit(fitted[left] - fitted[right])
    return result
