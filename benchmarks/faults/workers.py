"""Many fits on processes that are killed, or that hang."""

import json
import os
import signal
import threading
import time
import warnings

import numpy as np

import bayesrank as br
from benchmarks.faults.children import HUNG, LOST, RAW, RIGHT, WRONG, start_child

__all__ = ["hung_workers", "interrupted_groups", "killed_workers"]

GROUPS = 60
OPTIONS = {"method": "laplace", "draws": 50, "chains": 1, "progress": False, "seed": 1}


def _groups(number=GROUPS):
    games = br.load_dataset("baseball")
    return {f"group {k}": games.subset(games.items[: 3 + k % 5]) for k in range(number)}


def _children():
    """Return the ids of this process' children."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{name}/cmdline") as file:
                line = file.read()
        except (OSError, ValueError, IndexError):
            continue
        if parent == os.getpid() and "multiprocessing" in line and "spawn_main" in line:
            found.append(int(name))
    return found


def _disturbed(how, delays):
    """Run many fits while a thread sends signals to random workers; return the fits."""
    done = threading.Event()

    def disturb():
        for delay in delays:
            if done.wait(delay):
                return
            workers = _children()
            if workers:
                os.kill(workers[int(delay * 1e6) % len(workers)], how)

    thread = threading.Thread(target=disturb)
    thread.start()
    seconds = {"seconds": 5.0} if how == signal.SIGSTOP else {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return br.fit_many(_groups(), processes=2, **OPTIONS, **seconds)
    finally:
        done.set()
        thread.join()


def killed_workers(tries, rng):
    """Yield what became of many fits whose workers were killed now and then."""
    whole = br.fit_many(_groups(), processes=1, **OPTIONS)
    for _ in range(tries):
        fits = _disturbed(signal.SIGKILL, rng.uniform(2.0, 4.0, 2))
        if len(fits) != GROUPS:
            yield LOST, str(fits.failures)
            continue
        same = all(np.array_equal(fits[key].scores(), whole[key].scores()) for key in whole)
        yield (RIGHT if same else WRONG), ""


def hung_workers(tries, rng):
    """Yield what became of many fits of which some workers were stopped."""
    for _ in range(tries):
        began = time.monotonic()
        fits = _disturbed(signal.SIGSTOP, rng.uniform(2.5, 4.0, 1))
        late = [text for text in fits.failures.values() if "longer than" in text]
        if time.monotonic() - began > 60:
            yield HUNG, ""
        elif len(late) != len(fits.failures) or len(fits) + len(late) != GROUPS:
            yield LOST, str(fits.failures)
        else:
            yield RIGHT, ""


MANY = f"""
import sys
import bayesrank as br

games = br.load_dataset("baseball")
groups = {{k: games for k in range(3000)}}
if __name__ == "__main__":
    br.fit_many(groups, processes=2, folder=sys.argv[1], **{OPTIONS!r})
"""


def interrupted_groups(tries, rng):
    """Yield what became of many fits that SIGINT to the main process alone has ended."""
    from pathlib import Path
    from tempfile import TemporaryDirectory

    for _ in range(tries):
        with TemporaryDirectory() as folder:
            process = start_child(MANY, folder)
            time.sleep(rng.uniform(3.0, 9.0))
            os.kill(process.pid, signal.SIGINT)
            try:
                _, said = process.communicate(timeout=20)
            except Exception:
                os.killpg(process.pid, signal.SIGKILL)
                yield HUNG, ""
                continue
            kept = list(Path(folder).glob("*.fit"))
            whole = all(br.Fit.load(path).shape for path in kept[:: max(len(kept) // 20, 1)])
            lines = said.strip().splitlines()
            short = len(lines) < 40 and sum("KeyboardInterrupt" in line for line in lines) <= 2
            yield (RIGHT if whole and short else RAW), json.dumps([len(kept), len(lines)]) + said
