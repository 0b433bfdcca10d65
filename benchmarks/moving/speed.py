"""How long scores that move take: modes beside peers, NUTS against limits, and growth."""

import json
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.data import Comparisons
from bayesrank.inference.threads import one_blas_thread
from bayesrank.model.specification import Specification
from bayesrank.progress import progress_bar
from benchmarks.growth import LIMIT, NOTE, exponent, resampled, sizes_of
from benchmarks.lines import Line, compare, limit, take_turns, versions
from benchmarks.moving.matches import simulated, tennis

__all__ = ["decade", "growth", "modes", "nuts", "walking"]

PART = "moving"
ASKED = {"kickscore": 5.0, "trueskillthroughtime": 20.0}


def modes(quick, seconds):
    """Return our time to the mode beside each peer's, given how far scores are apart and move.

    Parameters
    ----------
    quick : bool
    seconds : dict
        What each peer took, with the constants, by the matches' name and its own.
    """
    matches, lines = (simulated(False) if quick else tennis()), []
    data = matches.observed()
    for (name, peer), (theirs, constants) in seconds.items():
        if name != matches.name:
            continue

        def mode(constants=constants):
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message="The data do not link")
                br.fit(data, matches.likelihood, scores="walk", method="map", progress=False,
                       **constants)  # fmt: skip

        mine = take_turns({"ours": mode}, 2 if quick else 5)["ours"]
        states = Specification(data, matches.likelihood, scores="walk").states
        what = f"mode of {len(matches.past):,} matches, {len(states):,} states, by day"
        theirs = np.full(len(mine), theirs)
        note = "given the same spread and drift"
        lines.append(
            compare(PART, what, versions(peer), mine, theirs, asked=ASKED[peer], note=note)
        )
    return lines


def decade(quick):
    """Sample the monthly scores of ten years of tennis; return what it took and found."""
    matches = simulated(False) if quick else tennis(2004)
    data = matches.observed(every="month")
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The data do not link")
        fit = br.fit(data, matches.likelihood, scores="walk", draws=200 if quick else 1000,
                     chains=2, seed=1, progress=False)  # fmt: skip
    seconds = time.perf_counter() - start
    peak = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = fit.diagnostics()
    return {
        "states": len(fit.specification.states), "seconds": seconds, "bytes": peak,
        "ess": found.min_ess_bulk, "rhat": found.max_rhat,
        "divergences": found.divergences,
    }  # fmt: skip


def nuts(quick):
    """Return lines of one run of NUTS against limits, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.moving", "--decade", *(["--quick"] * quick)]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    found = json.loads(done.stdout.splitlines()[-1])
    what = f"NUTS, 2 x {200 if quick else 1000:,} draws, {found['states']:,} states"
    return [
        limit(PART, f"{what}: time", found["seconds"], 180.0),
        limit(PART, f"{what}: memory of the process, in GB", found["bytes"] / 1e9, 2.0, unit="x"),
        Line(PART, f"{what}: least ESS", "", found["ess"], 200.0, "x", found["ess"] / 200.0,
             np.nan, np.nan, 1.0, "at least"),
        limit(PART, f"{what}: largest R-hat", found["rhat"], 1.02, unit="x"),
        limit(PART, f"{what}: divergences and one", found["divergences"] + 1.0, 1.0, unit="x"),
    ]  # fmt: skip


def walking(items, times, rows=0):
    """Return matches between items at times, a week apart: each item at each time at least once.

    With more rows than that asks for, the others are between any two items at any time.
    """
    rng = np.random.default_rng(0)
    order = np.concatenate([rng.permutation(items) for _ in range(times)])
    more = max(0, rows - len(order) // 2)
    left = np.concatenate([order[0::2], rng.integers(0, items, more)])
    others = (left[-more:] + rng.integers(1, items, more)) % items if more else []
    right = np.concatenate([order[1::2], others]).astype(int)
    week = np.concatenate([np.repeat(np.arange(times), items // 2), rng.integers(0, times, more)])
    outcome = np.where(rng.random(len(left)) < 0.5, "left", "right")
    date = pd.Timestamp("2000-01-03") + pd.to_timedelta(7 * week, "D")
    frame = pd.DataFrame({"left": left, "right": right, "outcome": outcome, "date": date})
    return Comparisons.from_frame(frame, left="left", right="right", outcome="outcome", time="date")


# What grows, and the data of a size: states by items, states by times, rows between fixed states.
GROWING = [
    ("states, by more items at 20 times", lambda n: walking(n // 40 * 2, 20), 1000),
    ("states, by more times of 20 items", lambda n: walking(20, n // 20), 1000),
    ("rows, between 4,000 states", lambda n: walking(200, 20, n), 4000),
]


def growth(quick):
    """Return exponents of the time of a value and gradient, and of a mode, over two decades."""
    lines = []
    with progress_bar("growth", len(GROWING) * 2) as advance:
        for what, data_of, first in GROWING:
            sizes = sizes_of(first, 1 if quick else 2)
            data = {n: data_of(n) for n in sizes.tolist()}
            for kind, make, rounds in (("a gradient", _gradient, 20), ("a mode", _mode, 5)):
                tasks = {n: make(each) for n, each in data.items()}
                with one_blas_thread():
                    taken = take_turns(tasks, 3 if quick else rounds)
                seconds = np.stack(list(taken.values()), axis=1)
                slope = max(0.01, float(exponent(sizes, np.median(seconds, axis=0))))
                low, high = np.quantile(LIMIT / resampled(sizes, seconds), [0.1, 0.9])
                text = f"exponent of {kind} in {what}, from {sizes[0]:,} to {sizes[-1]:,}"
                lines.append(
                    Line(PART, text, "", slope, LIMIT, "x", LIMIT / slope, low, high, 1.0, NOTE)
                )
                advance()
    return lines


def _gradient(data):
    specification = Specification(data, "bradley-terry", scores="walk", scale=1.0, drift=0.5)
    x = np.random.default_rng(1).normal(size=specification.size)
    return lambda: specification.objective(x)


def _mode(data):
    return lambda: br.fit(data, "bradley-terry", scores="walk", scale=1.0, drift=0.5, method="map",
                          progress=False)  # fmt: skip
