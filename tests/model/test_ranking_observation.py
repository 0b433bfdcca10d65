"""Rankings under ranking models: weights, features, top lists, predictions, refusals."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import RANKING_LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.model.ranked_lists import STRICT, TIED, likelihoods, queries, rankings_for


@likelihoods
def test_weights_count_rankings(likelihood):
    """A weight of three is the ranking three times."""
    lists = STRICT if RANKING_LIKELIHOODS[likelihood].ties == "none" else TIED
    one = br.Rankings.from_lists(lists, weights=[1, 1, 3, 1, 1, 2])
    other = br.Rankings.from_lists([*lists, lists[2], lists[2], lists[5]])
    first, second = (br.fit(data, likelihood, method="map") for data in (one, other))
    np.testing.assert_allclose(first.scores(), second.scores(), atol=1e-5)


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
