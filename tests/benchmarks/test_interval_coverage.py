"""Intervals cover as often as they say, in small."""

import runpy

import numpy as np
import pytest

from tests.benchmarks.scripts import FOLDER


@pytest.fixture(scope="module")
def coverage():
    return runpy.run_path(str(FOLDER / "interval_coverage.py"))


@pytest.mark.parametrize(
    "likelihood",
    ["bradley-terry", "davidson", "rao-kupper", "glenn-david", "plackett-luce", "davidson-luce"],
)
def test_intervals_cover(coverage, likelihood):
    """Coverage of 95 % intervals over 150 tournaments of eight items, drawn from the prior.

    Scores must cover within four standard errors (of about 0.007, over tournaments) either way;
    intervals a fifth too narrow would cover 0.88. A single parameter must not fall short of
    its share by more than four standard errors of a binomial.
    """
    result = coverage["study"](likelihood, "laplace", 150, progress=False, draws=500, chains=1)
    share, error = result.pop("score")
    assert error < 0.012
    assert abs(share - 0.95) < 4 * error
    for quantity, (share, _) in result.items():
        assert share > 0.95 - 4 * np.sqrt(0.95 * 0.05 / 150), quantity


def test_the_table_is_kept(coverage, tmp_path, capsys):
    table = tmp_path / "table.csv"
    arguments = ["--method", "laplace", "--replicates", "2", "--likelihood", "davidson"]
    for _ in range(2):
        coverage["main"]([*arguments, "--table", str(table)])
    lines = table.read_text().splitlines()
    assert lines[0].startswith("likelihood,method,quantity") and len(lines) == 1 + 2 * 3
    assert "davidson" in capsys.readouterr().out
