"""Tie parameters as functions of p, the probability that equal items tie.

The prior is uniform on p, so that all tie models say the same before they see data.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

__all__ = ["NU", "THETA", "THRESHOLD", "TieParameter", "with_complement"]

BELOW_ONE = 1.0 - np.finfo(float).eps


def with_complement(p, maths=np):
    """Return p and 1 - p, both kept off the ends where a tie is certain."""
    p = maths.minimum(p, BELOW_ONE)
    return p, 1.0 - p


@dataclass(frozen=True)
class TieParameter:
    """A tie parameter of pairs as a function of p, the probability that two equal items tie.

    ``value`` gives the parameter under its own name from (p, 1 - p), in NumPy or PyTensor (its
    third argument has ``erfinv``); ``kernel`` gives the kernel's parameter and
    ``kernel_slope`` its derivative by p.
    """

    name: str
    value: Callable
    kernel: Callable
    kernel_slope: Callable


NU = TieParameter(
    "nu",
    lambda p, q, maths: 2.0 * p / q,
    lambda p, q: 2.0 * p / q,
    lambda p, q: 2.0 / (q * q),
)
THETA = TieParameter(
    "theta",
    lambda p, q, maths: (1.0 + p) / q,
    lambda p, q: np.log1p(2.0 * p / q),
    lambda p, q: 2.0 / (q * (1.0 + p)),
)
THRESHOLD = TieParameter(
    "threshold",
    lambda p, q, maths: np.sqrt(2.0) * maths.erfinv(p),
    lambda p, q: np.sqrt(2.0) * special.erfinv(p) if p < 0.5 else -special.ndtri(0.5 * q),
    lambda p, q: np.sqrt(0.5 * np.pi) * np.exp(0.5 * special.ndtri(0.5 * q) ** 2),
)
