"""The command that does faults."""

from collections import Counter

from benchmarks.faults.__main__ import END, FAULTS, README, START, main, markdown, run
from benchmarks.faults.children import CRASHED, REFUSED, RIGHT


def test_damaged_saves_are_refused():
    found = []
    counts = run("damaged-saves", 24, 2, lambda outcome, about: found.append(about))
    assert counts[REFUSED] + counts[RIGHT] == 24 == len(found)
    assert counts[REFUSED] >= 20


def test_a_few_pipes(capsys, monkeypatch):
    monkeypatch.setitem(FAULTS, "pipes", (*FAULTS["pipes"][:3], 2))
    assert main(["--only", "pipes", "--quick"]) == 0
    assert "| pipes as sources, readers who leave, links | 2 |" in capsys.readouterr().out


def test_harm_is_told(capsys, monkeypatch):
    monkeypatch.setitem(FAULTS, "pipes", ("x", lambda tries, rng: [(CRASHED, "why")], 1, 1))
    assert main(["--only", "pipes"]) == 1
    assert "pipes: crashed: why" in capsys.readouterr().out


def test_the_table_has_a_place():
    text = README.read_text()
    assert text.count(START) == text.count(END) == 1
    assert markdown({"pipes": Counter()}).count("\n") == 2
