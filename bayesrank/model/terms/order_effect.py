"""What the left item of a comparison has added to its score, such as playing at home."""

from typing import Any

import numpy as np

from bayesrank.kernels.posterior.operations import SHIFT
from bayesrank.model.parameters import Real
from bayesrank.model.protocols import Parameter, Program, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.terms.term import PlainTerm

__all__ = ["OrderEffect"]


class OrderEffect(PlainTerm):
    """One number that all left items share; ``flat`` says whether its prior is flat."""

    def __init__(self, *, flat: bool = False) -> None:
        self.flat = flat

    @property
    def parameters(self) -> list[Parameter]:
        return [Real("order_effect", np.inf if self.flat else 1.0, "Order effect")]

    @property
    def quantities(self) -> list[Quantity]:
        return [Quantity("order_effect", (), "what the left item has added to its score")]

    def shift(self, values: Values, maths: Any) -> Any:
        return values["order_effect"]

    def new_shift(self, values: Values, left: Any, right: Any) -> Any:
        return values["order_effect"]

    def compile_shift(self, program: Program) -> None:
        program.operate_slots(SHIFT, program.place("order_effect"), 1)
