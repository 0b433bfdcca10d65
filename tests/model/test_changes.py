"""What changes in a model when its data grow."""

from dataclasses import replace

import numpy as np
import pytest

import bayesrank as br
from bayesrank.model.changes import carried_values, new_labels, prior_change, same_shape
from bayesrank.model.specification import Specification
from tests.model.varying_data import votes_by_agents

quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def models(more, likelihood="davidson", **options):
    """Return the models of some votes, and of these and more."""
    votes = votes_by_agents(60, seed=1)
    return Specification(votes, likelihood, **options), Specification(
        votes + more, likelihood, **options
    )


def test_the_same_labels_have_the_same_parameters():
    old, new = models(votes_by_agents(20, seed=2), scores="by-category", ties="by-agent")
    assert same_shape(old, new) and new_labels(old, new) == {}


@pytest.mark.parametrize(
    ("more", "added"),
    [
        ({"items": ["item 0", "item 1", "item 2", "later"]},
         {"item": ["later"], "cell": ["topic 0 / later", "topic 1 / later"]}),
        ({"agents": ["agent 0", "agent 1", "x"]}, {"agent": ["x"]}),
        ({"categories": ["topic 0", "y"]},
         {"cell": [f"y / item {k}" for k in range(4)], "category": ["y"]}),
    ],
)  # fmt: skip
def test_new_labels_are_named(more, added):
    votes = replace(votes_by_agents(20, seed=2), **more)
    old, new = models(votes, scores="by-category", ties="by-agent")
    assert new_labels(old, new) == added and not same_shape(old, new)


def test_what_the_model_does_not_look_at_is_no_change():
    old, new = models(replace(votes_by_agents(20, seed=2), agents=["a", "b", "c"]))
    assert new_labels(old, new) == {} and same_shape(old, new)


def test_a_tie_of_a_new_size():
    old = br.Rankings.from_lists([["a", {"b", "c"}], ["b", "a", "c"]])
    new = old + br.Rankings.from_lists([[{"a", "b", "c"}], ["a", "b"]], unranked="not offered")
    found = [Specification(data, "davidson-luce") for data in (old, new)]
    assert new_labels(*found) == {"tie_size": [3]}
    known = {"score": np.zeros(3), "scale": 1.0, "tie_rate": np.array([0.3])}
    start = carried_values(*found, known)
    assert start["tie_rate"].tolist() == [0.3, 0.5]


def test_only_the_units_of_features_change_the_prior():
    """Against the normal prior of coefficients, with the standard deviation 1 / spread."""
    old, new = models(votes_by_agents(20, seed=2))
    spreads = [model.observation.features.spread for model in (old, new)]
    assert np.abs(spreads[0] - spreads[1]).min() > 1e-3
    beta = np.random.default_rng(1).normal(size=(2, 50))
    expected = [-0.5 * np.sum((beta * spread[:, None]) ** 2, axis=0) for spread in spreads]
    found = prior_change(old, new, {"beta": beta})
    assert found == pytest.approx(expected[1] - expected[0])
    plain = [model.replace(features=False) for model in (old, new)]
    assert prior_change(*plain, {}) == 0.0


def test_values_go_where_their_labels_are():
    games = br.load_dataset("baseball")
    old = Specification(games, "bradley-terry", order_effect=True, scale=1.0)
    more = replace(games, items=["Chicago", *games.items[1:]])
    new = Specification(games + more, "bradley-terry", order_effect=True, scale=1.0)
    x = np.random.default_rng(1).normal(size=old.size)
    values = old.constrain(x)
    found = new.split(new.free(carried_values(old, new, values)))
    assert found["order_effect"] == values["order_effect"]
    by_item = dict(zip(new.coords["item"], found["score"], strict=True))
    assert by_item.pop("Chicago") == pytest.approx(0.0, abs=1e-12)
    assert list(by_item.values()) == pytest.approx(values["score"])


def test_values_with_features():
    old, new = models(votes_by_agents(20, seed=2))
    values = old.constrain(np.random.default_rng(1).normal(size=old.size))
    found = new.constrain(new.free(carried_values(old, new, values)))
    assert found["beta"] == pytest.approx(values["beta"])
    assert found["scale"] == pytest.approx(values["scale"])
    assert carried_values(old, new, {"score": values["score"]}) is None
