"""Strategies ask about as many sets as wanted, of different items."""

import numpy as np
import pytest

from benchmarks.asking.sessions import Session
from benchmarks.asking.strategies import BLIND, STRATEGIES

SCORES = np.array([1.0, 0.0, -1.0, 0.5, -0.5])


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize(("likelihood", "size"), [("davidson", 2), ("plackett-luce", 3)])
def test_sets(name, likelihood, size):
    session = Session(SCORES, likelihood, size, [1])
    for n in (3, 7):
        sets = STRATEGIES[name](session, n)
        assert sets.shape == (n, size)
        assert all(len(set(row)) == size for row in sets.tolist())
        assert sets.min() >= 0 and sets.max() < 5
        session.ask(sets)
    assert session.asked == -(-10 // size) + 10


def test_in_turn_goes_through_all_pairs():
    session = Session(SCORES, "davidson", 2, [1])
    sets = np.concatenate([STRATEGIES["round robin"](session, n) for n in (3, 4, 3)])
    assert len({frozenset(pair) for pair in sets.tolist()}) == 10


def test_those_who_are_blind_do_not_fit(monkeypatch):
    monkeypatch.setattr(Session, "fit", None)
    session = Session(SCORES, "davidson", 2, [1])
    for name in BLIND:
        STRATEGIES[name](session, 3)
