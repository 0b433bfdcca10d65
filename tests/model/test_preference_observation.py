"""Preferences under the multinomial preference model: ends of adherences, sides, refusals."""

import warnings

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.specification import Specification
from tests.model.preference_data import SETTINGS, compared, consensus, ranked


def test_sides_and_rows_do_not_matter():
    """Columns exchanged, or rows of a pair merged and empty ones added."""
    for instances in SETTINGS["instances"]:
        data = compared(instances)
        for variances in (True, False):
            given = [
                Specification(form, "mpm", scale=1.0, variances=variances)
                for form in (data, data.swapped(), data.completed())
            ]
            points = np.random.default_rng(6).normal(size=(3, given[0].size))
            values = np.array([[one.objective(x)[0] for one in given] for x in points])
            np.testing.assert_allclose(values[:, 1], values[:, 0], rtol=1e-12)
            # Merged rows leave fewer ways to share out the counts, the same at every point.
            np.testing.assert_allclose(np.ptp(values[:, 2] - values[:, 0]), 0.0, atol=1e-9)
            gradients = [one.objective(points[0])[1] for one in given]
            for gradient in gradients[1:]:
                np.testing.assert_allclose(gradient, gradients[0], rtol=1e-9, atol=1e-10)


def test_agents_who_prefer_nothing_are_kept():
    data = consensus(6, [{"a", "b", "c"}])
    with pytest.warns(UserWarning, match="1 of 8 agents prefer nothing: silent"):
        fit = br.fit(data, "mpm", method="laplace", seed=1)
    row = fit.agents().loc["silent"]
    # The mean of 4000 draws between 0 and 1.
    assert row["adherence"] == pytest.approx(0.5, abs=4 * row["sd"] / np.sqrt(4000))
    assert row["sd"] > 0.2 and row["ballots"] == 0 and row["preferences"] == 0
    with pytest.warns(UserWarning, match="prefer nothing"):
        assert br.fit(data, "mpm", method="map").agents()["adherence"]["silent"] == 0.5


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"adherence": 1.1}, ValueError, "`adherence` must be from 0 to 1: 1.1 for x"),
        ({"adherence": -0.1}, ValueError, "`adherence` must be from 0 to 1: -0.1 for x"),
        ({"adherence": [0.5, np.nan, 0.1]}, ValueError, "from 0 to 1: nan for y"),
        ({"adherence": {"x": 1.0, "z": 1.0}}, ValueError, "`adherence` has no number for agent y"),
        ({"adherence": [0.5, 0.5]}, ValueError, r"each of the 3 agents, got shape \(2,\)"),
        ({"adherence": True}, ValueError, r"each of the 3 agents, got shape \(\)"),
        ({"adherence": "yes"}, ValueError, "`adherence` must be \"learned\", .* got 'yes'"),
        ({"adherence": ["a", "b", "c"]}, TypeError, "`adherence` must hold numbers"),
        ({"adherence": "by-instance"}, ValueError, "needs data with instances"),
        ({"variances": 0.0}, ValueError, "`variances` must be positive and finite: 0 for a"),
        ({"variances": [1, 1, 1, np.inf]}, ValueError, "positive and finite: inf for d"),
        ({"variances": {"a": 1.0}}, ValueError, "`variances` has no number for item b, c, d"),
        ({"variances": [1.0]}, ValueError, r"each of the 4 items, got shape \(1,\)"),
        ({"variances": "yes"}, TypeError, "`variances` must hold numbers"),
        ({"weight": 0}, ValueError, '`weight` must be "effective" or a positive number, got 0'),
        ({"weight": -1.0}, ValueError, "`weight` must be .* got -1.0"),
        ({"weight": np.inf}, ValueError, "`weight` must be .* got inf"),
        ({"weight": True}, ValueError, "`weight` must be .* got True"),
        ({"weight": "honest"}, ValueError, "`weight` must be .* got 'honest'"),
        ({"weight": np.ones(3)}, ValueError, "`weight` must be"),
        ({"scale": np.inf}, ValueError, "matter only by their product"),
        ({"order_effect": True}, ValueError, "`order_effect` is for comparisons"),
        ({"features": np.zeros((3, 4, 1))}, ValueError, "has features of items only"),
    ],
    ids=str,
)
def test_refusals(arguments, error, message):
    with pytest.raises(error, match=message):
        br.fit(ranked("one"), "mpm", method="map", **arguments)


