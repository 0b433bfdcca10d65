"""Ranks of items in posterior draws, and what the draws say about them.

Plain arrays in and out: ``scores`` has a row a draw and a column an item; rank 1 is the best.
"""

import numpy as np

__all__ = ["interval", "probability_above", "rank_draws", "rank_probabilities", "tiers"]


def rank_draws(scores):
    """Return the rank of each item in each draw; equal scores take turns at random."""
    order = np.argsort(-scores, axis=1, kind="stable")
    if len(scores) > 1 and np.any(np.diff(np.take_along_axis(scores, order, axis=1), axis=1) == 0):
        # Scores from features alone may be equal in every draw: no order of labels must decide.
        order = np.lexsort((np.random.default_rng(0).random(scores.shape), -scores), axis=1)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(1, scores.shape[1] + 1)[None, :], axis=1)
    return ranks


def rank_probabilities(scores):
    """Return the probability of each item (row) to have each rank (column)."""
    ranks = rank_draws(scores)
    n = scores.shape[1]
    cell = np.arange(n) * n + ranks - 1
    return np.bincount(cell.ravel(), minlength=n * n).reshape(n, n) / len(scores)


def interval(draws, prob=0.95):
    """Return the ends of the equal-tailed interval of each column."""
    if not 0.0 < prob < 1.0:
        raise ValueError(f"`prob` must be between 0 and 1, got {prob}.")
    tail = (1.0 - prob) / 2.0
    return np.quantile(draws, [tail, 1.0 - tail], axis=0)


def probability_above(scores):
    """Return the probability that the row's item has a higher score than the column's."""
    return np.stack([np.mean(scores[:, [i]] > scores, axis=0) for i in range(scores.shape[1])])


def tiers(scores, prob=0.95):
    """Return the tier of each item, 1 for the best.

    Items are taken in order of their mean score. An item opens a new tier when the first item
    of the current tier is above it with at least the given probability; otherwise it joins.
    So no tier holds an item that its best can be told apart from, and tiers do not overlap.
    """
    order = np.argsort(-scores.mean(axis=0), kind="stable")
    tier = np.empty(scores.shape[1], dtype=int)
    leader, current = order[0], 1
    for item in order:
        if np.mean(scores[:, leader] > scores[:, item]) >= prob:
            leader, current = item, current + 1
        tier[item] = current
    return tier
