"""Random tables of several instances that share agents and some labels, and plain sums of them."""

from collections import defaultdict

import numpy as np

COLUMNS = {"agent": "agent", "instance": "query"}


def random_counts(seed, rows=80):
    """Return a table of counts in which pairs repeat, and instances share some labels."""
    rng = np.random.default_rng(seed)
    query = rng.integers(0, 4, rows)
    left, step = rng.integers(0, 5, rows), rng.integers(1, 5, rows)
    return {
        "left": [f"d{q % 2}{i}" for q, i in zip(query, left, strict=True)],
        "right": [f"d{q % 2}{i}" for q, i in zip(query, (left + step) % 5, strict=True)],
        "wins": rng.integers(0, 4, rows).tolist(),
        "losses": rng.integers(0, 4, rows).tolist(),
        "ties": rng.integers(0, 2, rows).tolist(),
        "agent": [f"agent {k}" for k in rng.integers(0, 3, rows)],
        "query": (10 - query).tolist(),
    }


def random_ratings(seed, queries=5, agents=4, docs=6):
    """Return ratings of some documents of each query by each agent."""
    rng = np.random.default_rng(seed)
    rows = {"query": [], "engine": [], "doc": [], "score": []}
    for q in range(queries):
        for a in range(agents):
            for d in rng.permutation(docs)[: rng.integers(2, docs + 1)]:
                values = (f"q{q}", a, f"d{(d + 2 * q) % 9}", float(rng.integers(0, 4)))
                for name, value in zip(rows, values, strict=True):
                    rows[name].append(value)
    return rows


RATED = {"agent": "engine", "item": "doc", "rating": "score", "instance": "query"}


def summed(rows):
    """Return counts by query, agent, left and right, added up one by one."""
    total = defaultdict(lambda: np.zeros(3, dtype=int))
    for query, agent, left, right, *counts in zip(
        *(rows[name] for name in ("query", "agent", "left", "right", "wins", "losses", "ties")),
        strict=True,
    ):
        total[query, agent, left, right] += counts
    return {key: counts.tolist() for key, counts in total.items()}


def as_dict(data):
    """Return counts by instance, agent and the labels of left and right."""
    rows = {}
    for k in range(len(data)):
        i, j = data.left[k], data.right[k]
        assert data.instance[i] == data.instance[j]
        who = data.agents[data.agent[k]]
        key = (data.instances[data.instance[i]], who, data.items[i], data.items[j])
        assert key not in rows
        rows[key] = data.counts[k].tolist()
    return rows


def items_by_instance(data):
    return list(zip((data.instances[k] for k in data.instance), data.items, strict=True))
