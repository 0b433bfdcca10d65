"""Effects of the items: one number per item, sum zero, with a given or a learned scale."""

from typing import Any

import numpy as np

from bayesrank.kernels.posterior.operations import COPY, STRETCH
from bayesrank.model.parameters import Positive, ZeroSum
from bayesrank.model.protocols import Parameter, Program, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.terms.term import PlainTerm

__all__ = ["ItemEffects"]


class ItemEffects(PlainTerm):
    """An item's own effect; where there is nothing else, it is the score.

    Parameters
    ----------
    items : int
    starts : ndarray of int, optional
        Where the items of each instance start, and where the last one ends.
    scale : float, optional
        Prior standard deviation; infinity is flat, none learns it.
    centered : bool
        Whether a learned scale is the standard deviation of the effects, or multiplies unit ones.
    alone : bool
        Whether nothing else is added to the scores.
    """

    def __init__(
        self,
        items: int,
        starts: np.ndarray | None = None,
        *,
        scale: float | None,
        centered: bool = True,
        alone: bool = True,
    ) -> None:
        self.learned = scale is None
        self.stretched = self.learned and not centered
        self.is_score = alone and not self.stretched
        self.effect = ZeroSum(
            "score" if self.is_score else "effect",
            items,
            1.0 if scale is None else scale,
            words="Scores" if alone else "Effects of the items",
            starts=starts,
            scale="scale" if self.learned else None,
            stretched=self.stretched,
        )

    @property
    def parameters(self) -> list[Parameter]:
        words = "Scale (the standard deviation of the scores)"
        scale: list[Parameter] = [Positive("scale", words)] if self.learned else []
        return [*scale, self.effect]

    @property
    def quantities(self) -> list[Quantity]:
        meaning = "standard deviation of the scores among items"
        return [Quantity("scale", (), meaning, low=0.0, enters=False)] if self.learned else []

    def score(self, values: Values, maths: Any) -> Any:
        effect = values[self.effect.name]
        return values["scale"] * effect if self.stretched else effect

    def compile_score(self, program: Program, score: int) -> None:
        taken, n = program.place(self.effect.name), self.effect.length
        if self.stretched:
            program.operate(STRETCH, taken, n, score, n, program.place("scale"))
        elif not self.is_score:
            program.operate(COPY, taken, n, score, n)
