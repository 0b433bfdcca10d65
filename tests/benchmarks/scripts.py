"""The scripts of the benchmarks, which are run as commands."""

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"
