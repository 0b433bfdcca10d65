"""The measurements of suggestions run, and say what the guide says."""

import re

import pytest

from benchmarks import suggestions


@pytest.mark.parametrize("part", ["a", "b", "c"])
def test_every_part_runs(part, capsys):
    suggestions.main(["--quick", "--only", part])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert len({row.count("|") for row in rows}) == 1
    assert len(rows) == 2 + {"a": 14, "b": 24, "c": 12}[part]
    if part == "b":
        shares = [re.findall(r"([\d.]+)%", row) for row in rows[2:]]
        # What was told is taken off: all in all, errors are far smaller with it.
        error, without = (sum(float(share[k]) for share in shares) for k in range(2))
        assert error < 0.7 * without
