"""From data and a likelihood's name to a specification: one model, three faces.

A specification is a likelihood and a predictor, which is a list of terms. From these follow,
written once for all likelihoods,

- `Specification.pymc`, the model as a `pm.Model`;
- `Specification.objective`, the same log-posterior and its gradient as a function of the flat
  unconstrained vector, by the compiled posterior and without PyMC;
- `Specification.program`, the table with which a sampler calls that posterior by its address.
"""

import numbers
import warnings
from copy import copy
from typing import Any, Self

import numpy as np

from bayesrank.data import Comparisons, Rankings
from bayesrank.data.instances import item_keys
from bayesrank.model.capabilities import Capabilities
from bayesrank.model.faces import Faces
from bayesrank.model.features import (
    centred_features,
    entries_of_slots,
    entry_columns,
    row_columns,
)
from bayesrank.model.learned_scales import LearnedScales
from bayesrank.model.likelihoods import likelihood_called
from bayesrank.model.states import States
from bayesrank.model.terms.features import EntryFeatures
from bayesrank.model.terms.moving_scores import LARGEST, MOVES, SMALLEST
from bayesrank.model.varying import Varying, split_scores
from bayesrank.text import argument, listing, option

__all__ = ["Specification"]

# Arguments on which nothing that is slow to make depends.
_QUICK = {"scale", "centered", "drift", "persistence", "spreads"}


