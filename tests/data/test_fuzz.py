"""Damaged and hostile files of every format, as `benchmarks.fuzz` makes them, in small."""

import pytest

from benchmarks.fuzz import files_of, fuzz
from benchmarks.fuzz.__main__ import main
from benchmarks.fuzz.formats import Format, formats
from benchmarks.fuzz.judging import outcome_of

INPUTS = 2500


def test_every_file_is_read_or_refused_in_a_sentence():
    tally = fuzz(INPUTS, seed=1)
    assert not tally.findings, f"{tally.table()}\n{tally.places}"
    assert sum(tally.counts.values()) == INPUTS
    for name in formats():
        # Damage that nothing survives, or that does nothing, would test nothing.
        assert tally.counts[name, "accepted"] and tally.counts[name, "refused"], name


def test_the_command(capsys, tmp_path):
    """In a process of its own, in which nothing is found."""
    options = ["--inputs", "30", "--only", "soi", "--processes", "1", "--keep", str(tmp_path)]
    assert main(options) == 0
    assert "30 files in" in capsys.readouterr().out


def test_files_are_the_same_for_the_same_seed():
    found = formats()
    one, other, third = (
        [content for _, _, content in files_of(found, seed, range(50), hostile=False)]
        for seed in (1, 1, 2)
    )
    assert one == other != third


def _slow(path):
    while True:
        pass


def _foreign(path):
    return float(path.read_text())


def _wordy(path):
    raise ValueError("x" * 3000)


@pytest.mark.parametrize(
    ("reader", "outcome"),
    [
        (lambda path: path.read_text()[99], "bug"),
        (lambda path: None, "bug"),
        (_foreign, "foreign"),
        (_wordy, "foreign"),  # which no module of the package raised
        (_slow, "slow"),
        (lambda path: bytes(1 << 62), "memory"),
        (lambda path: open(path / "nowhere"), "refused"),
    ],
)
def test_what_is_a_finding(reader, outcome, tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.fuzz.judging.SLOW", 0.05)
    path = tmp_path / "input.txt"
    path.write_text("x")
    assert outcome_of(Format("", ".txt", [], reader=reader), path)[0] == outcome
