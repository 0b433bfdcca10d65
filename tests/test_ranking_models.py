"""Rankings from specification to answers: two faces, fits, predictions, refusals."""

import numpy as np
import pandas as pd
import pymc as pm
import pytensor
import pytest
from scipy import optimize

import bayesrank as br
from bayesrank.kernels.samplers import draw_geometric, sort_into_blocks
from bayesrank.model.likelihoods import RANKING_LIKELIHOODS, default_likelihood
from bayesrank.model.specification import Specification
from tests.faces import assert_faces_agree
from tests.modes import FAST
from tests.ranking_cases import pmop, powers

TIED = [["a", {"b", "c"}, "d"], ["d", "a"], ["b", "c", {"a", "d", "e"}], [{"e", "a"}, "b", "c"],
        ["e", "d", "c", "b", "a"], ["c", {"d", "e"}]]  # fmt: skip
STRICT = [["a", "b", "c", "d"], ["d", "a"], ["b", "c", "a", "d", "e"], ["e", "a", "b", "c"],
          ["e", "d", "c", "b", "a"], ["c", "d", "e"]]  # fmt: skip
WEIGHTS = [1, 2, 0.5, 1, 3, 1]
likelihoods = pytest.mark.parametrize("likelihood", RANKING_LIKELIHOODS)


def rankings_for(likelihood, **options):
    lists = STRICT if RANKING_LIKELIHOODS[likelihood].ties == "none" else TIED
    return br.Rankings.from_lists(lists, weights=WEIGHTS, **options)


