"""The command ``python3 -m benchmarks.fuzz``."""

import argparse
import sys
import time
from pathlib import Path

from benchmarks.fuzz.formats import formats
from benchmarks.fuzz.processes import watch

__all__ = ["main"]


def main(arguments=None):
    """Run the command; return 1 if there are findings."""
    parser = argparse.ArgumentParser(
        prog="python3 -m benchmarks.fuzz",
        description="Damaged and hostile files: each must be read, or refused in a sentence.",
    )
    parser.add_argument("--inputs", type=int, default=100_000, help="number of files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--only", metavar="FORMAT", help="one format only, such as 'csv pairs'")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="real files to damage, too")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", default=Path("fuzz-findings"),
                        help="where files of findings are kept (fuzz-findings)")  # fmt: skip
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.only is not None and options.only not in formats(options.data):
        parser.error(f"--only: there are {', '.join(formats(options.data))}.")
    names = ("inputs", "seed", "seconds", "only", "data")
    wanted = {name: getattr(options, name) for name in names} | {"folder": options.keep}
    begin = time.perf_counter()
    tally = watch(options.processes, wanted)
    took, files = time.perf_counter() - begin, sum(tally.counts.values())
    print(f"\n{tally.table()}\n")
    print(f"{files:,} files in {took:.0f} s, {files / took:,.0f} a second; "
          f"{tally.findings:,} findings at {len(tally.places):,} places")  # fmt: skip
    if tally.findings:
        print(f"Files are in {options.keep}.")
    return int(tally.findings > 0)


if __name__ == "__main__":
    sys.exit(main())
