"""What a fit of the multinomial preference model says of items, agents and instances."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.specification import Specification
from tests.data.random_instances import random_counts
from tests.model.preference_data import DATA, compared, queries, read_queries, stars


@pytest.fixture(scope="module")
def films():
    return br.Rankings.from_ratings(stars(), "user", "film", "stars")


@pytest.fixture(scope="module")
def film_fit(films):
    return br.fit(films, "mpm", method="laplace", seed=1, draws=100, chains=1)


@pytest.fixture(scope="module")
def query_fit():
    return br.fit(
        read_queries(queries()), "mpm", method="laplace", adherence="by-instance", seed=1,
        draws=100, chains=1,
    )  # fmt: skip


def test_tables_of_items_and_agents(film_fit, films):
    items, agents = film_fit.items(), film_fit.agents()
    assert sorted(items.index) == films.items
    assert items["rank"].tolist() == list(range(1, 9))
    assert (items["variance_low"] < items["variance"]).all()
    assert (items["variance"] < items["variance_high"]).all()
    assert (items["ballots"] == 6).all()
    # The median of variances is near one half, whose logarithms sum to zero in each draw.
    drawn = film_fit.posterior["variance"]
    np.testing.assert_allclose(np.log(2.0 * drawn).sum(axis=-1), 0.0, atol=1e-10)
    assert agents["adherence"].is_monotonic_decreasing
    assert ((agents["low"] > 0) & (agents["high"] < 1)).all()
    assert agents["preferences"].sum() == film_fit.specification.observation.ballots.total.sum()
    assert film_fit.parameters().index.tolist() == ["scale"]


def test_given_numbers_are_shown_as_given(films):
    variances = dict(zip(films.items, np.linspace(0.2, 0.9, 8), strict=True))
    adherence = pd.Series(np.linspace(0.0, 1.0, 6), films.agents)
    fit = br.fit(films, "mpm", method="map", variances=variances, adherence=adherence)
    assert fit.agents()["adherence"].to_dict() == adherence.to_dict()
    assert fit.items()["variance"].to_dict() == variances
    for ax in (fit.plot_adherences(), fit.plot_variances()):
        assert ax.get_title(loc="left").endswith("as given")
    plt.close("all")


def test_instances_have_rankings_of_their_own(query_fit):
    table = query_fit.ranking()
    assert table.index.names == ["instance", "item"]
    assert (
        table.groupby(level="instance")["rank"].apply(list).map(sorted).tolist()
        == [[1, 2, 3, 4, 5]] * 4
    )
    scores = query_fit.scores().reshape(100, 4, 5)
    np.testing.assert_allclose(scores.sum(axis=-1), 0.0, atol=1e-10)
    assert query_fit.posterior["adherence_here"].shape == (1, 100, 12)
    assert "4 instances" in repr(query_fit)
    for ask in ("rank_probabilities", "win_probabilities", "plot_ranking", "plot_variances"):
        with pytest.raises(ValueError, match=r"choose one, such as fit.instance\(0\)"):
            getattr(query_fit, ask)()


def test_one_instance_is_a_fit(query_fit, tmp_path):
    one = query_fit.instance(2)
    pd.testing.assert_frame_equal(one.ranking(), query_fit.ranking().loc[2])
    assert one.rank_probabilities().shape == (5, 5)
    places = query_fit.specification.coords["place"]
    here = query_fit.posterior["adherence_here"][..., places.index("2 / B")]
    assert one.agents().loc["B", "adherence"] == pytest.approx(here.mean())
    query_fit.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc").instance(2)
    pd.testing.assert_frame_equal(again.ranking(), one.ranking())
    pd.testing.assert_frame_equal(query_fit.instance("2").ranking(), one.ranking())
    with pytest.raises(ValueError, match=r"must be one of the instances .*near it is 2"):
        query_fit.instance("22")


def test_an_instance_without_preferences(film_fit):
    frame = queries()
    frame.loc[frame["query"] == 3, "minus"] = 0.0
    with pytest.warns(UserWarning, match="of 20 items: 3 / d0, 3 / d1"):
        fit = br.fit(read_queries(frame), "mpm", method="map", adherence=1.0, variances=False)
    assert np.all(fit.ranking().loc[3, "score"] == 0.0)
    with pytest.raises(ValueError, match="Of instance 3 alone there is nothing to say"):
        fit.instance(3)
    with pytest.raises(ValueError, match="no instances"):
        film_fit.instance(0)


def test_other_models_have_instances_too():
    lists = [["a", "b", "c"], ["a", "c", "b"], ["c", "a", "b"], [{"a", "b"}, "c"]]
    data = br.Rankings.from_lists(lists * 2, instances=[0] * 3 + [1] + [0] * 3 + [1])
    fit = br.fit(data, "davidson-luce", method="laplace", seed=1, draws=50, chains=1)
    np.testing.assert_allclose(fit.scores().reshape(50, 2, 3).sum(axis=-1), 0.0, atol=1e-10)
    assert "tie" not in fit.instance(0).posterior
    assert fit.instance(1).posterior["tie"].shape == (1, 50, 1)
    assert fit.instance(0).win_probabilities().shape == (3, 3)


def test_refusals(films, film_fit):
    with pytest.raises(ValueError, match="says which items agents prefer to which"):
        film_fit.predict()
    with pytest.raises(ValueError, match="are not draws"):
        film_fit.posterior_predictive()
    assert "agreement" in br.fit(films, method="map").agents()
    with pytest.raises(ValueError, match="rankings have no left side"):
        br.fit(films, "mpm", order_effect=True)
    with pytest.raises(ValueError, match="All adherences are 0"):
        br.fit(films, "mpm", method="map", scale=np.inf, adherence=0.0, variances=False)
    with pytest.raises(ValueError, match="`adherence_spread` is a positive number"):
        Specification(films, "mpm", adherence_spread=1.0)
    with pytest.raises(TypeError, match="give a column"):
        Specification(films, "mpm", adherence=film_fit.agents())
    with pytest.raises(TypeError, match="must hold numbers"):
        Specification(films, "mpm", adherence=dict.fromkeys(films.agents, "much"))
    with pytest.raises(ValueError, match="from 0 to 1: nan for u0"):
        Specification(films, "mpm", adherence=dict.fromkeys(films.agents))
    for given in (np.True_, np.False_):
        specification = Specification(films, "mpm", variances=given, weight=np.float32(0.5))
        assert specification.observation.learns_variances == bool(given)
        assert specification.observation.arguments["weight"] == 0.5


@pytest.mark.parametrize("make", DATA.values(), ids=list(DATA))
@pytest.mark.parametrize("adherence", ["learned", "by-instance", 0.7])
@pytest.mark.parametrize("variances", [True, False])
def test_one_instance_of_many(make, adherence, variances):
    """It has the scores, variances, adherences and likelihood that it has among the others."""
    data = make("several")
    fit = br.fit(
        data, "mpm", method="laplace", adherence=adherence, variances=variances, seed=1, draws=5,
        chains=2,
    )  # fmt: skip
    terms = fit.log_likelihood().values
    start = fit.specification.observation.ballots.ballot_start
    for q, label in enumerate(data.instances):
        one = fit.instance(label)
        assert one.specification.data.instances is None
        expected = fit.items().loc[label]
        # An instance that stands alone has intervals and ranks of its own.
        pd.testing.assert_frame_equal(one.items(), expected)
        np.testing.assert_allclose(
            one.log_likelihood().values, terms[:, :, start[q] : start[q + 1]], rtol=1e-10
        )
        assert one.win_probabilities().shape == (len(expected),) * 2
        assert "adherence" in one.agents()
    with pytest.raises(ValueError, match=r"must be one of the instances \(.*\), got 'none'"):
        fit.instance("none")
    with pytest.raises(ValueError, match=r"choose one, such as fit\.instance"):
        fit.win_probabilities()


def test_one_instance_without_agents():
    frame = pd.DataFrame(random_counts(1)).assign(ties=0)
    data = br.Comparisons.from_counts(frame, instance="query")
    for adherence in (None, "learned"):
        fit = br.fit(data, "mpm", method="map", adherence=adherence)
        one = fit.instance(10)
        assert list(one.agents().index) == ["all"] and len(one.items()) == 5


def test_parameters_that_are_of_nobody_in_particular(tmp_path):
    """Spread and scale are in the table; what belongs to items, agents and ballots is not."""
    data = compared("several")
    specification = Specification(data, "mpm", adherence="by-instance")
    names = ["score", "scale", "variance", "adherence", "adherence_spread", "adherence_here"]
    assert specification.names == names
    points = np.random.default_rng(12).normal(scale=0.3, size=(10, specification.size))
    fit = br.Fit.from_points(specification, "laplace", points[None])
    assert list(fit.parameters().index) == ["scale", "adherence_spread"]
    fit.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    pd.testing.assert_frame_equal(again.parameters(), fit.parameters())
    features = np.random.default_rng(13).normal(size=(len(data.items), 1))
    fit = br.fit(data, "mpm", method="map", features=features)
    assert list(fit.parameters().index) == ["scale", "beta[x1]"]
