"""Many tasks on local processes, of which some may die."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

__all__ = ["DIED", "on_processes"]

_ATTEMPTS = 3  # with a task whose process died, before it gets one of its own
_AHEAD = 4  # tasks in the queue for each process, so that thousands are not copied at once
DIED = "The process died."


def on_processes(
    function: Callable[..., Any], tasks: dict[Any, tuple[Any, ...]], processes: int | None
) -> Iterator[tuple[Any, Any]]:
    """Yield each key with the function's result for the arguments of its task, as they come.

    With one process the tasks run in this one. The result of a task whose process dies, also when
    it is alone, is `DIED`.
    """
    processes = processes or os.cpu_count() or 1
    if processes == 1:
        for key, task in tasks.items():
            yield key, function(*task)
        return
    attempts, waiting = dict.fromkeys(tasks, 0), list(tasks)
    while waiting:
        broken: list[Any] = []
        yield from _until_one_breaks(function, tasks, waiting, broken, processes)
        for key in broken:
            attempts[key] += 1
        given_up = [key for key in broken if attempts[key] >= _ATTEMPTS]
        # Those in question one by one, so that the one that dies is known.
        for key in given_up:
            yield key, _alone(function, tasks[key])
        waiting = [key for key in broken if key not in set(given_up)] + waiting


def _until_one_breaks(
    function: Callable[..., Any],
    tasks: dict[Any, tuple[Any, ...]],
    waiting: list[Any],
    broken: list[Any],
    processes: int,
) -> Iterator[tuple[Any, Any]]:
    """Yield results while the pool lives; fill in the keys of those that were with it at its end.

    Keys are taken off ``waiting`` from the front.
    """
    # Not forked: a forked process would not have the threads of compiled code.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running: dict[Any, Any] = {}
        while (waiting or running) and not broken:
            while waiting and len(running) < _AHEAD * processes:
                key = waiting.pop(0)
                try:
                    running[pool.submit(function, *tasks[key])] = key
                except BrokenProcessPool:
                    broken.append(key)
                    break
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                key = running.pop(future)
                try:
                    yield key, future.result()
                except BrokenProcessPool:
                    broken.append(key)
        # A process died, and with it the pool: whose task it was is not known.
        broken += running.values()


def _alone(function: Callable[..., Any], task: tuple[Any, ...]) -> Any:
    """Return the result of a task in a process of its own, or that the process died."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(function, *task).result()
        except BrokenProcessPool:
            return DIED
