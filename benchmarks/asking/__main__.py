"""What to ask next: ``python3 -m benchmarks.asking [--quick] [--only PART ...] [--save]``.

How many comparisons, or rankings, it takes until few pairs are in the wrong order, and until the
best is found: chosen at random, in turn, as ASAP does, and as `Fit.suggest` says. All start from
the same answers, ask as many at once, and are judged by the same fit. The parts are pairs-20,
pairs-60, rankings-20 and rankings-60, and planning, which makes the picture of the guide. It takes
about half an hour.
"""

import argparse
import os
import sys
from pathlib import Path

# Before NumPy is loaded: all of this is small, and threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pandas as pd

from benchmarks.asking import planning
from benchmarks.asking.needed import summary
from benchmarks.asking.report import save, wide
from benchmarks.asking.runs import curves
from benchmarks.asking.settings import PARTS, settings

__all__ = ["main"]

FOLDER = Path(__file__).parents[1]
PICTURE = FOLDER.parent / "docs" / "images" / "planning.png"


def main(arguments=None):
    """Run the parts one after the other, print what they found, and keep it if asked to."""
    parser = argparse.ArgumentParser(
        prog="python3 -m benchmarks.asking", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--only", nargs="+", choices=[*PARTS, "planning"], metavar="PART",
                        help=f"some parts: {', '.join(PARTS)}, planning")  # fmt: skip
    parser.add_argument("--truths", nargs="+", help="some truths, such as prior and leader")
    parser.add_argument("--n", type=int, help="replicates instead of the usual number")
    parser.add_argument(
        "--save", nargs="?", type=Path, const=FOLDER, metavar="FOLDER",
        help="write asking.csv, asking_curves.csv, asking.png and the section of README.md here, "
        "and the picture of the guide; or all of them to another folder",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    wanted = options.only or [*PARTS, "planning"]
    small = options.quick or options.n or options.truths
    if options.save == FOLDER and (small or set(PARTS) & set(wanted) not in (set(), set(PARTS))):
        parser.error("--save keeps full runs: leave out what makes it smaller, or give a FOLDER.")
    runs = []
    for part in [part for part in PARTS if part in wanted]:
        print(PARTS[part], flush=True)
        for setting in settings(part, options.quick):
            if setting.truth in (options.truths or [setting.truth]):
                runs.append(curves(setting, options.n))
    if runs:
        _tell(pd.concat(runs, ignore_index=True), options.save)
    if "planning" in wanted:
        runs = planning.planned(options.quick, options.n)
        if options.save:
            path = PICTURE if options.save == FOLDER else options.save / PICTURE.name
            planning.draw(runs).savefig(path, dpi=90)
            print(f"wrote {path}")
    return 0


def _tell(runs, folder):
    """Print what was needed, and keep it."""
    table = summary(runs)
    print(wide(table).fillna("").to_string(index=False))
    if folder:
        print(f"\nwrote {', '.join(str(path) for path in save(folder, runs, table))}")


if __name__ == "__main__":
    sys.exit(main())
