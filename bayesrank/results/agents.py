"""What is known of agents in models other than "mpm", with words for those who stand out.

How well an agent goes with the others is seen by three accounts of its votes: that it follows the
scores as sharply as those do who follow them, that it does not look at them, and that it turns them
round. How much likelier one account makes its votes than another is what the words rest on.
"""

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import consensus
from bayesrank.results.agent_words import (
    CONTRARIAN,
    FEW,
    FOLLOWS,
    LEFT,
    RANDOM,
    RIGHT,
    TIES,
)
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["agent_effects", "agent_words"]

_SURE = np.log(10.0)  # one account makes the votes ten times as likely as another
_FEW = np.log(3.0)
_SHARPNESS = (0.7, 1.0, 1.4, 2.0, 2.8, 4.0)  # of those who follow, an average agent's being 1
_NEARLY, _VOTES, _SIDED_VOTES = 0.9, 5, 20  # share of ties, or of one side, of so many votes


def agent_effects(fit: Any, prob: float) -> "pd.DataFrame":
    """Return each agent's effects, votes and agreement, and words, the most votes first."""
    import pandas as pd

    data = fit.specification.data
    table = pd.DataFrame(index=pd.Index(data.agents, name="agent", tupleize_cols=False))
    for name, draws in _effects(fit):
        table[name] = draws.mean(axis=0)
        if fit.kind.is_point:
            table[[f"{name}_low", f"{name}_high"]] = np.nan
        else:
            table[f"{name}_low"], table[f"{name}_high"] = consensus.interval(draws, prob)
    votes, ties = _votes(data)
    table["votes"] = votes
    if ties is not None:
        table["ties"] = ties / np.maximum(votes, 1)
    table["agreement"] = _agreement(fit)
    table["words"] = agent_words(fit)
    return table.sort_values("votes", ascending=False, kind="stable")


def _effects(fit: Any) -> Any:
    """Yield what differs between agents: its name, and draws in units that people know."""
    found = fit.posterior
    if "discrimination" in found:
        yield "discrimination", fit._flat("discrimination")
    if "order_effect_by_agent" in found:
        yield (
            "order_effect",
            fit._flat("order_effect")[:, None] + fit._flat("order_effect_by_agent"),
        )
    if "ties_by_agent" in found:
        rate, shift = fit._flat("tie_rate"), fit._flat("ties_by_agent")
        if rate.ndim == 2:
            rate = rate[:, 0]  # of rankings, of ties of two
        total = np.log(rate) - np.log1p(-rate)
        yield "tie_rate", 1.0 / (1.0 + np.exp(-(total[:, None] + shift)))


