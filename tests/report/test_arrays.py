"""Numbers and probabilities as JSON can hold them."""

import numpy as np

from bayesrank.report.arrays import numbers, packed, packed_numbers, packed_rows
from tests.report.unpacking import PACKED, unpacked, unpacked_numbers, unpacked_ranks


def test_arrays():
    assert numbers([1.5, np.nan, np.inf]) == [1.5, None, None]
    assert numbers(np.array([1, 2])) == [1, 2]
    values = np.array([0.0, 0.25, 1.0, 1.0 + 1e-12])
    np.testing.assert_allclose(unpacked(packed(values)), [0.0, 0.25, 1.0, 1.0], **PACKED)
    matrix = np.array([[0.0, 0.5, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    rows = packed_rows(matrix)
    assert rows["first"] == [1, 0, 3] and rows["count"] == [3, 1, 1]
    np.testing.assert_allclose(unpacked_ranks(rows, (3, 4)), matrix, **PACKED)


def test_packed_numbers_keep_seven_digits():
    values = np.array([-1234.567, 0.0, 3.0, 1e-9, 70_001.0])
    np.testing.assert_allclose(unpacked_numbers(packed_numbers(values)), values, rtol=6e-8)
