"""Counts of pair comparisons under a pair likelihood."""

from copy import copy
from functools import cached_property

import numpy as np
from scipy import special

from bayesrank.kernels.gather import differences, sums
from bayesrank.kernels.native import NO_TIE, NU, THETA
from bayesrank.model.parameters import Probability, Real
from bayesrank.model.tie_parameters import with_complement
from bayesrank.text import listing, models

__all__ = ["PairObservation"]


class PairObservation:
    """Comparisons, their likelihood, and the parameters that only these have.

    Parameters
    ----------
    data : Comparisons
    likelihood : str
    family : PairLikelihood
    order_effect : bool
        Whether the left item has an advantage.
    flat : bool
        Whether priors are flat.
    """

    name = "counts"
    row = "pair"
    dims = ("pair", "outcome")
    slot_feature_names = None
    concave = True  # the log-likelihood in the scores
    nearly_normal = True  # the posterior given the prior scale, so that one can average over it
    settled = True  # whether existence of the maximum has an exact condition
    curvature = None  # steps of one size suit all free numbers

    def __init__(self, data, likelihood, family, *, order_effect=False, flat=False):
        self.data, self.likelihood, self.family = data, likelihood, family
        self.order_effect, self.flat = order_effect, flat
        self._check()

    def _check(self):
        counts, positions = self.data.counts, np.concatenate([self.data.left, self.data.right])
        if positions.size and not 0 <= positions.min() <= positions.max() < len(self.data.items):
            raise ValueError(
                f"`left` and `right` must be positions in `items`, from 0 to "
                f"{len(self.data.items) - 1}, got {positions.min()} to {positions.max()}."
            )
        if not counts.sum() > 0:
            raise ValueError("All counts are zero: at least one comparison is needed.")
        ties = counts[:, 2].sum()
        if ties == counts.sum():
            raise ValueError("Every comparison is a tie: the data do not say who is better.")
        if ties and self.family.tie is None:
            pairs = listing([self.data.pair_label(row) for row in np.flatnonzero(counts[:, 2])])
            raise ValueError(
                f'The data hold {ties:,} ties ({pairs}), but "{self.likelihood}" has none. Use '
                f"{models('davidson', 'rao-kupper', 'glenn-david')}."
            )

    @property
    def parameters(self):
        """The free parameters besides the scores."""
        parameters = []
        if self.family.tie is not None:
            parameters.append(Probability("tie_rate"))
        if self.order_effect:
            parameters.append(Real("order_effect", np.inf if self.flat else 1.0))
        return parameters

    @property
    def names(self):
        """What a user calls them, derived ones first."""
        tie = [] if self.family.tie is None else [self.family.tie.name]
        return tie + [parameter.name for parameter in self.parameters]

    @property
    def coords(self):
        """Coordinates of the observed variable and the parameters."""
        return self.data.coords

    @property
    def observed(self):
        """The observed values."""
        return self.data.counts

    @property
    def information(self):
        """Number of outcomes, by which gradients are judged."""
        return self.data.counts.sum()

    # The face for PyMC ------------------------------------------------------------------------

    def observe(self, score, made):
        """Add the observed variable to the model of the context."""
        import pymc as pm
        import pytensor.tensor as pt

        from bayesrank import distributions

        left, right = score[self.data.left], score[self.data.right]
        if self.order_effect:
            left = left + made["order_effect"]
        options = dict(self.family.options)
        if self.family.tie is not None:
            name = self.family.tie.name
            value = self.family.tie.value(*with_complement(made["tie_rate"], pt), pt)
            options[name] = pm.Deterministic(name, value)
        distribution = getattr(distributions, self.family.distribution)
        distribution(self.name, left, right, **options, observed=self.observed, dims=self.dims)

    # The face without PyMC --------------------------------------------------------------------

    def derive(self, values):
        """Return the quantities that follow from the free parameters."""
        tie = self.family.tie
        if tie is None:
            return {}
        return {tie.name: tie.value(*with_complement(values["tie_rate"]), special)}

    @cached_property
    def _kernel(self):
        from bayesrank.kernels import KERNELS

        return KERNELS[self.family.kernel].function

    @cached_property
    def _counts(self):
        return np.ascontiguousarray(self.data.counts.T, dtype=float)

    @cached_property
    def log_coefficient(self):
        """Log multinomial coefficient of each row."""
        total = self._counts.sum(axis=0)
        return special.gammaln(total + 1.0) - special.gammaln(self._counts + 1.0).sum(axis=0)

    @cached_property
    def _constant(self):
        return float(self.log_coefficient.sum())

    def _tie(self, values):
        if self.family.tie is None:
            return np.zeros(1)
        return np.atleast_1d(self.family.tie.kernel(*with_complement(values["tie_rate"])))

    def _rows(self, values, counts, left, right, *, neutral=False):
        """Return the kernel's output: logp and partials per row, without coefficients."""
        shift = values["order_effect"] if self.order_effect and not neutral else 0.0
        difference = differences(values["score"], left, right, shift)
        return self._kernel(difference, self._tie(values), counts, *self.family.structure)

    def log_likelihood(self, values):
        """Return the log-likelihood of each row at given parameter values."""
        logp = self._rows(values, self._counts, self.data.left, self.data.right)[0]
        return logp + self.log_coefficient

    single_units = ("comparison",)

    @cached_property
    def singles(self):
        """Labels of the outcomes that occur in each row, and how many comparisons had them."""
        import pandas as pd

        from bayesrank.data.comparisons import OUTCOMES

        row, outcome = np.nonzero(self.data.counts)
        texts = [
            f"{self.data.pair_label(r)}: {OUTCOMES[o]}" for r, o in zip(row, outcome, strict=True)
        ]
        return pd.Index(texts, name="comparison"), self.data.counts[row, outcome].astype(float)

    def single_log_likelihood(self, values):
        """Return the log-probability of each of these outcomes of a single comparison."""
        row, outcome = np.nonzero(self.data.counts)
        counts = np.zeros((3, row.size))
        counts[outcome, np.arange(row.size)] = 1.0
        return self._rows(values, counts, self.data.left[row], self.data.right[row])[0]

    def value_and_gradients(self, values):
        """Return the log-likelihood and its derivatives by the scores and the parameters."""
        left, right = self.data.left, self.data.right
        rows = self._rows(values, self._counts, left, right)
        total, by_score, by_shift, by_tie = sums(*rows, left, right, len(self.data.items))
        gradients = {"score": by_score}
        if self.family.tie is not None:
            slope = self.family.tie.kernel_slope(*with_complement(values["tie_rate"]))
            gradients["tie_rate"] = by_tie * slope
        if self.order_effect:
            gradients["order_effect"] = by_shift
        return total + self._constant, gradients

    def native(self, where):
        """Return what `bayesrank.kernels.native` needs, or None where it has no such function.

        These are the function's name, places of the parameters, and the arrays before and after the
        items' features.
        """
        tie = None if self.family.tie is None else self.family.tie.name
        kinds = {("davidson", None): NO_TIE, ("davidson", "nu"): NU, ("rao_kupper", "theta"): THETA}
        kind = kinds.get((self.family.kernel, tie))
        if kind is None:
            return None
        own = [where.get("tie_rate", 0), kind, where.get("order_effect", -1)]
        before = [self.data.left, self.data.right, self._counts]
        return "pairs", own, before, [np.array([self._constant])]

    def pair_probability(self, values, outcome, left, right, *, neutral=False):
        """Return the probability of an outcome (0 win, 1 loss, 2 tie) for pairs of positions."""
        counts = np.zeros((3, len(left)))
        counts[outcome] = 1.0
        return np.exp(self._rows(values, counts, left, right, neutral=neutral)[0])

    def outcome_probabilities(self, values):
        """Return P(left wins), P(right wins), P(tie) in each row."""
        left, right = self.data.left, self.data.right
        return np.stack([self.pair_probability(values, k, left, right) for k in range(3)], axis=1)

    def with_data(self, data):
        """Return the model of other results of the same comparisons, whatever these are."""
        other = copy(self)
        for name in ("_counts", "log_coefficient", "_constant"):
            other.__dict__.pop(name, None)
        other.data = data
        return other

    def draw(self, values, rng):
        """Return new observations, one set."""
        n = self.data.counts.sum(axis=1)
        if not np.issubdtype(n.dtype, np.integer):
            raise ValueError(
                "The counts are fractional (weighted), so there is no distribution to draw "
                "new counts from."
            )
        p = self.outcome_probabilities(values)
        return rng.multinomial(n, p / p.sum(axis=1, keepdims=True))