def _votes(data: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """Return how many votes each agent has cast, and how many of them were ties, of pairs."""
    n = len(data.agents)
    if data.row == "ranking":
        return np.bincount(data.agent, data.weights, minlength=n), None
    total = data.counts.sum(axis=1)
    votes = np.bincount(data.agent, total, minlength=n)
    ties = np.bincount(data.agent, data.counts[:, 2], minlength=n)
    return votes, ties if data.has_ties else None


def _agreement(fit: Any) -> np.ndarray:
    """Return the share of an agent's decided pairs that are in the order of the scores."""
    data, n = fit.specification.data, len(fit.specification.data.agents)
    score = _mean_values(fit)["score"]
    if data.row == "pair":
        results = fit.specification.results
        ahead = score[results.left] > score[results.right]
        right = np.where(ahead, data.counts[:, 0], data.counts[:, 1])
        decided = data.counts[:, :2].sum(axis=1)
        agent = data.agent
    else:
        right, decided = _pairs_in_order(fit.specification.results, score)
        right, decided, agent = right * data.weights, decided * data.weights, data.agent
    total = np.bincount(agent, decided, minlength=n)
    with np.errstate(invalid="ignore"):
        return np.bincount(agent, right, minlength=n) / total


def _pairs_in_order(data: Any, score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return of each ranking how many decided pairs are in the order of the scores, and all."""
    right, decided = np.zeros(len(data)), np.zeros(len(data))
    for row in range(len(data)):
        held = slice(data.start[row], data.start[row + 1])
        rank = data.entry_rank[held].astype(float)
        rank[rank == 0] = np.inf  # below all that are ranked
        s = score[data.entry_item[held]]
        above = rank[:, None] < rank
        decided[row] = above.sum()
        right[row] = (above & (s[:, None] > s)).sum()
    return right, decided


def _mean_values(fit: Any) -> dict[str, Any]:
    """Return posterior means of what the likelihood depends on."""
    known = fit.specification.quantities.items()
    return {
        name: fit._flat(name).mean(axis=0)
        for name, quantity in known
        if quantity.enters and name in fit.posterior
    }


def agent_words(fit: Any) -> list[str]:
    """Return a few words for each agent."""
    data = fit.specification.data
    evidence = _Accounts(fit)
    words = []
    for k, habit in enumerate(_habits(data)):
        follows, contrarian = evidence.follows[k], evidence.contrarian[k]
        if habit == TIES:
            words.append(TIES)
        elif contrarian - max(follows, 0.0) > _SURE:
            words.append(CONTRARIAN)
        elif follows - max(contrarian, 0.0) > _FEW:
            words.append(FOLLOWS)
        elif habit:
            words.append(habit)
        elif -max(follows, contrarian) > _SURE:
            words.append(RANDOM)
        else:
            words.append(FEW)
    return words


def _habits(data: Any) -> list[str]:
    """Return words for agents whose votes are nearly all the same; empty for the others."""
    n = len(data.agents)
    found = [""] * n
    if data.row == "ranking":
        return found
    left, right, ties = (np.bincount(data.agent, column, minlength=n) for column in data.counts.T)
    decided = left + right
    habits = [(TIES, ties, decided + ties, _VOTES)]
    if data.sided:
        habits += [(LEFT, left, decided, _SIDED_VOTES), (RIGHT, right, decided, _SIDED_VOTES)]
    for word, part, total, least in habits:
        for k in np.flatnonzero((total >= least) & (part >= _NEARLY * total)):
            found[k] = found[k] or word
    return found


class _Accounts:
    """How much likelier two accounts make each agent's votes than that it does not look.

    How sharply those tell items apart who follow the scores is not what an average agent does,
    whom random and contrarian ones draw down. It is what makes all votes likeliest if each agent
    follows, turns the scores round or does not look, one as likely as the other.

    Attributes
    ----------
    follows, contrarian : ndarray
        Logarithms of ratios of likelihoods.
    """

    def __init__(self, fit: Any) -> None:
        self.data, self.values = fit.specification.data, _mean_values(fit)
        observation = copy(fit.specification.observation)
        # As an agent of no sharpness of its own would: that is what is asked.
        observation.varying = [term for term in observation.varying if not term.has_gain]
        self.observation, self.sides = observation, []
        if self.data.row == "pair":
            # Only what is not a tie tells: whoever often ties would seem not to look.
            counts = observation.data.counts
            for won in ([1, 0, 0], [0, 1, 0]):
                one = observation.data.with_outcomes(np.tile(won, (len(counts), 1)))
                self.sides.append(observation.with_data(one))
        random, best = self._at(0.0), -np.inf
        for factor in _SHARPNESS:
            follows, contrarian = self._at(factor) - random, self._at(-factor) - random
            total = np.logaddexp(np.logaddexp(follows, contrarian), 0.0).sum()
            if total > best:
                best, self.follows, self.contrarian = total, follows, contrarian

    def _at(self, factor: float) -> np.ndarray:
        """Return the log-likelihood of each agent's votes with scores times a factor."""
        scaled = {
            name: factor * value if name in _SCORES else value
            for name, value in self.values.items()
        }
        if self.sides:
            win, loss = (side.log_likelihood(scaled) for side in self.sides)
            counts, either = self.observation.data.counts, np.logaddexp(win, loss)
            rows = counts[:, 0] * (win - either) + counts[:, 1] * (loss - either)
        else:
            rows = self.observation.log_likelihood(scaled)
        return np.bincount(self.data.agent, rows, minlength=len(self.data.agents))


# What a vote depends on that is about the items.
_SCORES = {"score", "score_by_category", "beta"}


def standing_out(fit: Any) -> str:
    """Return who stands out, in a sentence; empty where nobody does."""
    words = agent_words(fit)
    parts = []
    several = {
        RANDOM: "look random", CONTRARIAN: "are contrarian", TIES: "nearly always tie",
        LEFT: "nearly always take the left side", RIGHT: "nearly always take the right side",
    }  # fmt: skip
    one = {RANDOM: RANDOM, CONTRARIAN: "is contrarian", TIES: TIES, LEFT: LEFT, RIGHT: RIGHT}
    for kind in several:
        who = [str(fit.specification.data.agents[k]) for k, word in enumerate(words)
               if word == kind]  # fmt: skip
        if who:
            said = one[kind] if len(who) == 1 else several[kind]
            parts.append(f"{len(who)} {said}: {listing(who)}")
    return f"Among the agents, {'; '.join(parts)}." if parts else ""
