"""Small data for every likelihood."""

import numpy as np

import bayesrank as br
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS


def league(items=5, games=6):
    left, right = np.triu_indices(items, 1)
    counts = np.tile([games // 2, games - games // 2, 0], (len(left), 1))
    return br.Comparisons(left, right, counts, [f"i{k}" for k in range(items)])


def design(likelihood):
    """Return data for a likelihood: only who is compared with whom matters."""
    if likelihood in PAIR_LIKELIHOODS:
        return league()
    if likelihood == "mpm":
        left, right = np.triu_indices(4, 1)
        agent = np.repeat([0, 1], len(left))
        counts = np.tile([3, 3, 0], (len(agent), 1))
        pairs = np.tile(left, 2), np.tile(right, 2)
        return br.Comparisons(*pairs, counts, list("abcd"), agent=agent, agents=["x", "y"])
    tied = likelihood not in ("plackett-luce",)
    lists = [["a", ["b", "c"], "d"] if tied else ["a", "b", "c", "d"], ["d", "a", "b", "c"]] * 8
    return br.Rankings.from_lists(lists)
