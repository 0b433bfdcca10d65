"""Precision and average precision where documents are missing or tied."""

import numpy as np
import pytest

from bayesrank.metrics import average_precision, precision


def test_relevant_documents_that_were_not_found():
    value = average_precision([2.0, 1.0], [1, 1], relevant=[4])
    assert value.tolist() == [0.5]
    with pytest.raises(ValueError, match="`relevant` must hold, for each query, at least"):
        average_precision([2.0, 1.0], [1, 1], relevant=[1])


def test_infinite_scores_are_last_and_tied():
    score = [1.0, -np.inf, -np.inf, 2.0]
    assert precision(score, [1, 0, 1, 0], k=[2, 3], ties="expected").tolist() == [[0.5, 0.5]]
