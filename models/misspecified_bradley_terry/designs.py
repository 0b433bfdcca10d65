"""Rankings of documents with features: the designs, the model in PyMC and simulated data."""

from typing import NamedTuple

import numpy as np

import bayesrank as br

__all__ = ["BETA", "DESIGNS", "FEATURES", "Design", "all_pairs", "model", "simulate"]

BETA = np.array([1.0, 0.5, -1.0])
FEATURES = ["x1", "x2", "x3"]


class Design(NamedTuple):
    """How many documents are ranked, the variance of their features and that of their noise."""

    documents: int
    features: float
    noise: float


DESIGNS = {
    "rankings of 4, noise variance 1/2": Design(4, 1.0, 0.5),
    "rankings of 4, noise variance 1": Design(4, 1.0, 1.0),
    # The difference of two such documents: features N(0, I), noise N(0, 1).
    "single pairs": Design(2, 0.5, 0.5),
}


def model(x, likelihood, noise=0.5):
    """Return the model in PyMC, for features of rankings by documents, the best first.

    "bradley-terry" takes all pairs of a ranking for separate results; "thurstone" takes the whole
    ranking.
    """
    distribution = {"bradley-terry": br.BradleyTerry, "thurstone": br.Thurstone}[likelihood]
    import pymc as pm  # after our own distributions, which import it without its notices

    n, documents, _ = x.shape
    with pm.Model(coords={"feature": FEATURES}) as made:
        beta = pm.Normal("beta", 0.0, 10.0, dims="feature")
        score = pm.math.dot(x.reshape(n * documents, -1), beta)
        if likelihood == "bradley-terry":
            better, worse = all_pairs(x)
            won = np.tile([1, 0, 0], (better.size, 1))
            distribution("pairs", score[better], score[worse], observed=won)
        else:
            ranks = np.tile(np.arange(1, documents + 1), (n, 1))
            score = score.reshape((n, documents))
            distribution("ranks", score, scale=np.sqrt(noise), observed=ranks)
    return made


def simulate(design, n, rng):
    """Return the features of n rankings, the best document first."""
    x = rng.normal(scale=np.sqrt(design.features), size=(n, design.documents, BETA.size))
    seen = x @ BETA + rng.normal(scale=np.sqrt(design.noise), size=x.shape[:2])
    return np.take_along_axis(x, np.argsort(-seen, axis=1)[:, :, None], axis=1)


def all_pairs(x):
    """Return the rows of the better and of the worse document of each pair of each ranking."""
    n, documents, _ = x.shape
    j, k = np.triu_indices(documents, 1)
    first = documents * np.arange(n)[:, None]
    return (first + j).ravel(), (first + k).ravel()
