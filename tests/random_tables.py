"""Random tables of comparisons with a connected win graph."""

import numpy as np

from bayesrank import Comparisons


def random_table(seed, items=6, ties=True, per_pair=8):
    rng = np.random.default_rng(seed)
    left, right = np.where(~np.eye(items, dtype=bool))
    keep = rng.random(left.size) < 0.8
    left, right = left[keep], right[keep]
    score = rng.normal(size=items)
    difference = score[left] - score[right]
    weights = np.stack(
        [np.exp(difference / 2), np.exp(-difference / 2), np.full(left.size, 0.8 * ties)], axis=1
    )
    p = weights / weights.sum(axis=1, keepdims=True)
    counts = rng.multinomial(rng.integers(1, 2 * per_pair, size=left.size), p)
    return Comparisons(left, right, counts, [f"item {k}" for k in range(items)])