def queries(seed, n=40, documents=8, slope=(1.5, -1.0), draw=None):
    """Return rankings of documents whose scores follow two features."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, documents, 2))
    score = x @ np.array(slope)
    offered = np.ones((n, documents), dtype=bool)
    if draw is None:
        blocks = np.zeros((n, documents), dtype=np.int64)
        ranks = sort_into_blocks(score + rng.gumbel(size=score.shape), offered, blocks)
    else:
        ranks = draw(score, np.full((1, 1), 0.5), offered, np.ones(1), np.arange(n))
    frame = pd.DataFrame(
        {
            "query": np.repeat(np.arange(n), documents),
            "document": np.arange(n * documents),
            "rank": ranks.ravel(),
            "length": x[..., 0].ravel(),
            "age": 100.0 + 10.0 * x[..., 1].ravel(),
        }
    )
    return br.Rankings.from_frame(frame, "query", "document", "rank", features=["length", "age"])


@likelihoods
def test_the_two_faces_agree(likelihood):
    data = rankings_for(likelihood)
    rng = np.random.default_rng(2)
    by_entry = rng.normal(size=(*data.entries.shape, 2))
    by_item = rng.normal(size=(5, 2))
    variants = (
        {},
        {"scale": 0.7},
        {"features": by_entry},
        {"features": by_entry, "item_effects": False, "scale": np.inf},
        {"features": by_item, "centered": False},
        {"features": by_item, "item_effects": False, "scale": 1.0},
    )
    for k, options in enumerate(variants):
        specification = Specification(data, likelihood, **options)
        x = rng.normal(scale=0.6, size=specification.size)
        # Every parameter occurs with and without its Jacobian.
        assert_faces_agree(specification, x, jacobian=k % 2 == 0)


@likelihoods
def test_gradients_match_finite_differences(likelihood):
    data = rankings_for(likelihood)
    features = np.random.default_rng(3).normal(size=(*data.entries.shape, 2))
    specification = Specification(data, likelihood, features=features)
    x = np.random.default_rng(4).normal(scale=0.5, size=specification.size)
    _, gradient = specification.objective(x, jacobian=True)
    for k, step in enumerate(np.eye(specification.size) * 1e-5):
        up = specification.objective(x + step, jacobian=True)[0]
        down = specification.objective(x - step, jacobian=True)[0]
        assert gradient[k] == pytest.approx((up - down) / 2e-5, rel=1e-5, abs=1e-6)


@likelihoods
def test_weights_count_rankings(likelihood):
    """A weight of three is the ranking three times."""
    lists = STRICT if RANKING_LIKELIHOODS[likelihood].ties == "none" else TIED
    one = br.Rankings.from_lists(lists, weights=[1, 1, 3, 1, 1, 2])
    other = br.Rankings.from_lists([*lists, lists[2], lists[2], lists[5]])
    first, second = (br.fit(data, likelihood, method="map") for data in (one, other))
    np.testing.assert_allclose(first.scores(), second.scores(), atol=1e-5)


@pytest.fixture(scope="module")
def davidson_luce():
    """A real posterior with ties, and everything that can be stored with it."""
    groups = ("log_likelihood", "posterior_predictive")
    data = rankings_for("davidson-luce")
    return br.fit(data, "davidson-luce", scale=1.0, seed=3, progress=False, groups=groups)


def test_nuts_on_rankings(davidson_luce):
    assert davidson_luce.diagnostics().max_rhat < 1.02
    table = davidson_luce.parameters()
    assert list(table.index) == ["tie[2]", "tie[3]", "tie_rate[2]", "tie_rate[3]"]
    idata = davidson_luce.idata
    assert idata["log_likelihood"]["ranks"].dims == ("chain", "draw", "ranking")
    predicted = idata["posterior_predictive"]["ranks"]
    assert predicted.dims == ("chain", "draw", "ranking", "slot")
    offered = davidson_luce.specification.data.offered
    assert np.array_equal((predicted.values >= 1).all(axis=(0, 1)), offered)
    assert np.all(predicted.values[:, :, ~offered] == -1)


def test_pymc_gives_the_same_log_likelihood(davidson_luce):
    with davidson_luce.specification.pymc(), pytensor.config.change_flags(mode=FAST):
        theirs = pm.compute_log_likelihood(
            davidson_luce.idata, extend_inferencedata=False, progressbar=False
        )
    theirs = theirs["ranks"] if "ranks" in theirs else theirs["log_likelihood"]["ranks"]
    np.testing.assert_allclose(theirs.values, davidson_luce.log_likelihood().values, rtol=1e-9)


def test_approximations_agree_with_nuts(davidson_luce):
    """Within half a posterior standard deviation, on weak data."""
    data = davidson_luce.specification.data
    sd = davidson_luce.scores().std(axis=0)
    for method in ("advi", "laplace"):
        fit = br.fit(data, "davidson-luce", method=method, scale=1.0, seed=1, progress=False)
        shift = fit.scores().mean(axis=0) - davidson_luce.scores().mean(axis=0)
        assert np.all(np.abs(shift) < 0.5 * sd)


def test_pairs_from_a_ranking_model(davidson_luce):
    win, tie = davidson_luce.win_probabilities(), davidson_luce.win_probabilities("tie")
    off = ~np.eye(5, dtype=bool)
    total = win.to_numpy() + win.to_numpy().T + tie.to_numpy()
    np.testing.assert_allclose(total[off], 1.0, rtol=1e-12)
    fit = br.fit(rankings_for("partitioned-plackett-luce"), method="map")
    assert fit.specification.likelihood == "davidson-luce"
    fit = br.fit(rankings_for("plackett-luce"), method="map")
    np.testing.assert_allclose(fit.win_probabilities("tie").to_numpy()[off], 0.0)


def test_saved_rankings_come_back(davidson_luce, tmp_path):
    davidson_luce.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    assert again.specification.data.same_as(davidson_luce.specification.data)
    pd.testing.assert_frame_equal(again.ranking(), davidson_luce.ranking())
    pd.testing.assert_frame_equal(again.parameters(), davidson_luce.parameters())
    np.testing.assert_allclose(again.log_likelihood(), davidson_luce.log_likelihood(), rtol=1e-12)


def test_learning_to_rank(tmp_path):
    data = queries(1)
    fit = br.fit(data, "plackett-luce", method="laplace", seed=1)
    assert not fit.specification.item_effects
    beta = fit.parameters()
    assert list(beta.index) == ["beta[length]", "beta[age]"]
    truth = np.array([1.5, -0.1])
    assert np.all(np.abs(beta["mean"] - truth) < 4 * beta["sd"])
    assert np.all(beta["sd"] < 0.2 * np.abs(truth))
    # New documents, whose order the features decide.
    new = pd.DataFrame({"age": [100.0, 130.0, 70.0], "length": [0.0, 0.0, 0.0]})
    draws = fit.scores(new)
    assert draws.shape == (4000, 3)
    table = fit.predict(new, items=["now", "old", "young"], seed=1)
    assert list(table.index) == ["young", "now", "old"]
    assert table.loc["young", "p_best"] == 1.0 and 0.9 < table.loc["young", "p_first"] < 1.0
    assert table["mean_place"].sum() == pytest.approx(6.0)
    pd.testing.assert_frame_equal(
        table, fit.predict(new[["length", "age"]].to_numpy(), items=["now", "old", "young"], seed=1)
    )
    with pytest.raises(ValueError, match="Items have no scores of their own"):
        fit.ranking()
    with pytest.raises(ValueError, match="has no column age"):
        fit.scores(new[["length"]])
    with pytest.raises(ValueError, match="missing or infinite values in row 1"):
        fit.scores([[0.0, 1.0], [np.nan, 1.0]])
    with pytest.raises(ValueError, match="must have 2 columns"):
        fit.scores(np.zeros((3, 5)))
    fit.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    np.testing.assert_allclose(again.scores(new), draws)
    assert "Fit of" in repr(again)


def test_learning_to_rank_with_ties_and_given_features(tmp_path):
    data = queries(2, draw=draw_geometric)
    assert data.has_ties
    given = br.fit(data, "davidson-luce", method="map", features=data.features)
    fit = br.fit(data, "davidson-luce", method="map")
    np.testing.assert_allclose(
        given.parameters()["mean"].to_numpy(), fit.parameters()["mean"].to_numpy(), rtol=1e-5
    )
    assert given.specification.feature_names == ["x1", "x2"]
    given.save(tmp_path / "fit.nc")
    again = br.Fit.load(tmp_path / "fit.nc")
    pd.testing.assert_frame_equal(again.parameters(), given.parameters())


def test_items_and_features_together():
    data = queries(3, n=30)
    frame = data.to_frame().rename(columns={"ranking": "query"})
    frame["item"] = frame["item"] % 20  # the same documents come up again
    frame = frame.drop_duplicates(["query", "item"])
    frame["rank"] = frame.groupby("query")["rank"].rank(method="dense").astype(int)
    about = {"features": ["length", "age"], "unranked": "not offered"}
    again = br.Rankings.from_frame(frame, "query", "item", "rank", **about)
    fit = br.fit(again, "plackett-luce", method="map")
    assert fit.specification.item_effects and len(fit.ranking()) == 20
    assert fit.parameters()["mean"]["beta[length]"] == pytest.approx(1.5, abs=0.5)


@likelihoods
def test_features_of_items(likelihood):
    data = rankings_for(likelihood)
    features = pd.DataFrame({"size": [1.0, 2.0, 4.0, 3.0, 0.0]}, index=list("abcde"))
    fit = br.fit(data, likelihood, method="map", features=features)
    assert "beta[size]" in fit.parameters().index and len(fit.ranking()) == 5
    # A new item is taken at what its feature says, relative to the average item.
    beta = fit.parameters()["mean"]["beta[size]"]
    np.testing.assert_allclose(fit.scores([[2.0], [5.0]])[0], [0.0, 3.0 * beta], atol=1e-12)


def test_known_items_in_new_circumstances():
    """Items bring their own scores along with the features of their new entries."""
    data = rankings_for("plackett-luce")
    features = np.random.default_rng(6).normal(size=(*data.entries.shape, 1))
    fit = br.fit(data, method="map", features=features)
    beta = fit.parameters()["mean"]["beta[x1]"]
    table = fit.predict([[1.0], [0.0]], items=["a", "c"])
    own = fit.ranking()["score"]
    assert table["score"]["a"] == pytest.approx(own["a"] + beta)
    assert table["score"]["c"] == pytest.approx(own["c"])
    table = fit.predict([[1.0], [0.0]], items=["new", "c"])
    assert table["score"]["new"] == pytest.approx(beta)
    assert table["score"]["c"] == pytest.approx(own["c"])
    # Labels that were not given are no items, even where items are numbers.
    numbered = br.Rankings.from_lists([[0, 1, 2], [1, 0, 2], [0, 2, 1]])
    features = np.random.default_rng(7).normal(size=(3, 3, 1))
    fit = br.fit(numbered, method="map", features=features)
    np.testing.assert_allclose(fit.predict([[0.0], [0.0], [0.0]])["score"], 0.0)
    named = pd.DataFrame({"x1": [0.0, 1.0]}, index=["here", "there"])
    assert set(fit.predict(named).index) == {"here", "there"}


def test_next_ranking_among_known_items():
    """Under Plackett-Luce an item comes first with its share of the worths."""
    fit = br.fit(rankings_for("plackett-luce"), method="map")
    table = fit.predict(items=["a", "c", "e"], draws=4000, seed=1)
    worth = np.exp(fit.ranking()["score"][table.index])
    expected = (worth / worth.sum()).to_numpy()
    error = np.sqrt(expected * (1 - expected) / 4000)
    assert np.all(np.abs(table["p_first"] - expected) < 4 * error)
    assert table["sd"].isna().all()
    with pytest.raises(ValueError, match="do not occur: z"):
        fit.predict(items=["a", "z"])
    with pytest.raises(ValueError, match="at least two entries"):
        fit.predict(items=["a"])
    with pytest.raises(ValueError, match="fitted without features"):
        fit.scores(np.zeros((2, 1)))


def test_predictive_places_follow_the_model():
    """Posterior predictive draws at a fixed point have the probabilities of the density."""
    data = rankings_for("pmop-geometric")
    fit = br.fit(data, "pmop-geometric", method="map")
    observation = fit.specification.observation
    values = fit.values(0)
    rng = np.random.default_rng(5)
    drawn = np.array([observation.draw(values, rng)[1] for _ in range(4000)])
    win = fit.win_probabilities()
    first = (drawn[:, 0] < drawn[:, 1]).mean()
    best, second = (data.items[e] for e in data.entries[1, :2])
    assert first == pytest.approx(win.loc[best, second], abs=4 * np.sqrt(0.25 / 4000))


def test_predictions_of_top_lists_are_top_lists():
    lists = [["a", "b"], ["b", "a"], ["c", "a"], ["a", "c"]]
    data = br.Rankings.from_lists(lists, unranked="below", items=list("abcde"))
    for likelihood in ("plackett-luce", "partitioned-plackett-luce", "thurstone"):
        fit = br.fit(data, likelihood, method="map")
        drawn = fit.posterior_predictive(seed=1).values[0, 0]
        assert np.array_equal(np.sort(drawn, axis=1), np.tile([0, 0, 0, 1, 2], (4, 1)))


def test_default_models():
    assert default_likelihood(rankings_for("plackett-luce")) == "plackett-luce"
    assert default_likelihood(rankings_for("davidson-luce")) == "davidson-luce"
    large = br.Rankings.from_lists([[set(range(9)), 10], [10, 3, 4]])
    assert default_likelihood(large) == "partitioned-plackett-luce"


def test_top_lists():
    """Items below the top three count as below, and are not compared with each other."""
    lists = [["a", "b", "c"], ["b", "a", "d"], ["c", "a", "e"], ["a", "e", "b"], ["d", "a", "b"]]
    data = br.Rankings.from_lists(lists, unranked="below")
    fit = br.fit(data, method="map")
    assert fit.specification.likelihood == "plackett-luce"
    other = br.fit(data, "partitioned-plackett-luce", method="map")
    np.testing.assert_allclose(fit.scores(), other.scores(), atol=1e-6)
    short = br.fit(br.Rankings.from_lists(lists, unranked="not offered"), method="map")
    assert fit.ranking()["score"]["e"] < short.ranking()["score"]["e"]


def test_refusals():
    tied = rankings_for("davidson-luce")
    with pytest.raises(ValueError, match=r'Ties are in 4 .* "plackett-luce" has none'):
        Specification(tied, "plackett-luce")
    with pytest.raises(TypeError, match=r'"davidson" needs Comparisons, got Rankings; .*to_compar'):
        Specification(tied, "davidson")
    with pytest.raises(TypeError, match='"pmop" needs Rankings, got Comparisons'):
        Specification(br.load_dataset("pudding"), "pmop")
    with pytest.raises(TypeError, match=r"br\.Rankings\.from_frame"):
        Specification(tied.to_frame(), "pmop")
    with pytest.raises(ValueError, match="`order_effect` is for comparisons"):
        Specification(tied, "pmop", order_effect=True)
    with pytest.raises(ValueError, match="one big tie"):
        Specification(br.Rankings.from_lists([[{"a", "b"}], [{"b", "c"}]]), "pmop")
    with pytest.raises(ValueError, match="6 rankings and 5 slots, got shape"):
        Specification(tied, "pmop", features=np.zeros((6, 4, 1)))
    features = np.ones((*tied.entries.shape, 1))
    with pytest.raises(ValueError, match="same value throughout every ranking in x1"):
        Specification(tied, "pmop", features=features)
    features[0, 0, 0] = np.nan
    with pytest.raises(ValueError, match="missing or infinite values in x1"):
        Specification(tied, "pmop", features=features)
    with pytest.raises(TypeError, match="`data` must be Comparisons or Rankings, got DataFrame"):
        br.fit(tied.to_frame())
    with pytest.raises(TypeError, match="must be a list of labels, got the text 'ab'"):
        br.fit(tied, method="map").predict(items="ab")
    with pytest.warns(UserWarning, match="take the place of the features"):
        Specification(queries(1), "pmop", features=np.random.default_rng(0).normal(size=(320, 1)))
    with pytest.raises(TypeError, match="`predict` is for rankings"):
        br.fit(br.load_dataset("pudding"), method="map").predict()


def test_maximum_likelihood_that_does_not_exist():
    one_way = br.Rankings.from_lists([["a", "b", "c"], ["a", "c", "b"]])
    with pytest.raises(ValueError, match="does not exist: never below another: a"):
        br.fit(one_way, method="map", scale=np.inf)
    # Two items that are always tied: the additive potential sees only their sum.
    tied = br.Rankings.from_lists([[{"a", "b"}, "c"], ["c", {"a", "b"}], ["c", {"a", "b"}]])
    assert np.abs(br.fit(tied, "davidson-luce", method="map", scale=np.inf).scores()).max() < 9
    with pytest.raises(ValueError, match="not unique: a, b are tied wherever they occur"):
        br.fit(tied, "pmop", method="map", scale=np.inf)
    # A feature that orders everything perfectly.
    x = np.linspace(1.0, 0.0, 4)[None, :, None].repeat(3, axis=0)
    perfect = br.Rankings.from_lists([list("abcd"), list("efgh"), list("ijkl")])
    with pytest.raises(ValueError, match="moving x1 on and on"):
        br.fit(perfect, method="map", scale=np.inf, features=x, item_effects=False)
    with pytest.raises(ValueError, match="cannot be told apart"):
        br.fit(queries(4), method="map", scale=np.inf, item_effects=True)
    twice = queries(4).features[:, :, [0, 0]]
    with pytest.warns(UserWarning, match="follow from the columns before them: x2"):
        once = br.fit(queries(4), method="map", scale=np.inf, features=twice, item_effects=False)
    assert once.parameters().index.tolist() == ["beta[x1]"]


def test_tie_prevalences_may_run_off():
    """Where every stage that could tie did, or scores and prevalences run off together."""
    for lists in (
        [[["b", "a"]], ["b", "a"], [["b", "a"]]],
        [["c", ["a", "b"]], [["a", "b", "c"]]],
    ):
        data = br.Rankings.from_lists(lists)
        with pytest.raises(ValueError, match="does not exist"):
            br.fit(data, "davidson-luce", method="map", scale=np.inf)


def test_sums_of_worths_are_not_concave():
    """With the additive potential a tied item may vanish, and alike items make a saddle point."""
    vanishing = br.Rankings.from_lists([[["a", "b"], ["c"]], ["c", "b"], ["a", "c"], ["c", "a"]])
    with pytest.raises(ValueError, match="does not exist or is not unique"):
        br.fit(vanishing, "pmop", method="map", scale=np.inf)
    lists = [[["a", "b"], ["c"]]] * 40 + [["c", "a"]] * 20 + [["c", "b"]] * 20
    fit = br.fit(br.Rankings.from_lists(lists), "pmop", method="map")
    score = fit.ranking()["score"]
    assert abs(score["a"] - score["b"]) > 2.0  # one of two mirrored modes, not the saddle
    assert "other modes" in fit.note
    br.fit(br.Rankings.from_lists(lists), "pmop", method="laplace", draws=10, seed=1)


def test_ties_of_given_prevalence_hold_a_feature():
    """Two entries that tie although their feature differs keep its coefficient finite."""
    data = br.Rankings.from_lists([["c", "b", "a"], [{"c", "b"}]])
    x = np.array([[[-1.0], [0.0], [1.0]], [[-1.0], [0.0], [0.0]]])
    options = {"features": x, "item_effects": False, "scale": np.inf, "method": "map"}
    fit = br.fit(data, "pmop-geometric", **options)
    reference = pmop("geometric", powers(1.0))

    def loss(beta):
        p = reference(beta * x[0, :, 0], [1, 2, 3]) * reference(beta * x[1, :2, 0], [1, 1])
        return -np.log(p)

    expected = optimize.minimize_scalar(loss, bounds=(-20.0, 20.0), method="bounded").x
    assert abs(expected) < 10.0
    assert fit.parameters()["mean"]["beta[x1]"] == pytest.approx(expected, abs=1e-4)


def test_groups_that_never_meet():
    apart = br.Rankings.from_lists([["a", "b"], ["b", "a"], ["c", "d"], ["d", "c"]])
    with pytest.warns(UserWarning, match="do not link all items: 2 groups never meet"):
        br.fit(apart, method="map")


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


def test_small_weights_have_the_same_maximum():
    data = br.load_dataset("fruits")
    light = br.Rankings(data.entries, data.ranks, data.items, data.names, data.weights * 1e-3)
    first, second = (br.fit(d, "davidson-luce", method="map", scale=np.inf) for d in (data, light))
    np.testing.assert_allclose(first.scores(), second.scores(), atol=1e-4)


@pytest.mark.filterwarnings("ignore:Leaving out one ranking")  # of so few
def test_comparing_models_of_ties():
    data = rankings_for("davidson-luce")
    fits = {
        name: br.fit(data, name, method="laplace", seed=1, draws=250)
        for name in ("davidson-luce", "pmop-geometric", "pmop")
    }
    table = br.compare(fits)
    assert set(table.index) == set(fits) and table["elpd"].is_monotonic_decreasing