class Specification(Faces, Capabilities, LearnedScales):
    """Data, likelihood, predictor and priors.

    The score of an item is its own effect plus what its features add; scores sum to zero.
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
    order_effect : bool, "by-agent" or "by-item"
        Whether the left item has an advantage; prior N(0, 1). It may differ between agents, or
        between items, such as teams at home, or a tuple of both.
    ties : "common", "by-agent", "by-item" or "by-category"
        Whether how often ties occur differs between agents, items (in comparisons), categories,
        or, as a tuple, several of these.
    discrimination : "by-agent", optional
        Whether agents differ in how sharply they tell items apart.
    spreads : mapping, optional
        Standard deviations of what differs, which are otherwise learned under a half-normal prior
        of scale 1: "discrimination" (of its logarithm), "order_effect_by_agent",
        "order_effect_by_item", "ties_by_agent", "ties_by_item", "ties_by_category" (of the
        logit), and "score_by_category".
    features : data frame or array, optional
        What is known of the items, items by columns: a frame is matched to the items by its
        index (or a column "item"), an array by the order of ``data.items``. For rankings it may
        also be an array, rankings by slots by columns, of what is known of each entry; by
        default the features that the data hold; False leaves those out. The coefficient ``beta``
        of a column has the prior N(0, 1 / the column's standard deviation).
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
    scores : "constant", "walk", "mean-reverting" or "by-category"
        Whether scores move in time, for data with times. Each item then has a state at each time
        at which it is seen; ``scale`` is the standard deviation of its first one. And whether
        each category adds something of its own to each item's score; ("walk", "by-category") does
        both.
    drift : float, optional
        For "walk": standard deviation of a score's change over one year. By default it is
        learned, under a half-normal prior of scale 1.
    persistence : float, optional
        For "mean-reverting": correlation of a score with itself one year later. By default it is
        learned, uniform between 0 and 1.

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
        data: Comparisons | Rankings,
        likelihood: str,
        *,
        scale: float | None = None,
        order_effect: Any = False,
        features: Any = None,
        item_effects: bool | None = None,
        centered: bool = True,
        variances: Any = None,
        adherence: Any = None,
        weight: Any = None,
        adherence_spread: float | None = None,
        scores: Any = "constant",
        drift: float | None = None,
        persistence: float | None = None,
        ties: Any = "common",
        discrimination: str | None = None,
        spreads: Any = None,
    ) -> None:
        self.kind = likelihood_called(likelihood, data)
        _require_scale(scale)
        if len(data.items) < 2:
            raise ValueError(f"A ranking needs at least two items, got {len(data.items)}.")
        own = {
            "variances": variances, "adherence": adherence, "weight": weight,
            "adherence_spread": adherence_spread,
        }  # fmt: skip
        self.arguments: dict[str, Any] = {
            "scale": scale, "order_effect": order_effect, "features": features,
            "item_effects": item_effects, "centered": centered, "scores": scores, "drift": drift,
            "persistence": persistence, "ties": ties, "discrimination": discrimination,
            "spreads": spreads,
        } | own  # fmt: skip
        self.data = data
        self.likelihood = likelihood
        self.scale = None if scale is None else float(scale)
        self.centered = bool(centered)
        self.given_entry_features: np.ndarray | None = None
        moves, by_category = split_scores(scores)
        self.varying = Varying(
            data, self.kind, by_category=by_category, order_effect=order_effect, ties=ties,
            discrimination=discrimination, flat=bool(self.flat),
        )  # fmt: skip
        self.order_effect = self.varying.order_effect
        self.spreads = self.varying.spreads(spreads)
        self._move(moves, drift=drift, persistence=persistence)
        self.states = None if self.moves is None else States(data)
        self.kind.check(self, **own)
        by_entry = None
        if self.kind.takes_entry_features:
            by_entry, features = self._entry_features(features)
        self.observation = self.kind.observe(self, by_entry, own)
        self._vary()
        if self.moves is not None:
            if item_effects is not None:
                raise ValueError("`item_effects` is for scores that do not move; leave it out.")
            item_effects = True
        if item_effects is None:
            pairs = self.data.row == "pair"
            item_effects = by_entry is None or pairs or self.data.repeats_items
        self.item_effects = bool(item_effects)
        self.features, self.feature_means, self.feature_names, self.given_feature_names = (
            centred_features(features, item_keys(data), data.instance)
        )
        if not self.item_effects and self.features is None and by_entry is None:
            raise ValueError("`item_effects=False` needs `features`: nothing else would be left.")
        if by_entry is not None:
            self.feature_names, self.given_feature_names = by_entry.names, self._entry_names

    def _entry_features(self, features: Any) -> tuple[EntryFeatures | None, Any]:
        """Return what is known of the entries, and what is left for the items."""
        if features is False:
            return None, None
        if self.data.row == "pair":
            return self._row_features(features)
        data = self.data
        names: list[str] = list(data.feature_names or [])
        if features is None:
            matrix = data.entry_features
        elif np.ndim(features) == 3:
            matrix = self.given_entry_features = entries_of_slots(features, data)
            names = [f"x{k + 1}" for k in range(matrix.shape[1])]
        else:
            if data.entry_features is not None:
                warnings.warn(
                    "`features` of items take the place of the features that the rankings hold "
                    "for their entries.",
                    stacklevel=4,
                )
            return None, features
        if matrix is None:
            return None, None
        matrix, keep, centre, spread = entry_columns(matrix, names, data)
        self._entry_names = names
        kept = [names[k] for k in keep]
        return EntryFeatures(matrix, centre, spread, kept, flat=bool(self.flat)), None

    def _row_features(self, features: Any) -> tuple[EntryFeatures | None, Any]:
        """Return what is known of each comparison, and what is left for the items."""
        data = self.data
        if data.features is None:
            return None, features
        if features is not None:
            warnings.warn(
                "`features` of items take the place of the features that the comparisons hold for "
                "their rows.",
                stacklevel=5,
            )
            return None, features
        names = list(data.feature_names)
        weight = data.counts.sum(axis=1)
        matrix, keep, spread = row_columns(data.features, names, weight)
        self._entry_names, kept = names, [names[k] for k in keep]
        return EntryFeatures(matrix, 0.0 * spread, spread, kept, flat=bool(self.flat)), None

    def _vary(self) -> None:
        """Give the observation the terms that differ between agents, items or categories."""
        if self.varying.names:
            self.observation.varying = self.varying.terms(self.spreads, centered=self.centered)

    def _move(self, scores: str, **rates: float | None) -> None:
        """Say whether scores move, and how fast if that is given."""
        self.moves = MOVES.get(scores)
        for name, value in rates.items():
            if value is None:
                continue
            mover = next(known for known, move in MOVES.items() if move.name == name)
            if self.moves is not MOVES[mover]:
                raise ValueError(
                    f"{argument(name)} is for {option('scores', mover)}, not for "
                    f"{option('scores', scores)}."
                )
            if not (isinstance(value, numbers.Real) and self.moves.allows(value)):
                raise ValueError(f"{argument(name)} must be {self.moves.rule}, got {value!r}.")
        self.rate = None if self.moves is None else rates[self.moves.name]
        if self.moves is not None and self.scale is not None and not _allows_scale(self.scale):
            raise ValueError(
                f"Scores that move need {argument('scale')} from {SMALLEST:g} to {LARGEST:g}, or "
                f"none, which learns it; got {self.scale:g}."
            )

    @property
    def results(self) -> Comparisons | Rankings:
        """The data as the likelihood sees them: with states for items where scores move.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> br.Specification(games, "davidson", scale=1.0).results is games
        True
        """
        return self.data if self.states is None else self.states.results

    def __repr__(self) -> str:
        scale = "learned" if self.scale is None else f"{self.scale:g}"
        parts = [f'"{self.likelihood}"', f"{len(self.data.items)} items", f"scale {scale}"]
        if self.moves is not None:
            moves = next(name for name, move in MOVES.items() if move is self.moves)
            parts.append(f'scores="{moves}", {len(self.states):,} states')
        parts += ["order effect"] * self.order_effect
        parts += [name.replace("_", " ") for name in self.varying.names]
        parts += getattr(self.observation, "about", [])
        if self.feature_names:
            parts.append(f"features {listing(self.feature_names)}")
        parts += ["no item effects"] * (not self.item_effects)
        return f"Specification({', '.join(parts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        # For other processes: what was given, and not the compiled functions made from it.
        return _make, (self.data, self.likelihood, self.arguments)

    def __copy__(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        # Whoever copies changes something that these were made from.
        for name in ("terms", "parameters", "quantities", "layout", "program", "coords"):
            other.__dict__.pop(name, None)
        return other

    def replace(self, **changes: Any) -> "Specification":
        """Return the specification with some arguments changed.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.replace(order_effect=True)
        Specification("davidson", 6 items, scale 1, order effect)
        """
        arguments = self.arguments | changes
        scale = arguments["scale"]
        if set(changes) <= _QUICK and not self.flat and scale != np.inf:
            # Nothing else depends on these, and least of all what was observed.
            _require_scale(scale)
            other = copy(self)
            other.arguments, other.centered = arguments, bool(arguments["centered"])
            other.scale = None if scale is None else float(scale)
            rates = {name: arguments[name] for name in ("drift", "persistence")}
            other._move(split_scores(arguments["scores"])[0], **rates)
            if self.varying.names:
                other.spreads = self.varying.spreads(arguments["spreads"])
                other.observation = copy(self.observation)
                other._vary()
            return other
        return Specification(self.data, self.likelihood, **arguments)

    @property
    def flat(self) -> bool:
        """Whether the prior is flat, so that the mode is the maximum-likelihood estimate.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.flat, model.replace(scale=float("inf")).flat
        (np.False_, np.True_)
        """
        return self.scale is not None and np.isinf(self.scale)

    @property
    def settled(self) -> bool:
        """Whether existence of the maximum-likelihood estimate has an exact condition.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.settled
        True
        """
        known = self.features is None or self.kind.exact_with_features
        return self.observation.exact_condition and known

    @property
    def has_scores(self) -> bool:
        """Whether items have scores; otherwise only entries have, by their features.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.has_scores
        True
        """
        return self.item_effects or self.features is not None

    @property
    def has_own_scores(self) -> bool:
        """Whether items have scores beside what the features of their entries add.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.has_own_scores
        False
        """
        return self.item_effects and self.has_entry_features

    @property
    def has_entry_features(self) -> bool:
        """Whether entries of rankings have features.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.has_entry_features
        False
        """
        return getattr(self.observation, "features", None) is not None


def _require_scale(scale: Any) -> None:
    if scale is not None and not (isinstance(scale, numbers.Real) and scale > 0):  # type: ignore[operator]
        raise ValueError(f"`scale` must be a positive number, got {scale!r}.")


def _allows_scale(scale: float) -> bool:
    return SMALLEST <= scale <= LARGEST


def _make(data: Any, likelihood: str, arguments: dict[str, Any]) -> Specification:
    """Return a specification that was sent to another process."""
    return Specification(data, likelihood, **arguments)
