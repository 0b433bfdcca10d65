"""Small data by agents and categories."""

from dataclasses import replace

import numpy as np

import bayesrank as br

__all__ = ["ballots_by_agents", "votes_by_agents"]


def votes_by_agents(rows=60, items=4, agents=3, categories=2, seed=1, ties=True):
    """Return comparisons by agents, in categories, with features of rows."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, items, rows)
    right = (left + rng.integers(1, items, rows)) % items
    counts = np.eye(3, dtype=int)[rng.integers(0, 3 if ties else 2, rows)]
    data = br.Comparisons(
        left, right, counts, [f"item {k}" for k in range(items)],
        agent=rng.integers(0, agents, rows), agents=[f"agent {k}" for k in range(agents)],
    )  # fmt: skip
    return replace(
        data,
        category=rng.integers(0, categories, rows),
        categories=[f"topic {k}" for k in range(categories)],
        features=rng.normal(size=(rows, 2)),
        feature_names=["length", "bold"],
    )


def ballots_by_agents(rankings=24, items=5, agents=3, categories=2, seed=1, ties=False):
    """Return rankings by agents, in categories."""
    rng = np.random.default_rng(seed)
    lists = []
    for k in range(rankings):
        order = [f"item {item}" for item in rng.permutation(items)[:4]]
        lists.append([order[:2], *order[2:]] if ties and k % 2 else order)
    data = br.Rankings.from_lists(
        lists, unranked="not offered", agents=[f"agent {k % agents}" for k in range(rankings)]
    )
    category = rng.integers(0, categories, rankings)
    return replace(data, category=category, categories=[f"topic {k}" for k in range(categories)])
