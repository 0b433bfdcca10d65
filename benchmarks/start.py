"""What a user waits for at the start: import, help, and the first posterior of the README."""

import os
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
    ]  # fmt: skip


def _seconds(*words, **environment):
    start = time.perf_counter()
    python(*words, **environment)
    return time.perf_counter() - start
