"""Run the notebooks and keep their outputs: `python3 -m notebooks [--only 01 04] [--check]`."""

import argparse
import sys
import time

from notebooks.execution import complaints, execute, paths

__all__ = ["main"]


def main(arguments=None):
    """Run the notebooks from top to bottom, each in a process of its own."""
    parser = argparse.ArgumentParser(
        prog="python3 -m notebooks",
        description="Run the notebooks from top to bottom and write their outputs into them.",
    )
    parser.add_argument("--only", nargs="+", metavar="NUMBER", help="run these, such as 01 04")
    parser.add_argument(
        "--check", action="store_true", help="run them, but leave the files as they are"
    )
    options = parser.parse_args(arguments)
    chosen = paths(options.only)
    failed = []
    for path in chosen:
        start = time.perf_counter()
        found = complaints(execute(path, keep=not options.check))
        print(f"{path.name:<44}{time.perf_counter() - start:6.0f} s", flush=True)
        failed += [f"{path.name}: {complaint}" for complaint in found]
    for complaint in failed:
        print(complaint, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
