"""What is known of items, or of the entries of rankings: columns, each with a coefficient.

Coefficients are sampled per standard deviation of their column, so that columns in any unit are of
one size for optimisers and samplers; users see them per unit.
"""

from functools import cached_property
from typing import Any, Self

import numpy as np

from bayesrank.kernels.posterior.columns import COLUMNS, SINGLES
from bayesrank.kernels.posterior.operations import UNIT, Operation
from bayesrank.model.parameters import Real
from bayesrank.model.protocols import Parameter, Program, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.terms.term import PlainTerm

__all__ = ["EntryFeatures", "ItemFeatures"]

_FREE = "beta_standardized"


class _Columns(PlainTerm):
    """Columns of numbers.

    Parameters
    ----------
    matrix : ndarray, rows by columns
    centre : ndarray
        What is subtracted from each column, so that large numbers keep their differences.
    spread : ndarray
        Standard deviation of each column.
    names : list of str
    flat : bool
        Whether the prior is flat.
    """

    def __init__(
        self,
        matrix: np.ndarray,
        centre: np.ndarray,
        spread: np.ndarray,
        names: list[Any],
        *,
        flat: bool = False,
    ) -> None:
        self.matrix, self.centre, self.spread = matrix, centre, spread
        self.names, self.flat = names, flat

    @property
    def working_names(self) -> list[str]:
        return [_FREE]

    @property
    def parameters(self) -> list[Parameter]:
        sigma = np.full(len(self.spread), np.inf if self.flat else 1.0)
        words = "Coefficients of features (per standard deviation of the feature)"
        return [Real(_FREE, sigma, words, dims="feature")]

    @property
    def quantities(self) -> list[Quantity]:
        return [Quantity("beta", ("feature",), "what one unit of this feature adds to a score")]

    @property
    def coords(self) -> dict[str, list[Any]]:
        return {"feature": list(self.names)}

    def derive(self, values: Values, maths: Any) -> Values:
        return {"beta": values[_FREE] / self.spread}

    def known(self, values: Values) -> Values:
        return {_FREE: values["beta"] * self.spread} if "beta" in values else {}

    def prior_change(self, values: Values, before: Any) -> Any:
        if self.flat:
            return None
        return -0.5 * (self.spread**2 - before.spread**2) @ values["beta"] ** 2

    def _coefficients(self, values: Values) -> Any:
        """Return the coefficients per unit: those of a draw, or what free ones stand for."""
        return values[_FREE] / self.spread if _FREE in values else values["beta"]

    def _compile_coefficients(self, program: Program) -> int:
        """Return where the coefficients per unit are."""
        n = len(self.spread)
        beta = program.room(n)
        program.operate(UNIT, program.place(_FREE), n, beta, n, program.hold(1.0 / self.spread))
        return beta

    def _columns(self, program: Program) -> tuple[Operation, int, int]:
        single = self.matrix.dtype == np.float32
        kind = np.float32 if single else float
        centre = program.hold(self.centre) if self.centre.any() else 0
        return SINGLES if single else COLUMNS, program.hold(self.matrix, kind), centre


class ItemFeatures(_Columns):
    """What is known of each item; the matrix is centred already."""

    def score(self, values: Values, maths: Any) -> Any:
        return maths.dot(self.matrix, self._coefficients(values))

    def compile_score(self, program: Program, score: int) -> None:
        beta, (items, n) = self._compile_coefficients(program), self.matrix.shape
        operation, *more = self._columns(program)
        program.operate(operation, beta, n, score, items, *more, 0)


class EntryFeatures(_Columns):
    """What is known of each entry of each ranking, in the order of the entries."""

    of_slots = ("matrix",)

    def at_slots(self, slots: np.ndarray) -> Self:
        other = super().at_slots(slots)
        other.__dict__.pop("_centred", None)
        return other

    @cached_property
    def _centred(self) -> np.ndarray:
        return self.matrix - self.centre if self.centre.any() else self.matrix

    def slots(self, values: Values, maths: Any) -> Any:
        return maths.dot(self._centred, self._coefficients(values))

    def compile_slots(self, program: Program, to: int) -> None:
        beta, n = self._compile_coefficients(program), self.matrix.shape[1]
        operation, *more = self._columns(program)
        program.operate_slots(operation, beta, n, *more, program.slot_order, to=to)
