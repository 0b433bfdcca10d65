"""How every kernel is compiled."""

from functools import partial

from numba import njit

__all__ = ["FLAGS", "compiled", "compiled_in_any_order"]

# A compiled function inherits the flags of the function that calls it unless it sets its own.
# PyTensor compiles with fast maths, which assumes that infinities do not exist and re-orders
# the sums on which `vector_math` rests: results would be wrong under one linker only. Only fusing
# a product with a sum is allowed, which rounds once instead of twice.
FLAGS = {"error_model": "numpy", "fastmath": {"contract"}}
# Other Python threads may run meanwhile, so that chains do not wait for each other.
compiled = partial(njit, nogil=True, **FLAGS)
# For sums of products, which LLVM vectorises only if it may add them up in any order.
compiled_in_any_order = partial(
    njit, nogil=True, **(FLAGS | {"fastmath": {"contract", "nsz", "reassoc"}})
)
