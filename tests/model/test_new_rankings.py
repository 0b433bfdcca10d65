"""New results of a known agent in a known category are as likely as those that were seen."""

import numpy as np
import pytest

import bayesrank as br
from tests.model.varying_data import ballots_by_agents, votes_by_agents

EVERYTHING = {
    "order_effect": ("by-agent", "by-item"), "ties": ("by-agent", "by-item", "by-category"),
    "discrimination": "by-agent", "scores": "by-category", "features": False,
}  # fmt: skip


def some_values(model):
    """Return parameters at a point that is nothing special."""
    return model.constrain(np.random.default_rng(1).normal(0.0, 0.7, model.size))


def known_of(values, data, row):
    """Return what is known of a new result like that of a row."""
    n, category = len(data.items), data.category[row]
    own = values["score_by_category"][category * n : (category + 1) * n]
    about = {"agent": data.agent[row], "category": category, "score": values["score"] + own}
    return values | about


@pytest.mark.parametrize("likelihood", ["davidson", "rao-kupper", "glenn-david"])
def test_pairs(likelihood):
    model = br.Specification(votes_by_agents(), likelihood, **EVERYTHING)
    values, data = some_values(model), model.data
    expected = model.observation.outcome_probabilities(values)
    for row in range(len(data)):
        sides = data.left[row : row + 1], data.right[row : row + 1]
        new = known_of(values, data, row)
        for outcome in range(3):
            p = model.observation.pair_probability(new, outcome, *sides)
            assert p[0] == pytest.approx(expected[row, outcome], rel=1e-12)


@pytest.mark.parametrize("likelihood", ["davidson-luce", "plackett-luce"])
def test_rankings(likelihood):
    ties = {"ties": ("by-agent", "by-category")} if likelihood == "davidson-luce" else {}
    data = ballots_by_agents(ties=bool(ties))
    model = br.Specification(
        data, likelihood, discrimination="by-agent", scores="by-category", **ties
    )
    values, observation = some_values(model), model.observation
    expected = observation.single_log_likelihood(values)
    for row in range(len(data)):
        held = slice(data.start[row], data.start[row + 1])
        rank, items = data.entry_rank[held], data.entry_item[held]
        order = items[np.argsort(rank, kind="stable")]
        sizes = np.array([(rank == place).sum() for place in range(1, len(rank) + 1)])
        new = known_of(values, data, row)
        logp = observation.new_log_likelihood(new, order[None], sizes[None])
        assert logp[0] == pytest.approx(expected[row], rel=1e-12)
        # Draws are from the same distribution: the most that a tie can be is what it is.
        p = [observation.pair_probability(new, k, items[:1], items[1:2])[0] for k in range(3)]
        assert sum(p) == pytest.approx(1.0, rel=1e-12)


def test_draws_are_by_the_agent_who_is_known():
    """One whose results are mostly ties draws ties."""
    model = br.Specification(ballots_by_agents(ties=True), "davidson-luce", ties="by-agent")
    values = some_values(model) | {"ties_by_agent": np.array([-3.0, 0.0, 3.0])}
    slots, offered = np.zeros((500, 2)), np.ones((500, 2), dtype=bool)
    shares = []
    for agent in range(3):
        rng = np.random.default_rng(1)
        drawn = model.observation.draw_slots(values | {"agent": agent}, slots, offered, rng)
        share = (drawn[:, 0] == drawn[:, 1]).mean()
        new = values | {"agent": agent, "score": np.zeros(5)}
        (p,) = model.observation.pair_probability(new, 2, np.array([0]), np.array([1]))
        assert abs(share - p) < 4.0 * np.sqrt(p * (1.0 - p) / 500)
        shares.append(share)
    assert shares[0] < shares[1] < shares[2]
