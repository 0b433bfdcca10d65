"""What a user waits for at the start: import, help, and the first posterior of the README."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bayesrank.progress import progress_bar
from benchmarks.lines import limit, take_turns

__all__ = ["run"]

RANK = ("-m", "bayesrank", "rank", "nascar")
WHOLE = "a whole process, start of the interpreter included"
# First commands of a newcomer, with nothing compiled before.
FIRST = {
    "rank pudding": ("-m", "bayesrank", "rank", "pudding"),
    "rank nascar": RANK,
    "rank fruits": ("-m", "bayesrank", "rank", "fruits"),
    "rank fruits --model thurstone": (
        "-m", "bayesrank", "rank", "fruits", "--model", "thurstone"
    ),
}  # fmt: skip
# Seconds of processor time beyond the imports, where something is asked.
ASKED = {"rank pudding": 12.0}
IMPORTS = ("-c", "import numba, nutpie")


def python(*words, **environment):
    """Run an interpreter with these words until it ends; what it prints is not shown."""
    subprocess.run(
        [sys.executable, *words], check=True, capture_output=True, env=os.environ | environment,
        cwd=Path(__file__).parents[1],
    )  # fmt: skip


def empty_caches(folder):
    """Return environment variables that leave Numba and PyTensor nothing compiled before.

    Without its variable Numba keeps the package's kernels next to their source.
    """
    flags = [*filter(None, [os.environ.get("PYTENSOR_FLAGS")]), f"base_compiledir={folder}/graphs"]
    return {"NUMBA_CACHE_DIR": f"{folder}/kernels", "PYTENSOR_FLAGS": ",".join(flags)}


def run(quick):
    """Return lines of import and help, and of the whole command with and without caches."""
    rounds = 3 if quick else 15
    with progress_bar("start", rounds + 1) as advance:
        light = take_turns(
            {
                "nothing": lambda: python("-c", "pass"),
                "import": lambda: python("-c", "import bayesrank"),
                "help": lambda: (python("-m", "bayesrank", "--help"), advance()),
            },
            rounds,
        )
    rounds = 1 if quick else 5
    warm, cold = [], []
    with progress_bar("start, NUTS", 2 * rounds + 1) as advance:
        python(*RANK)
        advance()
        for _ in range(rounds):
            warm.append(_seconds(*RANK))
            advance()
            with tempfile.TemporaryDirectory() as folder:
                cold.append(_seconds(*RANK, **empty_caches(folder)))
            advance()
    bare = f"{WHOLE} ({1e3 * sorted(light['nothing'])[len(light['nothing']) // 2]:.0f} ms of it)"
    words = "python3 -m bayesrank rank nascar, NUTS 4 x 1000"
    return [
        limit("start", "import bayesrank", light["import"], 0.3, note=bare),
        limit("start", "python3 -m bayesrank --help", light["help"], 0.5, note=bare),
        limit("start", f"{words}, warm", warm, 15.0, note=f"{WHOLE}, and the table printed"),
        limit("start", f"{words}, nothing compiled before", cold, 40.0,
              note=f"{WHOLE}; empty caches of Numba and of PyTensor"),
        *first_fits(quick),
    ]  # fmt: skip


def first_fits(quick):
    """Return lines of processor time that first commands take beyond imports of Numba and nutpie.

    What is asked is a limit; the others have the limit of an unhurried newcomer, a minute.
    """
    rounds = 1 if quick else 5
    chosen = {"rank pudding": FIRST["rank pudding"]} if quick else FIRST
    lines = []
    with progress_bar("start, first fits", rounds * len(chosen)) as advance:
        for name, words in chosen.items():
            spent = []
            for _ in range(rounds):
                imports = _processor(*IMPORTS)
                with tempfile.TemporaryDirectory() as folder:
                    spent.append(_processor(*words, **empty_caches(folder)) - imports)
                advance()
            what = f"python3 -m bayesrank {name}, nothing compiled before: processor time"
            note = "of all threads, beyond importing Numba and nutpie; empty caches"
            lines.append(limit("start", what, spent, ASKED.get(name, 60.0), note=note))
    return lines


def _processor(*words, **environment):
    """Return the processor time of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    python(*words, **environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _seconds(*words, **environment):
    start = time.perf_counter()
    python(*words, **environment)
    return time.perf_counter() - start
