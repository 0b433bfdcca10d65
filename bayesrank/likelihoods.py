"""Likelihoods by name: kernel, tie parameter and distribution of each."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import special

from bayesrank.data.comparisons import Comparisons

__all__ = ["LIKELIHOODS", "PairLikelihood", "TieParameter"]


@dataclass(frozen=True)
class TieParameter:
    """A tie parameter as a function of p, the probability that two equal items tie.

    The prior is uniform on p, so that all tie models say the same before they see data.
    ``value`` gives the parameter under its own name from (p, 1 - p), in NumPy or PyTensor (its
    third argument has ``erfinv``); ``kernel`` gives the kernel's parameter and
    ``kernel_slope`` its derivative by p.
    """

    name: str
    value: Callable
    kernel: Callable
    kernel_slope: Callable


@dataclass(frozen=True)
class PairLikelihood:
    """A pair model: its kernel, its tie parameter, its distribution."""

    kernel: str
    distribution: str
    tie: TieParameter | None = None
    structure: tuple = ()
    options: dict = field(default_factory=dict)
    data = Comparisons


_NU = TieParameter(
    "nu",
    lambda p, q, maths: 2.0 * p / q,
    lambda p, q: 2.0 * p / q,
    lambda p, q: 2.0 / (q * q),
)
_THETA = TieParameter(
    "theta",
    lambda p, q, maths: (1.0 + p) / q,
    lambda p, q: np.log1p(2.0 * p / q),
    lambda p, q: 2.0 / (q * (1.0 + p)),
)
_THRESHOLD = TieParameter(
    "threshold",
    lambda p, q, maths: np.sqrt(2.0) * maths.erfinv(p),
    lambda p, q: np.sqrt(2.0) * special.erfinv(p) if p < 0.5 else -special.ndtri(0.5 * q),
    lambda p, q: np.sqrt(0.5 * np.pi) * np.exp(0.5 * special.ndtri(0.5 * q) ** 2),
)
# The classical probit Phi(d): the difference of two noises of variance one half.
_PROBIT = {"noise": "normal", "scale": np.sqrt(0.5)}
_NORMAL_TABLE = (np.empty((3, 0, 0)),)

LIKELIHOODS = {
    "bradley-terry": PairLikelihood("davidson", "BradleyTerry"),
    "davidson": PairLikelihood("davidson", "Davidson", _NU),
    "rao-kupper": PairLikelihood("rao_kupper", "RaoKupper", _THETA),
    "thurstone-pairs": PairLikelihood("cumulative", "ThurstonePairs", None, _NORMAL_TABLE, _PROBIT),
    "glenn-david": PairLikelihood(
        "cumulative", "ThurstonePairs", _THRESHOLD, _NORMAL_TABLE, _PROBIT
    ),
}
