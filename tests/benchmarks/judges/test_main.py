"""The command that measures judges, features and categories."""

import pytest

from benchmarks.judges.__main__ import main


def test_parts_are_known(capsys):
    with pytest.raises(SystemExit):
        main(["--only", "juries"])
    assert "calibration" in capsys.readouterr().err


def test_a_part_runs_alone(capsys):
    main(["--only", "arena", "--quick"])
    printed = capsys.readouterr().out
    assert "Rao-Kupper" in printed and "by simulation" not in printed
