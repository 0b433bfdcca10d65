"""Many tasks on local processes, of which some may die and some may never end.

Each process has one task at a time and pipes of its own. So it is known whose task it was that
ended a process, and no other task is touched. A process leaves when its pipe is closed, however
the main process came to its end, and hears nothing of Ctrl-C, which is for the main process.
"""

import os
import pickle
import signal
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Thread
from typing import Any

from bayesrank.data.checks import whole_number
from bayesrank.inference.interruptions import interruptions

__all__ = ["DIED", "on_processes"]

_AGAIN = 3  # how often a task whose process died is tried again
_STILLBORN = 3  # processes that may die while they start, if none has started yet
_HOPELESS = 20  # the same, one after the other, if some have
_READY = b"ready"
_LOOK = 1.0  # seconds after which processes are looked at, where nothing is heard
DIED = "The process died."


def on_processes(
    function: Callable[..., Any],
    tasks: Mapping[Any, tuple[Any, ...]],
    processes: int | None,
    *,
    seconds: float | None = None,
    prepare: Callable[[], Any] | None = None,
) -> Generator[tuple[Any, Any]]:
    """Yield each key with the function's result for the arguments of its task, as they come.

    With one process, and without a limit, the tasks run in this one. An error in a task is raised
    here. A text says what happened where there is no result: the process died, each time that it
    was tried; it took longer than so many seconds; or task or result cannot be sent. What each
    process does first, to prepare itself, takes none of these seconds. All processes are ended
    when the iterator is closed, so close it where it may be left early.
    """
    if processes is not None:
        whole_number("processes", processes, 1)
    processes = processes or os.cpu_count() or 1
    if processes == 1 and seconds is None:
        for key, task in tasks.items():
            yield key, function(*task)
        return
    pool = _Pool(function, tasks, processes, seconds, prepare)
    try:
        yield from pool.results()
    finally:
        pool.end()


class _Pool:
    """Processes, the tasks that wait for one, and what is known of the tasks."""

    def __init__(
        self,
        function: Callable[..., Any],
        tasks: Mapping[Any, tuple[Any, ...]],
        processes: int,
        seconds: float | None,
        prepare: Callable[[], Any] | None,
    ) -> None:
        self.function, self.tasks, self.processes = function, tasks, processes
        self.seconds, self.prepare = seconds, prepare
        self.waiting = deque(tasks)
        self.workers: list[_Worker] = []
        self.deaths: Counter[Any] = Counter()
        self.any_started, self.stillborn = False, 0

    def results(self) -> Iterator[tuple[Any, Any]]:
        while self.waiting or self._busy():
            for _ in range(len(self.workers), min(self.processes, self._left())):
                # Known before it is started, so that it is ended whenever Ctrl-C comes.
                self.workers.append(_Worker(self.prepare))
                self.workers[-1].start()
            yield from self._hand_out()
            yield from self._listen()

    def end(self) -> None:
        with interruptions():  # whoever is impatient must not leave processes behind
            for worker in self.workers:
                worker.kill()  # all at once, before the first is waited for
            for worker in self.workers:
                worker.end()

    def _busy(self) -> "list[_Worker]":
        return [worker for worker in self.workers if worker.has_task]

    def _left(self) -> int:
        return len(self.waiting) + len(self._busy())

    def _hand_out(self) -> Iterator[tuple[Any, Any]]:
        """Give a task to each process that has none; yield those that cannot be sent."""
        for worker in self.workers:
            while self.waiting and worker.ready and not worker.has_task:
                key = self.waiting.popleft()
                try:
                    message = pickle.dumps((self.function, self.tasks[key]))
                except Exception as error:
                    yield key, f"The task cannot be sent to another process: {_words(error)}"
                else:
                    worker.take(key, message)

    def _listen(self) -> Iterator[tuple[Any, Any]]:
        """Wait for something to happen; yield what is known of tasks by then."""
        by_pipe: dict[Any, _Worker] = {worker.results: worker for worker in self.workers}
        heard = wait(list(by_pipe), self._patience())
        for pipe in heard:
            worker = by_pipe[pipe]
            message = worker.hear()
            if message is None:
                yield from self._bury(worker)
            elif message == _READY:
                worker.ready, self.any_started, self.stillborn = True, True, 0
            else:
                yield worker.give_back(), _result(message)
        if not heard:
            # A process that has died is silent as long as one that it has started lives on.
            for worker in [one for one in self.workers if not one.process.is_alive()]:
                if not worker.results.poll():
                    yield from self._bury(worker)
        yield from self._end_late()

    def _patience(self) -> float:
        """Return the seconds until somebody must be looked at."""
        if self.seconds is None:
            return _LOOK
        now = time.monotonic()
        left = [worker.since + self.seconds - now for worker in self._busy()]
        return max(0.0, min([_LOOK, *left]))

    def _bury(self, worker: "_Worker") -> Iterator[tuple[Any, Any]]:
        """Try the task of a process that has died again, or yield that it cannot be done."""
        code = worker.end()
        self.workers.remove(worker)
        if not worker.ready:
            self.stillborn += 1
            if self.stillborn >= _STILLBORN and not self.any_started:
                raise RuntimeError(
                    f"Processes die while they start (exit code {code}). They import the script "
                    "that starts them: what it does must be below `if __name__ == "
                    '"__main__":`. If it is, memory may be short: try fewer `processes`.'
                )
            if self.stillborn >= _HOPELESS:  # what was done is not lost for that
                while self.waiting:
                    yield self.waiting.popleft(), DIED
        if worker.has_task:
            key = worker.give_back()
            self.deaths[key] += 1
            if self.deaths[key] > _AGAIN:
                yield key, DIED
            else:
                self.waiting.append(key)

    def _end_late(self) -> Iterator[tuple[Any, Any]]:
        """End the processes whose task takes too long, and yield that it did."""
        if self.seconds is None:
            return
        for worker in self._busy():
            late = time.monotonic() - worker.since >= self.seconds
            if late and not worker.results.poll():
                worker.end()
                self.workers.remove(worker)
                took = f"The fit took longer than {self.seconds:g} s and was ended."
                yield worker.give_back(), took


