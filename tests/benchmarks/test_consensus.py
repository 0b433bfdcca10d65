"""The benchmark of consensus runs."""

import runpy

import pytest

from tests.benchmarks.scripts import FOLDER


@pytest.mark.parametrize("part", ["a", "b", "c", "d", "e"])
def test_the_consensus_benchmark_runs(part, capsys):
    runpy.run_path(str(FOLDER / "consensus.py"))["main"](["--quick", "--only", part])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert len({row.count("|") for row in rows}) == 1
    assert rows[2].startswith(f"| {part} |")
