"""One row a ranking model: how to make it, and a plain reference for its probabilities."""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, permutations, product
from math import exp

import numpy as np
import pytest
from scipy import stats

import bayesrank as br


def ordered_partitions(n):
    """Return the ranks of all ordered partitions of n items."""
    rows = product(range(1, n + 1), repeat=n)
    return np.array([row for row in rows if set(row) == set(range(1, max(row) + 1))])


def blocks_of(ranks):
    """Return the blocks of a row of ranks as lists of slots, best first."""
    return [[i for i, r in enumerate(ranks) if r == k] for k in range(1, max(ranks) + 1)]


def plackett_luce(score, order):
    """Return the probability of a strict order of slots."""
    left, p = list(order), 1.0
    for i in order:
        top = max(score[j] for j in left)
        p *= exp(score[i] - top) / sum(exp(score[j] - top) for j in left)
        left.remove(i)
    return p


def summed_over_orders(strict):
    """Return the probability of a partition whose blocks may have any order inside."""
    strict = lru_cache(maxsize=120)(strict)  # the orders of five, which many partitions share

    def reference(score, ranks):
        inside = [list(permutations(block)) for block in blocks_of(ranks)]
        return sum(strict(tuple(score), sum(parts, ())) for parts in product(*inside))

    return reference


def strict_only(strict):
    def reference(score, ranks):
        blocks = blocks_of(ranks)
        return strict(score, [b[0] for b in blocks]) if len(blocks) == len(ranks) else 0.0

    return reference


def pmop(potential, prevalence):
    """Return PMOP's probability by enumerating all subsets at every stage."""

    @lru_cache(maxsize=31)  # the subsets of five, which many partitions share
    def log_weight(score, subset):
        f = np.array([score[i] for i in subset])
        delta = prevalence(len(subset))
        if delta == 0.0:
            return -np.inf
        inside = np.logaddexp.reduce(f) - np.log(len(f)) if potential == "additive" else f.mean()
        return np.log(delta) + inside

    def reference(score, ranks):
        score, left, log_p = tuple(score), list(range(len(ranks))), 0.0
        for block in blocks_of(ranks):
            subsets = [s for m in range(1, len(left) + 1) for s in combinations(left, m)]
            total = np.logaddexp.reduce([log_weight(score, subset) for subset in subsets])
            log_p += log_weight(score, tuple(block)) - total
            left = [i for i in left if i not in block]
        return exp(log_p)

    return reference


def backward(reference):
    """Return the elimination model: the worst block first, low scores attracting."""

    def reversed_reference(score, ranks):
        return reference([-f for f in score], [max(ranks) + 1 - r for r in ranks])

    return reversed_reference


def noise_and_sort(noise, scale=1.0):
    """Return the probability of a strict order by running integrals on a fine grid.

    The grid is dense near the scores and reaches out to where the noise is below rounding.
    """
    near, far = 2.0, noise.isf(1e-14)
    offsets = np.concatenate([np.linspace(0.0, near, 65), np.geomspace(near, far, 400)[1:]])
    node, weight = np.polynomial.legendre.leggauss(6)
    legendre = np.polynomial.legendre.legvander(node, 5)
    # Integrals of an interpolating polynomial from the left end of a panel to each node.
    primitive = np.array(
        [
            [np.polynomial.legendre.legval(x, np.polynomial.legendre.legint(unit, lbnd=-1))
             for unit in np.eye(6)]
            for x in node
        ]
    ) @ np.linalg.inv(legendre)  # fmt: skip

    @lru_cache(maxsize=4)
    def grid(scores):
        f = np.array(scores) / scale
        edges = np.unique(
            np.concatenate([f + s * x for f in f for s in (-1, 1) for x in [offsets]])
        )
        edges = edges[np.append(True, np.diff(edges) > 1e-9)]
        half = np.diff(edges) / 2.0
        x = (edges[:-1] + half)[:, None] + half[:, None] * node
        return half, [noise.pdf(x - score) for score in f], [noise.cdf(x - score) for score in f]

    def strict(score, order):
        half, density, cdf = grid(tuple(float(f) for f in score))
        below = cdf[order[-1]]
        for k in order[-2::-1]:
            integrand = density[k] * below
            panels = half * (integrand @ weight)
            before = np.concatenate([[0.0], np.cumsum(panels)[:-1]])
            below = before[:, None] + half[:, None] * (integrand @ primitive.T)
            total = panels.sum()
        return total

    return strict


