"""Data from a known truth: what may be given, and what comes back."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import LIKELIHOODS

SIMULATED = [name for name, kind in LIKELIHOODS.items() if not kind.of_preferences]


@pytest.mark.parametrize("likelihood", SIMULATED)
def test_every_likelihood_of_pairs_and_rankings(likelihood):
    votes = br.simulate(5, likelihood, 40, agents=2, seed=1)
    assert votes.likelihood == likelihood
    assert votes.data.row in LIKELIHOODS[likelihood].data
    assert votes.data.agents == ["agent 1", "agent 2"]
    fit = br.fit(votes.data, likelihood, method="map", progress=False)
    assert fit.ranking().join(votes.scores)["truth"].notna().all()
    assert set(votes.parameters.index) <= set(fit.parameters().index)


def test_the_text_shows_data_and_truth():
    lines = repr(br.simulate(["x", "y"], n=30, scores=[-1, 2], seed=1)).split("\n")
    assert lines[0].startswith('Simulated by "davidson": Comparisons: 2 items, ')
    assert lines[1:] == [
        "  true scores: y 1.50, x -1.50",
        "  true parameters: nu 0.67, tie_rate 0.25",
    ]
    assert "parameters" not in repr(br.simulate(3, "plackett-luce", 5, seed=1))


def test_labels_sort_by_their_numbers():
    assert br.simulate(3, n=1).data.items == ["A", "B", "C"]
    many = br.simulate(100, n=1).data.items
    assert many[0] == "item 001" and many[-1] == "item 100" and many == sorted(many)


@pytest.mark.parametrize(
    "given",
    [
        {"items": {"b": 3.0, "a": 1.0}},
        {"items": pd.Series([3.0, 1.0], ["b", "a"])},
        {"items": ["b", "a"], "scores": [3.0, 1.0]},
        {"items": ["b", "a"], "scores": {"a": 1.0, "b": 3.0}},
        {"items": ["a", "b"], "scores": pd.Series([3.0, 1.0], ["b", "a"])},
    ],
)
def test_scores_are_found_by_label_and_centred(given):
    assert br.simulate(**given, n=5).scores.to_dict() == {"a": -1.0, "b": 1.0}


def test_the_same_seed_gives_the_same_data():
    first, again, other = (br.simulate(6, n=50, seed=seed) for seed in (1, 1, 2))
    assert first.data.same_as(again.data) and first.scores.equals(again.scores)
    assert not first.data.same_as(other.data)


def test_each_named_pair_is_compared_once_or_in_turn():
    once = br.simulate(["a", "b", "c"], design=[["a", "b"], ["a", "c"], ["a", "b"]])
    assert once.data.counts.sum(axis=1).tolist() == [2, 1]
    turns = br.simulate(["a", "b", "c"], n=5, design=[["a", "b"], ["a", "c"], ["b", "a"]])
    assert turns.data.counts.sum(axis=1).tolist() == [2, 2, 1]
    assert br.simulate(3, design="round-robin").data.counts.sum() == 100


def test_rankings_of_so_many_items_stand_best_first():
    data = br.simulate(6, "davidson-luce", 30, size=4, seed=1).data
    assert (data.sizes == 4).all() and data.has_ties
    assert (np.diff(data.ranks, axis=1) >= 0).all()
    tied = np.diff(data.ranks, axis=1) == 0
    assert (np.diff(data.entries, axis=1)[tied] > 0).all()


def test_named_sets_may_differ_in_size():
    data = br.simulate(list("abcd"), "plackett-luce", design=[["a", "b", "c"], ["d", "a"]]).data
    assert data.sizes.tolist() == [3, 2]
    usual = [br.simulate(list("abcd"), "davidson-luce", **about).parameters["tie_rate[2]"]
             for about in ({"size": 3}, {"design": [["a", "b", "c"]]}, {})]  # fmt: skip
    assert usual[0] == usual[1] > usual[2]
    assert set(data.entries[1][data.offered[1]]) == {0, 3}


def test_answers_are_of_the_same_truth_and_items():
    votes = br.simulate({"a": 30.0, "b": 0.0, "c": -30.0}, "bradley-terry", 9, seed=1)
    asked = pd.DataFrame({"left": ["c", "b"], "right": ["a", "a"], "gain": [0.2, 0.1]})
    new = votes.answers(asked, seed=1)
    assert new.items == votes.data.items and new.counts.sum() == 2
    assert new.counts[:, 1].sum() == 2  # a wins against all
    assert votes.answers(n=7).counts.sum() == 7


def test_answers_are_by_the_same_agents_and_of_the_same_size():
    races = br.simulate(6, "plackett-luce", 10, size=3, agents=["x", "y"], seed=1)
    new = races.answers(n=8, seed=2)
    assert new.agents == ["x", "y"] and np.bincount(new.agent).tolist() == [4, 4]
    assert (new.sizes == 3).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"items": 1}, "`items` must be a whole number from 2 up, got 1"),
        ({"items": ["a"]}, "`items` must be at least two, got 1"),
        ({"items": ["a", "a"]}, "`items` has labels twice: a"),
        ({"items": ["a", None]}, "`items` has a missing label"),
        ({"items": {"a": 1.0, "b": np.nan}}, "`scores` must be finite: nan for b"),
        ({"items": {"a": 1.0, "b": 0.0}, "scores": [1, 2]}, "`scores` are in `items` already"),
        ({"scores": [1.0, 2.0]}, "each of the 10 items, got shape"),
        ({"scores": {"A": 1.0}}, "`scores` has no number for item B, C"),
        ({"items": ["a", "b"], "scores": {"a": 1, "b": 2, "c": 3}}, "that are no items: c"),
        ({"scores": np.zeros(10), "scale": 2.0}, "`scale` is of the prior"),
        ({"scale": np.inf}, "`scale` must be positive and finite"),
        ({"likelihood": "elo"}, "`likelihood` must be one of"),
        ({"likelihood": "mpm"}, "`likelihood` must be one of \"bradley-terry\""),
        ({"n": 0}, "`n` must be a whole number from 1 up, got 0"),
        ({"ties": 1.0}, "`ties` must be from 0 to less than 1, got 1.0"),
        ({"ties": "many"}, "`ties` must be from 0 to less than 1, got 'many'"),
        ({"likelihood": "bradley-terry", "ties": 0.1}, "\"bradley-terry\" has no ties"),
        ({"likelihood": "pmop", "ties": 0.1}, "ties of a prevalence that is fixed"),
        ({"likelihood": "davidson-luce", "ties": {1: 0.1}}, "from 2 to 10, .*; got 1"),
        ({"likelihood": "davidson-luce", "size": 3, "ties": {4: 0.1}}, "from 2 to 3"),
        ({"order_effect": np.nan}, "`order_effect` must be a finite number"),
        ({"likelihood": "plackett-luce", "order_effect": 1.0}, "`order_effect` is for comparisons"),
        ({"size": 3}, "got 3: a comparison has two items"),
        ({"likelihood": "plackett-luce", "size": 11}, "`size` must be at most 10"),
        ({"likelihood": "plackett-luce", "size": 2, "design": [["A", "B"]]}, "`design` says"),
        ({"agents": 0}, "`agents` must be a whole number from 1 up, got 0"),
        ({"agents": []}, "`agents` is empty"),
        ({"agents": {"x": -1.0}}, "`agents` must be positive and finite: -1 for x"),
        ({"design": [["A", "Z"]]}, "no items: Z"),
    ],
)  # fmt: skip
def test_refusals(given, message):
    with pytest.raises(ValueError, match=message):
        br.simulate(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"items": "abc"}, "`items` must be a number, labels or scores by label"),
        ({"items": pd.DataFrame({"a": [1], "b": [2]})}, "got a frame"),
        ({"ties": {2: 0.1}}, "must be one number"),
        ({"agents": "ann"}, "`agents` must be a number, labels"),
        ({"design": "swiss"}, "\"random\", \"round-robin\", a frame or a list"),
    ],
)  # fmt: skip
def test_refusals_of_kinds(given, message):
    with pytest.raises(TypeError, match=message):
        br.simulate(**given)
