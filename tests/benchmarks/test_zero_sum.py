"""Scores that sum to zero are worth it."""

import runpy

from tests.benchmarks.scripts import FOLDER


def test_zero_sum_scores_are_worth_it(capsys):
    runpy.run_path(str(FOLDER / "zero_sum.py"))["main"](["--quick"])
    ratio = float(capsys.readouterr().out.rpartition("ratio: ")[2])
    assert ratio > 10  # some five hundred at full size
