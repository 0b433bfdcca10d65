"""Distances and correlations of rankings against their definitions."""

import numpy as np
import pytest
from scipy import stats

from bayesrank.metrics import (
    footrule_distance,
    kendall_distance,
    kendall_tau,
    spearman_distance,
    spearman_rho,
)
from tests.metrics.judged import documents


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
