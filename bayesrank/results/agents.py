"""What is known of agents in models other than "mpm", with words for those who stand out.

How well an agent goes with the others is seen by three accounts of its votes: that it follows the
scores as an average agent does, that it does not look at them, and that it turns them round. How
much likelier one account makes its votes than another is what the words rest on.
"""

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import consensus
from bayesrank.results.agent_words import CONTRARIAN, FEW, FOLLOWS, RANDOM, TIES
from bayesrank.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["agent_effects", "agent_words"]

_SURE = np.log(10.0)  # one account makes the votes ten times as likely as another
_FEW = np.log(3.0)
_TIES, _VOTES = 0.9, 5  # share of ties, of at least so many votes


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
    data, n = fit.specification.data, len(fit.specification.data.agents)
    values = _mean_values(fit)
    observation = copy(fit.specification.observation)
    # As an average agent would: whoever does not look at the scores has no discrimination either.
    observation.varying = [term for term in observation.varying if not term.has_gain]
    account = {}
    for name, factor in (("follows", 1.0), ("random", 0.0), ("contrarian", -1.0)):
        scaled = {key: factor * value if key in _SCORES else value for key, value in values.items()}
        rows = observation.log_likelihood(scaled)
        account[name] = np.bincount(data.agent, rows, minlength=n)
    votes, ties = _votes(data)
    words = []
    for k in range(n):
        follows, random, contrarian = (account[name][k] for name in account)
        if ties is not None and votes[k] >= _VOTES and ties[k] >= _TIES * votes[k]:
            words.append(TIES)
        elif contrarian - max(follows, random) > _SURE:
            words.append(CONTRARIAN)
        elif random - follows > _SURE:
            words.append(RANDOM)
        elif abs(follows - random) < _FEW:
            words.append(FEW)
        else:
            words.append(FOLLOWS)
    return words


# What a vote depends on that is about the items.
_SCORES = {"score", "score_by_category", "beta"}


def standing_out(fit: Any) -> str:
    """Return who stands out, in a sentence; empty where nobody does."""
    words = agent_words(fit)
    parts = []
    several = {RANDOM: "look random", CONTRARIAN: "are contrarian", TIES: "nearly always tie"}
    one = {RANDOM: RANDOM, CONTRARIAN: "is contrarian", TIES: "nearly always ties"}
    for kind in several:
        who = [str(fit.specification.data.agents[k]) for k, word in enumerate(words)
               if word == kind]  # fmt: skip
        if who:
            said = one[kind] if len(who) == 1 else several[kind]
            parts.append(f"{len(who)} {said}: {listing(who)}")
    return f"Among the agents, {'; '.join(parts)}." if parts else ""
