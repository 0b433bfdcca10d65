"""Results are drawn as the model says, by their shares in many draws."""

import numpy as np
import pytest
from scipy.special import expit, ndtr

import bayesrank as br

N = 20_000
SCORES = {"a": 0.8, "b": -0.3}  # the mean is subtracted: only the difference counts
D = 1.1
MANY = [["a", "b"]]


def shares(likelihood, **about):
    """Return the shares of wins, losses and ties of one pair, and a limit for their errors."""
    votes = br.simulate(SCORES, likelihood, N, design=MANY, seed=5, **about)
    assert votes.data.counts.sum() == N
    return votes.data.counts.sum(axis=0) / N


def near(found, expected):
    """Whether shares are within five standard errors of probabilities."""
    expected = np.asarray(expected)
    return np.all(np.abs(found - expected) <= 5 * np.sqrt(expected * (1 - expected) / N))


def davidson(d, nu):
    weights = np.array([np.exp(d / 2), np.exp(-d / 2), nu])
    return weights / weights.sum()


def rao_kupper(d, theta):
    win, loss = 1 / (1 + theta * np.exp(-d)), 1 / (1 + theta * np.exp(d))
    return [win, loss, 1 - win - loss]


def glenn_david(d, threshold):
    win, loss = ndtr(d - threshold), ndtr(-d - threshold)
    return [win, loss, 1 - win - loss]


@pytest.mark.parametrize(
    ("likelihood", "expected"),
    [
        ("bradley-terry", [expit(D), expit(-D), 0]),
        ("thurstone-pairs", [ndtr(D), ndtr(-D), 0]),
        ("davidson", davidson(D, 2 / 3)),
        ("rao-kupper", rao_kupper(D, 5 / 3)),
        ("glenn-david", glenn_david(D, 0.3186394)),  # ndtr(t) - ndtr(-t) is one quarter
    ],
)
def test_pairs_by_formula_with_the_usual_ties(likelihood, expected):
    assert near(shares(likelihood), expected)


def test_given_ties_and_an_order_effect():
    assert near(shares("davidson", ties=0.4, order_effect=-0.5), davidson(D - 0.5, 4 / 3))
    assert near(shares("davidson", ties=0.0), [expit(D), expit(-D), 0])


def test_the_order_effect_is_of_the_left_item():
    votes = br.simulate(SCORES, "bradley-terry", N, order_effect=2.0, design=[["b", "a"]], seed=1)
    assert near(votes.data.counts[0] / N, [expit(2.0 - D), expit(D - 2.0), 0])
    assert votes.parameters.to_dict() == {"order_effect": 2.0}


def test_agents_multiply_differences():
    about = {"design": MANY, "seed": 2}
    votes = br.simulate(SCORES, "bradley-terry", 2 * N, agents={"x": 4.0, "y": 1.0}, **about)
    found = votes.parameters
    assert found["discrimination[x]"] == pytest.approx(2.0)
    assert found["discrimination[y]"] == pytest.approx(0.5)
    data = votes.data
    for agent, factor in (("x", 2.0), ("y", 0.5)):
        counts = data.counts[data.agent == data.agents.index(agent)].sum(axis=0)
        assert counts.sum() == N
        assert near(counts / N, [expit(factor * D), expit(-factor * D), 0])


def test_agents_multiply_differences_in_rankings():
    scores = {"a": 1.0, "b": 0.0, "c": -1.0}
    votes = br.simulate(scores, "plackett-luce", 2 * N, agents={"x": 4.0, "y": 1.0}, seed=3)
    for k, factor in enumerate((2.0, 0.5)):
        mine = votes.data.agent == k
        first = votes.data.entries[mine, 0]
        worth = np.exp(factor * np.array([1.0, 0.0, -1.0]))
        assert mine.sum() == N
        assert near(np.bincount(first, minlength=3) / N, worth / worth.sum())


def test_plackett_luce_by_formula():
    scores = {"a": 1.0, "b": 0.0, "c": -1.0}
    data = br.simulate(scores, "plackett-luce", N, seed=4).data
    worth = np.exp([1.0, 0.0, -1.0])
    share = np.mean((data.entries == [2, 0, 1]).all(axis=1))
    expected = worth[2] / worth.sum() * worth[0] / (worth[0] + worth[1])
    assert near(share, expected)


def first_places(votes):
    """Return the shares of the sizes of what is at the first place."""
    return np.bincount((votes.data.ranks == 1).sum(axis=1)) / len(votes.data)


def test_a_quarter_of_first_places_are_shared_by_equals():
    votes = br.simulate(6, "davidson-luce", N, scores=np.zeros(6), seed=5)
    assert near(first_places(votes), [0, 0.75, 0.25])


def test_rates_by_the_size_of_a_tie():
    votes = br.simulate(3, "davidson-luce", N, scores=np.zeros(3), ties={3: 0.2, 2: 0.1}, seed=6)
    assert votes.parameters["tie_rate[2]"] == 0.1 and votes.parameters["tie_rate[3]"] == 0.2
    weights = np.array([3.0, 3.0 * votes.parameters["tie[2]"], votes.parameters["tie[3]"]])
    # So many equal items all tie rather than one of them being best.
    assert weights[2] / (weights[2] + 3.0) == pytest.approx(0.2)
    assert near(first_places(votes)[1:], weights / weights.sum())


@pytest.mark.parametrize("likelihood", ["partitioned-plackett-luce", "thurstone"])
def test_neighbours_whose_order_was_not_seen(likelihood):
    votes = br.simulate(2, likelihood, N, ties=0.3, seed=7)
    assert near(first_places(votes)[2], 0.3)
    assert not br.simulate(4, likelihood, 20, ties=0.0, seed=7).data.has_ties


def test_scores_are_drawn_at_the_scale():
    """The sum of squares of zero-sum scores has a chi-squared distribution."""
    scores = br.simulate(2001, "bradley-terry", 1, scale=3.0, seed=8).scores
    assert abs(scores.sum()) < 1e-9
    # Five standard errors of a chi-squared variable of 2,000 degrees of freedom.
    assert (scores**2).sum() / 9.0 == pytest.approx(2000, abs=5 * np.sqrt(4000))
