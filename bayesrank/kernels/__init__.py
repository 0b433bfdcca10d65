"""Numbers only: each likelihood's value and partial derivatives in one fused Numba pass.

A kernel is a function of arrays, ``kernel(*parameters, *structure)``. Its first
``n_parameters`` arguments are differentiable, one entry a row (or a single entry that all rows
share); the rest is data. It returns the log-probability of each row and then, for each
parameter, the derivative of the row's log-probability. Nothing here knows PyMC or PyTensor.
"""

from collections.abc import Callable
from typing import NamedTuple

from bayesrank.kernels.additive import prevalences, shares
from bayesrank.kernels.geometric import geometric
from bayesrank.kernels.pairs import cumulative, davidson, rao_kupper
from bayesrank.kernels.partitioned import partitioned
from bayesrank.kernels.thurstone.rankings import thurstone

__all__ = ["KERNELS", "Kernel"]


class Kernel(NamedTuple):
    """A compiled likelihood and the number of its leading differentiable arguments."""

    function: Callable
    n_parameters: int


KERNELS = {
    "cumulative": Kernel(cumulative, 2),
    "davidson": Kernel(davidson, 2),
    "geometric": Kernel(geometric, 2),
    "partitioned": Kernel(partitioned, 1),
    "prevalences": Kernel(prevalences, 1),
    "rao_kupper": Kernel(rao_kupper, 2),
    "shares": Kernel(shares, 1),
    "thurstone": Kernel(thurstone, 1),
}
