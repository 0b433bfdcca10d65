"""Checks of arguments."""

import numpy as np
import pytest

from bayesrank.data.checks import is_whole_number, whole_number


@pytest.mark.parametrize("value", [1, 7, np.int64(3), np.uint8(2)])
def test_whole_numbers(value):
    assert whole_number("draws", value, 1) is value


@pytest.mark.parametrize("value", [0, -1, 1.0, 2.5, "3", None, True, np.True_, [1]])
def test_what_is_not_a_whole_number(value):
    with pytest.raises(ValueError) as caught:
        whole_number("draws", value, 1)
    assert str(caught.value) == f"`draws` must be a whole number from 1 up, got {value!r}."


def test_truth_values_count_where_they_may():
    assert is_whole_number(True, 1, booleans=True) and is_whole_number(False, 0, booleans=True)
    assert not is_whole_number(False, 1, booleans=True) and not is_whole_number(False, 0)
