"""Ranking models against what their arithmetic costs; medians of one run, as ratios.

    python3 benchmarks/rankings.py

(b) partitioned Plackett-Luce, 500 items above 10^5: against one pass of `exp`;
(c) geometric PMOP, 24 to 200 items: value and gradient against the value alone.

How fast ranking models are, against whom, and how their cost grows is in the suite:
``python3 -m benchmarks``.
"""

import argparse
import sys

import numpy as np
from timing import median_times

from bayesrank.kernels import KERNELS
from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.partitions import partition
from bayesrank.kernels.samplers import sort_into_blocks

partitioned = KERNELS["partitioned"].function


def one_ranking(score, sizes):
    """Return order and sizes for a ranking of items by score and noise, in blocks."""
    rng = np.random.default_rng(1)
    blocks = np.zeros((1, len(score)), dtype=np.int64)
    blocks[0, : len(sizes)] = sizes
    offered = np.ones(blocks.shape, dtype=bool)
    ranks = sort_into_blocks(score[None] + rng.gumbel(size=blocks.shape), offered, blocks)
    return partition(ranks, offered)[:2]


def against_exp(quick):
    """Time a large block of the partitioned model against exponentials (b)."""
    size, rest, nodes = 500, 100_000, 64
    score = np.random.default_rng(0).normal(size=size + rest)
    order, sizes = one_ranking(score, [size, rest])
    numbers = np.random.default_rng(1).normal(size=size + rest + nodes * size)
    times = median_times(
        {
            "ours": lambda: partitioned(score[None], order, sizes, np.array([float(nodes)])),
            "exp": lambda: np.exp(numbers),
        },
        20 if quick else 300,
    )
    print(f"(b) partitioned Plackett-Luce, {size} items above {rest:,}: value and gradient")
    print(
        f"    {1e6 * times['ours']:.0f} us; exp of {numbers.size:,} numbers (items, nodes x block) "
        f"{1e6 * times['exp']:.0f} us; ratio {times['ours'] / times['exp']:.1f}"
    )


@compiled()
def _value_alone(normalisers, levels, y, tables, weights, moved, chance, stages):
    level = np.empty(y.size)
    levels(y, level)
    tie = np.ones(1)
    return normalisers(y, level, stages, y.size, tie, True, tables, weights, moved, chance)


def exact_normalisers(quick):
    """Time the geometric PMOP, with and without its gradient (c)."""
    inside = sys.modules["bayesrank.kernels.geometric"]
    print("(c) geometric PMOP, one ranking in five levels")
    for n in (24, 50, 100) if quick else (24, 50, 100, 200):
        score = np.random.default_rng(0).normal(size=n)
        sizes = [n // 5] * 4 + [n - 4 * (n // 5)]
        order, blocks = one_ranking(score, sizes)
        whole = (score[None], np.ones((1, 1)), order, blocks, np.ones(1))
        y = score[order[0]][::-1].copy()
        stages = n - np.cumsum([0, *sizes[:-1]])
        remembered = n if n * (n + 1) ** 2 <= inside._REMEMBERED else 1
        work = (
            np.empty((remembered, n + 1, n + 1)), np.empty((remembered, n)), np.empty(n + 1),
            np.empty((5, n + 1)),
        )  # fmt: skip
        times = median_times(
            {
                "both": lambda whole=whole: KERNELS["geometric"].function(*whole),
                "value": lambda y=y, work=work, stages=stages: _value_alone(
                    inside._normalisers, inside._levels, y, *work, stages
                ),
            },
            10 if quick else 100,
        )
        print(
            f"    {n:4d} items: value and gradient {1e3 * times['both']:7.3f} ms, value alone "
            f"{1e3 * times['value']:7.3f} ms, ratio {times['both'] / times['value']:.1f}"
        )


def main(arguments=None):
    """Run both parts, or one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--only", choices="bc", help="one part")
    options = parser.parse_args(arguments)
    parts = {"b": against_exp, "c": exact_normalisers}
    for name, part in parts.items():
        if options.only in (None, name):
            part(options.quick)


if __name__ == "__main__":
    main()
