"""Effects of agents, items or cells that sum to zero, with a scale that is given or learned."""

from typing import Any, Self

import numpy as np

from bayesrank.kernels.posterior.operations import STRETCH
from bayesrank.model.parameters import Positive, ZeroSum
from bayesrank.model.protocols import Parameter, Program, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.terms.term import PlainTerm

__all__ = ["Effects"]


class Effects(PlainTerm):
    """One number for each of some labels; what is done with it the terms that inherit say.

    Parameters
    ----------
    length : int
        How many numbers there are.
    spread : float, optional
        Their prior standard deviation; by default it is learned.
    centered : bool
        Whether a learned spread is the standard deviation of the numbers, or multiplies unit ones.
    starts : ndarray of int, optional
        Where the numbers of each group that sums to zero start, and where the last one ends.

    Attributes
    ----------
    name : str
        Of the parameter.
    key : str
        By which `Specification` knows the spread.
    dim : str
        Of what there is one number each.
    argument : (str, str)
        What a user says to have them: an argument and its value.
    column : str, optional
        The column of the data that is needed.
    of_pairs : bool
        Whether they are for comparisons only.
    words, spread_words : str
        For sentences about the priors.
    meaning, spread_meaning : str
        For tables.
    says : str
        What they do, in a sentence.
    """

    name: str
    key: str
    dim: str
    words: str
    spread_words: str
    meaning: str
    spread_meaning: str
    says: str
    argument: tuple[str, str]
    column: str | None = None
    of_pairs = False

    def __init__(
        self,
        length: int,
        *,
        spread: float | None = None,
        centered: bool = True,
        starts: np.ndarray | None = None,
    ) -> None:
        self.length, self.starts = length, starts
        self.spread, self.stretched = spread, spread is None and not centered

    @classmethod
    def of(cls, data: Any) -> Self:
        """Return the term for some data."""
        raise NotImplementedError

    @staticmethod
    def labels(data: Any) -> list[Any] | None:
        """Return what the numbers differ between, or None where the data do not say."""
        raise NotImplementedError

    def again(self, *, spread: float | None, centered: bool) -> Self:
        """Return the same term with another spread, or another way in which it enters."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.spread, other.stretched = spread, spread is None and not centered
        return other

    @property
    def spread_name(self) -> str:
        """Name of the spread where it is learned."""
        return f"{self.key}_spread"

    @property
    def _free_name(self) -> str:
        return f"{self.name}_unit" if self.stretched else self.name

    @property
    def working_names(self) -> list[str]:
        return [self._free_name] if self.stretched else []

    @property
    def parameters(self) -> list[Parameter]:
        learned = self.spread is None
        effect = ZeroSum(
            self._free_name, self.length, 1.0 if self.spread is None else self.spread, self.words,
            self.dim, self.starts, scale=self.spread_name if learned else None,
            stretched=self.stretched,
        )  # fmt: skip
        return [*([Positive(self.spread_name, self.spread_words)] if learned else []), effect]

    @property
    def quantities(self) -> list[Quantity]:
        found = [Quantity(self.name, (self.dim,), self.meaning)]
        if self.spread is None:
            meaning = self.spread_meaning
            found.append(Quantity(self.spread_name, (), meaning, low=0.0, enters=False))
        return found

    def derive(self, values: Values, maths: Any) -> Values:
        """Return the effects themselves where the model works with unit ones."""
        return {self.name: self.effects(values)} if self.stretched else {}

    def effects(self, values: Values) -> Any:
        """Return the effects, in units of the scores or of the logit."""
        if self._free_name in values and self.stretched:
            return values[self.spread_name] * values[self._free_name]
        return values[self.name]

    def place(self, program: Program) -> int:
        """Return where the effects are."""
        taken, n = program.place(self._free_name), self.length
        if not self.stretched:
            return taken
        to = program.room(n)
        program.operate(STRETCH, taken, n, to, n, program.place(self.spread_name))
        return to
