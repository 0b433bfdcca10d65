"""A session: a truth, what was asked so far, and what is known by now."""

import numpy as np

import bayesrank as br
from bayesrank.calibration.designs import even_sets
from bayesrank.inference import fit_specification
from bayesrank.inference.mode import find_mode

__all__ = ["DRAWS", "SCALE", "Session", "truth_of"]

SCALE = 1.0  # of the prior, which all fits are given
DRAWS = 500  # of a fit that is asked what to ask next; more would choose a little better


def truth_of(kind, items, rng):
    """Return true scores, by items.

    Parameters
    ----------
    kind : str
        "prior" are drawn from the prior; "even" have equal distances, 4.75 from the first to the
        last; "leader" are equal but for one that is 1 above; "equal" are equal.
    items : int
    rng : Generator
    """
    if kind == "prior":
        return rng.normal(scale=SCALE, size=items)
    if kind == "even":
        return rng.permutation(np.linspace(-2.375, 2.375, items))
    score = np.zeros(items)
    score[rng.integers(items)] = 1.0 if kind == "leader" else 0.0
    return score


class Session:
    """What was asked and answered.

    Parameters
    ----------
    scores : ndarray
        The truth.
    likelihood : str
    size : int
        Items in each question.
    seed : list of int
        Of the answers; the first ones are the same whoever asks.

    Attributes
    ----------
    data : Comparisons or Rankings
        All answers so far.
    asked : int
        How many these are.
    memory : dict
        Of who asks.
    """

    def __init__(self, scores, likelihood, size, seed):
        self.rng = np.random.default_rng([*seed, 0])
        self.size, self.likelihood = size, likelihood
        items = [f"{k:03d}" for k in range(len(scores))]
        first = even_sets(len(scores), size, -(-2 * len(scores) // size), self.rng)
        labels = np.array(items)
        self.source = br.simulate(
            dict(zip(items, scores, strict=True)), likelihood, design=labels[first],
            seed=int(self.rng.integers(2**32)),
        )  # fmt: skip
        self.items, self.true = labels, self.source.scores.to_numpy()
        self.memory = {}
        self.data = self.source.data
        self.asked = len(first)
        self._found = None

    def ask(self, sets):
        """Ask about sets of items, given by their positions, one row each."""
        seed = int(self.rng.integers(2**32))
        self.data = self.data + self.source.answers(self.items[sets], seed=seed)
        self.asked += len(sets)
        self._found = None

    @property
    def model(self):
        """The model of all answers so far."""
        return br.Specification(self.data, self.likelihood, scale=SCALE)

    def fit(self):
        """Return a fit with draws."""
        seed = int(self.rng.integers(2**32))
        return fit_specification(self.model, "laplace", draws=DRAWS // 4, seed=seed)

    @property
    def estimate(self):
        """The mean of the normal approximation: estimated scores, without the noise of draws."""
        if self._found is None:
            model = self.model
            mode, _ = find_mode(model, jacobian=True)
            self._found = model.constrain(mode)["score"]
        return self._found

    def wins(self):
        """Return how often each item won against each other; of rankings, between neighbours."""
        data, n = self.data, len(self.items)
        wins = np.zeros((n, n))
        if data.row == "pair":
            for won, side in (((data.left, data.right), 0), ((data.right, data.left), 1)):
                np.add.at(wins, won, data.counts[:, side] + 0.5 * data.counts[:, 2])
            return wins
        entries, ranks = data.entries, data.ranks
        for above, below, first, second in zip(
            entries.T[:-1], entries.T[1:], ranks.T[:-1], ranks.T[1:], strict=True
        ):
            there = below >= 0
            tied = np.where(first == second, 0.5, 1.0)[there]
            np.add.at(wins, (above[there], below[there]), tied)
            np.add.at(wins, (below[there], above[there]), 1.0 - tied)
        return wins

    def measures(self):
        """Return the share of pairs in the wrong order, whether the best is found, and the error.

        Pairs of equals have no wrong order, and where several are best there is none to be found.
        """
        left, right = np.triu_indices(len(self.true), 1)
        true = np.sign(self.true[left] - self.true[right])
        found = np.sign(self.estimate[left] - self.estimate[right])
        differ = true != 0
        distance = np.abs(found - true)[differ].mean() / 2 if differ.any() else np.nan
        best = np.flatnonzero(self.true == self.true.max())
        hit = float(np.argmax(self.estimate) == best[0]) if len(best) == 1 else np.nan
        return distance, hit, np.sqrt(np.mean((self.estimate - self.true) ** 2))
