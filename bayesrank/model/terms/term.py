"""A term that adds nothing. Other terms inherit from it and define only what differs."""

from copy import copy
from typing import Any, Self

import numpy as np

from bayesrank.model.protocols import Parameter, Program, Values
from bayesrank.model.quantities import Quantity

__all__ = ["PlainTerm", "sum_of"]


class PlainTerm:
    """A term without parameters that adds nothing; see `bayesrank.model.protocols.Term`."""

    has_gain = False  # whether it multiplies the slots
    has_tie_shift = False  # whether tie rates differ between slots
    of_slots: tuple[str, ...] = ()  # names of arrays with something for each slot

    @property
    def working_names(self) -> list[str]:
        """Names of parameters that only the model works with, and nobody asks for."""
        return []

    @property
    def parameters(self) -> list[Parameter]:
        """The free parameters, in the order of the flat vector."""
        return []

    @property
    def quantities(self) -> list[Quantity]:
        """What a user may ask for, in the order of tables."""
        return []

    @property
    def coords(self) -> dict[str, list[Any]]:
        """Labels of the quantities' dimensions that the data do not have."""
        return {}

    def score(self, values: Values, maths: Any) -> Any:
        """Return what is added to the scores of the items, or None."""
        return None

    def slots(self, values: Values, maths: Any) -> Any:
        """Return what is added to the slots of the data, or None."""
        return None

    def gain(self, values: Values, maths: Any) -> Any:
        """Return what the slots are multiplied by, or None."""
        return None

    def shift(self, values: Values, maths: Any) -> Any:
        """Return what is added to the slots after that, or None."""
        return None

    def tie_shift(self, values: Values, maths: Any) -> Any:
        """Return what is added to the logits of the slots' tie rates, or None."""
        return None

    def new_gain(self, values: Values) -> Any:
        """Return what multiplies the slots of a new result, whose agent ``values`` may know."""
        return None

    def new_shift(self, values: Values, left: Any, right: Any) -> Any:
        """Return what is added to new pairs of items, of which nothing else is known."""
        return None

    def new_tie_shift(self, values: Values, left: Any, right: Any) -> Any:
        """Return what is added to the logits of their tie rates."""
        return None

    def in_order(self, order: Any) -> Any:
        """Return the term for slots in another order, which stay within their rankings."""
        return self

    def at_slots(self, slots: np.ndarray) -> Self:
        """Return the term for some of the slots, in any order."""
        other = copy(self)
        for name in self.of_slots:
            values = getattr(self, name)
            setattr(other, name, None if values is None else values[slots])
        return other

    def known(self, values: Values) -> Values:
        """Return the parameters that quantities tell, by name."""
        names = [parameter.name for parameter in self.parameters]
        return {name: values[name] for name in names if name in values}

    def prior_change(self, values: Values, before: Any) -> Any:
        """Return by how much the prior changed since the same term of other data, or None.

        It is the difference of log-densities of many draws, the last axis, up to a constant.
        """
        return None

    def derive(self, values: Values, maths: Any) -> Values:
        """Return the quantities that follow from the parameters."""
        return {}

    def compile_score(self, program: Program, score: int) -> None:
        """Add the operations that make the scores, which start at a place."""

    def compile_slots(self, program: Program, to: int) -> None:
        """Add the operations that add to a channel of the slots."""

    def compile_shift(self, program: Program) -> None:
        """Add the operations that add to the slots after these are multiplied."""

    def compile_tie_shift(self, program: Program, to: int) -> None:
        """Add the operations that add to a channel of the logits of tie rates."""


def sum_of(parts: Any) -> Any:
    """Return the sum of what is not None, or None."""
    total = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    return total
