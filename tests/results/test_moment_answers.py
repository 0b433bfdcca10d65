"""Answers about ranks at a time that is asked for."""

import pandas as pd
import pytest

import bayesrank as br


@pytest.fixture(scope="module")
def fit():
    games = br.load_dataset("bundesliga")
    return br.fit(games, scores="walk", order_effect=True, method="laplace", draws=400, seed=1)


@pytest.mark.parametrize("what", ["best", "tiers"])
def test_an_answer_at_a_time_is_that_of_the_fit_at_that_time(fit, what):
    found = getattr(fit, what)(0.8, at="2018-01-01")
    pd.testing.assert_frame_equal(
        pd.DataFrame(found), pd.DataFrame(getattr(fit.at("2018-01-01"), what)(0.8))
    )
    assert not pd.DataFrame(found).equals(pd.DataFrame(getattr(fit, what)(0.8)))


def test_the_rule_of_tiers_at_a_time(fit):
    then = fit.at("2018-01-01")
    tier = fit.tiers(0.8, "certain", at="2018-01-01")
    pd.testing.assert_series_equal(tier, then.tiers(0.8, rule="certain"))
    table = fit.ranking(0.8, at="2018-01-01", tiers="certain")
    assert table["tier"].tolist() == tier.tolist()
    assert 1 < tier.max() < then.tiers(0.8).max()
    with pytest.raises(ValueError, match="`tiers` must be"):
        fit.ranking(at="2018-01-01", tiers="strict")


def test_the_consensus_at_a_time(fit):
    found = fit.consensus("footrule", at="2018-01-01").order
    assert list(found) == list(fit.at("2018-01-01").consensus("footrule").order)
    assert set(found) != set(fit.consensus("footrule").order)


@pytest.mark.parametrize("what", ["best", "tiers", "consensus"])
def test_scores_that_stay_have_no_times(what):
    fit = br.fit(br.load_dataset("pudding"), method="laplace", seed=1)
    with pytest.raises(ValueError, match="is for scores that move"):
        getattr(fit, what)(at="2018-01-01")
