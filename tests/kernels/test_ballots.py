"""Rows of preferences by ballot: their layout, coefficients and cells."""

from itertools import combinations

import numpy as np
from scipy.special import gammaln

from bayesrank.kernels.ballots import items_of_ballots, lay_out, log_coefficients, ranked_cells


def test_layout_sorts_rows_by_ballot():
    """Rows in any order, agents and instances that have none among them."""
    rng = np.random.default_rng(11)
    instance = np.array([0, 0, 0, 1, 2, 2, 2, 2])  # instance 1 has one item and no pairs
    pairs = [(0, 1), (1, 2), (2, 0), (4, 5), (7, 6), (6, 4), (5, 7)]
    rows = [(*pairs[k], a) for k in rng.permutation(7) for a in (4, 1) for _ in range(k % 2 + 1)]
    left, right, agent = np.array(rows).T
    layout = lay_out(left, right, agent, instance)
    assert layout.item_start.tolist() == [0, 3, 4, 8]
    assert layout.ballot_start.tolist() == [0, 2, 2, 4]
    assert layout.instance.tolist() == [0, 0, 2, 2] and layout.agent.tolist() == [1, 4, 1, 4]
    assert sorted(layout.order) == list(range(len(rows)))
    assert np.array_equal(layout.left, left[layout.order])
    ballot = np.repeat(np.arange(4), np.diff(layout.cell_start))
    assert np.array_equal(layout.agent[ballot], agent[layout.order])
    assert np.array_equal(layout.instance[ballot], instance[left[layout.order]])
    start, item, of_left, of_right = items_of_ballots(layout)
    owner = np.repeat(np.arange(4), np.diff(start))
    assert len(set(zip(owner, item, strict=True))) == item.size
    for entries, items in ((of_left, layout.left), (of_right, layout.right)):
        assert np.array_equal(item[entries], items) and np.array_equal(owner[entries], ballot)


def test_multinomial_coefficients():
    rng = np.random.default_rng(12)
    counts = np.round(rng.random(30) * rng.choice([2, 50, 1e6], 30), 1)
    start = np.array([0, 0, 4, 5, 30])
    expected = [
        gammaln(part.sum() + 1) - gammaln(part + 1).sum() for part in np.split(counts, start[1:-1])
    ]
    # Of numbers up to lgamma(2e7) = 3e8.
    np.testing.assert_allclose(log_coefficients(start, counts), expected, rtol=1e-12, atol=1e-6)


def test_cells_of_rankings():
    """The pairs of a ranking whose levels differ, and by how much."""
    level = [[1.0, 1.0, 2.5, 4.0], [0.0, 3.0], [2.0, 2.0, 2.0]]
    first = np.array([0, 4, 6, 9])
    start, better, worse, difference = ranked_cells(np.concatenate(level), first)
    expected = [
        [
            (at + i, at + j, row[j] - row[i])
            for i, j in combinations(range(len(row)), 2)
            if row[j] > row[i]
        ]
        for at, row in zip(first, level, strict=False)
    ]
    assert start.tolist() == [0, 5, 6, 6]
    found = list(zip(better.tolist(), worse.tolist(), difference.tolist(), strict=True))
    assert found == [cell for row in expected for cell in row]
