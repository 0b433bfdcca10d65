"""Rankings in blocks: some of all kinds, and some drawn from a model."""

import numpy as np

import bayesrank as br
from bayesrank.baselines.block_pairs import count_wins
from bayesrank.kernels.partitions import partition

# Blocks of several sizes, unranked items, empty slots, one block only, far-off scores.
RANKS = np.array([
    [2, 1, 1, 3, 2, 3], [1, 0, 0, 2, 1, -1], [-1, 1, 2, 3, -1, -1], [1, 1, 1, 1, 1, 1],
    [0, 0, 1, 1, 1, 0],
])  # fmt: skip
SCORE = np.random.default_rng(1).normal(scale=2.0, size=RANKS.shape)
SCORE[4, 2] = 400.0


def drawn(rankings=60, items=12, seed=3):
    rng = np.random.default_rng(seed)
    utility = np.linspace(2.0, -2.0, items) + rng.gumbel(size=(rankings, items))
    entries = np.argsort(-utility, axis=1)
    ranks = np.tile(np.repeat([1, 2, 0], [3, 4, items - 7]), (rankings, 1))
    return br.Rankings(entries, ranks, list(range(items)))


def all_pairs(data):
    order, sizes, _ = partition(data.ranks, data.offered)
    wins = count_wins(data.entries, order, sizes, len(data.items))
    better, worse = np.nonzero(wins)
    return wins, better, worse, wins[better, worse].astype(float)
