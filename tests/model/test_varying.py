"""What differs between agents, items and categories: one model in three forms, and its limits."""

from dataclasses import replace

import numpy as np
import pytest

import bayesrank as br
from bayesrank.model.specification import Specification
from tests.faces import assert_faces_agree
from tests.model.varying_data import ballots_by_agents, votes_by_agents

ALL = {
    "discrimination": "by-agent", "order_effect": ("by-agent", "by-item"),
    "ties": ("by-agent", "by-item", "by-category"), "scores": "by-category",
}  # fmt: skip
SPREADS = (
    "discrimination", "order_effect_by_agent", "order_effect_by_item", "ties_by_agent",
    "ties_by_item", "ties_by_category", "score_by_category",
)  # fmt: skip
TERMS = [
    {"discrimination": "by-agent"},
    {"order_effect": ("by-agent", "by-item")},
    {"ties": ("by-agent", "by-item")},
    {"ties": "by-category"},
    {"scores": "by-category"},
]
WITH_TIES = ("davidson", "rao-kupper", "glenn-david")
WITHOUT = ("bradley-terry", "thurstone-pairs")
# Rankings, and whether equal ranks may be in their data.
RANKINGS = {
    "plackett-luce": False, "partitioned-plackett-luce": True, "thurstone": True, "pmop": True,
    "pmop-geometric": True, "davidson-luce": True,
}  # fmt: skip


def at_random(specification, seed=3):
    return np.random.default_rng(seed).normal(scale=0.5, size=specification.size)


@pytest.mark.parametrize("likelihood", [*WITH_TIES, *WITHOUT])
def test_faces_of_pairs_agree(likelihood):
    tied = likelihood in WITH_TIES
    data = votes_by_agents(ties=tied)
    everything = ALL if tied else ALL | {"ties": "common"}
    model = Specification(data, likelihood, **everything)
    assert_faces_agree(model, at_random(model), jacobian=True)


@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("options", TERMS)
def test_faces_of_each_term_agree(options, centered):
    model = Specification(votes_by_agents(), "davidson", centered=centered, **options)
    assert_faces_agree(model, at_random(model), jacobian=True)


@pytest.mark.parametrize("likelihood", RANKINGS)
def test_faces_of_rankings_agree(likelihood):
    data = ballots_by_agents(ties=RANKINGS[likelihood])
    options = {"discrimination": "by-agent", "scores": "by-category"}
    if likelihood == "davidson-luce":
        options["ties"] = ("by-agent", "by-category")
    model = Specification(data, likelihood, **options)
    assert_faces_agree(model, at_random(model), jacobian=True)


def test_faces_agree_with_scores_that_move():
    data = votes_by_agents(rows=40)
    data = replace(data, time=np.arange(40) % 5, times=[2000.0 + k for k in range(5)])
    model = Specification(data, "davidson", **ALL | {"scores": ("walk", "by-category")})
    assert_faces_agree(model, at_random(model), jacobian=True)


def test_the_likelihood_is_that_of_the_formula():
    """Every term by hand, with Davidson's own probabilities."""
    data = votes_by_agents(rows=30)
    model = Specification(data, "davidson", **ALL)
    values = model.constrain(at_random(model))
    n, cell = len(data.items), values["score_by_category"]
    expected = []
    for k in range(len(data)):
        i, j, a, c = data.left[k], data.right[k], data.agent[k], data.category[k]
        eta = values["score"][i] + cell[c * n + i] - values["score"][j] - cell[c * n + j]
        eta += data.features[k] @ values["beta"]
        d = values["discrimination"][a] * eta + values["order_effect"]
        d += values["order_effect_by_agent"][a] + values["order_effect_by_item"][i]
        logit = np.log(values["tie_rate"] / (1.0 - values["tie_rate"]))
        logit += values["ties_by_agent"][a] + values["ties_by_item"][i] + values["ties_by_item"][j]
        logit += values["ties_by_category"][c]
        nu = 2.0 * np.exp(logit)  # 2 p / (1 - p)
        shares = np.array([np.exp(d / 2), np.exp(-d / 2), nu])
        expected.append(data.counts[k] @ np.log(shares / shares.sum()))
    np.testing.assert_allclose(model.observation.log_likelihood(values), expected, rtol=1e-10)


@pytest.mark.parametrize("likelihood", WITH_TIES)
def test_swapping_left_and_right_changes_the_signs_of_order_effects_only(likelihood):
    data = votes_by_agents()
    options = ALL | {"order_effect": "by-agent"}
    model = Specification(data, likelihood, **options)
    swapped = Specification(data.swapped(), likelihood, **options)
    x = at_random(model)
    turned = x.copy()
    for name in ("order_effect", "order_effect_by_agent"):
        (parameter,) = (p for p in model.parameters if p.name == name)
        first = model.layout.free[name]
        turned[first : first + parameter.size] *= -1.0
    assert swapped.objective(turned)[0] == pytest.approx(model.objective(x)[0], rel=1e-12)


