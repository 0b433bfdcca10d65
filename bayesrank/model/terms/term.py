"""A term that adds nothing. Other terms inherit from it and define only what differs."""

from typing import Any

from bayesrank.model.protocols import Parameter, Program, Values
from bayesrank.model.quantities import Quantity

__all__ = ["PlainTerm", "sum_of"]


class PlainTerm:
    """A term without parameters that adds nothing; see `bayesrank.model.protocols.Term`."""

    has_gain = False  # whether it multiplies the slots
    has_tie_shift = False  # whether tie rates differ between slots

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
