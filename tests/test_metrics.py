"""Metrics against their definitions written out, and against all orders of equal scores."""

from functools import partial
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from bayesrank import metrics
from bayesrank.metrics import (
    average_precision,
    expected_reciprocal_rank,
    footrule_distance,
    kendall_distance,
    kendall_tau,
    ndcg,
    precision,
    propensities,
    propensity_ndcg,
    propensity_precision,
    spearman_distance,
    spearman_rho,
    worth_error,
)


def documents(seed=0, n=60, levels=None):
    """Documents of eight queries in mixed order."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n) if levels is None else rng.integers(levels, size=n).astype(float)
    return score, rng.integers(0, 4, size=n), rng.choice([f"q{k}" for k in range(8)], size=n)


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


def test_relevant_documents_that_were_not_found():
    value = average_precision([2.0, 1.0], [1, 1], relevant=[4])
    assert value.tolist() == [0.5]
    with pytest.raises(ValueError, match="`relevant` must hold, for each query, at least"):
        average_precision([2.0, 1.0], [1, 1], relevant=[1])


def test_infinite_scores_are_last_and_tied():
    score = [1.0, -np.inf, -np.inf, 2.0]
    assert precision(score, [1, 0, 1, 0], k=[2, 3], ties="expected").tolist() == [[0.5, 0.5]]


def test_matrices_have_a_row_a_query():
    rng = np.random.default_rng(1)
    score, relevance = rng.normal(size=(5, 7)), rng.integers(0, 3, size=(5, 7))
    flat = score.ravel(), relevance.ravel(), np.repeat(np.arange(5), 7)
    for metric in (ndcg, precision, average_precision, expected_reciprocal_rank):
        np.testing.assert_array_equal(metric(score, relevance), metric(*flat))
        np.testing.assert_array_equal(metric(score[0], relevance[0]), metric(*flat)[:1])
    np.testing.assert_array_equal(kendall_tau(score, relevance), kendall_tau(*flat))


def test_propensities_by_hand():
    """Jain and others (2016): one over 1 + C exp(-A log(N_l + B))."""
    counts = np.array([0, 3, 40])
    constant = (np.log(50) - 1) * 2.5**0.55
    expected = 1 / (1 + constant * np.exp(-0.55 * np.log(counts + 1.5)))
    np.testing.assert_allclose(propensities(counts, 50), expected)
    with pytest.raises(ValueError, match="`counts` must be between 0 and the 30 `instances`"):
        propensities(counts, 30)
    with pytest.raises(ValueError, match="`instances` must be at least 3, got 2"):
        propensities([1], 2)


@pytest.mark.parametrize("discounted", [False, True])
def test_propensity_scores_are_a_ratio_of_means(discounted):
    rng = np.random.default_rng(8)
    score = rng.normal(size=(9, 6))
    relevance = rng.integers(0, 2, size=(9, 6))
    relevance[0] = 0
    metric = propensity_ndcg if discounted else propensity_precision
    value = metric(score, relevance, PROPENSITY, k=[1, 3, 6])
    for column, k in enumerate([1, 3, 6]):
        reached, best = [], []
        for scores, labels in zip(score, relevance, strict=True):
            discount = 1 / np.log2(np.arange(2, k + 2)) if discounted else np.ones(k)
            gain = labels / PROPENSITY
            scale = discount[: labels.sum()].sum() if discounted else k
            scale = scale or 1.0
            reached.append((gain[np.argsort(-scores)][:k] * discount).sum() / scale)
            best.append((np.sort(gain)[::-1][:k] * discount).sum() / scale)
        np.testing.assert_allclose(value[:, column].mean(), np.mean(reached) / np.mean(best))
    # The best order has the value 1, and equal propensities cancel.
    gain = relevance / PROPENSITY
    perfect = metric(gain, relevance, PROPENSITY, k=[1, 3, 6]).mean(axis=0)
    np.testing.assert_allclose(perfect, 1)
    flat = metric(score, relevance, 0.3, k=4)
    np.testing.assert_allclose(flat, metric(score, relevance, 1.0, k=4))


def test_propensities_must_be_probabilities():
    with pytest.raises(ValueError, match="`propensity` must be above 0 and at most 1, got 0 to"):
        propensity_precision([1.0, 2.0], [0, 1], [0.0, 0.5])
    with pytest.raises(ValueError, match="`propensity` must be one for each document or column"):
        propensity_precision([1.0, 2.0], [0, 1], [0.1, 0.2, 0.5])
    with pytest.raises(ValueError, match="`relevance` has no relevant document"):
        propensity_ndcg([1.0, 2.0], [0, 0], [0.2, 0.5])


@pytest.mark.parametrize("levels", [None, 3])
def test_distances_against_definitions(levels):
    first, _, query = documents(11, levels=levels)
    second, *_ = documents(12, levels=4)
    values = [
        metric(first, second, query)
        for metric in (
            kendall_distance, kendall_tau, footrule_distance, spearman_distance, spearman_rho
        )
    ]  # fmt: skip
    for label, *found in zip(dict.fromkeys(query.tolist()), *values, strict=True):
        a, b = first[query == label], second[query == label]
        apart = 0.0
        for i in range(len(a)):
            for j in range(i):
                left, right = np.sign(a[i] - a[j]), np.sign(b[i] - b[j])
                apart += abs(left - right) / 2  # a half where one of the two is a tie
        ranks = stats.rankdata(-a) - stats.rankdata(-b)
        expected = [
            apart,
            stats.kendalltau(a, b).statistic,
            np.abs(ranks).sum(),
            (ranks**2).sum(),
            stats.spearmanr(a, b).statistic,
        ]
        np.testing.assert_allclose(found, expected)


def test_distances_do_not_change_if_both_are_turned_round():
    first, second, query = documents(13, levels=4)
    for metric in (kendall_distance, kendall_tau, footrule_distance, spearman_distance):
        turned = metric(-first, -second, query)
        np.testing.assert_allclose(metric(first, second, query), turned)


def test_correlations_of_ties_alone_are_unknown():
    for correlation in (kendall_tau, spearman_rho):
        value = correlation([1.0, 1.0, 2.0, 1.0, 0.0], [3.0, 2.0, 2.0, 1.0, 0.0], [0, 0, 1, 2, 2])
        np.testing.assert_array_equal(value, [np.nan, np.nan, 1])
    assert kendall_distance([1.0, 1.0], [3.0, 2.0]).tolist() == [0.5]
    np.testing.assert_array_equal(kendall_tau([-np.inf, -np.inf, 1.0], [0.0, 0.0, 1.0]), [1])


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


def test_unknown_conventions_and_grades():
    with pytest.raises(ValueError, match='`convention` must be one of "standard", "letor", "le'):
        ndcg([1.0], [1], convention="trec")
    with pytest.raises(ValueError, match=r"`highest` must be the highest grade: it is 2, and .* 3"):
        expected_reciprocal_rank([1.0], [3], highest=2)
    matrix = np.ones((2, 2))
    with pytest.raises(ValueError, match="must be flat, as `query` is"):
        ndcg(matrix, matrix, [0, 1])


def test_public_names_are_explained():
    for name in metrics.__all__:
        assert name == "CONVENTIONS" or getattr(metrics, name).__doc__
