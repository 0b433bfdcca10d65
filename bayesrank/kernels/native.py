"""Kernels as C functions, which the compiled posterior calls by their address.

A native kernel computes some rows of the data: `kernel(inputs, partials, table, first, last, logp,
scratch)`.

- ``inputs``: addresses of its parameters. Those of rows (differences, scores of entries) start at
  row ``first``; those that all rows share are whole.
- ``partials``: addresses of the derivatives. Those of rows are overwritten, those that all rows
  share are added to.
- ``table``: whole numbers and addresses of the data, as the kernel's own file says.
- ``logp``: where the log-probabilities of the rows go, without weights.
- ``scratch``: room for as many numbers as the kernel has asked for.

It returns the sum of the rows' log-probabilities, with weights.
"""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from numba import types

from bayesrank.kernels.compiled import c_function
from bayesrank.kernels.maths.pointers import REALS, WHOLES, caller

__all__ = ["Kernel", "NativeKernel", "call_kernel", "native"]

_SIGNATURE = types.float64(WHOLES, WHOLES, WHOLES, types.int64, types.int64, REALS, REALS)
call_kernel = caller(_SIGNATURE)


class NativeKernel:
    """A kernel that is compiled when its address is first asked for, and kept on disk."""

    def __init__(self, function):
        self.function = function

    @cached_property
    def compiled(self):
        """The C function, which lives as long as this object."""
        return c_function(_SIGNATURE, self.function)

    @property
    def address(self):
        """Where the C function is."""
        return self.compiled.address


def native(function):
    """Make a native kernel of a function."""
    return NativeKernel(function)


def _none(*_):
    return 0


class Kernel(NamedTuple):
    """A likelihood as numbers.

    Attributes
    ----------
    name : str
        By which distributions and likelihoods know it.
    function : callable
        One row per pair or per ranking; rankings as padded matrices.
    n_parameters : int
        Number of its leading differentiable arguments.
    ragged : callable
        The compiled kernel itself.
    native : NativeKernel, optional
        The same as a C function.
    scratch : callable
        How much scratch that needs, from the entries of the longest ranking and the structure.
    turn : callable, optional
        How the partial derivatives turn: their own derivatives along a direction. It takes the
        arguments of ``function``, and then a direction for each parameter, by row.
    """

    name: str
    function: Callable
    n_parameters: int
    ragged: Callable
    native: NativeKernel | None = None
    scratch: Callable = _none
    turn: Callable | None = None
