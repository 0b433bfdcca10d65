"""What is a finding: bugs, errors of others, and readers that take too long or too much."""

import pytest

from benchmarks.fuzz.formats import Format
from benchmarks.fuzz.judging import outcome_of


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
