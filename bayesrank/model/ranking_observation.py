"""Rankings under a ranking likelihood."""

from copy import copy
from functools import cached_property

import numpy as np

from bayesrank.kernels.partitions import partition
from bayesrank.model.features import slot_features
from bayesrank.model.parameters import Probability, Real
from bayesrank.model.tie_parameters import with_complement
from bayesrank.text import listing, models

__all__ = ["RankingObservation"]


class RankingObservation:
    """Rankings, their likelihood, and the parameters that only these have.

    The score of a slot is its item's score, plus what the slot's own features say. Where tie
    prevalences are learned there is one for each block size that occurs, as a function of
    p, the probability that as many equal items all tie rather than one of them being best
    (delta = m p / (1 - p)); sizes that never occur are taken to be impossible.

    Parameters
    ----------
    data : Rankings
    likelihood : str
    family : RankingLikelihood
    features : (ndarray, list of str), optional
        What is known of each entry, rankings by slots by columns, and the columns' names.
    flat : bool
        Whether priors are flat.
    """

    name = "ranks"
    row = "ranking"
    dims = ("ranking", "slot")
    curvature = None  # steps of one size suit all free numbers
    nearly_normal = True  # the posterior given the prior scale, so that one can average over it

    def __init__(self, data, likelihood, family, *, features=None, flat=False):
        self.data, self.likelihood, self.family, self.flat = data, likelihood, family, flat
        self.order, self.sizes, _ = partition(data.ranks, data.offered)
        self._observed_ties = None
        self.entry_features, self.slot_columns, self.spread = slot_features(features, data)
        self.slot_feature_names = None
        if features is not None:
            self.slot_feature_names = [features[1][k] for k in self.slot_columns]
        self._check()

    def _check(self):
        tied = (self.sizes > 1).any(axis=1)
        if tied.any() and self.family.ties == "none":
            names = listing([self.data.names[row] for row in np.flatnonzero(tied)])
            raise ValueError(
                f"Ties are in {tied.sum():,} of the rankings ({names}), but "
                f'"{self.likelihood}" has none. '
                f"Use {models('davidson-luce')} for ties as results, or "
                f"{models('partitioned-plackett-luce')} where the order is only unknown."
            )
        if np.all(self.sizes[:, 1:] == 0):
            raise ValueError("Every ranking is one big tie: the data do not say who is better.")

    @property
    def features(self):
        """What is known of each entry, in its slot: rankings by slots by columns, or None."""
        if self.entry_features is None:
            return None
        padded = np.zeros((*self.data.offered.shape, self.entry_features.shape[1]))
        padded[self.data.offered] = self.entry_features
        return padded

    @cached_property
    def _filled(self):
        """Positions of the slots that hold an entry, all rankings laid end to end."""
        return np.flatnonzero(self.data.offered)

    @cached_property
    def concave(self):
        """Whether the log-likelihood is concave in the scores: with sums of worths it is not."""
        return not (self.family.kernel == "shares" and bool((self.sizes > 1).any()))

    @property
    def settled(self):
        """Whether existence of the maximum has an exact condition."""
        return self.concave and self.family.ties != "learned"

    @cached_property
    def tie_sizes(self):
        """Block sizes that have a tie prevalence of their own."""
        if self.family.ties != "learned":
            return np.empty(0, dtype=np.int64)
        return np.unique(self.sizes[self.sizes > 1])

    @property
    def parameters(self):
        """The free parameters besides the scores."""
        parameters = []
        if self.entry_features is not None:
            sigma = np.full(len(self.spread), np.inf if self.flat else 1.0)
            parameters.append(Real("beta_standardized", sigma, dims="feature"))
        if self.tie_sizes.size:
            parameters.append(Probability("tie_rate", self.tie_sizes.size, dims="tie_size"))
        return parameters

    @property
    def names(self):
        """What a user calls them, derived ones first."""
        names = [] if self.entry_features is None else ["beta"]
        return names + (["tie", "tie_rate"] if self.tie_sizes.size else [])

    @property
    def coords(self):
        """Coordinates of the observed variable and the parameters."""
        coords = self.data.coords
        coords.pop("feature", None)
        if self.entry_features is not None:
            coords["feature"] = self.slot_feature_names
        if self.tie_sizes.size:
            coords["tie_size"] = self.tie_sizes.tolist()
        return coords

    @property
    def observed(self):
        """The observed values."""
        return self.data.ranks

    @property
    def mean_weight(self):
        """Weight of an average ranking."""
        return float(self.data.weights.mean())

    @property
    def information(self):
        """Number of outcomes, by which gradients are judged."""
        return float(self.data.weights @ (self.data.offered.sum(axis=1) - 1.0))

    # The face for PyMC ------------------------------------------------------------------------

    def observe(self, score, made):
        """Add the observed variable to the model of the context."""
        import pymc as pm
        import pytensor.tensor as pt

        from bayesrank import distributions

        slots = 0.0 if score is None else score[self.data.entries]
        if self.entry_features is not None:
            unit = made["beta_standardized"]
            pm.Deterministic("beta", unit / self.spread, dims="feature")
            by_features = pt.dot(self.entry_features, unit)
            known = pt.zeros(self.data.offered.size)[self._filled].set(by_features)
            slots = slots + known.reshape(self.data.offered.shape)
        options = dict(self.family.options)
        if self.family.ties == "learned":
            options["tie"] = np.zeros(1)
            if self.tie_sizes.size:
                p, q = with_complement(made["tie_rate"], pt)
                tie = pm.Deterministic("tie", self.tie_sizes * p / q, dims="tie_size")
                options["tie"] = pt.zeros(self.tie_sizes[-1] - 1)[self.tie_sizes - 2].set(tie)
        distribution = getattr(distributions, self.family.distribution)
        distribution(
            self.name, slots, self.data.offered, **options, weight=self.data.weights,
            observed=self.observed, dims=self.dims,
        )  # fmt: skip

    # The face without PyMC --------------------------------------------------------------------

    def derive(self, values):
        """Return the quantities that follow from the free parameters."""
        derived = {}
        if self.entry_features is not None:
            derived["beta"] = values["beta_standardized"] / self.spread
        if "tie_rate" in values:
            p, q = with_complement(values["tie_rate"])
            derived["tie"] = self.tie_sizes * p / q
        return derived

    def _tie(self, values):
        """Return the kernel's tie prevalences as a list of one array, or none."""
        if self.family.ties in ("none", "unseen"):
            return []
        if self.family.ties == "fixed":
            return [np.full((1, 1), self.family.tie)]
        tie = np.zeros((1, self.tie_sizes[-1] - 1 if self.tie_sizes.size else 1))
        if self.tie_sizes.size:
            p, q = with_complement(values["tie_rate"])
            tie[0, self.tie_sizes - 2] = self.tie_sizes * p / q
        return [tie]

    def _slot_scores(self, values):
        slots = np.zeros(self.data.entries.shape)
        if "score" in values:
            slots = values["score"][self.data.entries]
        if self.entry_features is not None:
            unit = values.get("beta_standardized")
            unit = values["beta"] * self.spread if unit is None else unit
            slots = slots.ravel()  # of an array that was made here
            slots[self._filled] += self.entry_features @ unit
            slots = slots.reshape(self.data.entries.shape)
        return slots

    def _rows(self, values, slots, order, sizes):
        """Return the kernel's output: logp and partials per ranking, without weights."""
        from bayesrank.kernels import KERNELS

        kernel = KERNELS[self.family.kernel].function
        if self.family.kernel != "shares":
            return kernel(slots, *self._tie(values), order, sizes, *self.family.structure)
        logp, by_slot = kernel(slots, order, sizes)
        if self.family.ties == "fixed":
            logp = logp + self._fixed_ties(sizes)
        return logp, by_slot

    def _fixed_ties(self, sizes):
        """Return what given tie prevalences contribute, which is a constant of the data."""
        from bayesrank.kernels import KERNELS

        if sizes is not self.sizes:
            tie = np.full((len(sizes), 1), self.family.tie)
            return KERNELS["prevalences"].function(tie, sizes, *self.family.structure)[0]
        if self._observed_ties is None:
            self._observed_ties = self._fixed_ties(sizes.copy())
        return self._observed_ties

    def log_likelihood(self, values):
        """Return the log-likelihood of each row at given parameter values."""
        logp = self._rows(values, self._slot_scores(values), self.order, self.sizes)[0]
        return logp * self.data.weights

    single_units = ("ranking",)

    @property
    def singles(self):
        """Labels of the rankings, and how often each was seen."""
        import pandas as pd

        names = pd.Index(self.data.names, name="ranking", tupleize_cols=False)
        return names, np.asarray(self.data.weights, dtype=float)

    def single_log_likelihood(self, values):
        """Return the log-probability of each ranking, seen once."""
        return self._rows(values, self._slot_scores(values), self.order, self.sizes)[0]

    def value_and_gradients(self, values):
        """Return the log-likelihood and its derivatives by the scores and the parameters."""
        data = self.data
        rows = self._rows(values, self._slot_scores(values), self.order, self.sizes)
        by_slot = rows[1] * data.weights[:, None]
        gradients = {}
        if "score" in values:
            # Padded slots point at the last item, with derivative zero.
            gradients["score"] = np.bincount(
                self._positions, by_slot.ravel(), minlength=len(data.items)
            )
        if self.entry_features is not None:
            by_entry = by_slot.ravel()[self._filled]
            gradients["beta_standardized"] = by_entry @ self.entry_features
        if "tie_rate" in values:
            _, q = with_complement(values["tie_rate"])
            by_tie = data.weights @ rows[2]
            gradients["tie_rate"] = by_tie[self.tie_sizes - 2] * self.tie_sizes / (q * q)
        return float(rows[0] @ data.weights), gradients

    def native(self, where):
        """Return what `bayesrank.kernels.native` needs, or None; see `PairObservation.native`."""
        if self.family.kernel != "shares" or self.entry_features is not None:
            return None
        weights = np.asarray(self.data.weights, dtype=float)
        fixed = self._fixed_ties(self.sizes) @ weights if self.family.ties == "fixed" else 0.0
        before = [self._positions.reshape(self.order.shape), self.order, self.sizes]
        return "rankings", [], before, [np.array([fixed]), weights]

    @cached_property
    def _positions(self):
        return np.where(self.data.offered, self.data.entries, len(self.data.items) - 1).ravel()

    def pair_probability(self, values, outcome, left, right, *, neutral=False):
        """Return the probability of an outcome (0 win, 1 loss, 2 tie) for pairs of positions."""
        ties = self.family.ties in ("learned", "fixed")
        if outcome == 2 and not ties:
            return np.zeros(len(left))
        score = values["score"]
        slots = np.stack([score[left], score[right]], axis=1)
        ranks = np.tile([(1, 2), (2, 1), (1, 1)][outcome], (len(left), 1))
        order, sizes, _ = partition(ranks, np.ones(ranks.shape, dtype=bool))
        with np.errstate(divide="ignore"):
            return np.exp(self._rows(values, slots, order, sizes)[0])

    def with_data(self, data):
        """Return the model of other ranks of the same entries, whatever these are.

        Block sizes that were possible stay possible, also if they do not occur any more.
        """
        other = copy(self)
        other.tie_sizes = self.tie_sizes
        other.__dict__.pop("concave", None)
        other.data, other._observed_ties = data, None
        other.order, other.sizes, _ = partition(data.ranks, data.offered)
        return other

    def draw(self, values, rng):
        """Return new observations, one set.

        Where the order in a block was not seen, blocks are as large as the observed ones, and the
        unranked stay unranked; models of ties draw their own blocks, for all that was offered.
        """
        return self.draw_slots(
            values, self._slot_scores(values), self.data.offered, rng, self.sizes
        )

    def draw_slots(self, values, slots, offered, rng, blocks=None):
        """Return new rankings of slots with given scores."""
        from bayesrank.kernels import samplers

        if blocks is None:
            blocks = np.zeros(slots.shape, dtype=np.int64)
        if self.family.noise is not None:
            utility = slots + self.family.noise(rng, slots.shape)
            return samplers.sort_into_blocks(utility, offered, blocks)
        potential = "geometric" if self.family.kernel == "geometric" else "additive"
        draw = getattr(samplers, f"draw_{potential}")
        seeds = rng.integers(0, 2**62, size=len(slots))
        return draw(slots, *self._tie(values), offered, *self.family.structure, seeds)
