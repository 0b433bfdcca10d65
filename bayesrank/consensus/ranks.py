"""Ranks of items in posterior draws, and their probabilities.

Plain arrays in and out: ``scores`` has one row per draw, one column per item; 1 is the best rank.
"""

import numpy as np

__all__ = [
    "expected_ranks",
    "probability_above",
    "probability_top",
    "rank_draws",
    "rank_probabilities",
    "sucra",
]


def rank_draws(scores: np.ndarray) -> np.ndarray:
    """Return the rank of each item in each draw; equal scores take turns at random."""
    # A single point keeps the order of the labels among equals; draws are sorted the faster way.
    order = np.argsort(-scores, axis=1, kind="stable" if len(scores) == 1 else None)
    if len(scores) > 1 and np.any(np.diff(np.take_along_axis(scores, order, axis=1), axis=1) == 0):
        # Scores from features alone may be equal in every draw: no order of labels must decide.
        order = np.lexsort((np.random.default_rng(0).random(scores.shape), -scores), axis=1)
    ranks = np.empty(scores.shape, dtype=np.int32)
    np.put_along_axis(ranks, order, np.arange(1, scores.shape[1] + 1, dtype=np.int32)[None], axis=1)
    return ranks


def rank_probabilities(scores: np.ndarray) -> np.ndarray:
    """Return the probability that each item (row) has each rank (column)."""
    ranks = rank_draws(scores)
    n = scores.shape[1]
    cell = np.arange(n) * n + ranks - 1
    return np.bincount(cell.ravel(), minlength=n * n).reshape(n, n) / len(scores)


def expected_ranks(scores: np.ndarray) -> np.ndarray:
    """Return the mean rank of each item."""
    return rank_draws(scores).mean(axis=0)


def sucra(mean_ranks: np.ndarray) -> np.ndarray:
    """Return the share of the other items that each item is expected to be above.

    The surface under the cumulative ranking curve (Salanti and others 2011), which is
    (N - mean rank) / (N - 1): 1 for an item that is surely first, 0 for one that is surely last.
    """
    n = len(mean_ranks)
    return (n - mean_ranks) / (n - 1)


def probability_top(scores: np.ndarray, k: int) -> np.ndarray:
    """Return the probability that each item is among the first k."""
    return np.mean(rank_draws(scores) <= k, axis=0)


def probability_above(scores: np.ndarray) -> np.ndarray:
    """Return the probability that the row's item is above the column's; a half for itself."""
    n = scores.shape[1]
    small = np.int16 if n < 2**15 else np.int32
    ranks = np.ascontiguousarray(rank_draws(scores).T.astype(small))
    above = np.full((n, n), 0.5)
    for i in range(n - 1):
        above[i, i + 1 :] = np.mean(ranks[i] < ranks[i + 1 :], axis=1)
        above[i + 1 :, i] = 1.0 - above[i, i + 1 :]
    return above
