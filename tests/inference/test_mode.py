"""Posterior modes: symmetry, ends of ranges, and results of very different numbers."""

import numpy as np
import pandas as pd
import pytest
from scipy import optimize
from scipy.special import expit, logit

import bayesrank as br
from bayesrank.inference.mode import find_mode, sharpened
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.model.preference_data import compared, consensus, pooled, random_votes
from tests.random_tables import random_table


@pytest.mark.parametrize("likelihood", PAIR_LIKELIHOODS)
def test_swapping_changes_no_mode(likelihood):
    for seed in (11, 12):
        data = random_table(seed, ties=PAIR_LIKELIHOODS[likelihood].tie is not None)
        one = br.fit(data, likelihood, method="map")
        other = br.fit(data.swapped(), likelihood, method="map")
        pd.testing.assert_frame_equal(one.ranking(), other.ranking(), rtol=1e-6, atol=1e-7)
        pd.testing.assert_frame_equal(one.parameters(), other.parameters(), rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "likelihood", "options"),
    [
        ("pudding", "davidson", {"scale": 0.5}),
        ("baseball", "bradley-terry", {"scale": np.inf, "order_effect": True}),
        ("nascar", "plackett-luce", {"scale": 1.0}),
        ("bundesliga", "davidson",
         {"scale": 1.0, "ties": "by-item", "spreads": {"ties_by_item": 0.5}}),
    ],
)  # fmt: skip
def test_a_mode_is_the_same_from_anywhere(name, likelihood, options):
    model = Specification(br.load_dataset(name), likelihood, **options)
    found = [find_mode(model)[0]]
    rng = np.random.default_rng(1)
    for _ in range(2):
        found.append(find_mode(model, start=found[0] + 0.2 * rng.normal(size=model.size))[0])
    rough = np.ptp(found, axis=0).max()
    sharp = [sharpened(model, x) for x in found]
    assert np.ptp([x for x, _ in sharp], axis=0).max() < min(1e-9, rough)
    assert all(np.abs(slope).max() < 1e-8 for _, slope in sharp)


@pytest.mark.parametrize("items", [50, 600], ids=["by a matrix", "by conjugate gradients"])
def test_many_items_of_few_results_beside_two_of_very_many(items):
    """Two items met a billion times, and each met all others, which are alike, four times."""
    rest = np.arange(2, items)
    left, right = np.concatenate([[0], rest, rest]), np.repeat([1, 0, 1], [1, *2 * [items - 2]])
    counts = np.tile([3, 1, 0], (left.size, 1))
    counts[0] = [6 * 10**8, 4 * 10**8, 0]
    data = br.Comparisons(left, right, counts, list(range(items)))
    apart = np.log(1.5)

    def loss(above):
        # Scores c + apart / 2, c - apart / 2, and all others c + above, which sum to zero.
        centre = -(items - 2) * above / items
        ends = centre + apart * np.array([0.5, -0.5])
        gap = centre + above - ends
        results = 3.0 * np.log(expit(gap)) + np.log(expit(-gap))
        prior = np.sum(ends**2) + (items - 2) * (centre + above) ** 2
        return 0.5 * prior - (items - 2) * results.sum()

    found = optimize.minimize_scalar(loss, bracket=(0.0, 1.0), options={"xtol": 1e-10})
    mode = br.fit(data, "bradley-terry", method="map", scale=1.0).scores()[0]
    np.testing.assert_allclose(mode[2:] - mode[:2].mean(), found.x, atol=1e-4)
    assert mode[0] - mode[1] == pytest.approx(apart, abs=1e-6)


def test_small_weights_have_the_same_maximum():
    data = br.load_dataset("fruits")
    light = br.Rankings(data.entries, data.ranks, data.items, data.names, data.weights * 1e-3)
    first, second = (br.fit(d, "davidson-luce", method="map", scale=np.inf) for d in (data, light))
    np.testing.assert_allclose(first.scores(), second.scores(), atol=1e-4)


