"""Settings that belong to the whole process, where several threads fit at once."""

import os
import threading
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

__all__ = ["no_user_warnings", "one_blas_thread"]


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let BLAS run in one thread.

    An optimiser multiplies vectors thousands of times. Spread over two threads that is no faster,
    and on a machine with anything else to do the threads wait for each other: there a fit takes
    ten times as long.
    """
    _, own = _libraries()
    _limit.enter()
    try:
        with own.limit(limits=1):
            yield
    finally:
        _limit.leave()


@cache
def _libraries() -> tuple[list[Any], Any]:
    """Return BLAS libraries of which all threads share a limit, and a controller of the others."""
    from threadpoolctl import ThreadpoolController

    blas = ThreadpoolController().select(user_api="blas")
    shared = [lib for lib in blas.lib_controllers if _threading_layer(lib) == "pthreads"]
    layers = [_threading_layer(lib) for lib in blas.lib_controllers]
    return shared, blas.select(threading_layer=[layer for layer in layers if layer != "pthreads"])


def _threading_layer(library: Any) -> str | None:
    return getattr(library, "threading_layer", None)


def _set_threads(library: Any, threads: int) -> None:
    """Set the threads of a library, whoever did so before.

    From version 3.8 threadpoolctl lets only one Python thread do so until that gives it up.
    """
    give_up = getattr(library, "clear_controlling_thread", lambda force: None)
    give_up(force=True)
    library.set_num_threads(threads)
    give_up(force=True)


class _SharedLimit:
    """One limit for all threads, as the libraries have it.

    Fits in several threads overlap. The first to enter sets the limit, the last to leave restores
    what was before; if each restored what it had found, the last one would restore the limit.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._own = threading.local()  # how often this thread has entered
        self._inside = 0  # how often all threads have
        self._before: list[int] = []
        if hasattr(os, "register_at_fork"):
            # A fork must not copy the lock while another thread holds it.
            os.register_at_fork(
                before=self._lock.acquire,
                after_in_parent=self._lock.release,
                after_in_child=self._forked,
            )

    def enter(self) -> None:
        with self._lock:
            if not self._inside:
                shared, _ = _libraries()
                self._before = [library.num_threads for library in shared]
                for library in shared:
                    _set_threads(library, 1)
            self._inside += 1
            self._own.inside = getattr(self._own, "inside", 0) + 1

    def leave(self) -> None:
        with self._lock:
            self._own.inside -= 1
            self._stay(self._inside - 1)

    def _forked(self) -> None:
        """Forget the other threads, which a forked process does not have."""
        self._stay(getattr(self._own, "inside", 0))
        self._lock.release()

    def _stay(self, inside: int) -> None:
        """Note who is still inside; after the last one, restore."""
        if self._inside and not inside:
            for library, threads in zip(_libraries()[0], self._before, strict=True):
                _set_threads(library, threads)
        self._inside = inside


_limit = _SharedLimit()


class _Silence:
    """Ignore user warnings while some thread is inside.

    The first to enter sets the filter and the last to leave puts back what was before; if each did
    so, the last one would put back the filter of another.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._filters = warnings.catch_warnings()

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._filters = warnings.catch_warnings()
                self._filters.__enter__()
                warnings.simplefilter("ignore", UserWarning)
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0:
                self._filters.__exit__(None, None, None)


_silence = _Silence()


def no_user_warnings() -> AbstractContextManager[None]:
    """Return a context in which user warnings are ignored."""
    return _silence
