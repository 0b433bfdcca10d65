"""From data and a likelihood's name to a specification: one model, two faces.

`Specification.pymc` is the model as a `pm.Model`; `Specification.objective` is the same
log-posterior, with its gradient, as a function of the flat unconstrained vector, straight from
the kernel and without PyMC. What the likelihood itself contributes is in
`bayesrank.model`'s observations.
"""

import numbers
import warnings
from copy import copy
from functools import cached_property

import numpy as np

from bayesrank.data import Comparisons, Rankings
from bayesrank.data.instances import item_keys
from bayesrank.kernels.ballots import starts
from bayesrank.model.features import centred_features
from bayesrank.model.likelihoods import PREFERENCE_LIKELIHOODS, family_of
from bayesrank.model.pair_observation import PairObservation
from bayesrank.model.parameters import Layout, Positive, Real, ZeroSum
from bayesrank.model.preference_observation import PreferenceObservation
from bayesrank.model.ranking_observation import RankingObservation
from bayesrank.text import listing

__all__ = ["Specification"]


class Specification:
    """Data, likelihood, predictor and priors, settled once.

    The score of an item is its own effect plus what its features say; scores sum to zero.
    In comparisons the left item has the order effect added; in rankings each entry may have
    features of its own.

    Parameters
    ----------
    data : Comparisons or Rankings
    likelihood : str
        For comparisons "bradley-terry", "davidson", "rao-kupper", "thurstone-pairs" or
        "glenn-david"; for rankings "plackett-luce", "partitioned-plackett-luce", "pmop",
        "pmop-geometric", "davidson-luce" or "thurstone"; for either "mpm".
    scale : float, optional
        Prior standard deviation of the items' effects: a number fixes it, infinity makes the
        prior flat (and that of all other parameters too: maximum likelihood), none learns it
        under a half-normal prior of scale 1.
    order_effect : bool
        Whether the left item has an advantage; prior N(0, 1).
    features : data frame or array, optional
        What is known of the items, items by columns: a frame is matched to the items by its
        index (or a column "item"), an array by the order of ``data.items``. For rankings it may
        also be an array, rankings by slots by columns, of what is known of each entry; by
        default the features that the rankings hold. The coefficient ``beta`` of a column has the
        prior N(0, 1 / the column's standard deviation).
    item_effects : bool, optional
        Whether items also have effects of their own beside their features. By default they
        have, except where entries have features and no item is in two rankings.
    centered : bool
        How a learned scale enters: scores drawn at that scale, or unit effects multiplied by
        it. The posterior is the same; sampling is easier one way or the other.
    variances : bool, mapping or array, optional
        For "mpm": whether items have variances of their own, as they have by default, or which.
        They have geometric mean one half, and a normal prior of scale 0.5 on their logarithms.
    adherence : str, number, mapping or array, optional
        For "mpm": "learned" (uniform between 0 and 1 for each agent, and the default where
        there are several), "by-instance" (differing between instances as well), or given.
    weight : "effective" or float, optional
        For "mpm": power of the likelihood. By default 1 for counts of actual preferences, and
        for rankings and ratings what makes their pairs count as independent draws would.
    adherence_spread : float, optional
        For "by-instance": by how much adherences differ between instances, on the logit scale;
        by default it is learned.

    Examples
    --------
    >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
    >>> model
    Specification("davidson", 6 items, scale 1)
    >>> model.names
    ['score', 'nu', 'tie_rate']
    """

    def __init__(
        self,
        data,
        likelihood,
        *,
        scale=None,
        order_effect=False,
        features=None,
        item_effects=None,
        centered=True,
        variances=None,
        adherence=None,
        weight=None,
        adherence_spread=None,
    ):
        self.family = family_of(likelihood, data)
        _require_scale(scale)
        if len(data.items) < 2:
            raise ValueError(f"A ranking needs at least two items, got {len(data.items)}.")
        self.arguments = {
            "scale": scale, "order_effect": order_effect, "features": features,
            "item_effects": item_effects, "centered": centered,
        }  # fmt: skip
        own = {
            "variances": variances, "adherence": adherence, "weight": weight,
            "adherence_spread": adherence_spread,
        }  # fmt: skip
        self.arguments |= own
        self.data = data
        self.likelihood = likelihood
        self.scale = None if scale is None else float(scale)
        self.order_effect = bool(order_effect)
        self.centered = bool(centered)
        by_entry = self.given_entry_features = None
        if order_effect and (isinstance(data, Rankings) or likelihood in PREFERENCE_LIKELIHOODS):
            what = f'"{likelihood}" has' if isinstance(data, Comparisons) else "rankings have"
            raise ValueError(f"`order_effect` is for comparisons; {what} no left side.")
        if order_effect and not data.sided:
            raise ValueError(
                "`order_effect` needs to know who was on the left, and these comparisons only say "
                "who won: give them with a left and a right side."
            )
        if likelihood in PREFERENCE_LIKELIHOODS:
            if np.ndim(features) == 3:
                raise ValueError(f'"{likelihood}" has features of items only, not of entries.')
            if features is None and getattr(data, "features", None) is not None:
                warnings.warn(
                    f'"{likelihood}" does not use the features that the rankings hold for their '
                    "entries.",
                    stacklevel=3,
                )
            self.observation = PreferenceObservation(
                data, likelihood, self.family, flat=self.flat, **own
            )
        elif any(value is not None for value in own.values()):
            name = next(name for name, value in own.items() if value is not None)
            raise ValueError(f'`{name}` is for "mpm", not for "{likelihood}".')
        elif isinstance(data, Rankings):
            given = features is not None
            by_entry, features = _entry_features(features, data)
            self.observation = RankingObservation(
                data, likelihood, self.family, features=by_entry, flat=self.flat
            )
            if given and by_entry is not None:
                self.given_entry_features = by_entry[0]
        else:
            self.observation = PairObservation(
                data, likelihood, self.family, order_effect=self.order_effect, flat=self.flat
            )
        if item_effects is None:
            item_effects = by_entry is None or data.repeats_items
        self.item_effects = bool(item_effects)
        self.features, self.feature_means, self.feature_names, self.given_feature_names = (
            centred_features(features, item_keys(data), data.instance)
        )
        if not self.item_effects and self.features is None and by_entry is None:
            raise ValueError("`item_effects=False` needs `features`: nothing else would be left.")
        if by_entry is not None:
            self.feature_names = self.observation.slot_feature_names
            self.given_feature_names = list(by_entry[1])

    def __repr__(self):
        scale = "learned" if self.scale is None else f"{self.scale:g}"
        parts = [f'"{self.likelihood}"', f"{len(self.data.items)} items", f"scale {scale}"]
        parts += ["order effect"] * self.order_effect
        parts += getattr(self.observation, "about", [])
        if self.feature_names:
            parts.append(f"features {listing(self.feature_names)}")
        parts += ["no item effects"] * (not self.item_effects)
        return f"Specification({', '.join(parts)})"

    def __reduce__(self):
        # For other processes: what was given, and not the compiled functions made from it.
        return _make, (self.data, self.likelihood, self.arguments)

    def __copy__(self):
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def replace(self, **changes):
        """Return the specification with some arguments changed.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.replace(order_effect=True)
        Specification("davidson", 6 items, scale 1, order effect)
        """
        arguments = self.arguments | changes
        scale = arguments["scale"]
        if set(changes) <= {"scale", "centered"} and not self.flat and scale != np.inf:
            # Nothing else depends on these, and least of all what was observed.
            _require_scale(scale)
            other = copy(self)
            for name in ("parameters", "layout"):
                other.__dict__.pop(name, None)
            other.arguments, other.centered = arguments, bool(arguments["centered"])
            other.scale = None if scale is None else float(scale)
            return other
        return Specification(self.data, self.likelihood, **arguments)

    @property
    def learns_scale(self):
        """Whether the prior scale of the effects is a parameter.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.learns_scale, model.replace(scale=None).learns_scale
        (False, True)
        """
        return self.scale is None and self.item_effects

    @property
    def flat(self):
        """Whether the prior is flat, so that the mode is the maximum-likelihood estimate.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.flat, model.replace(scale=float("inf")).flat
        (np.False_, np.True_)
        """
        return self.scale is not None and np.isinf(self.scale)

    @property
    def settled(self):
        """Whether existence of the maximum-likelihood estimate has an exact condition.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.settled
        True
        """
        with_features = self.likelihood in PREFERENCE_LIKELIHOODS and self.features is not None
        return self.observation.settled and not with_features

    @property
    def has_scores(self):
        """Whether items have scores; otherwise only entries have, by their features.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.has_scores
        True
        """
        return self.item_effects or self.features is not None

    @property
    def has_own_scores(self):
        """Whether items have scores beside what the features of their entries say.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.has_own_scores
        False
        """
        return self.item_effects and self.observation.slot_feature_names is not None

    @cached_property
    def coords(self):
        """Coordinates of the model's variables.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.coords["item"]
        ['1', '2', '3', '4', '5', '6']
        """
        coords = self.observation.coords
        if self.feature_names:
            coords["feature"] = self.feature_names
        return coords

    @cached_property
    def parameters(self):
        """The free parameters, in the order of the flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> [(parameter.name, parameter.size) for parameter in model.parameters]
        [('score', 5), ('tie_rate', 1)]
        """
        parameters = []
        if self.learns_scale:
            parameters.append(Positive("scale"))
        if self.item_effects:
            plain = self.features is None and (self.centered or not self.learns_scale)
            sigma = 1.0 if self.scale is None else self.scale
            name = "score" if plain else "effect"
            parameters.append(ZeroSum(name, len(self.data.items), sigma, starts=self.item_start))
        if self.features is not None:
            sigma = np.full(self.features.shape[1], np.inf if self.flat else 1.0)
            parameters.append(Real("beta_standardized", sigma, dims="feature"))
        return parameters + self.observation.parameters

    @cached_property
    def item_start(self):
        """Where the items of each instance start; none where there is one instance.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> print(model.item_start)
        None
        """
        if self.data.instances is None:
            return None
        return starts(self.data.instance, len(self.data.instances))

    @cached_property
    def standardized(self):
        """Item features in units of their standard deviation: what the model works with.

        Coefficients of columns in any unit are then of one size, for optimisers and samplers.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> model = br.Specification(games, "davidson", features=[[0], [0], [0], [1], [1], [1]])
        >>> model.standardized.ravel()
        array([-1., -1., -1.,  1.,  1.,  1.])
        """
        return self.features / self.features.std(axis=0)

    @property
    def names(self):
        """What a user asks for: the scores, then every other parameter under its own name.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.names
        ['score', 'nu', 'tie_rate']
        """
        names = ["score"] if self.has_scores else []
        names += ["scale"] if self.learns_scale else []
        names += ["beta"] if self.features is not None else []
        return names + self.observation.names

    @cached_property
    def layout(self):
        """Where each parameter is in the flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.layout.where
        {'score': slice(np.int64(0), np.int64(6), None), 'tie_rate': 6}
        """
        return Layout(self.parameters, [self._scaled(parameter) for parameter in self.parameters])

    @property
    def size(self):
        """Length of the flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.size
        6
        """
        return self.layout.size

    def _scaled(self, parameter):
        """Whether a parameter's prior has the learned scale."""
        return parameter.name in ("score", "effect") and self.learns_scale and self.centered

    # The face for PyMC ------------------------------------------------------------------------

    def pymc(self):
        """Return the model as a `pm.Model`, to sample from or to extend.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> built = model.pymc()
        >>> sorted(built.named_vars)
        ['counts', 'nu', 'score', 'tie_rate']
        """
        from bayesrank import _compat

        pm = _compat.pymc()
        import pytensor.tensor as pt

        with pm.Model(coords=self.coords) as model:
            made = {}
            for parameter in self.parameters:
                scaled = self._scaled(parameter)
                made[parameter.name] = (
                    parameter.variable(made["scale"]) if scaled else parameter.variable()
                )
            if self.has_scores and "score" not in made:
                terms = []
                if "effect" in made:
                    stretch = made["scale"] if self.learns_scale and not self.centered else 1.0
                    terms.append(stretch * made["effect"])
                if self.features is not None:
                    unit = made["beta_standardized"]
                    terms.append(pt.dot(self.standardized, unit))
                    pm.Deterministic("beta", unit / self.features.std(axis=0), dims="feature")
                made["score"] = pm.Deterministic("score", sum(terms), dims="item")
            self.observation.observe(made.get("score"), made)
        return model

    # The face without PyMC --------------------------------------------------------------------

    def split(self, x):
        """Return the free parameters' values by name, and the scores, at a flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> values = model.split(np.zeros(model.size))
        >>> sorted(values)
        ['score', 'tie_rate']
        """
        return self._with_score(self.layout.named(self.layout.constrain(x)))

    def constrain(self, x):
        """Return every named quantity of the model, derived ones too, at a flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> values = model.constrain(np.zeros(model.size))
        >>> {name: values[name] for name in ("nu", "tie_rate")}
        {'nu': np.float64(2.0), 'tie_rate': np.float64(0.5)}
        """
        return self._derive(self.split(x))

    def prior(self, draws=1000, seed=None):
        """Return draws of every named quantity from the prior, without PyMC.

        Parameters
        ----------
        draws : int
        seed : int, optional

        Returns
        -------
        dict of ndarray
            By name, draws by the quantity's own shape.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> draws = model.prior(1000, seed=1)
        >>> draws["score"].shape
        (1000, 6)
        >>> round(float(draws["tie_rate"].mean()), 1)
        0.5
        """
        if not isinstance(draws, numbers.Integral) or draws < 1:
            raise ValueError(f"`draws` must be a whole number from 1 up, got {draws!r}.")
        if self.flat:
            raise ValueError(
                "A flat prior (infinite `scale`) has no draws: it is no distribution. Fit with a "
                "finite `scale`, or without one, which learns it."
            )
        rng = np.random.default_rng(seed)
        drawn = [self._draw(rng) for _ in range(draws)]
        return {name: np.array([values[name] for values in drawn]) for name in drawn[0]}

    def _draw(self, rng):
        """Return one draw of every named quantity from the prior."""
        values = {}
        for parameter in self.parameters:
            scale = [values["scale"]] if self._scaled(parameter) else []
            values[parameter.name] = parameter.draw(rng, *scale)
        return self._derive(self._with_score(values))

    def _with_score(self, values):
        """Add the scores to the free parameters' values where they are not among them."""
        if self.has_scores and "score" not in values:
            values["score"] = self._score(values)
        return values

    def _derive(self, values):
        """Add what follows from the free parameters, and drop what only the model works with."""
        if self.features is not None:
            values["beta"] = values["beta_standardized"] / self.features.std(axis=0)
        values |= self.observation.derive(values)
        values.pop("beta_standardized", None)
        return values

    def _score(self, values):
        score = np.zeros(len(self.data.items))
        if "effect" in values:
            stretch = values["scale"] if self.learns_scale and not self.centered else 1.0
            score = score + stretch * values["effect"]
        if self.features is not None:
            score = score + self.standardized @ values["beta_standardized"]
        return score

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

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> value, gradient = model.objective(np.zeros(model.size))
        >>> round(value, 3), gradient.shape
        (-156.602, (6,))
        """
        flat = self.layout.constrain(x)
        values = self._with_score(self.layout.named(flat))
        total, gradients = self.observation.value_and_gradients(values)
        by_score = gradients.get("score")
        if "effect" in values:
            stretched = self.learns_scale and not self.centered
            gradients["effect"] = by_score * (values["scale"] if stretched else 1.0)
            if stretched:
                gradients["scale"] = by_score @ values["effect"]
        if self.features is not None:
            gradients["beta_standardized"] = by_score @ self.standardized
        prior, gradient = self.layout.pull(gradients, x, flat, jacobian)
        value = total + prior
        if not value > -np.inf and np.isfinite(x).all():
            # Scores or their squares overflow: as good as impossible, and no way is up.
            return -np.inf, np.zeros(self.size)
        return value, gradient


def _require_scale(scale):
    if scale is not None and not (isinstance(scale, numbers.Real) and scale > 0):
        raise ValueError(f"`scale` must be a positive number, got {scale!r}.")


def _make(data, likelihood, arguments):
    """Return a specification that was sent to another process."""
    return Specification(data, likelihood, **arguments)


def _entry_features(features, data):
    """Return features of the entries with their names, and what is left for the items."""
    if features is None:
        return (None if data.features is None else (data.features, data.feature_names)), None
    if np.ndim(features) == 3:
        matrix = np.asarray(features, dtype=float)
        return (matrix, [f"x{k + 1}" for k in range(matrix.shape[2])]), None
    if data.features is not None:
        warnings.warn(
            "`features` of items take the place of the features that the rankings hold for their "
            "entries.",
            stacklevel=4,
        )
    return None, features
