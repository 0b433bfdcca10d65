"""Numbers only: each likelihood's value and partial derivatives in one fused Numba pass.

A kernel is a function of arrays, ``kernel(*parameters, *structure)``. Its first
``n_parameters`` arguments are differentiable, one entry per row (or a single entry that all rows
share); the rest is data. It returns the log-probability of each row and then, for each
parameter, the derivative of the row's log-probability. Rankings are ragged, as
`bayesrank.kernels.ranking_rows` says; ``function`` takes them as padded matrices all the same.
Nothing here knows PyMC or PyTensor.
"""

from importlib import import_module
from pkgutil import iter_modules

from bayesrank.kernels.native import Kernel

__all__ = ["KERNELS", "Kernel"]


def _kernels():
    """Return the kernels that the files of this room, and Thurstone's, define."""
    names = [f"{__name__}.{found.name}" for found in iter_modules(__path__) if not found.ispkg]
    modules = [import_module(name) for name in [*names, f"{__name__}.thurstone.rankings"]]
    found = [value for module in modules for value in vars(module).values()]
    return {kernel.name: kernel for kernel in found if isinstance(kernel, Kernel)}


KERNELS = _kernels()
