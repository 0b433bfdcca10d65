"""Preferences of agents: counted, rated, ranked, drawn at random and from the model."""

import numpy as np
import pandas as pd

import bayesrank as br
from tests.data.random_instances import COLUMNS, RATED, random_counts, random_ratings


def compared(instances):
    """Return counts of preferences by three agents, in pairs of either order."""
    frame = pd.DataFrame(random_counts(1)).assign(ties=0)
    data = br.Comparisons.from_counts(frame, **COLUMNS)
    return data if instances == "several" else data.subset(instances=[10])


def rated(instances):
    """Return star ratings with many ties; each agent has one ranking in each instance."""
    data = br.Rankings.from_ratings(pd.DataFrame(random_ratings(2)), **RATED)
    return data if instances == "several" else data.subset(instances=["q0"])


def ranked(instances):
    """Return rankings with ties, some of a part of the items, others with items unranked."""
    lists = [["a", {"b", "c"}, "d"], ["d", "a"], ["c", "b"], ["b", "d", "c", "a"]]
    lists = [*lists, ["d", {"a", "b"}], ["c", "a", "b"]]
    agents = ["x", "y", "z", "x", "y", "z"]
    several = [1, 1, 1, 2, 2, 2] if instances == "several" else None
    if several is None:
        lists, agents = lists[:3], agents[:3]
    return br.Rankings.from_lists(
        lists, agents=agents, instances=several, unranked="below", items=list("abcd")
    )


DATA = {"comparisons": compared, "ratings": rated, "ranks": ranked}
SETTINGS = {
    "variances": ("learned", "none", "given"),
    "adherence": ("learned", "by-instance", "given", "one"),
    "instances": ("one", "several"),
    "data": tuple(DATA),
    "scale": ("learned", "fixed"),
}


def random_votes(rng, items, agents, rows, most=4):
    left = rng.integers(0, items, rows)
    frame = pd.DataFrame(
        {
            "left": left,
            "right": (left + rng.integers(1, items, rows)) % items,
            "wins": rng.integers(0, most, rows),
            "losses": rng.integers(0, most, rows),
            "agent": rng.integers(0, agents, rows),
        }
    )
    return br.Comparisons.from_counts(frame, agent="agent")


def pooled(data, adherence):
    """Return net counts by item, weighted by the agents' adherences, and all counts likewise."""
    net = np.zeros(len(data.items))
    for i, j, a, (wins, losses, _) in zip(
        data.left, data.right, data.agent, data.counts, strict=True
    ):
        net[i] += adherence[a] * (wins - losses)
        net[j] -= adherence[a] * (wins - losses)
    return net, adherence[data.agent] @ data.counts.sum(axis=1)


def consensus(agents=6, *more):
    """Return one order by several agents, the contrary by one, and what else is said."""
    lists = [list("abcde")] * agents + [list("edcba"), *more]
    names = [f"agent {k}" for k in range(agents)] + ["contrary"] + ["silent"] * len(more)
    return br.Rankings.from_lists(lists, agents=names)


def simulated(seed, items=5, preferences=150, adherence=(0.2, 0.5, 0.8, 1.0)):
    """Return comparisons drawn from the model with every pair listed, and the true scores."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=items)
    score = 2.0 * (score - score.mean()) / score.std()
    left, right = np.triu_indices(items, 1)
    d = score[left] - score[right]
    frames = []
    for k, theta in enumerate(adherence):
        weights = np.exp(np.concatenate([theta * d, -theta * d]))
        wins, losses = rng.multinomial(preferences, weights / weights.sum()).reshape(2, -1)
        counts = {"left": left, "right": right, "wins": wins, "losses": losses}
        frames.append(pd.DataFrame(counts).assign(agent=f"agent {k}"))
    return br.Comparisons.from_counts(pd.concat(frames), agent="agent"), score


def stars(agents=6, items=8, seed=0):
    """Return ratings of all items by all agents."""
    rng = np.random.default_rng(seed)
    rows = [(f"u{a}", f"f{i}", rng.integers(1, 6)) for a in range(agents) for i in range(items)]
    return pd.DataFrame(rows, columns=["user", "film", "stars"])


def queries(seed=1, n=4, engines="ABC"):
    """Return places of documents in the lists of engines, one list for each query."""
    rng = np.random.default_rng(seed)
    rows = [
        (query, engine, f"d{document}", -float(place))
        for query in range(n)
        for engine in engines
        for place, document in enumerate(rng.permutation(5))
    ]
    return pd.DataFrame(rows, columns=["query", "engine", "document", "minus"])


def read_queries(frame):
    return br.Rankings.from_ratings(frame, "engine", "document", "minus", instance="query")
