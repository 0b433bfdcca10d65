"""A progress bar for loops of our own."""

import time
from contextlib import contextmanager

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(label, total, shown=True):
    """Yield a function to call once a step; the bar appears once two seconds have passed.

    Where nobody knows how many steps there will be, ``total`` is None and the steps are counted.
    """
    started = time.monotonic()
    bar = task = None
    done = 0

    def advance():
        nonlocal bar, task, done
        done += 1
        if not shown or (done % 8 and done != total):
            return
        if bar is None and time.monotonic() - started > 2.0:
            from rich.progress import Progress

            bar = Progress(transient=True)
            bar.start()
            task = bar.add_task(label, total=total)
        if bar is not None:
            counted = f"{label}, step {done}" if total is None else label
            bar.update(task, completed=done, description=counted)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()
