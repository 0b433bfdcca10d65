"""Preferences of agents in instances, and all outcomes of a few."""

from itertools import product

import numpy as np
import pytest

SCORE = np.array([0.9, -0.2, -0.7])
VARIANCE = np.array([0.3, 0.9, 0.6])
LEFT, RIGHT = np.array([0, 0, 1]), np.array([1, 2, 2])
variances = pytest.mark.parametrize("variance", [0.4, VARIANCE], ids=["one", "by item"])


def outcomes(n):
    """Return all counts of the three pairs of three items that add up to n."""
    flat = [c for c in product(range(n + 1), repeat=6) if sum(c) == n]
    return np.insert(np.reshape(flat, (-1, 3, 2)), 2, 0, axis=2)


# Two agents of five in one instance of three items, one in another of two; rows in any order.
SEVERAL = {
    "left": np.array([0, 4, 1, 2, 1, 2, 0]),
    "right": np.array([1, 3, 2, 0, 0, 1, 2]),
    "agent": np.array([4, 4, 4, 4, 1, 1, 1]),
    "instance": np.array([0, 0, 0, 1, 1]),
}
ROWS = [[4, 5, 6], [0, 2, 3], [1]]  # by ballot: agents 1 and 4, then agent 4 elsewhere
