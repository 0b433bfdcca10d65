"""Predictions of votes that were not seen."""

import numpy as np
import pytest

from benchmarks.judges import prediction
from benchmarks.judges.votes_data import simulated


@pytest.fixture(scope="module")
def votes():
    return simulated(0, judges={"good": 6, "ties": 2}, sizes=(40,), items=5, prompts=3)


def test_votes_on_the_same_answers_are_in_one_fold(votes):
    fold = prediction.folds_of(votes)
    assert (votes.assign(fold=fold).groupby("id")["fold"].nunique() == 1).all()
    assert set(fold) == set(range(5))


@pytest.mark.parametrize("name", ["Davidson", "all three, and prompts"])
def test_all_outcomes_are_predicted(votes, name):
    """The probabilities of all ways in which a vote may end are one, also for who is new."""
    past, future = votes[votes["worker"] != 0], votes[votes["worker"] == 0].head(12)
    future = future.assign(prompt="new", left="item new")
    total = 0.0
    for outcome in ("left", "right", "tie"):
        new = future.assign(outcome=outcome)
        found, _ = prediction.forecast(past, new, "laplace", **prediction.MODELS[name])
        total += found
    np.testing.assert_allclose(total, 1.0, atol=1e-9)


def test_what_is_predicted_is_what_the_fit_says(votes):
    """Of votes that were seen, predictions are the mean likelihood of the fit."""
    arguments = prediction.MODELS["all three, and prompts"]
    some = votes.iloc[[3, 50, 200]]
    found, fit = prediction.forecast(votes, some, "laplace", **arguments)
    observation, data = fit.specification.observation, fit.specification.data
    draws = range(fit.shape[0] * fit.shape[1])
    p = np.mean([observation.outcome_probabilities(fit.values(k)) for k in draws], axis=0)
    columns = ["left", "right", "worker", "prompt"]
    for k, row in enumerate(some[columns].itertuples(index=False)):
        place = next(
            r for r in range(len(data))
            if (data.items[data.left[r]], data.items[data.right[r]], data.agents[data.agent[r]],
                data.categories[data.category[r]]) == tuple(row)
        )  # fmt: skip
        outcome = prediction.OUTCOMES.index(some["outcome"].iloc[k])
        assert found[k] == pytest.approx(p[place, outcome])


def test_who_ties_is_expected_to_tie(votes):
    known, _ = prediction.forecast(votes, votes, "laplace", ties="by-agent")
    plain, _ = prediction.forecast(votes, votes, "laplace")
    of_ties = (votes["kind"] == "ties").to_numpy()
    assert known[of_ties].min() > plain[of_ties].mean()


def test_errors_allow_for_groups():
    """Four times the same votes are no more than once."""
    loss, group = np.array([0.2, 0.9, 1.4, 0.3]), np.arange(4)
    mean, error = prediction.with_error(loss, group)
    assert error == pytest.approx(loss.std(ddof=1) / 2.0) and mean == loss.mean()
    again = prediction.with_error(np.tile(loss, 4), np.tile(group, 4))
    assert again == pytest.approx((mean, error))
