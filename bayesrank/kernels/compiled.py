"""How every kernel is compiled."""

from functools import partial

from numba import njit

__all__ = ["compiled"]

# A compiled function inherits the flags of the function that calls it unless it sets its own.
# PyTensor compiles with fast maths, which assumes that infinities do not exist and re-orders
# the sums on which `vector_math` rests: results would be wrong under one linker only. Only fusing
# a product with a sum is allowed, which rounds once instead of twice. Other Python threads may run
# meanwhile, so that chains do not wait for each other.
compiled = partial(njit, error_model="numpy", fastmath={"contract"}, nogil=True)
