"""The gain of one user, by hand."""

import numpy as np
import pytest

from models.multinomial_preference import film_measures
from models.multinomial_preference.rating_factors import completed


def test_gain_of_one_user_by_hand():
    """Equation 15 with missing ratings of 1, for a ranking of films a, b and c."""
    found = film_measures.ndcg([3.0, 2.0, 1.0], [1.0, 5.0, 3.0], k=[2])
    discount = 1.0 / np.log2([2, 3])
    assert found[0, 0] == pytest.approx(np.dot([1, 31], discount) / np.dot([31, 7], discount))
    filled = completed([0, 0], [1, 2], [5.0, 3.0], (1, 3), 1.0)
    assert filled.tolist() == [[1.0, 5.0, 3.0]]
