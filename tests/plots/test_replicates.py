"""Statistics of data by counting, and the data that a model draws."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.specification import Specification
from bayesrank.plots.replicates import RankingStatistics, statistics_of
from tests.data.random_rankings import random_rankings
from tests.plots.conftest import pair_fit, preference_fit, ranking_fit


def test_pairs_by_counting():
    specification = pair_fit(5).specification
    statistics, data = statistics_of(specification), specification.data
    frame = pd.DataFrame(data.counts, columns=["win", "loss", "tie"])
    frame["left"], frame["right"] = data.left, data.right
    shares = []
    for item in range(5):
        home, away = frame[frame["left"] == item], frame[frame["right"] == item]
        played = home[["win", "loss", "tie"]].sum().sum() + away[["win", "loss", "tie"]].sum().sum()
        shares.append((home["win"].sum() + away["loss"].sum()) / played)
    np.testing.assert_allclose(statistics.measure("wins", data.counts), shares)
    ties = frame["tie"].sum() / data.counts.sum()
    assert statistics.measure("ties", data.counts) == pytest.approx(ties)


def by_hand(data):
    """Return mean places, shares of others below, and the share of ties, entry by entry."""
    places, below, tied = {}, {}, []
    for row in range(len(data)):
        ranks = {
            data.items[i]: np.inf if r == 0 else r
            for i, r in zip(data.entries[row], data.ranks[row], strict=True)
            if i >= 0
        }
        for _ in range(int(data.weights[row])):
            for item, rank in ranks.items():
                others = [r for other, r in ranks.items() if other != item]
                better, equal = sum(r < rank for r in others), sum(r == rank for r in others)
                places.setdefault(item, []).append(1 + better + equal / 2)
                below.setdefault(item, []).extend(r > rank for r in others)
                if np.isfinite(rank):
                    tied.append(equal > 0)
    means = [[np.mean(values[item]) for item in data.items] for values in (places, below)]
    return *means, np.mean(tied)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_rankings_by_counting(seed):
    """With ties, unranked items, items that were not offered, and weights."""
    data = random_rankings(seed)
    assert (data.ranks == 0).any() and (data.ranks == -1).any() and (data.weights > 1).any()
    statistics = statistics_of(Specification(data, "davidson-luce"))
    places, below, tied = by_hand(data)
    np.testing.assert_allclose(statistics.measure("ranks", statistics.observed), places)
    np.testing.assert_allclose(statistics.measure("wins", statistics.observed), below)
    assert statistics.measure("ties", statistics.observed) == pytest.approx(tied)


def test_items_that_do_not_occur_have_no_statistic():
    frame = pd.DataFrame(
        {"left": ["a", "b", "c"], "right": ["b", "a", "d"], "wins": [3, 1, 0], "losses": [1, 2, 0]}
    )
    statistics = statistics_of(Specification(br.Comparisons.from_counts(frame), "bradley-terry"))
    shares = statistics.measure("wins", statistics.observed)
    np.testing.assert_allclose(shares, [5 / 7, 2 / 7, np.nan, np.nan])


@pytest.mark.parametrize("likelihood", ["davidson-luce", "pmop", "partitioned-plackett-luce"])
def test_replicated_rankings_leave_as_much_unranked(likelihood):
    fit = ranking_fit(12, likelihood)
    statistics = statistics_of(fit.specification)
    observed = statistics.observed
    partial = (observed == 0).any(axis=1)
    assert partial.any() and not partial.all()
    drawn = statistics.draw(fit.values(3), np.random.default_rng(0))
    np.testing.assert_array_equal(drawn >= 0, observed >= 0)
    assert (drawn[~partial] != 0).all()
    blocks = observed.max(axis=1)
    assert (drawn.max(axis=1)[partial] <= blocks[partial]).all()
    if likelihood == "partitioned-plackett-luce":
        np.testing.assert_array_equal((drawn == 0).sum(axis=1), (observed == 0).sum(axis=1))


def test_a_ranking_of_weight_w_is_drawn_w_times():
    """Copies of one ranking are drawn each for itself, not one for all."""
    data = br.Rankings.from_lists([list("abcd"), list("badc")], weights=[500, 1])
    specification = Specification(data, "plackett-luce", scale=1.0)
    statistics = statistics_of(specification)
    drawn = statistics.draw({"score": np.zeros(4)}, np.random.default_rng(0))
    assert drawn.shape == (501, 4)
    assert len(np.unique(drawn[:500], axis=0)) == 24  # all orders of four, equally likely
    # A mean of 500 places of variance 5/4 is within five standard errors of 2.5.
    means = statistics.measure("ranks", drawn)
    np.testing.assert_allclose(means, 2.5, atol=5.0 * np.sqrt(1.25 / 501))


def test_replicates_have_the_mean_that_the_model_says():
    fit = pair_fit(5)
    statistics, values = statistics_of(fit.specification), fit.values(0)
    rng, observation = np.random.default_rng(0), fit.specification.observation
    drawn = [statistics.measure("ties", statistics.draw(values, rng)) for _ in range(400)]
    total = fit.specification.data.counts.sum(axis=1)
    p = observation.outcome_probabilities(values)[:, 2]
    error = np.sqrt(np.sum(total * p * (1 - p))) / total.sum() / np.sqrt(400)
    assert np.mean(drawn) == pytest.approx(total @ p / total.sum(), abs=5.0 * error)


def test_refusals():
    rankings = br.Rankings.from_lists([list("abc"), list("bac")], weights=[1.5, 1.0])
    with pytest.raises(ValueError, match="fractional weights"):
        statistics_of(Specification(rankings, "plackett-luce"))
    with pytest.raises(ValueError, match=r"stand for 1e\+30, too many to draw anew: 10,000,000"):
        many = br.Rankings.from_lists([list("abc"), list("bac")], weights=[1e30, 1.0])
        statistics_of(Specification(many, "plackett-luce"))
    with pytest.raises(ValueError, match="not how they rank, so there are no replicated"):
        statistics_of(preference_fit().specification)
    assert isinstance(statistics_of(ranking_fit(12).specification), RankingStatistics)
