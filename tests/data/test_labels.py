"""Numbers for labels."""

import numpy as np

from bayesrank.data.labels import map_positions, number_in_order, number_labels, number_rows


def test_positions():
    assert map_positions(["b", "a", 3]) == {"b": 0, "a": 1, 3: 2}


def test_labels_are_numbered_as_sorted_or_as_they_come():
    labels = ["b", "a", "b", "c"]
    distinct, position = number_labels(labels)
    assert distinct == ["a", "b", "c"] and position.tolist() == [1, 0, 1, 2]
    distinct, position = number_in_order(labels)
    assert distinct == ["b", "a", "c"] and position.tolist() == [0, 1, 0, 2]
    assert position.dtype == np.int64


def test_rows_are_numbered_by_all_their_codes():
    rng = np.random.default_rng(0)
    for most in (3, 2**31, 2**62):  # the product of the last two is beyond 64 bits
        codes = [rng.integers(0, 3, 50).astype(np.uint8), rng.choice([0, 7, most], 50),
                 rng.choice([1, 5, most], 50)]  # fmt: skip
        rows = list(zip(*(code.tolist() for code in codes), strict=True))
        place = {row: k for k, row in enumerate(sorted(set(rows)))}
        found = np.unique(number_rows(*codes), return_inverse=True)[1]
        assert found.tolist() == [place[row] for row in rows]