def test_spreads_of_zero_make_the_model_without():
    data = votes_by_agents()
    plain = Specification(data, "davidson", order_effect=True)
    same = Specification(data, "davidson", **ALL, spreads=dict.fromkeys(SPREADS, 0))
    assert [p.name for p in same.parameters] == [p.name for p in plain.parameters]
    x = at_random(plain)
    assert same.objective(x)[0] == plain.objective(x)[0]


def test_one_agent_and_one_category_make_the_model_without():
    data = votes_by_agents(agents=1, categories=1)
    plain = Specification(data, "davidson", order_effect=True)
    same = Specification(
        data, "davidson", discrimination="by-agent", order_effect="by-agent", ties="by-agent",
        scores="by-category",
    )  # fmt: skip
    x = at_random(plain)
    assert same.objective(x)[0] == plain.objective(x)[0]


def test_a_given_spread_is_the_prior_s():
    data = votes_by_agents()
    learned = Specification(data, "davidson", discrimination="by-agent")
    fixed = learned.with_scales([0.8, 0.3])
    assert fixed.learned_scales == []
    x = at_random(fixed)
    whole = np.zeros(learned.size)
    scales = [learned.layout.free[name] for name in learned.learned_scales]
    whole[scales] = np.log([0.8, 0.3])
    whole[np.setdiff1d(np.arange(learned.size), scales)] = x
    hyper = sum(np.log(2.0) - 0.5 * np.log(2 * np.pi) - 0.5 * s**2 for s in (0.8, 0.3))
    found = learned.objective(whole, jacobian=False)[0] - fixed.objective(x, jacobian=False)[0]
    assert found == pytest.approx(hyper, rel=1e-10)


def test_effects_sum_to_zero():
    data = votes_by_agents(categories=3)
    values = Specification(data, "davidson", **ALL).prior(3, seed=1)
    np.testing.assert_allclose(np.log(values["discrimination"]).sum(axis=1), 0.0, atol=1e-12)
    cells = values["score_by_category"].reshape(3, 3, -1)
    np.testing.assert_allclose(cells.sum(axis=2), 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"discrimination": "by-item"}, '`discrimination` must be "by-agent" or None'),
        ({"order_effect": "home"}, '`order_effect` must be "by-agent" or "by-item"'),
        ({"ties": ("by-agent", "by-agent")}, "holds the same word twice"),
        ({"scores": ("walk", "mean-reverting")}, "may hold one of"),
        ({"scores": "topics"}, '`scores` must be "constant", "walk"'),
        ({"spreads": {"ties_by_agent": 1.0}}, "may be given for nothing here"),
        ({"ties": "by-agent", "spreads": {"ties_by_agent": -1.0}}, "numbers from 0 up, got -1.0"),
        ({"ties": "by-agent", "spreads": 1.0}, "must be a mapping"),
        ({"ties": "by-agent", "scale": np.inf}, "needs a prior"),
    ],
)
def test_arguments_that_make_no_sense(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Specification(votes_by_agents(), "davidson", **options)


def test_data_that_do_not_say():
    games = br.load_dataset("pudding")
    with pytest.raises(ValueError, match='name that column as agent="judge" when you read'):
        Specification(games, "davidson", discrimination="by-agent")
    with pytest.raises(ValueError, match='name that column as category="topic"'):
        Specification(games, "davidson", scores="by-category")


def test_likelihoods_that_have_no_use_for_it():
    untied = votes_by_agents(ties=False)
    with pytest.raises(ValueError, match="learns how often ties occur"):
        Specification(untied, "bradley-terry", ties="by-agent")
    with pytest.raises(ValueError, match="is for comparisons"):
        Specification(ballots_by_agents(), "plackett-luce", ties="by-item")
    with pytest.raises(ValueError, match="whose agents have adherences"):
        Specification(untied, "mpm", discrimination="by-agent")
    sides_unknown = replace(votes_by_agents(), sided=False)
    with pytest.raises(ValueError, match="needs to know who was on the left"):
        Specification(sides_unknown, "davidson", order_effect="by-agent")


def test_a_feature_that_is_the_same_on_both_sides_is_left_out():
    data = votes_by_agents()
    same = replace(data, features=np.column_stack([data.features[:, 0], np.zeros(len(data))]))
    with pytest.warns(UserWarning, match="the same value on both sides of every comparison"):
        model = Specification(same, "davidson")
    assert model.feature_names == ["length"]
    assert Specification(same, "davidson", features=False).feature_names is None


def test_merging_rows_changes_nothing():
    """Spreads of features are those over comparisons, however many a row stands for."""
    data = votes_by_agents()
    frame = data.to_frame()
    twice = br.Comparisons.from_counts(
        type(frame)({name: np.tile(column, 2) for name, column in frame.items()}),
        agent="agent", category="category", features=["length", "bold"],
    )  # fmt: skip
    model, other = Specification(data, "davidson", **ALL), Specification(twice, "davidson", **ALL)
    np.testing.assert_allclose(other.observation.features.spread, model.observation.features.spread)
    assert len(twice) <= len(data)
