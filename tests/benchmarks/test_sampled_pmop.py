"""The benchmark of sampled gradients runs."""

import runpy

from tests.benchmarks.scripts import FOLDER


def test_the_benchmark_runs(capsys):
    runpy.run_path(str(FOLDER / "sampled_pmop.py"))["main"](["--quick"])
    out = capsys.readouterr().out
    for part in ("(a)", "(b)", "(c)", "exact", "gibbs", "metropolis, paper"):
        assert part in out
