"""Sessions: the same start for all, all answers together, and measures."""

import numpy as np
import pytest

from benchmarks.asking.sessions import Session, truth_of

SCORES = np.array([1.0, 0.0, -1.0, 0.5, -0.5])


@pytest.mark.parametrize(("likelihood", "size"), [("davidson", 2), ("plackett-luce", 3)])
def test_everybody_starts_from_the_same_answers(likelihood, size):
    one, other = (Session(SCORES, likelihood, size, [1, 2]) for _ in range(2))
    assert one.data.same_as(other.data)
    assert one.asked == -(-10 // size)  # each item in two
    assert not one.data.same_as(Session(SCORES, likelihood, size, [1, 3]).data)


def test_answers_of_pairs_are_counted_together():
    session = Session(SCORES, "davidson", 2, [1])
    session.ask(np.array([[0, 1], [0, 1], [3, 2]]))
    session.ask(np.array([[0, 1]]))
    assert session.asked == 9 and session.data.counts.sum() == 9
    asked = (session.data.left == 0) & (session.data.right == 1)
    assert session.data.counts[asked].sum() >= 3
    wins = session.wins()
    assert wins.sum() == 9
    ties = session.data.counts[:, 2].sum()
    assert (wins != np.round(wins)).any() == bool(ties)


def test_wins_in_rankings_are_of_neighbours():
    session = Session(SCORES * 100.0, "plackett-luce", 3, [1])
    session.ask(np.array([[2, 0, 1]]))
    wins = session.wins()
    assert wins[0, 1] >= 1 and wins[1, 2] >= 1
    assert wins.sum() == 2 * session.asked
    assert np.tril(wins[np.ix_([0, 3, 1, 4, 2], [0, 3, 1, 4, 2])]).sum() == 0


def test_measures_by_hand(monkeypatch):
    session = Session(SCORES, "davidson", 2, [1])
    session._found = np.array([0.2, 0.4, -1.0, 0.0, -0.5])
    distance, found, error = session.measures()
    # 1 above 0, 1 above 3: two of ten pairs.
    assert distance == pytest.approx(0.2) and found == 0.0
    assert error == pytest.approx(np.sqrt((0.64 + 0.16 + 0.25) / 5))


def test_equals_have_no_order_and_no_best():
    session = Session(truth_of("equal", 4, np.random.default_rng(1)), "davidson", 2, [1])
    distance, found, error = session.measures()
    assert np.isnan(distance) and np.isnan(found) and error > 0
    session = Session(truth_of("leader", 4, np.random.default_rng(1)), "davidson", 2, [1])
    best = int(np.argmax(session.true))
    session._found = np.eye(4)[best]
    assert session.measures()[:2] == (0.0, 1.0)


def test_estimates_are_the_middle_of_draws():
    session = Session(SCORES, "davidson", 2, [1])
    draws = session.fit().scores()
    error = draws.std(axis=0) / np.sqrt(len(draws))
    # Five standard errors of a mean.
    assert (np.abs(draws.mean(axis=0) - session.estimate) < 5 * error).all()


def test_truths():
    rng = np.random.default_rng(1)
    assert np.diff(np.sort(truth_of("even", 20, rng))) == pytest.approx(0.25)
    assert np.sort(truth_of("leader", 3, rng)).tolist() == [0.0, 0.0, 1.0]
    assert np.ptp(truth_of("equal", 3, rng)) == 0.0
    # Five standard errors of a standard deviation.
    assert truth_of("prior", 4000, rng).std() == pytest.approx(1.0, abs=5 / np.sqrt(8000))
