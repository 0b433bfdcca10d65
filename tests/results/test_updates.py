"""New results in a fit, against fits of all data."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank import _compat
from bayesrank.data.chosen_rows import chosen_rows
from tests.data.random_rankings import random_rankings
from tests.model.preference_data import simulated
from tests.model.varying_data import ballots_by_agents, votes_by_agents

QUIET = {"progress": False}
LAPLACE = {"method": "laplace", "seed": 1, "progress": False}
quiet = pytest.mark.filterwarnings("ignore::UserWarning")


def split(data, seed, share=0.2):
    """Return most of the data, and the rest: single results, or whole rankings."""
    rng = np.random.default_rng(seed)
    if data.row == "pair":
        some = rng.binomial(data.counts, share)
        return data.with_outcomes(data.counts - some), data.with_outcomes(some)
    rows = rng.permutation(len(data))
    cut = max(1, round(share * len(data)))
    return chosen_rows(data, np.sort(rows[cut:])), chosen_rows(data, np.sort(rows[:cut]))


def named(data):
    """Return rankings with names of their own, which can be put together again."""
    return data if data.row == "pair" else replace(data, names=[f"r{k:03}" for k in data.names])


BY_AGENT = {"discrimination": "by-agent", "order_effect": "by-agent", "ties": "by-agent"}
MODES = [
    (br.load_dataset("pudding"), "davidson", {}),
    (br.load_dataset("pudding"), "rao-kupper", {"scale": 1.0}),
    (br.load_dataset("baseball"), "bradley-terry", {"order_effect": True, "scale": np.inf}),
    (votes_by_agents(200), "davidson", {"order_effect": True}),
    (votes_by_agents(200), "davidson", {"ties": "by-agent"}),
    (br.load_dataset("nascar"), "plackett-luce", {}),
    (named(random_rankings(1, rankings=60)), "davidson-luce", {}),
    (simulated(2)[0], "mpm", {}),
    (named(random_rankings(1, rankings=40)), "mpm", {"variances": False}),
]


@quiet
@pytest.mark.parametrize(("data", "likelihood", "options"), MODES)
@pytest.mark.parametrize("seed", [1, 2])
def test_modes_are_those_of_all_data(data, likelihood, options, seed):
    old, new = split(data, seed)
    options = {"method": "map"} | options
    whole = br.fit(old + new, likelihood, **options)
    fit = br.fit(old, likelihood, **options).update(new, **QUIET)
    assert fit.specification.data.same_as(old + new)
    for name, values in whole.posterior.items():
        assert fit.posterior[name] == pytest.approx(values, rel=1e-8, abs=1e-8), name
    assert fit.updated.refitted and "a mode has no draws" in fit.diagnostics().summary


def test_a_mode_starts_from_the_old_one():
    """Where the scale is given, what is left is the way from there."""
    data = br.load_dataset("bundesliga")
    old, new = split(data, 1, 0.005)
    before = br.fit(old, "davidson", method="map", scale=1.0)
    fit = before.update(new, **QUIET)
    whole = br.fit(data, "davidson", method="map", scale=1.0)
    steps = [int(one.note.split(" steps")[0].split()[-1]) for one in (fit, whole)]
    assert steps[0] < steps[1]


EXACT = [
    (br.load_dataset("pudding"), "davidson", {}),
    (br.load_dataset("pudding"), "rao-kupper", {"ties": "by-item", "order_effect": "by-item"}),
    (votes_by_agents(200), "davidson", BY_AGENT),  # with features of rows
    (votes_by_agents(200), "davidson", {"scores": "by-category", "ties": "by-category"}),
    (br.load_dataset("bundesliga"), "davidson", {"scores": "walk", "order_effect": True}),
    (br.load_dataset("nascar"), "plackett-luce", {}),
    (named(random_rankings(1, rankings=60)), "davidson-luce", {"ties": "by-agent"}),
    (named(ballots_by_agents(80)), "plackett-luce", {"discrimination": "by-agent"}),
    (simulated(2)[0], "mpm", {}),
    (named(random_rankings(1, rankings=40)), "mpm", {"variances": False}),
]


def in_new_units(x, before, model):
    """Return free numbers of the same draw, where features are measured by other spreads."""
    x = x.copy()
    for old, new in zip(before.terms, model.terms, strict=True):
        if hasattr(new, "centre"):
            start = model.layout.free["beta_standardized"]
            x[:, start : start + len(new.spread)] *= new.spread / old.spread
    return x


@quiet
@pytest.mark.parametrize(("data", "likelihood", "options"), EXACT)
def test_weights_are_ratios_of_the_two_posteriors(data, likelihood, options):
    """Of all data and of the data of the last fit, as the compiled models know them."""
    old, new = split(data, 3, 0.1)
    if data.time is not None and data.row == "pair":
        old = data  # which has all states
    before = br.Specification(old, likelihood, **options)
    # Draws so near to each other that no weights are uneven.
    rng = np.random.default_rng(2)
    points = rng.normal(scale=0.3, size=before.size) + 1e-3 * rng.normal(size=(300, before.size))
    fit = br.Fit.from_points(before, "somebody else", points[None])
    found = fit.update(new, **QUIET)
    assert not found.updated.refitted and found._weighted.base is fit
    model = found.specification
    expected = np.array([model.objective(x)[0] for x in in_new_units(points, before, model)]) - [
        before.objective(x)[0] for x in points
    ]
    assert np.ptp(expected) > 1e-4
    weights = found._weighted.log_weight
    # Sums of some thousand terms, in another order.
    assert weights - weights.mean() == pytest.approx(expected - expected.mean(), abs=1e-9)


def z_scores(fit, whole):
    """Return differences of means in units of their Monte-Carlo error, of independent draws."""
    sizes = []
    for one in (fit, whole):
        found = one.diagnostics()
        sizes.append(found.min_ess_bulk or one.shape[0] * one.shape[1])
    parts = []
    for name in ("score", "tie_rate", "scale"):
        a, b = fit._flat(name), whole._flat(name)
        error = np.sqrt(a.var(axis=0) / sizes[0] + b.var(axis=0) / sizes[1])
        parts.append(np.ravel((a.mean(axis=0) - b.mean(axis=0)) / error))
    return np.concatenate(parts)


@pytest.mark.parametrize("method", ["laplace", "advi", "nuts"])
def test_means_are_those_of_all_data(pudding, method):
    """Within four standard errors: eight means, all alike, are beyond once in 2,000 tests."""
    old, new = split(pudding, 1, 0.1)
    fit = br.fit(old, "davidson", method=method, seed=1, **QUIET).update(new)
    whole = br.fit(pudding, "davidson", method=method, seed=2, **QUIET)
    assert not fit.updated.refitted and fit.shape == whole.shape
    assert np.abs(z_scores(fit, whole)).max() < 4.0
    # What the new results say is seen: half of the difference would be too much.
    assert fit.specification.data.same_as(pudding)
    assert fit.ranking().index.tolist()[0] == whole.ranking().index.tolist()[0]


def test_the_order_of_batches_makes_no_difference(pudding):
    old, new = split(pudding, 1, 0.2)
    first, rest = split(new, 2, 0.5)
    second, third = split(rest, 3, 0.5)
    fit = br.fit(old, "davidson", **LAPLACE)
    one = fit.update(first).update(second).update(third)
    other = fit.update(third).update(first).update(second)
    at_once = fit.update(new)
    for found in (other, at_once):
        assert found.updated.pareto_k == pytest.approx(one.updated.pareto_k, abs=1e-6)
        # Sums in another order: some draw may be repeated in the place of its neighbour.
        assert (found.scores() == one.scores()).mean() > 0.99
    assert one.updated.batches == 3 and at_once.updated.batches == 1
    assert one.updated.results == at_once.updated.results == new.counts.sum()


def test_uneven_weights_lead_to_a_fit():
    """A hundred results that nobody would have expected."""
    lists = [["a", "b", "c"]] * 6 + [["b", "c", "a"]] * 3
    fit = br.fit(br.Rankings.from_lists(lists), "plackett-luce", **LAPLACE)
    new = br.Rankings.from_lists([["c", "b", "a"]] * 100)
    found = fit.update(new, seed=5, **QUIET)
    whole = br.fit(fit.specification.data + new, "plackett-luce", **LAPLACE | {"seed": 5})
    assert found.updated.refitted and found.updated.pareto_k > 0.7
    assert np.array_equal(found.scores(), whole.scores()) and found.seed == 5
    assert "too uneven (Pareto k" in found.diagnostics().summary
    # The next results weight these draws, and say so.
    again = found.update(br.Rankings.from_lists([["a", "b"]]), **QUIET)
    assert not again.updated.refitted and again.updated.batches == 1
    assert "1 more ranking by weighting" in str(again.diagnostics())


def test_the_fit_again_is_told_what_the_fit_was(pudding):
    old, new = split(pudding, 1, 0.95)
    more = {"draws": 300, "chains": 2, "tune": 250, "target_accept": 0.9}
    fit = br.fit(old, "davidson", seed=3, **more, **QUIET)
    found = fit.update(new, **QUIET)
    assert found.updated.refitted and found.shape == (2, 300)
    assert found.tune == 250 and found.options == {"target_accept": 0.9}
    whole = br.fit(pudding, "davidson", seed=3, **more, **QUIET)
    assert np.array_equal(found.scores(), whole.scores())


@pytest.mark.parametrize("method", ["laplace", "nuts"])
def test_an_updated_fit_is_saved_and_goes_on(pudding, tmp_path, method):
    old, new = split(pudding, 1, 0.2)
    first, second = split(new, 2, 0.5)
    fit = br.fit(old, "davidson", method=method, seed=1, **QUIET).update(first)
    fit.save(tmp_path / "fit.nc")
    loaded = br.Fit.load(tmp_path / "fit.nc")
    assert loaded.updated == fit.updated and str(loaded) == str(fit)
    assert loaded.diagnostics() == fit.diagnostics()
    assert loaded.ranking().equals(fit.ranking())
    after = [one.update(second) for one in (fit, loaded)]
    assert np.array_equal(after[0].scores(), after[1].scores())
    assert after[0].updated == after[1].updated and after[0].updated.batches == 2


def test_diagnostics_are_about_weighted_draws(nuts_fit):
    _, new = split(nuts_fit.specification.data, 1, 0.2)
    fit = nuts_fit.update(new)
    last, found = nuts_fit.diagnostics(), fit.diagnostics()
    assert found.max_rhat == last.max_rhat and found.divergences == last.divergences
    assert found.min_ess_bulk < last.min_ess_bulk and found.ok
    assert "by weighting the draws of the last fit" in repr(fit)
    assert "sample_stats" not in _compat.group_names(fit.idata)
    assert fit.loo().bad_k == 0


def test_new_items_are_added_and_named(pudding):
    fit = br.fit(pudding, "davidson", **LAPLACE)
    new = replace(pudding, items=["1", "2", "3", "4", "5", "new one"])
    with pytest.warns(UserWarning, match="New in these results: items new one. They are added."):
        found = fit.update(new, **QUIET)
    assert "new one" in found.ranking().index and len(found.ranking()) == 7
    assert found.updated.refitted and "new items: new one" in found.updated.why
    by_mode = br.fit(pudding, "davidson", method="map")
    with pytest.warns(UserWarning, match="new one"):
        by_mode = by_mode.update(new)
    whole = br.fit(pudding + new, "davidson", method="map")
    assert by_mode.scores() == pytest.approx(whole.scores(), abs=1e-8)


def test_nothing_new_is_an_equal_fit(pudding):
    fit = br.fit(pudding, "davidson", **LAPLACE)
    none = pudding.with_outcomes(0 * pudding.counts)
    found = fit.update(none)
    assert found is not fit and np.array_equal(found.scores(), fit.scores())
    assert found.updated is None and found.specification is fit.specification


@quiet
def test_preferences_for_nothing_weigh_nothing():
    lists = [["a", "b", "c"], ["b", "a", "c"], ["a", "c", "b"]]
    votes = br.Rankings.from_lists(lists, agents=["x", "y", "z"])
    fit = br.fit(votes, "mpm", **LAPLACE)
    found = fit.update(br.Rankings.from_lists([[{"a", "b", "c"}]], agents=["x"]), **QUIET)
    assert np.array_equal(found.scores(), fit.scores()) and found.updated.results == 1


def test_what_cannot_be_updated(pudding):
    fit = br.fit(pudding, "davidson", method="map")
    with pytest.raises(TypeError, match="Comparisons and DataFrame cannot be added: make both"):
        fit.update(pudding.to_frame())
    with pytest.raises(TypeError, match="two of a kind"):
        fit.update(br.load_dataset("fruits"))
    judged = replace(pudding, agent=np.zeros(15, int), agents=["x"])
    with pytest.raises(ValueError, match="with: `new`, without: the data of the fit"):
        fit.update(judged)
    own = br.Fit.from_points(fit.specification, "somebody else", np.zeros((1, 4, 7)))
    with pytest.raises(ValueError, match='"somebody else" cannot be made again'):
        own.update(pudding)
    plain = br.fit(br.load_dataset("baseball"), "bradley-terry", method="map")
    tied = br.Comparisons([0], [1], [[0, 0, 1]], ["Boston", "Detroit"])
    with pytest.raises(ValueError, match=r'"bradley-terry" has none\. Use "davidson"'):
        plain.update(tied)


@quiet
def test_views_and_parts_are_not_updated():
    data = votes_by_agents(100)
    fit = br.fit(data, scores="by-category", **LAPLACE)
    with pytest.raises(ValueError, match=r"take .in_category\(label\) of the result"):
        fit.in_category("topic 1").update(data)
    games = br.load_dataset("bundesliga")
    moving = br.fit(games, scores="walk", method="map", scale=1.0, drift=0.1)
    with pytest.raises(ValueError, match=r"take .at\(time\) of the result"):
        moving.at("2015-01-01").update(games)
    lists = br.Rankings.from_lists(
        [["a", "b"], ["c", "d"]], agents=["x", "x"], instances=["first", "second"]
    )
    both = br.fit(lists, "mpm", method="map")
    with pytest.raises(ValueError, match="update the whole fit"):
        both.instance("first").update(lists)
    later = replace(lists, names=["later", "last"])
    assert both.update(later, **QUIET).updated.refitted


@quiet
def test_new_times_are_new_states():
    games = br.load_dataset("bundesliga")
    seasons = [rows for _, rows in games.to_frame().groupby("time")]
    old, new = (
        br.Comparisons.from_counts(frame, time="time")
        for frame in (pd.concat(seasons[:4]), seasons[4])
    )
    fit = br.fit(old, "davidson", scores="walk", method="map", scale=1.0, drift=0.2)
    found = fit.update(new, **QUIET)
    assert len(found.specification.states) > len(fit.specification.states)
    whole = br.fit(old + new, "davidson", scores="walk", method="map", scale=1.0, drift=0.2)
    assert found.ranking().equals(whole.ranking())


@quiet
def test_what_was_given_by_position_goes_by_label():
    """Features of items and adherences of agents, with an agent who is new."""
    data = simulated(2)[0]
    agents = dict(zip(data.agents, [0.9, 0.5, 0.7, 0.2], strict=True))
    old = data.subset(agents=data.agents[1:])
    new = data.subset(agents=data.agents[:1])
    options = {"method": "map", "variances": False}
    features = np.arange(5.0)[:, None] ** 2
    by_position = [agents[label] for label in old.agents]
    fit = br.fit(old, "mpm", adherence=np.array(by_position), features=features, **options)
    with pytest.raises(ValueError, match="`adherence` has no number for agent"):
        fit.update(new, **QUIET)
    fit = br.fit(old, "mpm", adherence=agents, features=features, **options)
    whole = br.fit(data, "mpm", adherence=agents, features=features, **options)
    assert fit.update(new, **QUIET).scores() == pytest.approx(whole.scores(), abs=1e-8)
