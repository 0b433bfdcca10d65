"""What each draw says of the items that may be asked about."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import RANKING_LIKELIHOODS
from bayesrank.results.askable import Askable
from tests.model.ranked_lists import rankings_for
from tests.model.varying_data import ballots_by_agents, votes_by_agents

QUICK = {"method": "laplace", "seed": 1, "draws": 200, "chains": 1, "progress": False}


def askable(fit, among=None, categories=None, agent=None):
    return Askable(fit, among, categories, agent, np.random.default_rng(1))


def exact(items, draw, block, left, right):
    values, of = items.values(draw, block), items.model.observation.pair_probability
    return [of(values, outcome, left, right) for outcome in range(3)]


@pytest.mark.parametrize("likelihood", RANKING_LIKELIHOODS)
@pytest.mark.parametrize("spread", [1.0, 40.0])
def test_rankings_of_two_are_interpolated_closely(likelihood, spread):
    fit = br.fit(rankings_for(likelihood, unranked="not offered"), likelihood, scale=1.0, **QUICK)
    fit.posterior["score"] = spread * fit.posterior["score"]
    items = askable(fit)
    left, right = np.triu_indices(len(items), 1)
    for draw in (0, 150):
        found, known = items.outcomes(draw, left, right), exact(items, draw, 0, left, right)
        np.testing.assert_allclose(found, known[: len(found)], atol=5e-5)
        np.testing.assert_allclose(found.sum(axis=0), 1.0, atol=1e-9)


def test_rankings_of_two_by_an_agent():
    fit = br.fit(ballots_by_agents(ties=True), discrimination="by-agent", ties="by-agent", **QUICK)
    left, right = np.triu_indices(5, 1)
    for agent in (None, 0, 2):
        items = askable(fit, agent=agent)
        known = exact(items, 7, 0, left, right)
        np.testing.assert_allclose(items.outcomes(7, left, right), known, atol=5e-5)
    values = items.values(7)
    assert values["agent"] == 2
    sharp = values["discrimination"][2]
    np.testing.assert_allclose(
        fit.specification.observation.new_scores(values), sharp * values["score"]
    )


def test_categories_are_blocks_of_columns():
    fit = br.fit(votes_by_agents(), "davidson", scores="by-category", ties="by-category", **QUICK)
    items = askable(fit, categories=["topic 1", "topic 0"])
    assert items.scores.shape == (200, 12) and list(items.askable_blocks) == [1, 2]
    np.testing.assert_allclose(items.goal_scores, fit.scores())
    np.testing.assert_allclose(items.scores[:, 4:8], fit.in_category("topic 1").scores())
    left, right = np.array([4, 8, 5]), np.array([5, 10, 7])
    found = items.outcomes(3, left, right)
    for block, columns in ((1, [0, 2]), (2, [1])):
        known = exact(items, 3, block, left[columns] - 4 * block, right[columns] - 4 * block)
        np.testing.assert_allclose(found[:, columns], known, rtol=1e-9)


def test_new_items_have_the_prior_of_the_model():
    fit = br.fit(votes_by_agents(), "davidson", scores="by-category", ties="by-item", scale=0.7,
                 spreads={"score_by_category": 0.4, "ties_by_item": 0.2}, method="laplace", seed=1,
                 draws=4000, chains=1)  # fmt: skip
    names = ["new", "item 2", "newer", "item 0"]
    with pytest.warns(UserWarning, match="2 items that the data do not have"):
        items = askable(fit, names)
    assert items.new == ["new", "newer"] and items.place.tolist() == [4, 2, 5, 0]
    np.testing.assert_allclose(items.scores[:, [1, 3]], fit.scores()[:, [2, 0]])
    # Four standard errors of a standard deviation from 4,000 draws are 4.5 %.
    np.testing.assert_allclose(items.scores[:, [0, 2]].std(axis=0), 0.7, rtol=0.045)
    ties = np.array([items.values(draw)["ties_by_item"] for draw in range(4000)])
    np.testing.assert_allclose(ties[:, [0, 2]].std(axis=0), 0.2, rtol=0.045)
    np.testing.assert_allclose(ties[:, 1], fit._flat("ties_by_item")[:, 2])
    with pytest.warns(UserWarning):
        items = askable(fit.in_category("topic 1"), names)
    np.testing.assert_allclose(items.scores[:, 0].std(), np.hypot(0.7, 0.4), rtol=0.045)


def test_who_was_on_the_left():
    data = br.Comparisons(
        [0, 0, 1], [1, 2, 2], np.array([[3, 1, 0], [2, 0, 0], [0, 1, 0]]), [*"abc"]
    )
    fit = br.fit(data, "bradley-terry", scale=1.0, **QUICK)
    assert askable(fit).lead().tolist() == [6.0, -3.0, -3.0]
    assert askable(fit, ["c", "a"]).lead().tolist() == [-3.0, 6.0]
