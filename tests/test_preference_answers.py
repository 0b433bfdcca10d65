"""What a fit of the multinomial preference model answers, and what it refuses."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.cli.commands import main
from bayesrank.model.specification import Specification


def stars(agents=6, items=8, seed=0):
    """Return ratings of all items by all agents."""
    rng = np.random.default_rng(seed)
    rows = [(f"u{a}", f"f{i}", rng.integers(1, 6)) for a in range(agents) for i in range(items)]
    return pd.DataFrame(rows, columns=["user", "film", "stars"])


def queries(seed=1, n=4, engines="ABC"):
    """Return places of documents in the lists of engines, one list for each query."""
    rng = np.random.default_rng(seed)
    rows = [
        (query, engine, f"d{document}", -float(place))
        for query in range(n)
        for engine in engines
        for place, document in enumerate(rng.permutation(5))
    ]
    return pd.DataFrame(rows, columns=["query", "engine", "document", "minus"])


def read_queries(frame):
    return br.Rankings.from_ratings(frame, "engine", "document", "minus", instance="query")


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


def test_the_unit_of_ratings_does_not_matter():
    found = []
    for factor in (1.0, 100.0, 1e-4):
        frame = stars().assign(stars=lambda table, factor=factor: table["stars"] * factor)
        data = br.Rankings.from_ratings(frame, "user", "film", "stars")
        found.append(Specification(data, "mpm").observation.information)
    np.testing.assert_allclose(found, found[0], rtol=1e-12)


def test_a_ballot_counts_for_no_more_draws_than_it_has_pairs():
    # Preferences that cancel in every item leave no net wins to judge by.
    frame = pd.DataFrame(
        {"left": ["a", "b", "c"], "right": ["b", "c", "a"], "wins": 5, "losses": 0}
    )
    data = br.Comparisons.from_counts(frame)
    observation = Specification(data, "mpm", weight="effective").observation
    assert observation.information == pytest.approx(3.0)


def test_counts_that_forgot_their_rankings_are_told(films):
    counts = films.to_comparisons("difference", by_agent=True, warn=False)
    with pytest.warns(UserWarning, match="made from rankings, and do not tell from how many"):
        pooled = Specification(counts, "mpm").observation
    np.testing.assert_allclose(
        np.sort(pooled.weight), np.sort(Specification(films, "mpm").observation.weight)
    )


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


def test_pictures(film_fit):
    ax = film_fit.plot_adherences()
    assert [label.get_text() for label in ax.get_yticklabels()] == list(film_fit.agents().index)
    np.testing.assert_allclose(
        ax.collections[-1].get_offsets()[:, 0], film_fit.agents()["adherence"]
    )
    ax = film_fit.plot_variances()
    table = film_fit.items()
    np.testing.assert_allclose(
        ax.collections[-1].get_offsets(), table[["rank", "variance"]].to_numpy()
    )
    many = br.Rankings.from_ratings(stars(70, 40), "user", "film", "stars")
    fit = br.fit(many, "mpm", method="map")
    assert fit.plot_adherences().get_ylabel() == "70 agents, the most faithful first"
    assert not fit.plot_variances().texts
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


def test_two_rankings_of_an_agent_in_an_instance_have_one_adherence():
    lists = [["a", "b"], ["b", "a"], ["a", "b"], ["c", "d"], ["d", "c"]]
    data = br.Rankings.from_lists(
        lists, agents=["x", "x", "y", "x", "y"], instances=[0, 0, 0, 1, 1]
    )
    fit = br.fit(data, "mpm", method="map", adherence="by-instance")
    assert fit.specification.coords["place"] == ["0 / x", "0 / y", "1 / x", "1 / y"]


def test_other_models_have_instances_too():
    lists = [["a", "b", "c"], ["a", "c", "b"], ["c", "a", "b"], [{"a", "b"}, "c"]]
    data = br.Rankings.from_lists(lists * 2, instances=[0] * 3 + [1] + [0] * 3 + [1])
    fit = br.fit(data, "davidson-luce", method="laplace", seed=1, draws=50, chains=1)
    np.testing.assert_allclose(fit.scores().reshape(50, 2, 3).sum(axis=-1), 0.0, atol=1e-10)
    assert "tie" not in fit.instance(0).posterior
    assert fit.instance(1).posterior["tie"].shape == (1, 50, 1)
    assert fit.instance(0).win_probabilities().shape == (3, 3)


def test_features_are_centred_in_each_instance():
    data = read_queries(queries())
    keys = pd.MultiIndex.from_product([range(4), [f"d{i}" for i in range(5)]])
    x = np.random.default_rng(0).normal(size=20)
    frame = pd.DataFrame({"x": x}, index=keys)
    fit = br.fit(data, "mpm", method="map", features=frame, variances=False, adherence=1.0)
    np.testing.assert_allclose(fit.scores().reshape(4, 5).sum(axis=1), 0.0, atol=1e-10)
    constant = frame.assign(x=np.repeat([1.0, 2.0, 3.0, 4.0], 5))
    with pytest.raises(ValueError, match="same value for every item"):
        br.fit(data, "mpm", method="map", features=constant)


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


def test_refusals(films, film_fit):
    with pytest.raises(ValueError, match="says which items agents prefer to which"):
        film_fit.predict()
    with pytest.raises(ValueError, match="are not draws"):
        film_fit.posterior_predictive()
    with pytest.raises(ValueError, match='Only "mpm" has adherences'):
        br.fit(films, method="map").agents()
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


def test_the_command_line(tmp_path, capsys):
    path = tmp_path / "films.csv"
    stars().to_csv(path, index=False)
    out = tmp_path / "ranking.csv"
    columns = ["--agent", "user", "--item", "film", "--rating", "stars"]
    arguments = ["rank", str(path), *columns, "--model", "mpm", "--method", "map"]
    assert main([*arguments, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "adherence of agents:" in shown and "variance" in shown
    assert "variance" in pd.read_csv(out)
    path = tmp_path / "queries.csv"
    queries().to_csv(path, index=False)
    columns = ["--item", "document", "--rating", "minus", "--instance", "query"]
    arguments = ["rank", str(path), *columns, "--model", "mpm", "--method", "map"]
    assert main([*arguments, "--agent", "engine"]) == 0
    assert "0 / d" in capsys.readouterr().out
    assert main([*arguments, "--agent", "engine", "--plot", str(tmp_path / "o.png")]) == 2
    assert "--plot is for one ranking" in capsys.readouterr().err
    assert main(arguments) == 2
    assert "agent" in capsys.readouterr().err
