"""Do all faults: ``python3 -m benchmarks.faults [--only FAULT ...] [--quick] [--seed N] [--save]``.

Full disks are small ones in memory where the user may mount them, and limits of file sizes
otherwise.
"""

import argparse
import signal
from collections import Counter
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np

from bayesrank.progress import progress_bar
from benchmarks.faults.caches import damaged_caches, unwritable_caches
from benchmarks.faults.children import OUTCOMES, REFUSED, RIGHT
from benchmarks.faults.pipes import pipes
from benchmarks.faults.runs import interrupted_runs
from benchmarks.faults.saves import damaged_saves, full_disk
from benchmarks.faults.workers import hung_workers, interrupted_groups, killed_workers
from benchmarks.table import replace_section

__all__ = ["FAULTS", "main", "markdown"]

README = Path(__file__).parents[1] / "README.md"
START, END = "<!-- faults: written by `python3 -m benchmarks.faults --save` -->", "<!-- /faults -->"
# By name: what it is, what does it, and how many times, all and quick.
FAULTS = {
    "full-disk": ("disk full while a fit is saved, kept or stored", full_disk, 24, 4),
    "damaged-saves": ("saved fits that were damaged at random", damaged_saves, 400, 24),
    "signals": ("stored runs ended by SIGINT, SIGTERM, SIGKILL", interrupted_runs, 30, 3),
    "damaged-caches": ("compiled code damaged at random", damaged_caches, 24, 1),
    "unwritable-caches": ("no place, or no room, for compiled code", unwritable_caches, 4, 1),
    "pipes": ("pipes as sources, readers who leave, links", pipes, 18, 4),
    "killed-workers": ("workers of many fits killed at random", killed_workers, 6, 1),
    "hung-workers": ("workers of many fits that hang", hung_workers, 4, 1),
    "interrupted-groups": ("many fits ended by SIGINT", interrupted_groups, 6, 1),
}


def run(name, tries, seed, report):
    """Return how often a fault had each outcome."""
    found = Counter()
    rng = np.random.default_rng([seed, *name.encode()])
    for outcome, about in FAULTS[name][1](tries, rng):
        found[outcome] += 1
        report(outcome, about)
    return found


def markdown(rows):
    """Return the table of outcomes by fault."""
    lines = [
        "| fault | tries | " + " | ".join(OUTCOMES) + " |",
        "|---|" + "---|" * (1 + len(OUTCOMES)),
    ]
    for name, found in rows.items():
        counts = " | ".join(str(found[outcome]) for outcome in OUTCOMES)
        lines.append(f"| {FAULTS[name][0]} | {sum(found.values())} | {counts} |")
    return "\n".join(lines)


def main(arguments=None):
    """Do the faults and print the table; return 1 if one of them did harm, else 0."""
    parser = argparse.ArgumentParser(prog="python3 -m benchmarks.faults")
    parser.add_argument("--only", nargs="+", choices=list(FAULTS), metavar="FAULT")
    parser.add_argument("--quick", action="store_true", help="a few of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true", help="write the table of README.md")
    options = parser.parse_args(arguments)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background of a shell
        signal.signal(signal.SIGINT, signal.default_int_handler)
    rows = {}
    for name in options.only or FAULTS:
        tries = FAULTS[name][3 if options.quick else 2]
        with progress_bar(name, tries) as advance:
            rows[name] = run(name, tries, options.seed, partial(_report, name, advance))
        print(f"{name}: {dict(rows[name])}", flush=True)
    print("\n" + markdown(rows))
    if options.save:
        text = f"{date.today()}, seed {options.seed}.\n\n{markdown(rows)}"
        README.write_text(replace_section(README.read_text(), text, START, END))
    harm = sum(count for found in rows.values() for outcome, count in found.items()
               if outcome not in (RIGHT, REFUSED))  # fmt: skip
    return int(harm > 0)


def _report(name, advance, outcome, about):
    advance()
    if outcome not in (RIGHT, REFUSED):
        print(f"{name}: {outcome}: {about.strip()}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
