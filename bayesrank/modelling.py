"""From data and a likelihood's name to a specification: one model, two faces.

`Specification.pymc` is the model as a `pm.Model`; `Specification.objective` is the same
log-posterior, with its gradient, as a function of the flat unconstrained vector, straight from
the kernel and without PyMC.
"""

import numbers
from functools import cached_property

import numpy as np
from scipy import special

from bayesrank.data.connectivity import listing
from bayesrank.features import centred_features
from bayesrank.likelihoods import LIKELIHOODS
from bayesrank.parameters import Positive, Probability, Real, ZeroSum

__all__ = ["Specification"]

BELOW_ONE = 1.0 - np.finfo(float).eps


class Specification:
    """Data, likelihood, predictor and priors, settled once.

    The score of an item is its own effect plus what its features say; scores sum to zero.
    The left item has the order effect added.

    Parameters
    ----------
    data : Comparisons
    likelihood : str
        "bradley-terry", "davidson", "rao-kupper", "thurstone-pairs" or "glenn-david".
    scale : float, optional
        Prior standard deviation of the items' effects: a number fixes it, infinity makes the
        prior flat (and that of all other parameters too: maximum likelihood), none learns it
        under a half-normal prior of scale 1.
    order_effect : bool
        Whether the left item has an advantage; prior N(0, 1).
    features : data frame or array, items by columns, optional
        What is known of the items. A frame is matched to the items by its index (or a column
        "item"), an array by the order of ``data.items``. The coefficient ``beta`` of a column
        has the prior N(0, 1 / the column's standard deviation).
    item_effects : bool
        Whether items also have effects of their own beside their features.
    centered : bool
        How a learned scale enters: scores drawn at that scale, or unit effects multiplied by
        it. The posterior is the same; sampling is easier one way or the other.
    """

    def __init__(
        self,
        data,
        likelihood,
        *,
        scale=None,
        order_effect=False,
        features=None,
        item_effects=True,
        centered=True,
    ):
        if likelihood not in LIKELIHOODS:
            names = listing([f'"{name}"' for name in LIKELIHOODS], 99)
            raise ValueError(f"`likelihood` must be one of {names}, got {likelihood!r}.")
        self.family = LIKELIHOODS[likelihood]
        if not isinstance(data, self.family.data):
            raise TypeError(
                f'"{likelihood}" needs {self.family.data.__name__}, got {type(data).__name__}; '
                "make them with br.Comparisons.from_frame or br.Comparisons.from_counts."
            )
        if scale is not None and not (isinstance(scale, numbers.Real) and scale > 0):
            raise ValueError(f"`scale` must be a positive number, got {scale!r}.")
        if not item_effects and features is None:
            raise ValueError("`item_effects=False` needs `features`: nothing else would be left.")
        self._arguments = {
            "scale": scale, "order_effect": order_effect, "features": features,
            "item_effects": item_effects, "centered": centered,
        }  # fmt: skip
        self.data = data
        self.likelihood = likelihood
        self.scale = None if scale is None else float(scale)
        self.order_effect = bool(order_effect)
        self.item_effects = bool(item_effects)
        self.centered = bool(centered)
        self.features, self.feature_names = centred_features(features, data.items)
        self._check_data()

    def _check_data(self):
        counts, items = self.data.counts, self.data.items
        if len(items) < 2:
            raise ValueError(f"A ranking needs at least two items, got {len(items)}.")
        if not counts.sum() > 0:
            raise ValueError("All counts are zero: at least one comparison is needed.")
        ties = counts[:, 2].sum()
        if ties == counts.sum():
            raise ValueError("Every comparison is a tie: the data do not say who is better.")
        if ties and self.family.tie is None:
            pairs = listing([self.data.pair_label(row) for row in np.flatnonzero(counts[:, 2])])
            raise ValueError(
                f'The data hold {ties:,} ties ({pairs}), but "{self.likelihood}" has none. Use '
                '"davidson", "rao-kupper" or "glenn-david".'
            )

    def __repr__(self):
        scale = "learned" if self.scale is None else f"{self.scale:g}"
        parts = [f'"{self.likelihood}"', f"{len(self.data.items)} items", f"scale {scale}"]
        parts += ["order effect"] * self.order_effect
        if self.feature_names:
            parts.append(f"features {listing(self.feature_names)}")
        parts += ["no item effects"] * (not self.item_effects)
        return f"Specification({', '.join(parts)})"

    def replace(self, **changes):
        """Return the specification with some arguments changed."""
        return Specification(self.data, self.likelihood, **(self._arguments | changes))

    @property
    def learns_scale(self):
        """Whether the prior scale of the effects is a parameter."""
        return self.scale is None and self.item_effects

    @property
    def flat(self):
        """Whether the prior is flat, so that the mode is the maximum-likelihood estimate."""
        return self.scale is not None and np.isinf(self.scale)

    @cached_property
    def coords(self):
        """Coordinates of the model's variables."""
        coords = self.data.coords
        if self.feature_names:
            coords["feature"] = self.feature_names
        return coords

    @cached_property
    def parameters(self):
        """The free parameters, in the order of the flat vector."""
        parameters = []
        if self.learns_scale:
            parameters.append(Positive("scale"))
        if self.item_effects:
            plain = self.features is None and (self.centered or not self.learns_scale)
            sigma = 1.0 if self.scale is None else self.scale
            parameters.append(ZeroSum("score" if plain else "effect", len(self.data.items), sigma))
        if self.features is not None:
            sigma = np.full(self.features.shape[1], np.inf if self.flat else 1.0)
            parameters.append(Real("beta_standardized", sigma, dims="feature"))
        if self.family.tie is not None:
            parameters.append(Probability("tie_rate"))
        if self.order_effect:
            parameters.append(Real("order_effect", np.inf if self.flat else 1.0))
        return parameters

    @cached_property
    def standardized(self):
        """Features in units of their standard deviation: what the model works with.

        Coefficients of columns in any unit are then of one size, for optimisers and samplers.
        """
        return self.features / self.features.std(axis=0)

    @property
    def names(self):
        """What a user asks for: the scores, then every other parameter under its own name."""
        names = ["score"]
        names += [p.name for p in self.parameters if p.name not in ("score", "effect")]
        names = ["beta" if name == "beta_standardized" else name for name in names]
        if self.family.tie is not None:
            names.insert(names.index("tie_rate"), self.family.tie.name)
        return names

    @property
    def size(self):
        """Length of the flat vector."""
        return sum(parameter.size for parameter in self.parameters)

    # The face for PyMC ------------------------------------------------------------------------

    def pymc(self):
        """Return the model as a `pm.Model`, to sample from or to extend."""
        from bayesrank import _compat

        pm = _compat.pymc()
        import pytensor.tensor as pt

        from bayesrank import distributions

        with pm.Model(coords=self.coords) as model:
            made = {}
            for parameter in self.parameters:
                scaled = isinstance(parameter, ZeroSum) and self.learns_scale and self.centered
                made[parameter.name] = (
                    parameter.variable(made["scale"]) if scaled else parameter.variable()
                )
            if "score" not in made:
                terms = []
                if "effect" in made:
                    stretch = made["scale"] if self.learns_scale and not self.centered else 1.0
                    terms.append(stretch * made["effect"])
                if "beta_standardized" in made:
                    unit = made["beta_standardized"]
                    terms.append(pt.dot(self.standardized, unit))
                    pm.Deterministic("beta", unit / self.features.std(axis=0), dims="feature")
                made["score"] = pm.Deterministic("score", sum(terms), dims="item")
            score = made["score"]
            left, right = score[self.data.left], score[self.data.right]
            if self.order_effect:
                left = left + made["order_effect"]
            options = dict(self.family.options)
            if self.family.tie is not None:
                name = self.family.tie.name
                p = pt.minimum(made["tie_rate"], BELOW_ONE)
                value = self.family.tie.value(p, 1.0 - p, pt)
                options[name] = pm.Deterministic(name, value)
            getattr(distributions, self.family.distribution)(
                "counts",
                left,
                right,
                **options,
                observed=self.data.counts,
                dims=("pair", "outcome"),
            )
        return model

    # The face without PyMC --------------------------------------------------------------------

    def split(self, x):
        """Return the free parameters' values, by name, at a flat unconstrained vector."""
        values, start = {}, 0
        for parameter in self.parameters:
            values[parameter.name] = parameter.constrain(x[start : start + parameter.size])
            start += parameter.size
        return values

    def constrain(self, x):
        """Return every named quantity of the model, derived ones too, at a flat vector."""
        values = self.split(x)
        values["score"] = self._score(values)
        if "beta_standardized" in values:
            values["beta"] = values.pop("beta_standardized") / self.features.std(axis=0)
        if self.family.tie is not None:
            tie = self.family.tie
            values[tie.name] = tie.value(*_with_complement(values["tie_rate"]), special)
        return values

    def _score(self, values):
        if "score" in values:
            return values["score"]
        score = np.zeros(len(self.data.items))
        if "effect" in values:
            stretch = values["scale"] if self.learns_scale and not self.centered else 1.0
            score = score + stretch * values["effect"]
        if "beta_standardized" in values:
            score = score + self.standardized @ values["beta_standardized"]
        return score

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

    def _tie(self, values):
        if self.family.tie is None:
            return np.zeros(1)
        return np.atleast_1d(self.family.tie.kernel(*_with_complement(values["tie_rate"])))

    def rows(self, values, counts=None, left=None, right=None, shift=None):
        """Return the kernel's output for given parameter values: logp and partials per row.

        By default for the observed rows, with the order effect (if there is one) and a further
        shift added to their differences; without the multinomial coefficient.
        """
        score = self._score(values)
        left = self.data.left if left is None else left
        right = self.data.right if right is None else right
        difference = score[left] - score[right]
        if self.order_effect:
            difference += values["order_effect"]
        if shift is not None:
            difference += shift
        counts = self._counts if counts is None else counts
        return self._kernel(difference, self._tie(values), counts, *self.family.structure)

    def log_likelihood(self, values):
        """Return the log-likelihood of each row at given parameter values."""
        return self.rows(values)[0] + self.log_coefficient

    def outcome_probabilities(self, values, left=None, right=None):
        """Return P(left wins), P(right wins), P(tie) for each pair of positions."""
        left = self.data.left if left is None else left
        right = self.data.right if right is None else right
        probabilities = np.empty((len(left), 3))
        for outcome, unit in enumerate(np.eye(3)):
            counts = np.repeat(unit[:, None], len(left), axis=1)
            logp = self.rows(values, counts, left, right)[0]
            probabilities[:, outcome] = np.exp(logp)
        return probabilities

    def objective(self, x, *, jacobian=False):
        """Return the log-posterior and its gradient at a flat unconstrained vector.

        Parameters
        ----------
        x : ndarray
            The free parameters in PyMC's own unconstrained coordinates, in the order of
            ``parameters``.
        jacobian : bool
            Whether to add the log-Jacobian of the transforms: the density of ``x`` itself,
            instead of the density of the parameters that ``x`` stands for.
        """
        values = self.split(x)
        logp, by_difference, by_tie = self.rows(values)
        total = logp.sum() + self.log_coefficient.sum()
        n = len(self.data.items)
        by_score = np.bincount(self.data.left, by_difference, n)
        by_score -= np.bincount(self.data.right, by_difference, n)
        gradients = {}
        if "score" in values:
            gradients["score"] = by_score
        if "effect" in values:
            stretched = self.learns_scale and not self.centered
            gradients["effect"] = by_score * (values["scale"] if stretched else 1.0)
            if stretched:
                gradients["scale"] = by_score @ values["effect"]
        if "beta_standardized" in values:
            gradients["beta_standardized"] = by_score @ self.standardized
        if "tie_rate" in values:
            slope = self.family.tie.kernel_slope(*_with_complement(values["tie_rate"]))
            gradients["tie_rate"] = by_tie.sum() * slope
        if self.order_effect:
            gradients["order_effect"] = by_difference.sum()
        gradient = np.empty(self.size)
        start = 0
        for parameter in self.parameters:
            name, value = parameter.name, values[parameter.name]
            if isinstance(parameter, ZeroSum) and self.learns_scale and self.centered:
                prior, by_value = parameter.log_prior(value, values["scale"])
                by_scale = parameter.log_prior_by_sigma(value, values["scale"])
                # The scale comes first in the flat vector.
                gradient[0] += by_scale * values["scale"]
            else:
                prior, by_value = parameter.log_prior(value)
            total += prior
            stop = start + parameter.size
            part = x[start:stop]
            gradient[start:stop] = parameter.pullback(part, gradients.get(name, 0.0) + by_value)
            if jacobian:
                log_jacobian, by_x = parameter.log_jacobian(part)
                total += log_jacobian
                gradient[start:stop] += by_x
            start = stop
        return total, gradient


def _with_complement(p):
    """Return p and 1 - p, both kept off the ends where a tie is certain."""
    p = np.minimum(p, BELOW_ONE)
    return p, 1.0 - p
