"""Settings that belong to the whole process, where several threads fit at once."""

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache
from typing import Any

__all__ = ["no_user_warnings", "one_blas_thread"]


class _Shared:
    """A context that several threads may be in at once: the first makes it, the last leaves it.

    Each with a context of its own would put back, at its end, what the others had set.
    """

    def __init__(self, make: Callable[[], AbstractContextManager[Any]]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._inside = 0
        self._made = ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._made.enter_context(self._make())
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._made.close()


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


_blas = _Shared(lambda: _libraries().limit(limits=1, user_api="blas"))


def one_blas_thread() -> AbstractContextManager[None]:
    """Return a context in which BLAS runs in one thread.

    An optimiser multiplies vectors thousands of times. Spread over two threads that is no faster,
    and on a machine with anything else to do the threads wait for each other: there a fit takes
    ten times as long.
    """
    return _blas


@contextmanager
def _ignored() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


_silence = _Shared(_ignored)


def no_user_warnings() -> AbstractContextManager[None]:
    """Return a context in which user warnings are ignored."""
    return _silence
