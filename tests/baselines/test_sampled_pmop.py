"""Sampled gradients against exact ones, and fits against maximum likelihood."""

import numpy as np
import pytest
from scipy import stats

import bayesrank as br
from bayesrank.baselines import fit_sampled_pmop
from bayesrank.baselines.sampled_pmop import sampled_slopes as sampled_gradient
from bayesrank.baselines.subset_chains import chain_code, log_factorials
from bayesrank.kernels import KERNELS
from bayesrank.kernels.partitions import partition
from bayesrank.kernels.samplers import draw_geometric

geometric = KERNELS["geometric"].function

SCORE = np.array([1.4, -0.3, 0.5, -1.2, 0.1, -0.5])


def draw(score, seed):
    """Return ranks drawn from the exact model, one row for each row of scores."""
    seeds = np.random.default_rng(seed).integers(0, 2**62, len(score))
    offered = np.ones(score.shape, dtype=bool)
    return draw_geometric(score, np.ones((1, 1)), offered, np.ones(1), seeds)


def gradients(score, ranks, sampler, proposal, steps, *, average=True, tie=1.0):
    order, sizes, possible = partition(ranks, ranks >= 0)
    assert possible.all()
    return sampled_gradient(
        score, np.full((1, 1), tie), order, sizes, chain_code(sampler, proposal), steps, average,
        log_factorials(score.shape[1]), np.array([7], dtype=np.uint64),
    )  # fmt: skip


def p_value_of_mean(rows, mean):
    """Return Hotelling's p-value for the mean of rows, all but the last column of them.

    The last is minus the sum of the others. So many rows are all but normal.
    """
    rows = rows[:, :-1] - mean[:-1]
    z = rows.mean(axis=0)
    return stats.chi2.sf(len(rows) * z @ np.linalg.solve(np.cov(rows.T), z), len(z))


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize(
    ("sampler", "proposal", "unranked"),
    [
        ("gibbs", "corrected", False),
        ("gibbs", "corrected", True),
        ("metropolis", "corrected", False),
        ("metropolis", "corrected", True),
        ("metropolis", "paper", False),
    ],
)
def test_the_truth_is_a_fixed_point_of_all_but_the_paper_s_chain(
    sampler, proposal, unranked, steps
):
    """A chain that starts at a draw from its own law stays there, however short it is.

    Rankings hold their items best first: here too, so that an order of the sweep that depends on
    the observed block would show.
    """
    score = np.tile(SCORE, (40_000, 1))
    ranks = draw(score, seed=1)
    order = np.argsort(ranks, axis=1, kind="stable")
    ranks = np.take_along_axis(ranks, order, axis=1)
    if unranked:
        ranks[ranks > 2] = 0
    by_slot = gradients(SCORE[order], ranks, sampler, proposal, steps)
    by_item = np.empty_like(by_slot)
    np.put_along_axis(by_item, order, by_slot, axis=1)
    p = p_value_of_mean(by_item, np.zeros(6))
    assert p < 1e-6 if proposal == "paper" else p > 1e-4


@pytest.mark.parametrize("tie", [1.0, 0.4])
@pytest.mark.parametrize("sampler", ["gibbs", "metropolis"])
def test_long_chains_give_the_exact_gradient(sampler, tie):
    """One ranking with ties, unranked items and an empty slot, 20 000 times over."""
    score = np.array([[0.7, -0.4, 9.0, 1.1, 0.2, -0.9, -0.1]])
    ranks = np.array([[1, 2, -1, 1, 0, 3, 0]])
    order, sizes, _ = partition(ranks, ranks >= 0)
    _, exact, _ = geometric(score, np.full((1, 1), tie), order, sizes, np.ones(1))
    many = (np.repeat(score, 20_000, axis=0), np.repeat(ranks, 20_000, axis=0))
    # In 100 steps chains on six items forget their start.
    rows = gradients(*many, sampler, "corrected", 100, average=False, tie=tie)
    assert np.all(rows[:, 2] == 0.0)
    seen = ranks[0] >= 0
    assert p_value_of_mean(rows[:, seen], exact[0, seen]) > 1e-4


def test_the_mean_over_steps_is_the_mean_over_steps():
    """The chains of one, two and three steps are the same chain for one stage."""
    score, ranks = SCORE[None, :], np.array([[1, 1, 0, 0, 0, 0]])
    last = [gradients(score, ranks, "gibbs", "corrected", n, average=False) for n in (1, 2, 3)]
    mean = gradients(score, ranks, "gibbs", "corrected", 3)
    np.testing.assert_allclose(mean, np.mean(last, axis=0), atol=1e-14)


def with_items():
    return br.Rankings.from_matrix(draw(np.tile(SCORE, (500, 1)), seed=2), list("abcdef"))


def with_features():
    """Queries of eight documents with three features in different units."""
    import pandas as pd

    rng = np.random.default_rng(3)
    x = rng.normal(size=(300, 8, 3))
    ranks = draw(x @ [1.0, -0.5, 0.0], seed=4)
    frame = pd.DataFrame(x.reshape(-1, 3) * [1.0, 10.0, 0.1], columns=["u", "v", "w"])
    frame["query"], frame["document"] = np.repeat(np.arange(300), 8), np.arange(2400)
    frame["rank"] = ranks.ravel()
    return br.Rankings.from_frame(frame, "query", "document", "rank", features=["u", "v", "w"])


