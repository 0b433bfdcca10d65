"""Leaving out single results, rows, agents and instances, and comparing models by that."""

import numpy as np
import pytest
from scipy.special import logsumexp

import bayesrank as br
from bayesrank.results.comparison import se_of_sum, stacking_weights
from tests.model.preference_data import stars
from tests.model.ranked_lists import rankings_for
from tests.random_tables import random_table


@pytest.fixture(scope="module")
def parties():
    data = br.load_dataset("german_parties")
    return br.fit(data, "bradley-terry", method="laplace", seed=1, draws=500)


def test_a_row_is_the_sum_of_its_single_results(parties):
    """The terms of a row's outcomes, times their counts, are its own but for the coefficient."""
    observation = parties.specification.observation
    values = parties.values(3)
    labels, counts = observation.singles
    single = counts * observation.single_log_likelihood(values)
    row, _ = np.nonzero(observation.data.counts)
    expected = observation.log_likelihood(values) - observation.log_coefficient
    np.testing.assert_allclose(np.bincount(row, single), expected, rtol=1e-12)
    assert counts.sum() == 2880 and labels[0].endswith(": win")


def test_single_results_ask_for_few_parameters(parties):
    found = parties.loo()
    assert found.unit == "comparison" and found.bad_k == 0
    assert 3.5 < found.p < 6.0
    with pytest.warns(UserWarning, match=r'doubtful for \d+ of 15.* unit="comparison" leaves out'):
        rows = parties.loo("row")
    assert rows.bad_k > 0 and rows.p > found.p + 2
    assert "2,880 comparisons left out one by one" in repr(found)


def test_terms_against_exact_weights():
    """Where draws agree, smoothing changes nothing: 1 / mean(1 / p) of each outcome."""
    data = random_table(3, items=4, per_pair=60)
    fit = br.fit(data, "davidson", method="laplace", seed=1, draws=1000)
    found = fit.loo()
    observation = fit.specification.observation
    terms = np.array([observation.single_log_likelihood(fit.values(k)) for k in range(4000)])
    exact = np.log(len(terms)) - logsumexp(-terms, axis=0)
    np.testing.assert_allclose(found.terms["elpd"], exact, atol=2e-4)


def test_rankings_with_weights_are_single_rankings():
    fit = br.fit(br.load_dataset("netflix"), method="laplace", seed=1, draws=500)
    found = fit.loo()
    assert found.unit == "ranking" and found.terms["count"].sum() == 588
    assert found.bad_k == 0 and 2.5 < found.p < 3.5


