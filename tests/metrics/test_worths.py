"""The error of estimated worths."""

import numpy as np
import pytest

from bayesrank.metrics import worth_error


def test_error_of_worths():
    worth = np.array([0.5, 0.3, 0.2])
    assert worth_error(np.log(worth) + 7, worth) == pytest.approx(0, abs=1e-30)
    both = worth_error([np.log(worth), np.zeros(3)], worth)
    np.testing.assert_allclose(both, [0, np.mean((worth - 1 / 3) ** 2)], atol=1e-30)
    with pytest.raises(ValueError, match=r"`worth` must not be negative and sum to one, .* 0.9"):
        worth_error([0.0, 0.0], [0.5, 0.4])
    with pytest.raises(ValueError, match="must be of the same items"):
        worth_error([0.0, 0.0], worth)
    with pytest.raises(ValueError, match="`score` must be finite"):
        worth_error([0.0, np.inf, 0.0], worth)
