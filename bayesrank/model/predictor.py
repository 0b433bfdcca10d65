"""The predictor of a model: a list of terms, and what follows from them."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.kernels.ballots import starts
from bayesrank.model.parameters import Layout
from bayesrank.model.protocols import Parameter, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.terms.features import ItemFeatures
from bayesrank.model.terms.items import ItemEffects
from bayesrank.model.terms.moving_scores import MovingScores
from bayesrank.model.terms.term import sum_of

__all__ = ["Predictor"]


class Predictor:
    """The part of a `Specification` that makes the score of a slot from terms."""

    data: Any  # Comparisons or Rankings, as the likelihood needs
    observation: Any
    scale: float | None
    item_effects: bool
    moves: Any
    rate: float | None
    states: Any
    centered: bool
    features: Any
    feature_names: list[str] | None

    if TYPE_CHECKING:

        @property
        def flat(self) -> bool: ...
        @property
        def has_scores(self) -> bool: ...

    @cached_property
    def terms(self) -> list[Any]:
        """The terms of the predictor, in the order of the flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> [type(term).__name__ for term in model.terms]
        ['ItemEffects', 'PairTies']
        """
        found: list[Any] = []
        if self.moves is not None:
            found.append(
                MovingScores(
                    self.states, self.moves, scale=self.scale, rate=self.rate,
                    alone=self.features is None,
                )
            )  # fmt: skip
        elif self.item_effects:
            found.append(
                ItemEffects(
                    len(self.data.items), self.item_start, scale=self.scale,
                    centered=self.centered, alone=self.features is None,
                )
            )  # fmt: skip
        if self.features is not None:
            spread = self.features.std(axis=0)
            centre = np.zeros_like(spread)
            names = self.feature_names or []
            matrix = self.features if self.moves is None else self.features[self.states.item]
            found.append(ItemFeatures(matrix, centre, spread, names, flat=bool(self.flat)))
        return found + self.observation.terms

    @cached_property
    def parameters(self) -> list[Parameter]:
        """The free parameters, in the order of the flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> [(parameter.name, parameter.size) for parameter in model.parameters]
        [('score', 5), ('tie_rate', 1)]
        """
        return [parameter for term in self.terms for parameter in term.parameters]

    @cached_property
    def quantities(self) -> dict[str, Quantity]:
        """What a user may ask for by name: scores, parameters, and what follows from them.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.quantities["tie_rate"].meaning
        'chance that equal items tie'
        """
        found = [Quantity("score", (self.score_dim,))] if self.has_scores else []
        found += [quantity for term in self.terms for quantity in term.quantities]
        return {quantity.name: quantity for quantity in found}

    @property
    def score_dim(self) -> str:
        """What scores belong to: "item", or "state" where they move.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.score_dim
        'item'
        """
        return "item" if self.moves is None else "state"

    @property
    def names(self) -> list[str]:
        """What a user asks for: the scores, then every other parameter under its own name.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.names
        ['score', 'nu', 'tie_rate']
        """
        return list(self.quantities)

    def dims(self, name: str) -> tuple[str, ...]:
        """Return the dimensions of a quantity or a parameter.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.dims("score")
        ('item',)
        """
        if name in self.quantities:
            return self.quantities[name].dims
        dims = {parameter.name: parameter.dims for parameter in self.parameters}.get(name)
        return () if dims is None else (dims,)

    @cached_property
    def coords(self) -> dict[str, list[Any]]:
        """Coordinates of the model's variables.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.coords["item"]
        ['1', '2', '3', '4', '5', '6']
        """
        coords = dict(self.observation.coords)
        if self.moves is not None:
            coords["item"] = self.data.coords["item"]
        for term in self.terms:
            coords |= term.coords
        return coords

    @property
    def item_start(self) -> np.ndarray | None:
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
    def standardized(self) -> np.ndarray:
        """Item features in units of their standard deviation.

        Examples
        --------
        >>> games = br.load_dataset("pudding")
        >>> model = br.Specification(games, "davidson", features=[[0], [0], [0], [1], [1], [1]])
        >>> model.standardized.ravel()
        array([-1., -1., -1.,  1.,  1.,  1.])
        """
        return self.features / self.features.std(axis=0)

    @cached_property
    def layout(self) -> Layout:
        """Where each parameter is in the flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.layout.where
        {'score': slice(0, 6, None), 'tie_rate': 6}
        """
        return Layout(self.parameters)

    @property
    def size(self) -> int:
        """Length of the flat vector.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.size
        6
        """
        return self.layout.size

    def _score(self, values: Values, maths: Any) -> Any:
        """Return the scores of the items: the sum of what the terms add to them."""
        return sum_of(term.score(values, maths) for term in self.terms)
