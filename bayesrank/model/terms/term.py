"""A term that adds nothing. Other terms inherit from it and define only what differs."""

from typing import Any

from bayesrank.model.protocols import Parameter, Program, Values
from bayesrank.model.quantities import Quantity

__all__ = ["PlainTerm", "sum_of"]


class PlainTerm:
    """A term without parameters that adds nothing; see `bayesrank.model.protocols.Term`."""

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

    def derive(self, values: Values, maths: Any) -> Values:
        """Return the quantities that follow from the parameters."""
        return {}

    def compile_score(self, program: Program, score: int) -> None:
        """Add the operations that make the scores, which start at a place."""

    def compile_slots(self, program: Program) -> None:
        """Add the operations that make the slots."""


def sum_of(parts: Any) -> Any:
    """Return the sum of what is not None, or None."""
    total = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    return total
