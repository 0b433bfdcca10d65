"""The suite of speed as a command."""

import pytest

from benchmarks import __main__ as suite
from benchmarks import growth, memory, table
from tests.benchmarks.speed_lines import README, made_line


def test_a_part_that_fails_does_not_stop_the_others(monkeypatch, tmp_path, capsys):
    def fails(quick):
        raise RuntimeError("no compiler")

    monkeypatch.setattr(growth, "run", fails)
    monkeypatch.setattr(memory, "run", lambda quick: [made_line("memory", 2.0 + quick)])
    monkeypatch.setattr(suite, "versions", lambda package: f"{package} (not installed)")
    (tmp_path / "README.md").write_text(README)
    words = ["--quick", "--only", "memory", "growth", "--save", str(tmp_path)]
    assert suite.main(words) == 1
    printed = capsys.readouterr()
    assert "growth: failed (RuntimeError: no compiler)" in printed.err
    assert "polars is not installed" in printed.out
    assert table.read(tmp_path / "speed.csv")["ratio"].tolist() == [3.0]


def test_quick_figures_are_not_kept(capsys):
    with pytest.raises(SystemExit):
        suite.main(["--quick", "--save"])
    assert "--save keeps full runs" in capsys.readouterr().err
