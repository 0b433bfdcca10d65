"""How every kernel is compiled."""

from functools import partial

from numba import njit
from numba.core.ccallback import CFunc

from bayesrank.kernels.code_cache import code_cache

__all__ = ["FLAGS", "c_function", "compiled", "compiled_in_any_order"]

# A compiled function inherits the flags of the function that calls it unless it sets its own.
# PyTensor compiles with fast maths, which assumes that infinities do not exist and re-orders
# the sums on which `vector_math` rests: results would be wrong under one linker only. Only fusing
# a product with a sum is allowed, which rounds once instead of twice.
FLAGS = {"error_model": "numpy", "fastmath": {"contract"}}


def compiled(signature=None, *, cache=False, **flags):
    """Return a decorator that compiles a function.

    Parameters
    ----------
    signature : str, optional
        Types of the result and of the arguments; then it is compiled for these alone, at once.
    cache : bool
        Whether to keep the compiled code on disk.
    **flags
        For Numba, instead of `FLAGS`.
    """

    def decorate(function):
        # Other Python threads may run meanwhile, so that chains do not wait for each other.
        dispatcher = njit(nogil=True, **(FLAGS | flags))(function)
        if cache:
            dispatcher._cache = code_cache(function)
        if signature is not None:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
        return dispatcher

    return decorate


# For sums of products, which LLVM vectorises only if it may add them up in any order.
compiled_in_any_order = partial(compiled, fastmath={"contract", "nsz", "reassoc"})


def c_function(signature, function):
    """Compile a C function, kept on disk; it lives as long as the object that is returned."""
    made = CFunc(function, (signature.args, signature.return_type), locals={}, options=FLAGS)
    made._cache = code_cache(function)
    made.compile()
    return made
