"""Numbers for labels."""

import numpy as np

from bayesrank.data.labels import map_positions, number_in_order, number_labels


def test_positions():
    assert map_positions(["b", "a", 3]) == {"b": 0, "a": 1, 3: 2}


def test_labels_are_numbered_as_sorted_or_as_they_come():
    labels = ["b", "a", "b", "c"]
    distinct, position = number_labels(labels)
    assert distinct == ["a", "b", "c"] and position.tolist() == [1, 0, 1, 2]
    distinct, position = number_in_order(labels)
    assert distinct == ["b", "a", "c"] and position.tolist() == [0, 1, 0, 2]
    assert position.dtype == np.int64
