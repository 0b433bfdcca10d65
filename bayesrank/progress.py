"""A progress bar for loops of our own, and a sign of life for what has no steps."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

__all__ = ["no_progress", "progress_bar", "waiting"]

_within: list[str | None] = []  # loops around this one that have a bar, which is enough


@contextmanager
def no_progress() -> Iterator[None]:
    """Keep all bars inside quiet."""
    _within.append(None)
    try:
        yield
    finally:
        _within.pop()


@contextmanager
def progress_bar(label: str, total: int | None, shown: bool = True) -> Iterator[Callable[[], None]]:
    """Yield a function to call after each step; the bar appears after two seconds.

    Where nobody knows how many steps there will be, ``total`` is None and the steps are counted.
    A loop inside another that has a bar has none.
    """
    started = time.monotonic()
    shown = shown and not _within
    bar: Any = None
    task: Any = None
    done, last = 0, started

    def advance() -> None:
        nonlocal bar, task, done, last, shown
        done += 1
        now = time.monotonic()
        if not shown or (now - last < 0.1 and done != total):
            return
        last = now
        if bar is None and now - started > 2.0:
            from rich.console import Console
            from rich.progress import Progress

            console = Console(stderr=True)
            # In a notebook rich needs ipywidgets, and would warn where they are missing.
            widgets = console.is_jupyter and find_spec("ipywidgets") is not None
            shown = widgets or (console.is_terminal and not console.is_jupyter)
            if not shown:
                return
            # What a user prints meanwhile stays on the stream that it is printed to.
            bar = Progress(
                transient=True, console=console, redirect_stdout=False, redirect_stderr=False
            )
            bar.start()
            task = bar.add_task(label, total=total)
        if bar is not None:
            counted = f"{label}, step {done}" if total is None else label
            bar.update(task, completed=done, description=counted)

    speaks = shown  # which may change when the console is known
    if speaks:
        _within.append(label)
    try:
        yield advance
    finally:
        if speaks:
            _within.pop()
        if bar is not None:
            bar.stop()


@contextmanager
def waiting(label: str, shown: bool = True) -> Iterator[None]:
    """Show in the terminal that something is going on, once two seconds have passed."""
    if not shown or _within:
        yield
        return
    lock, bar, over = threading.Lock(), None, False

    def show() -> None:
        nonlocal bar
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn

        console = Console(stderr=True)
        with lock:
            if not over and console.is_terminal and not console.is_jupyter:
                columns = SpinnerColumn(), "{task.description}"
                bar = Progress(
                    *columns, transient=True, console=console, redirect_stdout=False,
                    redirect_stderr=False,
                )  # fmt: skip
                bar.add_task(label, total=None)
                bar.start()

    timer = threading.Timer(2.0, show)
    timer.daemon = True
    _within.append(label)
    try:
        timer.start()
        yield
    finally:
        _within.pop()
        timer.cancel()
        with lock:
            over = True
            if bar is not None:
                bar.stop()
