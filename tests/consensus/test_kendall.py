"""The search for the fewest reversals against dynamic programming over all subsets."""

import itertools

import numpy as np
import pytest

from bayesrank import consensus
from bayesrank.consensus import kendall
from bayesrank.consensus.kendall import EXACT_KNOT, expected_reversals, fewest_reversals

# Sums of tens of probabilities, which the linear programs know to 1e-7 each.
PRECISION = 1e-8


def completed(upper):
    """Return the matrix of P(row above column) with a given upper triangle."""
    above = np.triu(upper, 1)
    return above + np.tril(1.0 - above.T, -1) + 0.5 * np.eye(len(above))


def tournament(kind, n, seed):
    rng = np.random.default_rng([n, seed])
    return completed(
        {
            "signs": np.where(rng.random((n, n)) < 0.5, 0.9, 0.1),
            "uniform": rng.random((n, n)),
            "quarters": rng.integers(0, 5, size=(n, n)) / 4,
            "nearly even": 0.5 + rng.integers(-20, 21, size=(n, n)) / 4000,
            "even": np.full((n, n), 0.5),
        }[kind]
    )


KINDS = ["signs", "uniform", "quarters", "nearly even", "even"]


def fewest_by_subsets(above):
    """Return the least sum: the best way to begin with a set ends with one of its items."""
    n = len(above)
    sets = np.arange(2**n)
    members = (sets[:, None] >> np.arange(n)) & 1
    after = members @ above.T  # what an item (column) loses if it comes after a set (row)
    best = np.zeros(2**n)
    for one in sets[1:]:
        last = np.flatnonzero(members[one])
        before = one - 2**last
        best[one] = np.min(best[before] + after[before, last])
    return best[-1]


def test_subsets_against_all_orders():
    above = tournament("uniform", 6, 0)
    orders = itertools.permutations(range(6))
    least = min(expected_reversals(above, list(order)) for order in orders)
    assert fewest_by_subsets(above) == pytest.approx(least, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [2, 3, 5, 8, 10])
def test_fewest_reversals_of_tournaments(kind, n):
    for seed in range(4):
        above = tournament(kind, n, seed)
        order, bound = fewest_reversals(above)
        assert sorted(order) == list(range(n))
        reached = expected_reversals(above, order)
        assert reached == pytest.approx(fewest_by_subsets(above), abs=PRECISION)
        assert reached - PRECISION <= bound <= reached + 1e-12


def test_fractional_relaxations_are_branched(monkeypatch):
    """Triples alone do not make whole numbers of all tournaments; seeds were searched for."""
    wholes = []
    relaxation = kendall._relaxation

    def spy(cost, rows, n, whole, seconds):
        wholes.append(whole)
        return relaxation(cost, rows, n, whole, seconds)

    monkeypatch.setattr(kendall, "_relaxation", spy)
    for seed in (18, 34, 48):
        above = tournament("signs", 12, seed)
        order, bound = fewest_reversals(above)
        reached = expected_reversals(above, order)
        assert reached == pytest.approx(fewest_by_subsets(above), abs=PRECISION)
        assert bound == pytest.approx(reached, abs=PRECISION)
    assert any(wholes)


def test_knots_in_their_order():
    """Three knots of four, in a row; any order of columns."""
    rng = np.random.default_rng(0)
    above = np.where(np.arange(12)[:, None] // 4 < np.arange(12) // 4, 0.8, 0.2)
    for k in range(3):
        # A circle: each beats the next one, the last the first; the other two pairs are even.
        part = np.full((4, 4), 0.5)
        for i in range(4):
            part[i, (i + 1) % 4], part[(i + 1) % 4, i] = 0.7, 0.3
        above[4 * k : 4 * k + 4, 4 * k : 4 * k + 4] = part
    fewest = fewest_by_subsets(above)
    for _ in range(5):
        turn = rng.permutation(12)
        order, bound = fewest_reversals(above[np.ix_(turn, turn)])
        assert (turn[order] // 4).tolist() == [0] * 4 + [1] * 4 + [2] * 4
        reached = expected_reversals(above[np.ix_(turn, turn)], order)
        assert reached == pytest.approx(fewest, abs=PRECISION)
        assert bound == pytest.approx(reached, abs=PRECISION)


def test_condorcet_cycle_in_draws():
    """Three voters whose majorities go in a circle, and a fourth item that all put last."""
    scores = np.array([[4.0, 3, 2, 1], [2, 4, 3, 1], [3, 2, 4, 1]])
    found = consensus.best_order(scores, "kendall")
    assert found.order in ([0, 1, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3])
    # A turn of the circle keeps two majorities, lost in a third of the draws, and breaks one.
    assert found.expected_loss == pytest.approx(4 / 3)
    assert found.optimal and found.bound == found.expected_loss


@pytest.mark.parametrize("kind", ["signs", "nearly even"])
def test_largest_knot_that_is_always_solved(kind):
    above = tournament(kind, EXACT_KNOT, 1)
    order, bound = fewest_reversals(above, seconds=1e-9)
    assert expected_reversals(above, order) - bound < PRECISION


@pytest.mark.parametrize("n", [35, 50])
@pytest.mark.parametrize("kind", KINDS)
def test_no_time_still_gives_an_order_and_a_bound(kind, n):
    above = tournament(kind, n, 0)
    rng = np.random.default_rng(0)
    for seconds in (1e-9, 0.05):
        order, bound = fewest_reversals(above, seconds)
        reached = expected_reversals(above, order)
        assert sorted(order) == list(range(n))
        assert bound <= reached
        # No order is below the bound, and no shift of a single item improves what was found.
        starts = [rng.permutation(n) for _ in range(10)]
        others = [expected_reversals(above, kendall.shift_items(above, s)) for s in starts]
        assert bound <= min(others) + PRECISION
        for item in order[:: n // 7]:
            rest = order[order != item]
            for to in range(n):
                moved = np.insert(rest, to, item)
                assert expected_reversals(above, moved) > reached - PRECISION


def test_bound_without_time_is_below_the_best():
    """A knot of 35 items from draws, which the program solves at once if it may."""
    scores = np.random.default_rng(5).normal(size=(100, 35))
    above = consensus.probability_above(scores)
    order, bound = fewest_reversals(above, seconds=600.0)
    best = expected_reversals(above, order)
    assert best - bound < PRECISION
    hasty, low = fewest_reversals(above, seconds=1e-9)
    assert low <= best <= expected_reversals(above, hasty) + PRECISION
    found = consensus.best_order(scores, "kendall", seconds=1e-9)
    assert found.bound <= best + PRECISION and found.gap == found.expected_loss - found.bound
    assert found.optimal == (found.gap == 0.0)


def test_gap_is_told():
    scores = np.random.default_rng(5).normal(size=(100, 60))
    found = consensus.best_order(scores, "kendall", seconds=1e-9)
    assert found.optimal is False and found.gap > 0.0
    assert type(found.bound) is type(found.expected_loss) is float
    assert found.proof.startswith("Not proven")
    assert found.expected_loss == consensus.expected_loss(scores, found.order, "kendall")