@pytest.mark.parametrize("name", ["variances", "adherence", "weight"])
def test_other_models_have_no_such_arguments(name):
    data = br.load_dataset("pudding")
    for value in (1.0, np.ones(6)):
        with pytest.raises(ValueError, match=f'`{name}` is for "mpm", not for "davidson"'):
            br.fit(data, "davidson", method="map", **{name: value})
    fit = br.fit(data, "davidson", method="map")
    with pytest.raises(ValueError, match="These data have no agents"):
        fit.agents()
    assert list(fit.items().columns) == ["score", "sd", "low", "high", "rank"]


def test_data_without_preferences():
    with pytest.raises(ValueError, match=r'hold 202 ties .* but "mpm" has none'):
        br.fit(br.load_dataset("pudding"), "mpm", method="map")
    nothing = pd.DataFrame({"left": ["a"], "right": ["b"], "wins": [0], "losses": [0]})
    with pytest.raises(ValueError, match="Nobody prefers any item"):
        br.fit(br.Comparisons.from_counts(nothing), "mpm", method="map")
    tied = br.Rankings.from_lists([[{"a", "b"}], [{"b", "c"}]])
    with pytest.raises(ValueError, match="Nobody prefers any item"):
        br.fit(tied, "mpm", method="map")
    with pytest.raises(TypeError, match='"mpm" needs Comparisons or Rankings, got DataFrame'):
        Specification(nothing, "mpm")
    with pytest.raises(ValueError, match="There are no instances in this fit"):
        br.fit(ranked("one"), "mpm", method="map").instance(1)


def test_too_many_items_for_variances_are_refused(monkeypatch):
    monkeypatch.setattr("bayesrank.model.preference_observation._LARGEST", 2)
    votes = br.Rankings.from_lists([["a", "b", "c"], ["b", "c", "a"]], agents=["x", "y"])
    for variances in (None, True, {"a": 0.5, "b": 1.0, "c": 2.0}):
        with pytest.raises(ValueError, match=r"2 items at most .* have 3. Use variances=False"):
            br.fit(votes, "mpm", method="map", variances=variances)
    assert len(br.fit(votes, "mpm", method="map", variances=False).ranking()) == 3


def test_zero_counts_are_not_seen():
    frame = pd.DataFrame(
        {"left": ["a", "b", "c"], "right": ["b", "c", "d"], "wins": [3, 0, 0],
         "losses": [1, 0, 0], "who": ["x", "x", "y"]}
    )  # fmt: skip
    data = br.Comparisons.from_counts(frame, agent="who")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit = br.fit(data, "mpm", method="map")
    texts = [str(warning.message) for warning in caught]
    assert any("1 of 2 agents prefer nothing: y" in text for text in texts)
    assert any("of 4 items: c, d" in text for text in texts)
    assert fit.items()["ballots"].sort_index().tolist() == [1, 1, 0, 0]
    assert fit.agents().loc["y", "preferences"] == 0


def test_two_rankings_of_an_agent_in_an_instance_have_one_adherence():
    lists = [["a", "b"], ["b", "a"], ["a", "b"], ["c", "d"], ["d", "c"]]
    data = br.Rankings.from_lists(
        lists, agents=["x", "x", "y", "x", "y"], instances=[0, 0, 0, 1, 1]
    )
    fit = br.fit(data, "mpm", method="map", adherence="by-instance")
    assert fit.specification.coords["place"] == ["0 / x", "0 / y", "1 / x", "1 / y"]