def test_an_iteration_goes_by_the_rate_times_the_mean_gradient():
    """The first one, from zero, where the exact gradient is known and the chains are long."""
    data, rate = with_items(), 0.07
    fit = fit_sampled_pmop(data, steps=30, average=False, rate=rate, iterations=1, seed=1)
    zero = np.zeros((len(data), 6))
    order, sizes, _ = partition(data.ranks, data.offered)
    exact = geometric(zero, np.ones((1, 1)), order, sizes, np.ones(1))[1]
    noise = gradients(zero, data.ranks, "gibbs", "corrected", 30, average=False) - exact
    by_item = data.entries.argsort(axis=1)
    noise = np.take_along_axis(noise, by_item, axis=1)
    expected = np.take_along_axis(exact, by_item, axis=1).mean(axis=0)
    z = (fit.scores()[0] / rate - expected)[:-1]
    distance = len(data) * z @ np.linalg.solve(np.cov(noise[:, :-1].T), z)
    assert stats.chi2.sf(distance, 5) > 1e-4


def weighted():
    rows = draw(np.tile(SCORE, (40, 1)), seed=5)
    return br.Rankings.from_matrix(rows, list("abcdef"), weights=np.repeat([1.0, 99.0], 20))


@pytest.mark.parametrize(
    ("make", "scale"), [(with_items, np.inf), (with_items, 0.1), (with_features, np.inf),
                        (weighted, 0.3)],
)  # fmt: skip
def test_with_long_chains_the_fit_is_the_mode(make, scale):
    """Up to the noise that a constant rate leaves.

    Near the mode the gradient's noise has the variance H / Q, with H the curvature per ranking and
    Q the rankings; a step ``x - rate (H x + noise)`` then hovers with variance
    ``rate / (2 - rate H) / Q``, H being well below 1 here. With weights w, Q is
    (sum w)^2 / sum w^2. Five standard deviations, and the starting point is forgotten.
    """
    data = make()
    rate = 0.2
    fit = fit_sampled_pmop(data, steps=5, rate=rate, iterations=800, scale=scale, seed=1)
    exact = br.fit(data, "pmop-geometric", method="map", scale=scale)
    rankings = data.weights.sum() ** 2 / (data.weights**2).sum()
    name, unit = "score", 1.0
    if data.features is not None:
        name, unit = "beta", fit.specification.observation.features.spread
    difference = (fit.posterior[name] - exact.posterior[name]) * unit
    assert np.abs(difference).max() < 5 * np.sqrt(rate / (2.0 - rate) / rankings)
    assert np.abs(exact.posterior[name] * unit).max() > 0.3  # the start, zero, would not do


def test_a_fit_answers_like_any_other():
    data = with_items()
    fit = fit_sampled_pmop(data, sampler="metropolis", steps=2, iterations=50, seed=1)
    assert fit.method == "map"
    assert "Contrastive divergence (metropolis, corrected proposal, steps=2)" in fit.note
    assert fit.note in str(fit.diagnostics())
    assert list(fit.ranking().columns[:2]) == ["score", "sd"] and fit.ranking().index[0] == "a"
    assert fit.scores().shape == (1, 6) and fit.scores().sum() == pytest.approx(0.0, abs=1e-12)
    assert fit.log_likelihood().shape == (1, 1, 500)
    again = fit_sampled_pmop(data, sampler="metropolis", steps=2, iterations=50, seed=1)
    other = fit_sampled_pmop(data, sampler="metropolis", steps=2, iterations=50, seed=2)
    assert np.array_equal(fit.scores(), again.scores())
    assert not np.array_equal(fit.scores(), other.scores())


def test_features_answer_too():
    fit = fit_sampled_pmop(with_features(), iterations=20, seed=1)
    assert list(fit.parameters().index) == ["beta[u]", "beta[v]", "beta[w]"]
    assert fit.predict(np.eye(3), draws=10, seed=1).shape[0] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sampler": "slice"}, "`sampler` must be"),
        ({"proposal": "none"}, "`proposal` must be"),
        ({"steps": 0}, "`steps` must be a whole number from 1 up, got 0"),
        ({"iterations": 2.5}, "`iterations` must be a whole number from 1 up, got 2.5"),
        ({"rate": 0.0}, "`rate` must be a positive number, got 0.0"),
        ({"scale": None}, "`scale` must be a positive number, got None"),
        ({"seed": -1}, "`seed` must be a whole number from 0 up, got -1"),
    ],
)
def test_what_is_refused(arguments, message):
    data = br.Rankings.from_lists([["a", {"b", "c"}], ["c", "b", "a"]])
    with pytest.raises(ValueError, match=message):
        fit_sampled_pmop(data, **arguments)


def test_data_are_refused_as_by_fit():
    with pytest.raises(ValueError, match="estimate does not exist"):
        fit_sampled_pmop(br.Rankings.from_lists([["a", "b"], ["c", "d"]]))
    with pytest.raises(TypeError, match="needs Rankings"):
        fit_sampled_pmop([["a", "b"]])
