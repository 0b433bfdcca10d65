"""How much memory a million raw rows take on their way to a mode, beside the frame itself."""

import ctypes
import gc
import json
import subprocess
import sys
from pathlib import Path

from bayesrank.progress import progress_bar
from benchmarks.lines import limit
from benchmarks.raw_rows import our_mode, raw_frame

__all__ = ["measure", "run"]

LIMIT = 3.0
NOTE = "what a process holds at most beside the frame, in units of the frame's own (deep) size"
FRAMES = {
    "pandas, objects": lambda frame: frame.astype(object),
    "pandas, str": lambda frame: frame,
    "pandas, categories": lambda frame: frame.astype("category"),
    "polars, strings": lambda frame: _polars().from_pandas(frame),
    "polars, categories": lambda frame: _polars().from_pandas(frame).cast(_polars().Categorical),
}


def measure(kind, rows):
    """Return the size of a frame, and how far memory rose above what was held before the fit.

    In bytes, by Linux's own account of the highest resident size of this process.
    """
    # What is imported and compiled once is no memory of the rows.
    our_mode(FRAMES[kind](raw_frame(1000)))
    frame = FRAMES[kind](raw_frame(rows))
    size = (
        int(frame.memory_usage(deep=True).sum())
        if kind.startswith("pandas")
        else frame.estimated_size()
    )
    gc.collect()
    # What the C library keeps of the arrays that made the frame would be used again unseen.
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    before = _status("VmRSS")
    our_mode(frame)
    return {"frame": size, "rise": _status("VmHWM") - before}


def run(quick):
    """Return a line for each kind of frame; each measurement is a process of its own."""
    rows, rounds, lines = (200_000, 1, []) if quick else (1_000_000, 5, [])
    kinds = [kind for kind in FRAMES if kind.startswith("pandas") or _polars()]
    with progress_bar("memory", len(kinds) * rounds) as advance:
        for kind in kinds:
            found = []
            for _ in range(rounds):
                found.append(_in_a_process(kind, rows))
                advance()
            size = found[0]["frame"]
            what = f"{rows:,} rows to a Davidson mode: peak by frame, {kind}, {size / 1e6:.0f} MB"
            rises = [one["rise"] / size for one in found]
            lines.append(limit("memory", what, rises, LIMIT, unit="x", note=NOTE))
    return lines


def _in_a_process(kind, rows):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.memory", kind, str(rows)], check=True,
        capture_output=True, text=True, cwd=Path(__file__).parents[1],
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def _status(name):
    """Return one of Linux's counts of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return 1024 * int(line.split()[1])
    raise OSError(f"/proc/self/status does not tell {name}.")


def _polars():
    try:
        import polars
    except ImportError:
        return None
    return polars


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]))))
