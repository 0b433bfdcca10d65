"""How many threads linear algebra may use."""

from functools import cache

__all__ = ["one_blas_thread"]


@cache
def _libraries():
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_blas_thread():
    """Return a context in which BLAS runs in one thread.

    An optimiser multiplies vectors thousands of times. Spread over two threads that is no faster,
    and on a machine with anything else to do the threads wait for each other: there a fit takes
    ten times as long.
    """
    return _libraries().limit(limits=1, user_api="blas")
