"""Fits that say whether it is decided."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.consensus import ScoreDraws
from tests.report.fits import moving_fit

QUICK = {"method": "laplace", "seed": 1, "progress": False}


@pytest.fixture(scope="module")
def baseball():
    return br.fit(br.load_dataset("baseball"), "bradley-terry", **QUICK)


@pytest.mark.parametrize("question", [("best", {}), ("top", {"k": 3}), ("order", {})])
@pytest.mark.parametrize("indifference", [0.0, 0.3])
def test_a_fit_says_what_its_draws_say(baseball, question, indifference):
    goal, more = question
    options = {"prob": 0.9, "indifference": indifference} | more
    found, plain = baseball.decided(goal, **options), ScoreDraws(baseball).decided(goal, **options)
    for name in ("decided", "probability", "choice", "k", "indifference"):
        assert getattr(found, name) == getattr(plain, name), name
    # Labels of a fit and of draws may be of another kind of text.
    pd.testing.assert_frame_equal(
        found.open.astype(object), plain.open.astype(object), check_index_type=False
    )
    assert found.unit == "comparisons" and 0 < found.interval[0] <= found.more


def test_the_same_is_said_again(baseball):
    assert baseball.decided().sentence == baseball.decided().sentence


def test_more_is_needed_for_more(baseball):
    known = {prob: baseball.decided("best", prob) for prob in (0.5, 0.7, 0.95)}
    assert known[0.5] and known[0.5].more == 0.0
    assert known[0.7].more < known[0.95].more
    # Items whose scores differ by less than this are taken as equally good.
    assert baseball.decided("best", indifference=0.3).more < known[0.95].more
    assert baseball.decided("best", indifference=0.5).decided


def counted(shares, n):
    """Return comparisons of three items, n of each pair, with shares of wins."""
    rows = [("a", "b"), ("a", "c"), ("b", "c")]
    frame = pd.DataFrame(rows, columns=["left", "right"])
    frame["wins"] = np.round(n * np.array(shares)).astype(int)
    return br.Comparisons.from_counts(frame.assign(losses=n - frame["wins"]))


def test_equal_items_are_decided_with_a_width_and_may_never_be_without():
    fit = br.fit(counted([0.5] * 3, 20_000), "bradley-terry", **QUICK)
    assert not fit.decided("best") and not fit.decided("order")
    assert "perhaps without end" in fit.decided().sentence or fit.decided().more == np.inf
    for goal, more in (("best", {}), ("top", {"k": 2}), ("order", {})):
        assert fit.decided(goal, indifference=0.1, **more)


def test_rankings_are_called_so():
    fit = br.fit(br.load_dataset("netflix"), "plackett-luce", **QUICK)
    assert fit.decided("order").unit == "rankings"
    assert "more rankings like these" in fit.decided("order").sentence


@pytest.mark.parametrize("options", [{"scale": 0.5}, {"scale": np.inf}, {}])
def test_any_prior_scale(options):
    fit = br.fit(counted([0.6, 0.7, 0.55], 20), "bradley-terry", **QUICK, **options)
    assert 1.0 <= fit.decided("best").more < 1e4


def test_scores_from_features():
    items = pd.DataFrame({"size": [0.0, 1.0, 2.0]}, index=["a", "b", "c"])
    games = counted([0.6, 0.65, 0.5], 20)
    alone = br.fit(games, features=items, item_effects=False, **QUICK)
    # With one coefficient there are two orders only.
    assert alone.decided("best").probability == alone.decided("order").probability
    assert alone.decided("best", 0.999).more >= 1.0
    assert br.fit(games, features=items, **QUICK).decided("best", 0.999).more >= 1.0


def test_scores_at_a_time():
    fit = moving_fit(["a", "b", "c", "d", "e"])
    now, then = fit.decided("best", 0.999), fit.decided("best", 0.999, at="2000-01-01")
    assert now.more is None and now.interval is None and "more" not in now.sentence
    assert then.probability == fit.at("2000-01-01").best().iloc[0]["p_top"]
    assert len(then.open) and then.probability != now.probability


def test_scores_in_a_category():
    rows = [["x", "y", "x", "code"], ["y", "x", "y", "art"]] * 20
    frame = pd.DataFrame(rows, columns=["left", "right", "outcome", "topic"])
    votes = br.Comparisons.from_frame(frame, category="topic")
    fit = br.fit(votes, scores="by-category", **QUICK)
    assert fit.decided(category="code").choice == "x" and fit.decided(category="art").choice == "y"
    assert not fit.decided() and fit.decided().more is None


def test_what_cannot_be_asked(baseball):
    point = br.fit(br.load_dataset("baseball"), method="map")
    with pytest.raises(ValueError, match="`decided` needs posterior draws, and a MAP fit has none"):
        point.decided()
    lists = br.Rankings.from_lists([["a", "b"], ["b", "a"], ["c", "d"]], instances=[1, 1, 2])
    with pytest.raises(ValueError, match=r"`decided.*is for one instance, and there are 2"):
        br.fit(lists, "plackett-luce", **QUICK).decided()
    with pytest.raises(ValueError, match=r"needs the number of items: give `k`"):
        baseball.decided("top")
    with pytest.raises(ValueError, match=r"`at.*is for scores that move"):
        baseball.decided(at="2019-01-01")
    with pytest.raises(ValueError, match=r"`in_category.*is for scores that differ"):
        baseball.decided(category="code")
    features = np.random.default_rng(1).normal(size=(3, 2, 1))
    ranks = br.Rankings.from_lists([["a", "b"], ["c", "d"], ["e", "f"]])
    entries = br.fit(ranks, "plackett-luce", features=features, **QUICK)
    with pytest.raises(ValueError, match="Items have no scores of their own"):
        entries.decided()
