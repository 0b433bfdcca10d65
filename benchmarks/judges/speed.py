"""How long NUTS takes with all terms of judges, against limits."""

import os
import time
import warnings

import numpy as np

import bayesrank as br
from benchmarks.judges.prediction import ALL
from benchmarks.judges.votes_data import LABELS, llm_votes, simulated
from benchmarks.lines import Line, limit

__all__ = ["nuts"]

PART = "judges"


def nuts(quick):
    """Return lines of one run of NUTS against limits."""
    table = simulated(0, judges={"good": 5}, sizes=(40,)) if quick else llm_votes()[0]
    data = br.Comparisons.from_frame(table, **LABELS)
    draws = 100 if quick else 1000
    # What is compiled only once is not timed.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Do not trust this fit yet")
        br.fit(data, "davidson", draws=10, tune=50, chains=2, seed=1, progress=False, **ALL)
    load = os.getloadavg()[0]
    start, used = time.perf_counter(), time.process_time()
    fit = br.fit(data, "davidson", draws=draws, chains=4, seed=1, progress=False, **ALL)
    seconds, used = time.perf_counter() - start, time.process_time() - used
    found = fit.diagnostics()
    what = f"4 x {draws:,} draws, {len(table):,} votes, {len(data.agents)} judges"
    note = f"load of the machine before {load:.1f}, {used:.0f} s of processor time"
    return [
        limit(PART, f"{what}: time", seconds, 60.0, note=note),
        Line(PART, f"{what}: least ESS", "", found.min_ess_bulk, 400.0, "x",
             found.min_ess_bulk / 400.0, np.nan, np.nan, 1.0, "at least"),
        limit(PART, f"{what}: largest R-hat", found.max_rhat, 1.01, unit="x",
              note=f"{found.max_rhat:.4f}"),
        limit(PART, f"{what}: divergences and one", found.divergences + 1.0, 1.0, unit="x"),
    ]  # fmt: skip
