"""Run the suite of speed: ``python3 -m benchmarks [--only PART ...] [--quick] [--save]``.

Each part measures in one run, on the same data, what we take and what a peer takes, or holds a
time, a size or an exponent against a limit. Peers come with the extra `bench`; a part leaves out
what is not installed.
"""

import argparse
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path

from benchmarks.lines import versions
from benchmarks.table import print_lines, save

__all__ = ["PARTS", "main"]

FOLDER = Path(__file__).parent
PARTS = {
    "gradients": "Value and gradient",
    "sampling": "Effective draws per second",
    "raw_rows": "Raw rows to a ranking",
    "query_modes": "Modes of queries",
    "start": "Start",
    "growth": "Exponent of time against size",
    "memory": "Memory",
}
PEERS = {
    "gradients": ("numpyro", "pystan"),
    "sampling": ("numpyro", "pystan"),
    "raw_rows": ("evalica", "choix", "arena-rank"),
    "memory": ("polars",),
}


def main(arguments=None, parts=PARTS):
    """Run the parts one after the other; return 1 if one of them failed, else 0."""
    options = _options(arguments, parts)
    lines, failed = [], []
    for part in [part for part in parts if part in (options.only or parts)]:
        for package in PEERS.get(part, ()):
            if "not installed" in versions(package):
                print(f"{part}: {package} is not installed (extra `bench`), so it is left out")
        started = time.monotonic()
        try:
            found = import_module(f"benchmarks.{part}").run(options.quick)
        except Exception as error:
            traceback.print_exc()
            print(f"{part}: failed ({type(error).__name__}: {error})", file=sys.stderr)
            failed.append(part)
            continue
        if found:
            print_lines(f"{parts[part]} ({time.monotonic() - started:.0f} s)", found)
        lines += found
        # What took long is kept before anything else can go wrong.
        if options.save and found:
            paths = save(options.save, lines, parts)
    if options.save and lines:
        print(f"\nwrote {', '.join(str(path) for path in paths)}")
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _options(arguments, parts):
    parser = argparse.ArgumentParser(
        prog="python3 -m benchmarks", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--only", nargs="+", choices=parts, metavar="PART",
                        help=f"some parts: {', '.join(parts)}")  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument(
        "--save", nargs="?", type=Path, const=FOLDER, metavar="FOLDER",
        help="write speed.csv, speed.png and the table of README.md here, or to another folder",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    if options.quick and options.save == FOLDER:
        parser.error("--save keeps full runs: leave out --quick, or give another FOLDER.")
    return options


if __name__ == "__main__":
    sys.exit(main())
