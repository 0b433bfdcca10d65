"""Ctrl-C as a question instead of an exception, so that it cannot come between two lines."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["interruptions"]

_PATIENCE = 3  # times Ctrl-C is pressed before it acts at once


@contextmanager
def interruptions() -> Iterator[Callable[[], bool]]:
    """Return a function that says whether Ctrl-C was pressed; what it would do is done at the end.

    Pressed three times it acts at once. Threads other than the main one are never interrupted.
    """
    pressed: list[int] = []
    previous = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: Any) -> None:
        pressed.append(number)
        if len(pressed) >= _PATIENCE:
            raise KeyboardInterrupt

    here = callable(previous) and threading.current_thread() is threading.main_thread()
    if here:
        signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        if here:
            signal.signal(signal.SIGINT, previous)
    if pressed and callable(previous):
        previous(pressed[0], None)  # by default this raises KeyboardInterrupt
