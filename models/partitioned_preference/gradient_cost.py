"""Figure 2: time and memory of one gradient, by method and number of items."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd

from models.partitioned_preference.objectives import OBJECTIVES
from models.partitioned_preference.simulation import BLOCKS, MOST
from models.study import progress_bar

__all__ = ["cost_summary", "cost_table"]


def cost_table(chosen, sizes):
    """Return the cost of one gradient of a batch of 20 rankings, by method and number of items.

    Each method and size has a process of its own, so that its memory can be measured. Quick runs
    use one process and leave out the memory.
    """
    jobs = [(items, name) for items in sizes for name in OBJECTIVES]
    if chosen.quick:
        return pd.DataFrame([_cost(job) for job in jobs]).drop(columns="megabytes")
    rows = []
    with progress_bar("Cost", len(jobs)) as advance:
        for job in jobs:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
                rows.append(alone.submit(_cost, job).result())
            advance()
    return pd.DataFrame(rows)


def _cost(job):
    """Return the time of a gradient, and the memory beyond that of the data."""
    items, name = job
    rng = np.random.default_rng(items)
    order, sizes = np.zeros((2, 20, items), dtype=np.int64)
    score = np.empty((20, items))
    for row in range(20):  # one by one, so that making the data takes no more memory than the data
        order[row], score[row] = rng.permutation(items), rng.normal(size=items)
        cuts = np.sort(rng.choice(min(MOST, items - 1), BLOCKS - 1, replace=False)) + 1
        sizes[row, :BLOCKS] = np.diff(cuts, prepend=0, append=items)
        sizes[row, BLOCKS - 1] *= -1  # the unranked items
    objective = OBJECTIVES[name]
    objective(np.zeros((1, 2)), np.array([[0, 1]]), np.array([[1, -1]]))  # compiles
    before, times = _memory("VmRSS", forget=True), []
    for _ in range(3):
        start = time.process_time()  # other processes do not count
        objective(score, order, sizes)
        times.append(time.process_time() - start)
    return {
        "items": items, "method": name,
        "milliseconds": 1e3 * min(times), "megabytes": _memory("VmHWM") - before,
    }  # fmt: skip


def _memory(name, forget=False):
    """Return the memory of this process in megabytes, by Linux; NaN on other systems.

    VmRSS is the memory now. VmHWM is the largest so far, or since the last call with ``forget``.
    """
    try:
        if forget:
            Path("/proc/self/clear_refs").write_text("5")
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return np.nan
    (line,) = (line for line in lines if line.startswith(f"{name}:"))
    return int(line.split()[1]) / 1024.0


def cost_summary(table):
    """Return milliseconds, and megabytes where known, with one row per number of items."""
    cells = table["milliseconds"].map("{:.3g} ms".format)
    if "megabytes" in table:
        cells += table["megabytes"].map(", {:.0f} MB".format)
    wide = table.assign(cell=cells).pivot(index="items", columns="method", values="cell")
    return wide[list(OBJECTIVES)].rename_axis("N").reset_index()
