"""The pool of processes: real deaths, real hangs, real signals, and nothing left behind."""

import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from functools import partial

import psutil
import pytest

from bayesrank.inference import process_pool
from bayesrank.inference.process_pool import DIED, on_processes
from tests.inference.processes import alive, children, command, wait_until
from tests.whole.sources import ROOT

# Tasks. Those that leave a mark say which processes had them.


def square(number, seconds=0.0):
    time.sleep(seconds)
    return number**2


def marked(mark, then, *arguments):
    with open(mark, "a") as file:
        file.write(f"{os.getpid()}\n")
    return then(*arguments)


def kill_myself(how):
    os.kill(os.getpid(), how)


def never_end():
    while True:
        pass


class Stubborn(Exception):
    """An error that cannot be sent."""

    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")
        self.lock = threading.Lock()


def stumble(error, *arguments):
    raise error(*arguments)


def not_to_be_sent():
    return threading.Lock()


def test_deaths_and_hangs_are_those_of_one_task(tmp_path):
    others = {k: (tmp_path / f"{k}", square, k) for k in range(20)}
    tasks = {
        "killed": (tmp_path / "killed", kill_myself, signal.SIGKILL),
        "endless": (tmp_path / "endless", never_end),
        "no task": (tmp_path / "no task", lambda: 1),
        "no result": (tmp_path / "no result", not_to_be_sent),
    } | others
    found = dict(on_processes(marked, tasks, 2, seconds=1.0))
    assert {k: found.pop(k) for k in range(20)} == {k: k**2 for k in range(20)}
    assert found.pop("endless") == "The fit took longer than 1 s and was ended."
    assert found.pop("no task").startswith("The task cannot be sent to another process: ")
    assert "cannot be sent from its process: TypeError: cannot pickle" in found.pop("no result")
    assert found == {"killed": DIED}
    tried = {path.name: len(path.read_text().split()) for path in tmp_path.iterdir()}
    assert tried.pop("killed") == 4
    assert set(tried.values()) == {1}
    assert not children()


def test_every_task_is_done_however_often_processes_are_killed(tmp_path):
    mark, rng, killed = tmp_path / "mark", random.Random(1), []

    def kill_now_and_then():
        while len(killed) < 3:
            time.sleep(rng.uniform(0.0, 0.2))
            at_work = set(mark.read_text().split()) if mark.exists() else set()
            for victim in [child for child in children() if str(child.pid) in at_work][:1]:
                victim.kill()
                killed.append(victim.pid)

    killer = threading.Thread(target=kill_now_and_then)
    killer.start()
    tasks = {k: (mark, square, k, 0.05) for k in range(60)}
    assert dict(on_processes(marked, tasks, 2)) == {k: k**2 for k in range(60)}
    killer.join()
    assert len(mark.read_text().split()) <= 60 + len(killed)


def test_an_error_in_a_task_is_raised_here():
    with pytest.raises(KeyError, match="lost") as caught:
        list(on_processes(stumble, {1: (KeyError, "lost")}, 2))
    assert "in stumble" in caught.value.__notes__[0]
    assert not children()


def test_an_error_that_cannot_be_sent_is_told_in_its_words():
    message = process_pool._answer(pickle.dumps((stumble, (Stubborn, "one", "two"))))
    with pytest.raises(RuntimeError, match="Stubborn: one and two") as caught:
        process_pool._result(message)
    assert "in stumble" in caught.value.__notes__[0]


def test_one_process_with_a_limit_is_another_whose_preparation_does_not_count():
    assert dict(on_processes(os.getpid, {1: ()}, 1)) == {1: os.getpid()}
    limit = {"seconds": 1.0, "prepare": partial(time.sleep, 1.5)}
    other = dict(on_processes(os.getpid, {1: (), 2: ()}, 1, **limit))
    assert other[1] == other[2] != os.getpid()


def leave_if(mark):
    if mark.exists():
        os._exit(7)


def test_what_is_done_is_not_lost_where_no_process_starts_any_more(tmp_path, monkeypatch):
    monkeypatch.setattr(process_pool, "_HOPELESS", 2)
    mark, other = tmp_path / "mark", tmp_path / "other"
    tasks = {1: (other, square, 3), 2: (mark, os._exit, 1), 3: (other, square, 4)}
    limit = {"seconds": 30, "prepare": partial(leave_if, mark)}
    assert dict(on_processes(marked, tasks, 1, **limit)) == {1: 9, 2: DIED, 3: DIED}


def test_leaving_early_leaves_nobody_behind():
    with closing(on_processes(square, {k: (k, 60.0 * k) for k in range(3)}, 2)) as results:
        assert next(results) == (0, 0)
        assert children()
    assert not children()


@pytest.mark.parametrize("processes", [0, -1, 1.5])
def test_the_number_of_processes_is_checked(processes):
    with pytest.raises(ValueError, match="`processes` must be a whole number from 1 up"):
        list(on_processes(square, {1: (1,)}, processes))


def test_a_script_that_starts_itself_is_told(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import math\nfrom bayesrank.inference.process_pool import on_processes\n"
        "print(dict(on_processes(math.sqrt, {1: (1.0,)}, 2)))\n"
    )
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    last = ran.stderr.splitlines()[-1]
    assert last.startswith("RuntimeError: Processes die while they start (exit code 1).")
    assert 'must be below `if __name__ == "__main__":`' in last


# Two processes, each of which is busy for a minute.
BUSY = """
import sys
from bayesrank.inference.process_pool import on_processes
from tests.inference.test_process_pool import marked, square

dict(on_processes(marked, {k: (sys.argv[1], square, k, 60.0) for k in range(2)}, 2))
"""


def workers_of(main):
    started = alive(psutil.Process(main.pid).children())
    return [process for process in started if "spawn_main" in command(process)]


# Ctrl-C forty times, at any moment of the start.
IMPATIENT = """
import os, random, signal, threading, time
from bayesrank.inference.process_pool import on_processes
from tests.inference.processes import children

rng = random.Random(1)
for _ in range(40):
    press = threading.Timer(rng.uniform(0.0, 0.03), os.kill, (os.getpid(), signal.SIGINT))
    try:
        press.start()
        list(on_processes(time.sleep, {1: (60,), 2: (60,)}, 2))
    except KeyboardInterrupt:
        print(len(children()))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_no_process_is_forgotten_while_it_starts():
    script = [sys.executable, "-c", IMPATIENT]
    ran = subprocess.run(script, capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert (ran.stdout.split(), ran.stderr) == (["0"] * 40, "")


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize(
    ("how", "when"),
    [("SIGINT to all", "starting"), ("SIGINT to all", "busy"), ("SIGTERM", "busy")],
)
def test_no_process_outlives_the_main_one(how, when, tmp_path):
    mark = tmp_path / "mark"
    main = subprocess.Popen(
        [sys.executable, "-c", BUSY, mark], stderr=subprocess.PIPE, text=True, cwd=ROOT,
        start_new_session=True,
    )  # fmt: skip
    try:
        wait_until(lambda: len(workers_of(main)) == 2)
        workers = workers_of(main)
        if when == "busy":
            wait_until(lambda: mark.exists() and len(mark.read_text().split()) == 2)
        name, _, everybody = how.partition(" ")
        (os.killpg if everybody else os.kill)(main.pid, getattr(signal, name))
        told = time.monotonic()
        said = main.communicate(timeout=20)[1]
        wait_until(lambda: not alive(workers))
    finally:
        main.kill()
    assert time.monotonic() - told < 5.0
    assert said.count("Traceback") == (name == "SIGINT")
