"""The conventions of discounted gain, by hand."""

import numpy as np
import pytest

from bayesrank.metrics import average_precision, expected_reciprocal_rank, ndcg


def test_the_conventions_by_hand():
    """One relevant document of grade 2, at the second of three ranks."""
    score, relevance = [3.0, 2.0, 1.0], [0, 2, 0]
    at = {"k": [1, 2, 3, 4]}
    second = 1 / np.log2(3)
    for convention in ("standard", "pmop"):
        value = ndcg(score, relevance, convention=convention, **at)
        np.testing.assert_allclose(value, [[0, second, second, second]])
    value = ndcg(score, relevance, convention="letor", **at)
    np.testing.assert_array_equal(value, [[0, 1, 1, 1]])
    value = ndcg(score, relevance, convention="letor-script", **at)
    np.testing.assert_array_equal(value, [[0, 1, 1, 0]])


def test_a_query_without_relevant_documents():
    score, relevance, query = [2.0, 1.0, 2.0, 1.0], [0, 0, 0, 1], [7, 7, 3, 3]
    for convention, value in (("standard", 0), ("letor", 0), ("pmop", 1)):
        assert ndcg(score, relevance, query, k=1, convention=convention).tolist() == [value, 0]
    left_out = ndcg(score, relevance, query, k=2, empty=np.nan, convention="letor")
    np.testing.assert_array_equal(left_out, [np.nan, 1])
    assert average_precision(score, relevance, query).tolist() == [0, 0.5]
    assert average_precision(score, relevance, query, empty=1).tolist() == [1, 0.5]


def test_unknown_conventions_and_grades():
    with pytest.raises(ValueError, match='`convention` must be one of "standard", "letor", "le'):
        ndcg([1.0], [1], convention="trec")
    with pytest.raises(ValueError, match=r"`highest` must be the highest grade: it is 2, and .* 3"):
        expected_reciprocal_rank([1.0], [3], highest=2)
    matrix = np.ones((2, 2))
    with pytest.raises(ValueError, match="must be flat, as `query` is"):
        ndcg(matrix, matrix, [0, 1])
