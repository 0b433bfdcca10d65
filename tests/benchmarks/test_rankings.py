"""The benchmark of rankings runs."""

import runpy

import pytest

from tests.benchmarks.scripts import FOLDER


@pytest.mark.usefixtures("beside_each_other")
@pytest.mark.parametrize("part", ["b", "c"])
def test_the_ranking_benchmark_runs(part, capsys):
    runpy.run_path(str(FOLDER / "rankings.py"))["main"](["--quick", "--only", part])
    assert f"({part})" in capsys.readouterr().out
