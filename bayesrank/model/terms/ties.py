"""How prevalent ties are: of pairs, and of the blocks of a ranking by their size.

The parameter is p, the probability that equal items tie. Its prior is uniform, so that all models
of ties agree before they see data.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from bayesrank.model.parameters import Probability
from bayesrank.model.protocols import Parameter, Values
from bayesrank.model.quantities import Quantity
from bayesrank.model.terms.term import PlainTerm

__all__ = ["TIES", "PairTies", "SizeTies", "TieParameter", "shifted_rate"]

_BELOW_ONE = 1.0 - np.finfo(float).eps
_RATE = "Tie rate (the chance that equal items tie)"


@dataclass(frozen=True)
class TieParameter:
    """A tie parameter of pairs as a function of p, the probability that two equal items tie.

    ``value`` gives the parameter under its own name from p, 1 - p and NumPy or PyTensor, and
    ``kernel`` that of the kernel from p and 1 - p.
    """

    quantity: Quantity
    value: Callable[..., Any]
    kernel: Callable[..., Any]

    @property
    def name(self) -> str:
        """The parameter's own name."""
        return self.quantity.name


def _inverse_erf(p: Any, maths: Any) -> Any:
    return special.erfinv(p) if maths is np else maths.erfinv(p)


NU = TieParameter(
    Quantity("nu", (), "ν, how prevalent ties are", ratio=True, enters=False),  # noqa: RUF001
    lambda p, q, maths: 2.0 * p / q,
    lambda p, q: 2.0 * p / q,
)
THETA = TieParameter(
    Quantity("theta", (), "θ, the threshold of ties (1 is no ties)", 0.0, ratio=True, enters=False),
    lambda p, q, maths: (1.0 + p) / q,
    lambda p, q: np.log1p(2.0 * p / q),
)
THRESHOLD = TieParameter(
    Quantity("threshold", (), "t, the threshold of ties (0 is no ties)", 0.0, enters=False),
    lambda p, q, maths: np.sqrt(2.0) * _inverse_erf(p, maths),
    lambda p, q: np.sqrt(2.0) * special.erfinv(p),
)


# By name, for the rows of likelihoods.
TIES = {tie.name: tie for tie in (NU, THETA, THRESHOLD)}


def _with_complement(p: Any, maths: Any) -> tuple[Any, Any]:
    """Return p and 1 - p, both kept off the ends where a tie is certain."""
    p = maths.minimum(p, _BELOW_ONE)
    return p, 1.0 - p


def shifted_rate(p: Any, shift: Any, maths: Any) -> tuple[Any, Any]:
    """Return a probability whose logit is shifted, and one less it; neither loses digits."""
    q, shrunk = 1.0 - p, maths.exp(-abs(shift))
    down = shift < 0.0
    total = maths.where(down, q + p * shrunk, p + q * shrunk)
    return maths.where(down, p * shrunk, p) / total, maths.where(down, q, q * shrunk) / total


class PairTies(PlainTerm):
    """The tie parameter of a pair likelihood."""

    def __init__(self, tie: TieParameter) -> None:
        self.tie = tie

    @property
    def parameters(self) -> list[Parameter]:
        return [Probability("tie_rate", _RATE)]

    @property
    def quantities(self) -> list[Quantity]:
        rate = Quantity("tie_rate", (), "chance that equal items tie", 0.0, 1.0)
        return [self.tie.quantity, rate]

    def derive(self, values: Values, maths: Any) -> Values:
        p, q = _with_complement(values["tie_rate"], maths)
        return {self.tie.name: self.tie.value(p, q, maths)}

    def shifted(self, values: Values, shift: Any, maths: Any) -> Any:
        """Return the parameter under its own name, its rate's logit shifted, if at all."""
        if shift is None:
            return values[self.tie.name]
        p, q = shifted_rate(values["tie_rate"], shift, maths)
        return self.tie.value(p, q, maths)

    def kernel(self, values: Values, shift: Any = None) -> np.ndarray:
        """Return the kernel's tie parameter: one number for each rate, or for each shift."""
        rates = np.atleast_1d(values["tie_rate"])
        if shift is not None:
            rates = shifted_rate(rates, shift, np)[0]
        return self.tie.kernel(*_with_complement(rates, np))


class SizeTies(PlainTerm):
    """One prevalence for each size of a block that occurs; other sizes are impossible.

    p is the probability that so many equal items all tie rather than one of them being best, and
    the prevalence is delta = m p / (1 - p) for blocks of m.
    """

    def __init__(self, sizes: np.ndarray) -> None:
        self.sizes = sizes

    @property
    def parameters(self) -> list[Parameter]:
        return [Probability("tie_rate", _RATE, self.sizes.size, dims="tie_size")]

    @property
    def quantities(self) -> list[Quantity]:
        dims = ("tie_size",)
        return [
            Quantity(
                "tie", dims, "δ, how prevalent ties of this size are", ratio=True, enters=False
            ),
            Quantity("tie_rate", dims, "chance that equal items tie", 0.0, 1.0),
        ]

    @property
    def coords(self) -> dict[str, list[Any]]:
        return {"tie_size": self.sizes.tolist()}

    def derive(self, values: Values, maths: Any) -> Values:
        p, q = _with_complement(values["tie_rate"], maths)
        return {"tie": self._sizes_of(p) * p / q}

    def shifted(self, values: Values, shift: Any, maths: Any) -> Any:
        """Return the prevalences, one row for each shift of the logits."""
        p, q = shifted_rate(values["tie_rate"], shift[:, None], maths)
        return self._sizes_of(values["tie_rate"]) * p / maths.maximum(q, 2.0**-52)

    def _sizes_of(self, rate: Any) -> np.ndarray:
        """Return the sizes, with a further axis where there are many draws."""
        return self.sizes if rate.ndim == 1 else self.sizes[:, None]