@dataclass(frozen=True)
class Case:
    name: str
    distribution: str
    reference: object  # scores, ranks -> probability
    parameters: dict = field(default_factory=dict)
    sizes: bool = False  # whether probabilities add up over partitions of given block sizes

    def dist(self, score, offered=None, **kwargs):
        return getattr(br, self.distribution).dist(score, offered, **self.parameters, **kwargs)


def powers(delta):
    return lambda m: delta ** (m - 1)


def by_size(*delta):
    return lambda m: (1.0, *delta)[m - 1] if m <= len(delta) + 1 else 0.0


def laplace_log_density(x):
    return -np.abs(x) - np.log(2.0)


CASES = [
    Case("plackett-luce", "PlackettLuce", strict_only(plackett_luce)),
    Case("partitioned", "PartitionedPlackettLuce", summed_over_orders(plackett_luce), sizes=True),
    Case("pmop", "PMOP", pmop("additive", powers(1.0))),
    Case("pmop-tie", "PMOP", pmop("additive", powers(0.3)), {"tie": 0.3}),
    Case("pmop-sizes", "PMOP", pmop("additive", by_size(0.6, 1.4)), {"tie": [0.6, 1.4]}),
    Case(
        "pmop-backward",
        "PMOP",
        backward(pmop("additive", powers(0.8))),
        {"tie": 0.8, "direction": "backward"},
    ),
    Case(
        "pmop-geometric",
        "PMOP",
        pmop("geometric", powers(1.0)),
        {"potential": "geometric"},
    ),
    Case(
        "davidson-luce",
        "PMOP",
        pmop("geometric", by_size(0.5, 0.2)),
        {"potential": "davidson-luce", "tie": [0.5, 0.2]},
    ),
    Case(
        "geometric-backward",
        "PMOP",
        backward(pmop("geometric", powers(0.4))),
        {"potential": "geometric", "tie": 0.4, "direction": "backward"},
    ),
    Case("thurstone", "Thurstone", summed_over_orders(noise_and_sort(stats.norm)), sizes=True),
    Case(
        "thurstone-logistic",
        "Thurstone",
        summed_over_orders(noise_and_sort(stats.logistic, 0.7)),
        {"noise": "logistic", "scale": 0.7},
        sizes=True,
    ),
    Case(
        "thurstone-gumbel",
        "Thurstone",
        summed_over_orders(lambda score, order: plackett_luce(np.array(score) / 1.3, order)),
        {"noise": "gumbel", "scale": 1.3},
        sizes=True,
    ),
    Case(
        "thurstone-student",
        "Thurstone",
        summed_over_orders(noise_and_sort(stats.t(4))),
        {"noise": ("t", 4)},
        sizes=True,
    ),
    Case(
        "thurstone-laplace",
        "Thurstone",
        summed_over_orders(noise_and_sort(stats.laplace)),
        {"noise": (laplace_log_density, stats.laplace.cdf)},
        sizes=True,
    ),
]
cases = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def outcomes(case, n):
    """Return sets of outcomes, each of which has probability one."""
    ranks = ordered_partitions(n)
    if not case.sizes:
        return [ranks]
    sizes = [tuple(np.bincount(row)[1:]) for row in ranks]
    return [
        np.array([r for r, s in zip(ranks, sizes, strict=True) if s == size]) for size in set(sizes)
    ]
