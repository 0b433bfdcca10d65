"""The command that measures ways to ask."""

import pytest

from benchmarks.asking import __main__ as command
from benchmarks.asking.report import END, START


def test_a_quick_run_of_one_part(capsys, tmp_path):
    (tmp_path / "README.md").write_text(f"{START}\n{END}\n")
    assert command.main(
        ["--quick", "--only", "pairs-20", "--truths", "leader", "--n", "2", "--save", str(tmp_path)]
    ) == 0  # fmt: skip
    out = capsys.readouterr().out
    assert "pairs of 20 items, Davidson" in out and "suggest best" in out
    assert (tmp_path / "asking.png").exists()


@pytest.mark.parametrize("more", [["--quick"], ["--n", "3"], ["--only", "pairs-20"]])
def test_only_full_runs_are_kept(more, capsys):
    with pytest.raises(SystemExit):
        command.main(["--save", *more])
    assert "keeps full runs" in capsys.readouterr().err
