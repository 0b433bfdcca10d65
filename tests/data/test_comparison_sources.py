"""Rows that agree in everything are added up, however many items, agents and times there are."""

import numpy as np

from bayesrank.data.comparison_sources import _combined


def test_numbers_of_combinations_do_not_run_over():
    """Ten thousand million pairs of items, by as many agents at as many times, are too many."""
    many = 10**10
    key, part = np.array([0, many, 5, many]), np.array([many, 0, 5, 0])
    found = _combined(key, part)
    assert (found >= 0).all()
    assert len(set(found.tolist())) == 3 and found[1] == found[3]
    assert np.argsort(found, kind="stable").tolist() == [1, 3, 2, 0]
    assert _combined(np.array([1, 0]), np.array([0, 2])).tolist() == [1, 4]