@pytest.mark.filterwarnings("ignore:Leaving out one")  # of so few
def test_agents_and_instances():
    ballots = [["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["c", "b", "a"]] * 2
    agents, instances = list("xxyyzzww"), [1, 1, 1, 1, 2, 2, 2, 2]
    data = br.Rankings.from_lists(ballots, agents=agents, instances=instances)
    fit = br.fit(data, "plackett-luce", method="laplace", seed=1, draws=100)
    rows = fit.log_likelihood().values.reshape(400, -1)
    agent = fit.loo("agent")
    assert agent.terms.index.tolist() == ["w", "x", "y", "z"]
    lppd = logsumexp(rows[:, :2].sum(axis=1)) - np.log(400)
    assert agent.terms.loc["x", "elpd"] + agent.terms.loc["x", "p"] == pytest.approx(lppd)
    assert fit.loo("instance").terms.index.tolist() == [1, 2]
    preferences = br.fit(data, "mpm", method="laplace", seed=1, draws=100)
    assert preferences.loo().unit == "row" and len(preferences.loo("agent").terms) == 4
    assert len(preferences.loo("instance").terms) == 2
    with pytest.raises(ValueError, match='`unit` must be one of "row", "agent", "instance"'):
        preferences.loo("comparison")


def test_refusals(pudding, parties):
    with pytest.raises(ValueError, match='one of "comparison", "row" for these data'):
        parties.loo("agent")
    with pytest.raises(ValueError, match="`loo` needs posterior draws"):
        br.fit(pudding, method="map").loo()


def test_comparisons_of_fits_warn_of_bad_terms_and_keep_them():
    data = br.load_dataset("german_parties")
    names = ("bradley-terry", "thurstone-pairs")
    fits = {name: br.fit(data, name, method="laplace", seed=1, draws=500) for name in names}
    table = br.compare(fits)
    assert table["bad_k"].tolist() == [0, 0] and table["elpd"].max() < -1700
    with pytest.warns(UserWarning, match="Leaving out one row at a time is doubtful"):
        rows = br.compare(fits, unit="row")
    assert rows["bad_k"].min() > 0 and np.isfinite(rows.to_numpy()).all()
    assert table["weight"].sum() == pytest.approx(1.0)


def test_the_error_of_a_sum_counts_repetitions():
    terms, counts = np.array([-1.0, -2.0, -4.0]), np.array([3.0, 1.0, 2.0])
    repeated = np.repeat(terms, counts.astype(int))
    expected = np.sqrt(len(repeated) * np.var(repeated, ddof=1))
    assert se_of_sum(terms, counts) == pytest.approx(expected)


def test_stacking_weights_are_the_best():
    rng = np.random.default_rng(0)
    terms = np.log(rng.random((3, 40)))
    counts = rng.integers(1, 5, 40).astype(float)
    best = stacking_weights(terms, counts)

    def value(weights):
        return counts @ np.log(weights @ np.exp(terms))

    others = rng.dirichlet(np.ones(3), size=500)
    assert value(best) > max(value(weights) for weights in others) - 1e-6
    assert best.sum() == pytest.approx(1.0) and best.min() >= 0.0


@pytest.mark.parametrize("weight", [1.0, 0.3])
def test_of_a_result_that_counts_less_than_once_no_more_is_left_out(weight):
    """Against fits without each of three of the rankings."""
    rng = np.random.default_rng(0)
    lists = [list(rng.permutation(["a", "b", "c"])) for _ in range(12)]
    data = br.Rankings.from_lists(lists, weights=[weight] * 12)
    options = {"method": "laplace", "scale": 1.0, "seed": 1, "progress": False}
    terms = br.fit(data, **options).loo().terms["elpd"]
    for k in (0, 3, 7):
        rest = br.fit(data.subset(rankings=np.arange(12) != k), **options)
        one = br.Rankings.from_lists([lists[k]])
        model = br.Specification(one, "plackett-luce", scale=1.0)
        values = [model.observation.single_log_likelihood({"score": s}) for s in rest.scores()]
        exact = logsumexp(values) - np.log(len(values))
        assert terms.iloc[k] == pytest.approx(exact, abs=0.02)


def test_models_of_different_outcomes_are_not_compared():
    data = rankings_for("davidson-luce")
    fits = {
        name: br.fit(data, name, method="laplace", seed=1, draws=50)
        for name in ("davidson-luce", "thurstone")
    }
    with pytest.raises(ValueError, match="Equal ranks are results in davidson-luce, and an order"):
        br.compare(fits)
    pairs = br.fit(data.to_comparisons(warn=False), method="laplace", seed=1, draws=50)
    with pytest.raises(ValueError, match="other data"):
        br.compare({"pairs": pairs, "rankings": fits["davidson-luce"]})


@pytest.mark.filterwarnings("ignore:Leaving out one ranking")  # of so few
def test_comparing_models_of_ties():
    data = rankings_for("davidson-luce")
    fits = {
        name: br.fit(data, name, method="laplace", seed=1, draws=250)
        for name in ("davidson-luce", "pmop-geometric", "pmop")
    }
    table = br.compare(fits)
    assert set(table.index) == set(fits) and table["elpd"].is_monotonic_decreasing


@pytest.fixture(scope="module")
def films():
    return br.Rankings.from_ratings(stars(), "user", "film", "stars")


def test_preferences_are_compared_among_themselves(films):
    options = {"method": "laplace", "seed": 1, "draws": 50, "chains": 1}
    fits = {
        "effective": br.fit(films, "mpm", variances=False, **options),
        "one": br.fit(films, "mpm", variances=False, weight=1, **options),
        "rankings": br.fit(films, "partitioned-plackett-luce", **options),
    }
    for other in ("one", "rankings"):
        with pytest.raises(ValueError, match="can be compared among themselves only"):
            br.compare({"effective": fits["effective"], other: fits[other]})


def test_compare_ranks_models_of_the_same_data(nuts_fit, pudding):
    other = br.fit(pudding, "rao-kupper", method="laplace", seed=1)
    table = br.compare({"davidson": nuts_fit, "rao-kupper": other})
    assert table["elpd"].is_monotonic_decreasing
    assert table["elpd_diff"].iloc[0] == 0 and table["diff_se"].iloc[0] == 0
    assert table["weight"].sum() == pytest.approx(1.0)
    with pytest.raises(ValueError, match="a dict of at least two fits"):
        br.compare({"davidson": nuts_fit})
    with pytest.raises(ValueError, match="needs posterior draws"):
        br.compare({"a": nuts_fit, "b": br.fit(pudding, method="map")})
    elsewhere = br.fit(random_table(1), method="laplace", seed=1)
    with pytest.raises(ValueError, match="`b` was fitted to other data"):
        br.compare({"a": nuts_fit, "b": elsewhere})


def test_compare_finds_the_order_effect():
    """Home advantage helps to predict baseball."""
    data = br.load_dataset("baseball")
    fits = {
        name: br.fit(data, method="laplace", order_effect=name == "home", seed=1)
        for name in ("home", "neutral")
    }
    assert br.compare(fits).index[0] == "home"