@pytest.mark.parametrize("weighted", [False, True])
def test_maximum_likelihood_orders_items_by_net_counts(weighted):
    rng = np.random.default_rng(8)
    for _ in range(15):
        data = random_votes(rng, 6, 4, 25)
        adherence = rng.random(len(data.agents)) if weighted else np.ones(len(data.agents))
        fit = br.fit(
            data, "mpm", method="map", scale=np.inf, weight=1.0, variances=False,
            adherence=adherence.tolist() if weighted else 1.0,
        )  # fmt: skip
        net, _ = pooled(data, adherence)
        i, j = np.triu_indices(len(net), 1)
        by_net, by_score = net[i] - net[j], fit.scores()[0][i] - fit.scores()[0][j]
        equal = np.abs(by_net) < 1e-9
        assert np.array_equal(np.sign(by_net[~equal]), np.sign(by_score[~equal]))
        # A thousandth of a standard deviation is what the optimiser promises.
        assert np.all(np.abs(by_score[equal]) < 1e-3)


@pytest.mark.parametrize("variances", [True, False])
def test_the_mode_of_an_adherence_may_be_at_its_ends(variances):
    table = br.fit(consensus(), "mpm", method="map", variances=variances).agents()
    assert table["adherence"]["contrary"] == pytest.approx(0.0, abs=1e-9)
    assert table["adherence"]["agent 0"] == pytest.approx(1.0, abs=1e-9)
    assert table.index[-1] == "contrary" and table[["sd", "low", "high"]].isna().all(axis=None)


def test_the_optimiser_does_not_stop_on_its_way_to_an_end():
    """Where several adherences go to their ends, L-BFGS-B may call a standstill convergence."""
    for items in (3, 5, 6):
        for agents in range(4, 12):
            lists = [list(range(items))] * agents + [list(range(items))[::-1]]
            data = br.Rankings.from_lists(lists, agents=list(range(agents + 1)))
            for weight in (1.0, 0.37):
                specification = Specification(
                    data, "mpm", scale=1.0, variances=False, weight=weight
                )
                mode, report = find_mode(specification)
                # Divided by the number of preferences; what holds at an end is left out.
                assert np.max(np.abs(report.jac)) < 1e-4
                assert np.all(expit(mode[-agents - 1 : -1]) > 1.0 - 1e-9)


def free_numbers(parameter, values):
    """Return the free numbers that stand for values of a parameter."""
    if parameter.bounded:
        return logit(np.clip(values, 1e-12, 1.0 - 1e-12))
    return np.array([parameter.constrain(unit) for unit in np.eye(parameter.size)]) @ values


def test_modes_between_the_ends_are_stationary():
    """Of the constrained density, in all parameters that are not at an end."""
    fit = br.fit(compared("several"), "mpm", method="map", scale=1.0)
    specification = fit.specification
    adherence = fit.agents()["adherence"]
    assert ((adherence > 0.01) & (adherence < 0.99)).any()
    log_variance = np.log(2.0 * fit._flat("variance")[0])
    values = {"score": fit.scores()[0], "adherence": fit._flat("adherence")[0]}
    values["log_variance"] = log_variance
    x = np.concatenate([free_numbers(p, values[p.name]) for p in specification.parameters])
    _, slope = specification.objective(x)
    free, sizes = specification.layout.free, {p.name: p.size for p in specification.parameters}
    gradients = {name: slope[at : at + sizes[name]] for name, at in free.items()}
    assert np.all(np.abs(gradients["score"]) < 0.05)
    assert np.all(np.abs(gradients["log_variance"]) < 0.05)
    gradients["adherence"] /= values["adherence"] * (1.0 - values["adherence"]) + 1e-12
    inside = (values["adherence"] > 1e-6) & (values["adherence"] < 1.0 - 1e-6)
    assert np.all(np.abs(gradients["adherence"][inside]) < 0.05)
    assert np.all(gradients["adherence"][values["adherence"] >= 1.0 - 1e-6] >= 0.0)
