"""The command that looks for files that are neither read nor refused."""

from benchmarks.fuzz.__main__ import main


def test_the_command(capsys, tmp_path):
    """In a process of its own, in which nothing is found."""
    options = ["--inputs", "30", "--only", "soi", "--processes", "1", "--keep", str(tmp_path)]
    assert main(options) == 0
    assert "30 files in" in capsys.readouterr().out
