"""A network of two layers that scores labels, trained with the gradient of any ranking loss.

A loss is a function of arrays, ``objective(score, order, sizes)``, as in `models.score_gradients`.
It returns one value per row and the derivative by each score. The network does the rest.
"""

import copy

import numpy as np

from models.study import one_blas_thread

__all__ = ["LabelNetwork", "first_hits", "train"]


class LabelNetwork:
    """Scores = relu(x A + a) B + b, with Adam's running moments for each array."""

    def __init__(self, features, hidden, labels, rng):
        # He's spread for what goes into a ReLU, Glorot's for what comes out.
        self.arrays = [
            rng.normal(scale=np.sqrt(2.0 / features), size=(features, hidden)),
            np.zeros(hidden),
            rng.normal(scale=np.sqrt(2.0 / (hidden + labels)), size=(hidden, labels)),
            np.zeros(labels),
        ]
        self.moments = [(np.zeros_like(a), np.zeros_like(a)) for a in self.arrays]
        self.steps = 0

    def score(self, x):
        """Return the scores of all labels, rows by labels."""
        return self._hidden(x) @ self.arrays[2] + self.arrays[3]

    def _hidden(self, x):
        return np.maximum(x @ self.arrays[0] + self.arrays[1], 0.0)

    def gradients(self, x, by_score):
        """Return the derivatives by each array, given those by the scores."""
        hidden = self._hidden(x)
        by_hidden = (by_score @ self.arrays[2].T) * (hidden > 0.0)
        return [x.T @ by_hidden, by_hidden.sum(axis=0), hidden.T @ by_score, by_score.sum(axis=0)]

    def climb(self, gradients, rate):
        """Take one step of Adam upwards, with its usual constants."""
        self.steps += 1
        for array, (mean, square), slope in zip(
            self.arrays, self.moments, gradients, strict=True
        ):  # fmt: skip
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            unbiased = mean / (1.0 - 0.9**self.steps)
            spread = np.sqrt(square / (1.0 - 0.999**self.steps)) + 1e-8
            array += rate * unbiased / spread


def first_hits(score, labels, k=5):
    """Return the share of true labels among the k highest scores, over all rows."""
    first = np.argpartition(-score, k, axis=1)[:, :k]
    return float(np.take_along_axis(labels, first, axis=1).mean())


def partition(labels):
    """Return the order of the slots and the sizes of the blocks: true labels are above the rest.

    Every row has a true label. The other labels are unranked below.
    """
    order = np.argsort(~labels, axis=1, kind="stable")
    sizes = np.zeros(labels.shape, dtype=np.int64)
    sizes[:, 0] = labels.sum(axis=1)
    sizes[:, 1] = sizes[:, 0] - labels.shape[1]
    return order, sizes


def train(objective, train_set, valid_set, rate, rng, *, hidden=256, batch=128, epochs=60,
          patience=4, advance=lambda: None):  # fmt: skip
    """Return a network, its share of hits in the validation set, and the epochs it took.

    Parameters
    ----------
    objective : callable
        ``objective(score, order, sizes)``, to be maximised.
    train_set, valid_set : (ndarray, ndarray)
        Features, and which labels are true, rows by labels.
    rate : float
        Adam's learning rate.
    rng : numpy Generator
    hidden, batch, epochs : int
    patience : int
        Number of epochs without a better validation value after which to stop. The best network is
        returned.
    advance : callable
        Called once per epoch.
    """
    x, labels = train_set
    # A row without a true label says nothing about their order.
    x, labels = x[labels.any(axis=1)], labels[labels.any(axis=1)]
    network = LabelNetwork(x.shape[1], hidden, labels.shape[1], rng)
    best, kept, waited = -np.inf, None, 0
    # Products of 128 rows are too small for several threads.
    with one_blas_thread():
        for epoch in range(1, epochs + 1):
            rows = rng.permutation(len(x))
            for start in range(0, len(rows), batch):
                chosen = rows[start : start + batch]
                _, by_score = objective(network.score(x[chosen]), *partition(labels[chosen]))
                network.climb(network.gradients(x[chosen], by_score / len(chosen)), rate)
            advance()
            value = first_hits(network.score(valid_set[0]), valid_set[1])
            if value > best:
                best, kept, waited = value, copy.deepcopy(network), 0
            else:
                waited += 1
            if waited == patience or epoch == epochs:
                break
    return kept, best, epoch
