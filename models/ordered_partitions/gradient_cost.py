"""The cost of one value and gradient by the scores, by likelihood and number of documents.

A linear scorer adds the same cost to every method: the scores, and the gradient by the weights.
"""

import time

import numpy as np
import pandas as pd

from bayesrank.baselines import block_pairs
from models.score_gradients import davidson, geometric, gibbs_sweep, shares

__all__ = ["cost_table", "exponents", "gradients", "whole_pass"]


def graded(sizes, rng):
    """Return ranks of documents of five grades, one row per query, the best first."""
    ranks = np.full((len(sizes), max(sizes)), -1)
    for row, size in enumerate(sizes):
        grades = rng.choice(5, size, p=[0.02, 0.08, 0.25, 0.35, 0.3])
        ranks[row, :size] = 1 + np.unique(np.sort(grades), return_inverse=True)[1]
    return ranks


def pair_gradient(ranks):
    """Return a function of the scores: Davidson's value and gradient for all pairs of a query."""
    slots = ranks.shape[1]
    left, right = [], []
    for row, size in enumerate((ranks >= 0).sum(axis=1)):
        i, j = np.triu_indices(size, 1)
        left.append(row * slots + i)
        right.append(row * slots + j)
    left, right = np.concatenate(left), np.concatenate(right)
    tied = ranks.ravel()[left] == ranks.ravel()[right]
    counts = np.stack([~tied, np.zeros_like(tied), tied]).astype(float)

    def gradient(score):
        flat = score.ravel()
        logp, by_difference = davidson(flat[left] - flat[right], counts)
        by_score = np.bincount(left, by_difference, flat.size)
        by_score -= np.bincount(right, by_difference, flat.size)
        return logp.sum(), by_score

    return gradient


def gradients(ranks):
    """Return by name the value and gradient of each likelihood, as functions of the scores.

    The documents of each query are the best first, as in `graded`.
    """
    rows, slots = ranks.shape
    order = np.tile(np.arange(slots), (rows, 1))
    sizes = np.zeros((rows, slots), dtype=np.int64)
    for rank in range(1, ranks.max() + 1):
        sizes[:, rank - 1] = (ranks == rank).sum(axis=1)
    strict = (order < (ranks >= 0).sum(axis=1)[:, None]).astype(sizes.dtype)
    sweep = gibbs_sweep(slots)
    return {
        "PMOP-FD": lambda score: shares(score, order, sizes),
        "ListMLE": lambda score: shares(score, order, strict),
        "PMOP-Gibbs, one sweep": lambda score: sweep(score, order, sizes),
        "PMOP geometric, exact": lambda score: geometric(score, order, sizes),
        "RankNet": lambda score: block_pairs(score, order, sizes, False),
        "Ranking SVM": lambda score: block_pairs(score, order, sizes, True),
        "PairTies-D": pair_gradient(ranks),
    }


def seconds(function, *arguments, least=0.02):
    """Return the processor time of one call, the best of three; short calls are repeated."""
    function(*arguments)
    best, times = np.inf, 1
    for _ in range(3):
        while True:
            start = time.process_time()
            for _ in range(times):
                function(*arguments)
            taken = time.process_time() - start
            if taken >= least:
                break
            times *= 4
        best = min(best, taken / times)
    return best


def cost_table(sizes, documents, seed=0, largest=300):
    """Return the processor time of one value and gradient per query, by number of documents.

    The cost of the exact geometric potential grows with the third power, so it stops at ``largest``
    documents.
    """
    rows = []
    for size in sizes:
        rng = np.random.default_rng([seed, 3, size])
        ranks = graded([size] * max(1, documents // size), rng)
        score = rng.normal(size=ranks.shape)
        for name, gradient in gradients(ranks).items():
            if size <= largest or "exact" not in name:
                per_query = seconds(gradient, score) / len(ranks)
                rows.append({"documents": size, "method": name, "seconds": per_query})
    return pd.DataFrame(rows)


def exponents(cost, least=30):
    """Return by method the slope of log time on log size, from queries of ``least`` documents."""
    used = cost[cost["documents"] >= least]
    return {
        name: np.polyfit(np.log(part["documents"]), np.log(part["seconds"]), 1)[0]
        for name, part in used.groupby("method", sort=False)
    }


def whole_pass(queries, documents, features, seed=0):
    """Return the processor time of one value and gradient for data of a given size, by method.

    The features add the same time to all methods: the scores, and the gradient by the weights. It
    is measured on a tenth of the documents.
    """
    rng = np.random.default_rng([seed, 4])
    share = rng.gamma(3.0, size=queries)
    sizes = 1 + rng.multinomial(documents - queries, share / share.sum())
    ranks = graded(sizes, rng)
    score = rng.normal(size=ranks.shape)
    taken = {
        name: seconds(gradient, score, least=0.0) for name, gradient in gradients(ranks).items()
    }
    x = rng.normal(size=(documents // 10, features))
    taken["features"] = 10.0 * seconds(lambda beta: x.T @ (x @ beta), rng.normal(size=features))
    return taken
