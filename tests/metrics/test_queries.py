"""What all metrics of judged documents share: definitions written out, ties, queries, refusals."""

from functools import partial
from itertools import permutations

import numpy as np
import pytest

from bayesrank.metrics import (
    average_precision,
    expected_reciprocal_rank,
    kendall_tau,
    ndcg,
    precision,
    propensity_ndcg,
    propensity_precision,
)
from tests.metrics.judged import documents


def by_query(score, relevance, query):
    """The relevance of each query's documents, best first, queries as they first occur."""
    for label in dict.fromkeys(query.tolist()):
        chosen = np.flatnonzero(query == label)
        yield relevance[chosen][np.argsort(-score[chosen], kind="stable")].tolist()


def plain_dcg(ranked, k, letor):
    total = 0.0
    for i, grade in enumerate(ranked[:k], 1):
        discount = 1.0 if letor and i == 1 else 1.0 / np.log2(i if letor else i + 1)
        total += (2**grade - 1) * discount
    return total


def plain_ndcg(ranked, k, letor, empty):
    best = plain_dcg(sorted(ranked, reverse=True), k, letor)
    return plain_dcg(ranked, k, letor) / best if best else empty


def plain_err(ranked, k, highest):
    total, reads_on = 0.0, 1.0
    for i, grade in enumerate(ranked[:k], 1):
        stops = (2**grade - 1) / 2**highest
        total += reads_on * stops / i
        reads_on *= 1 - stops
    return total


def plain_ap(ranked, k):
    hits = [i for i, grade in enumerate(ranked, 1) if grade]
    found = [(n + 1) / i for n, i in enumerate(hits) if k is None or i <= k]
    return sum(found) / len(hits) if hits else 0.0


@pytest.mark.parametrize("k", [1, 2, 5, 40])
@pytest.mark.parametrize("levels", [None, 3])
def test_against_definitions(k, levels):
    data = documents(k, levels=levels)
    ranked = list(by_query(*data))
    for convention, letor, empty in (
        ("standard", False, 0),
        ("letor", True, 0),
        ("pmop", False, 1),
    ):
        expected = [plain_ndcg(one, k, letor, empty) for one in ranked]
        np.testing.assert_allclose(ndcg(*data, k=k, convention=convention), expected)
    expected = [plain_err(one, k, 4) for one in ranked]
    np.testing.assert_allclose(expected_reciprocal_rank(*data, k=k), expected)
    expected = [sum(grade > 0 for grade in one[:k]) / k for one in ranked]
    np.testing.assert_allclose(precision(*data, k=k), expected)
    np.testing.assert_allclose(average_precision(*data, k=k), [plain_ap(one, k) for one in ranked])


def test_without_cutoff_and_with_several():
    data = documents(5)
    ranked = list(by_query(*data))
    np.testing.assert_allclose(
        expected_reciprocal_rank(*data, highest=3), [plain_err(one, None, 3) for one in ranked]
    )
    np.testing.assert_allclose(average_precision(*data), [plain_ap(one, None) for one in ranked])
    np.testing.assert_allclose(
        ndcg(*data, k=None), [plain_ndcg(one, None, False, 0) for one in ranked]
    )
    for metric in (ndcg, precision, average_precision, expected_reciprocal_rank):
        together = metric(*data, k=[3, 1, 50])
        assert together.shape == (8, 3)
        for column, k in enumerate([3, 1, 50]):
            np.testing.assert_array_equal(together[:, column], metric(*data, k=k))


PROPENSITY = np.array([0.9, 0.2, 0.5, 0.5, 0.1, 0.3])


@pytest.mark.parametrize("k", [1, 2, 4, 6, 9])
@pytest.mark.parametrize(
    "metric",
    [
        ndcg,
        partial(ndcg, convention="letor"),
        expected_reciprocal_rank,
        precision,
        average_precision,
        propensity_precision,
        propensity_ndcg,
    ],
)
def test_expected_is_the_mean_over_all_orders_of_equal_scores(metric, k):
    """In each order of the file, equal scores come in another order."""
    score = np.array([2.0, 1.0, 2.0, 2.0, 1.0, 0.0])
    relevance = np.array([0, 3, 1, 4, 0, 1])
    columns = [score, relevance]
    if metric in (propensity_precision, propensity_ndcg):
        columns.append(PROPENSITY)
    orders = [np.array(order) for order in permutations(range(6))]
    values = [metric(*(column[order] for column in columns), k=k) for order in orders]
    assert np.ptp(values) > 0 or (k in (6, 9) and metric in (precision, propensity_precision))
    np.testing.assert_allclose(metric(*columns, k=k, ties="expected"), np.mean(values, axis=0))


def test_expected_by_query_and_without_ties():
    """Blocks end where their query does, and without ties the two rules agree."""
    score, relevance, query = documents(3, levels=2)
    for metric in (ndcg, precision, average_precision, expected_reciprocal_rank):
        together = metric(score, relevance, query, ties="expected")
        for value, label in zip(together, dict.fromkeys(query.tolist()), strict=True):
            one = query == label
            alone = metric(score[one], relevance[one], ties="expected")
            np.testing.assert_allclose(value, alone[0])
        data = documents(4)
        np.testing.assert_allclose(metric(*data), metric(*data, ties="expected"))


def test_matrices_have_a_row_a_query():
    rng = np.random.default_rng(1)
    score, relevance = rng.normal(size=(5, 7)), rng.integers(0, 3, size=(5, 7))
    flat = score.ravel(), relevance.ravel(), np.repeat(np.arange(5), 7)
    for metric in (ndcg, precision, average_precision, expected_reciprocal_rank):
        np.testing.assert_array_equal(metric(score, relevance), metric(*flat))
        np.testing.assert_array_equal(metric(score[0], relevance[0]), metric(*flat)[:1])
    np.testing.assert_array_equal(kendall_tau(score, relevance), kendall_tau(*flat))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"score": [1.0, 2.0, 3.0]}, r"the same shape: `score` \(3,\), `relevance` \(2,\)"),
        ({"score": [np.nan, 2.0]}, "`score` must not be missing: 1 of 2 are NaN"),
        ({"relevance": [-1, 2]}, "`relevance` must be finite and not negative, got -1 to 2"),
        ({"query": [1]}, r"`query` must name the query of each document: it has shape \(1,\)"),
        ({"score": [], "relevance": []}, "must be flat, or have a row a query, and not empty"),
        ({"k": 0}, "`k` must be a positive whole number, or several, got 0"),
        ({"k": []}, "`k` must be a positive whole number"),
        ({"k": [1, 2.5]}, "`k` must be a positive whole number"),
        ({"ties": "best"}, '`ties` must be "file" or "expected", got \'best\''),
    ],
)
def test_bad_arguments(arguments, message):
    for metric in (ndcg, precision, average_precision, expected_reciprocal_rank):
        with pytest.raises(ValueError, match=message):
            metric(**{"score": [1.0, 2.0], "relevance": [0, 1], **arguments})
