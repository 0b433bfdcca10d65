"""Stored runs that are interrupted, ended or killed at random, and gone on with."""

import os
import signal
import time
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import bayesrank as br
from bayesrank.inference.stores import Store
from benchmarks.faults.children import LOST, RAW, RIGHT, WRONG, start_child

__all__ = ["interrupted_runs"]

KEEP = 1.0
LONGEST = 14.0  # seconds after which a signal comes at the latest
RUN = {"seed": 1, "draws": 30_000, "chains": 2, "progress": False}
SCRIPT = f"""
import sys
import bayesrank as br
from bayesrank.inference import nutpie_driver

nutpie_driver.KEEP_SECONDS = {KEEP}
br.fit(br.load_dataset("nascar"), "plackett-luce", store=sys.argv[1], **{RUN!r})
"""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)


def interrupted_runs(tries, rng):
    """Yield what became of runs that a signal has ended."""
    with warnings.catch_warnings(), TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        games = br.load_dataset("nascar")
        whole = br.fit(games, "plackett-luce", **(RUN | {"draws": 2000})).posterior["score"]
        for k in range(tries):
            path, how = Path(folder, f"run{k}"), SIGNALS[k % len(SIGNALS)]
            process = start_child(SCRIPT, path)
            time.sleep(rng.uniform(0.0, LONGEST))
            when = time.time()
            os.kill(process.pid, how)
            _, said = process.communicate(timeout=120)
            lines = len(said.strip().splitlines())
            yield _judged(path, whole, when, how), f"{how.name}, {lines} lines: {said[-300:]}"


def _judged(path, whole, when, how):
    """Return whether what was drawn is kept and can be gone on with."""
    left = [name for name in os.listdir(path.parent) if name.startswith(f".{path.name}.")]
    if not path.exists():  # it ended before the folder was there
        return RIGHT if how == signal.SIGKILL or not left or how == signal.SIGTERM else LOST
    have = Store.open(path, progress=False).read()
    parts = sorted(path.glob("part-*"))
    if parts and how != signal.SIGINT and when - parts[-1].stat().st_mtime > 2 * KEEP + 1.0:
        return LOST
    kept = min(have.lengths)
    fit = br.resume(path, draws=kept + 20, progress=False)
    if fit.shape != (2, kept + 20) or not np.isfinite(fit.scores()).all():
        return RAW
    compared = min(kept, whole.shape[1])
    same = np.array_equal(fit.posterior["score"][:, :compared], whole[:, :compared])
    return RIGHT if same else WRONG