class _Worker:
    """A process, seen from the main one, with the key of its task."""

    def __init__(self, prepare: Callable[[], Any] | None) -> None:
        # Not forked: a forked process would not have the threads of compiled code. A daemon: if
        # all else fails it is ended, and not waited for, at the end of the main process.
        context = get_context("spawn")
        theirs, self.tasks = context.Pipe(duplex=False)
        self.results, out = context.Pipe(duplex=False)
        self.process = context.Process(target=_work, args=(theirs, out, prepare), daemon=True)
        self.theirs = theirs, out
        self.ready = self.has_task = False
        self.key: Any = None
        self.since = 0.0

    def start(self) -> None:
        with interruptions(), _deaf():
            self.process.start()
            for pipe in self.theirs:
                pipe.close()

    def take(self, key: Any, message: bytes) -> None:
        self.key, self.has_task, self.since = key, True, time.monotonic()
        with suppress(OSError):  # it has died, which will be noticed
            self.tasks.send_bytes(message)

    def hear(self) -> bytes | None:
        """Return what the process says, or None if it has died."""
        try:
            return self.results.recv_bytes()
        except (EOFError, OSError):
            return None

    def give_back(self) -> Any:
        self.has_task = False
        return self.key

    def kill(self) -> None:
        if self.process.pid is not None:  # it has been started
            self.process.kill()

    def end(self) -> int | None:
        """Kill the process, wait until it is gone, and return its exit code."""
        self.kill()
        if self.process.pid is not None:
            self.process.join()
        self.tasks.close()
        self.results.close()
        return self.process.exitcode


@contextmanager
def _deaf() -> Iterator[None]:
    """Let no process that is started meanwhile hear of Ctrl-C, from its first moment on."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # otherwise it starts now, and ends the silence
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(tasks: Connection, results: Connection, prepare: Callable[[], Any] | None) -> None:
    """Do one task after the other, in a process of their own, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    current_process().daemon = False  # PyMC's sampler starts processes of its own
    inbox: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(tasks, inbox), daemon=True).start()
    if prepare is not None:
        with suppress(Exception):  # which the tasks will meet as well, and report
            prepare()
    with suppress(OSError):  # the main process is gone
        results.send_bytes(_READY)
        while True:
            results.send_bytes(_answer(inbox.get()))


def _receive(tasks: Connection, inbox: "SimpleQueue[bytes]") -> None:
    """Pass tasks on; end the process, whatever it does, when the main one is gone."""
    while True:
        try:
            inbox.put(tasks.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)


def _answer(message: bytes) -> bytes:
    """Return the error or the result of a task, packed."""
    try:
        function, arguments = pickle.loads(message)
    except Exception as error:
        said = f"The task cannot be read in another process: {_words(error)}"
        return pickle.dumps((None, said))
    answer: tuple[Exception | None, Any]
    try:
        answer = None, function(*arguments)
    except Exception as error:
        answer = _portable(error), None
    try:
        return pickle.dumps(answer)
    except Exception as error:
        said = f"The result cannot be sent from its process: {_words(error)}"
        return pickle.dumps((None, said))


def _portable(error: Exception) -> Exception:
    """Return an error that can be sent, with the lines that it comes from."""
    lines = "".join(traceback.format_exception(error))
    error.add_note(f"In another process:\n{lines}")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        error = RuntimeError(_words(error))
        error.add_note(f"In another process:\n{lines}")
    return error


def _result(message: bytes) -> Any:
    """Return the result of a task, or raise its error."""
    try:
        error, result = pickle.loads(message)
    except Exception as unreadable:
        return f"The result cannot be read: {_words(unreadable)}"
    if error is not None:
        raise error
    return result


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
