"""Words for agents: who follows the ranking, who does not look, who turns it round."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.results.agents import CONTRARIAN, FEW, FOLLOWS, LEFT, RANDOM, RIGHT, TIES

ITEMS, VOTES = 8, 120
# How sharply agents tell items apart, and the logit of their ties.
KINDS = {
    **{f"good {k}": (2.0, -1.0) for k in range(4)},
    "often ties": (2.0, 1.5), "random": (0.0, -1.0), "random 2": (0.0, -1.0),
    "contrarian": (-2.0, -1.0), "contrarian, often ties": (-2.0, 1.5), "ties": (2.0, 20.0),
}  # fmt: skip


def votes(seed=0, few=(), kinds=KINDS):
    rng = np.random.default_rng(seed)
    score, rows = np.linspace(-1.0, 1.0, ITEMS), []
    for agent, (sharp, ties) in kinds.items():
        for _ in range(4 if agent in few else VOTES):
            left, right = rng.permutation(ITEMS)[:2]
            half = sharp * (score[left] - score[right]) / 2.0
            found = np.array([half, -half, ties]) + rng.gumbel(size=3)
            rows.append((left, right, ("left", "right", "tie")[found.argmax()], agent))
    frame = pd.DataFrame(rows, columns=["left", "right", "outcome", "agent"])
    return br.Comparisons.from_frame(frame, agent="agent")


@pytest.mark.parametrize("arguments", [{}, {"discrimination": "by-agent", "ties": "by-agent"}])
def test_agents_are_known_for_what_they_are(arguments):
    fit = br.fit(votes(), "davidson", method="laplace", seed=1, progress=False, **arguments)
    words = fit.agents()["words"]
    expected = {"contrarian": CONTRARIAN, "contrarian, often ties": CONTRARIAN, "ties": TIES,
                "random": RANDOM, "random 2": RANDOM, "often ties": FOLLOWS}  # fmt: skip
    for agent in KINDS:
        assert words[agent] == expected.get(agent, FOLLOWS), agent


def test_of_few_votes_little_is_said():
    few = ["good 0", "random", "random 2"]
    fit = br.fit(votes(few=few), "davidson", method="laplace", seed=1, progress=False)
    words = fit.agents()["words"]
    assert (words[["random", "random 2"]] == FEW).all() and words["good 0"] in (FEW, FOLLOWS)


@pytest.mark.parametrize("seed", range(3))
def test_who_does_not_look_does_not_blunt_the_others(seed):
    """Where most votes are random the scores are small, and who follows them is sharper."""
    kinds = {f"good {k}": (1.0, -1.0) for k in range(5)}
    kinds |= {f"random {k}": (0.0, -1.0) for k in range(10)}
    fit = br.fit(votes(seed, kinds=kinds), "davidson", method="laplace", seed=1, progress=False)
    words = fit.agents()["words"]
    good, random = (words[words.index.str.startswith(kind)] for kind in ("good", "random"))
    assert (good == FOLLOWS).mean() >= 0.8 and (random == RANDOM).mean() >= 0.6


def test_rankings_have_words_too():
    rng, lists, agents = np.random.default_rng(0), [], []
    for agent, sharp in (("one", 2.0), ("two", 2.0), ("random", 0.0), ("contrarian", -2.0)):
        for _ in range(40):
            noisy = sharp * np.linspace(-1.0, 1.0, ITEMS) + rng.gumbel(size=ITEMS)
            lists.append([f"item {k}" for k in np.argsort(-noisy)])
            agents.append(agent)
    data = br.Rankings.from_lists(lists, agents=agents)
    words = br.fit(data, method="laplace", seed=1, progress=False).agents()["words"]
    assert words.to_dict() == {
        "one": FOLLOWS, "two": FOLLOWS, "random": RANDOM, "contrarian": CONTRARIAN
    }  # fmt: skip


def one_sided():
    """Return votes of six good agents, of whom one takes the left, one the right; one is new."""
    data = votes(kinds={f"good {k}": (2.0, -1.0) for k in range(6)})
    counts = data.counts.copy()
    for agent, side, cast in ((0, 0, 60), (1, 1, 60), (2, 0, 4)):
        rows = np.flatnonzero(data.agent == agent)
        counts[rows] = 0
        counts[rows[:cast], side] = 1
    return replace(data, counts=counts)


def words_of(data, **arguments):
    fit = br.fit(data, "davidson", method="laplace", seed=1, progress=False, **arguments)
    return fit.agents()["words"]


@pytest.mark.parametrize("arguments", [{}, {"order_effect": "by-agent"}])
def test_who_takes_one_side_is_known(arguments):
    words = words_of(one_sided(), **arguments)
    assert words[["good 0", "good 1"]].tolist() == [LEFT, RIGHT]
    assert words["good 2"] in (FEW, FOLLOWS) and words["good 3"] == FOLLOWS


def test_sides_that_mean_nothing_are_not_spoken_of():
    words = words_of(replace(one_sided(), sided=False))
    assert not {LEFT, RIGHT} & set(words)
