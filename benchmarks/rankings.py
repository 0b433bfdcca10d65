"""Ranking models: how their cost grows, and against plain graphs; medians of one run, as ratios.

    python3 -m pip install -e ".[bench]" && python3 benchmarks/rankings.py

(a) additive PMOP, one ranking of 10^3 to 10^5 items: growth of value and gradient;
(b) partitioned Plackett-Luce, 500 items above 10^5: against one pass of `exp`;
(c) geometric PMOP, 24 to 200 items: value and gradient against the value alone;
(d) our kernels against the same likelihoods written as plain PyTensor graphs, both linkers;
(e) NUTS on the NASCAR races: R-hat, divergences, effective sample size.
"""

import argparse
import sys
import time

import numpy as np
from timing import median_times, value_and_gradient

import bayesrank as br
from bayesrank import _compat
from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.partitions import partition
from bayesrank.kernels.samplers import sort_into_blocks


def one_ranking(score, sizes):
    """Return order and sizes for a ranking of items by score and noise, in blocks."""
    rng = np.random.default_rng(1)
    blocks = np.zeros((1, len(score)), dtype=np.int64)
    blocks[0, : len(sizes)] = sizes
    offered = np.ones(blocks.shape, dtype=bool)
    ranks = sort_into_blocks(score[None] + rng.gumbel(size=blocks.shape), offered, blocks)
    return partition(ranks, offered)[:2]


def growth(quick):
    """Time the additive PMOP on longer and longer rankings (a)."""
    from bayesrank.kernels.additive import prevalences, shares

    print("(a) additive PMOP, one ranking: value and gradient")
    tasks = {}
    lengths = (1000, 10_000, 100_000)
    for n in lengths:
        score = np.random.default_rng(0).normal(size=n)
        for name, sizes in (("five levels", [n // 5] * 5), ("strict order", [])):
            order, blocks = one_ranking(score, sizes)
            arguments = (score[None], order, blocks)
            tasks[name, n] = lambda arguments=arguments: (
                shares(*arguments),
                prevalences(np.ones((1, 1)), arguments[-1], np.ones(1)),
            )
    times = median_times(tasks, 20 if quick else 300)
    for name in ("five levels", "strict order"):
        row = "  ".join(f"{1e6 * times[name, n]:8.0f} us" for n in lengths)
        ratios = [times[name, 10 * n] / times[name, n] for n in lengths[:2]]
        print(f"    {name:14s} {row}   ratios {ratios[0]:.1f} and {ratios[1]:.1f}")


def against_exp(quick):
    """Time a large block of the partitioned model against exponentials (b)."""
    from bayesrank.kernels.partitioned import partitioned

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
        f"    {1e6 * times['ours']:.0f} us; exp of {numbers.size:,} numbers (items + nodes x block) "
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
                "both": lambda whole=whole: inside.geometric(*whole),
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


def simulate(n, slots, items, blocks, seed=0):
    """Return entries and ranks of rankings of random items, in blocks of given sizes."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=items)
    entries = np.array([rng.choice(items, slots, replace=False) for _ in range(n)])
    sizes = np.zeros((n, slots), dtype=np.int64)
    sizes[:, : len(blocks)] = blocks
    utility = score[entries] + rng.gumbel(size=entries.shape)
    return entries, sort_into_blocks(utility, np.ones(entries.shape, dtype=bool), sizes)


def plain_plackett_luce(slots, starts, pt):
    """Return log-probabilities of strict rankings; slots come in the order of their ranks."""
    shifted = slots - slots.max(axis=1, keepdims=True)
    remaining = pt.cumsum(pt.exp(shifted)[:, ::-1], axis=1)[:, ::-1]
    return (shifted - pt.log(remaining)).sum(axis=1)


def plain_pmop(slots, starts, pt):
    """Return log-probabilities under additive PMOP, by differences of one running sum."""
    shifted = slots - slots.max(axis=1, keepdims=True)
    remaining = pt.cumsum(pt.exp(shifted)[:, ::-1], axis=1)[:, ::-1]
    at_start = remaining[:, starts[:-1]]
    later = pt.concatenate([at_start[:, 1:], pt.zeros_like(at_start[:, :1])], axis=1)
    sizes, left = np.diff(starts), starts[-1] - starts[:-1]
    constants = -np.log(sizes) - np.log((2.0**left - 1.0) / left)
    return (pt.log(at_start - later) - pt.log(at_start) + constants).sum(axis=1)


def plain_partitioned(slots, starts, pt, nodes=64):
    """Return log-probabilities of partitions by a trapezoid rule on fixed nodes in log t."""
    u = np.linspace(-26.0, 4.0, nodes)
    total = 0.0
    for first, last in zip(starts[:-2], starts[1:-1], strict=True):
        rest = pt.logsumexp(slots[:, last:], axis=1, keepdims=True)
        lead = slots[:, first:last] - rest
        z = pt.exp(lead[:, :, None] + u)
        log_f = u - np.exp(u) + pt.log(-pt.expm1(-z)).sum(axis=1)
        total = total + pt.logsumexp(log_f, axis=1) + np.log(u[1] - u[0])
    return total


def against_graphs(quick):
    """Time our distributions against plain graphs (d)."""
    pm = _compat.pymc()
    import pytensor.tensor as pt

    n, items = (50, 200) if quick else (500, 200)
    cases = {
        "Plackett-Luce, 24 slots": (24, [], "PlackettLuce", {}, plain_plackett_luce),
        "PMOP, 24 slots in 5 levels": (24, [3, 5, 5, 5, 6], "PMOP", {}, plain_pmop),
        "partitioned, 24 slots in 5 levels": (
            24, [3, 5, 5, 5, 6], "PartitionedPlackettLuce", {}, plain_partitioned,
        ),
    }  # fmt: skip
    print(f"(d) {n} rankings of {items} items, value and gradient: plain graph against ours")
    point = {"score_zerosum__": np.random.default_rng(1).normal(size=items - 1)}
    for words, (slots, blocks, name, options, graph) in cases.items():
        entries, ranks = simulate(n, slots, items, blocks)
        order = np.argsort(ranks, axis=1, kind="stable")
        sorted_entries = np.take_along_axis(entries, order, axis=1)
        starts = np.arange(slots + 1) if not blocks else np.cumsum([0, *blocks])
        tasks = {}
        for linker in ("NUMBA", "cvm"):
            for form in ("ours", "graph"):
                with pm.Model() as model:
                    score = pm.ZeroSumNormal("score", 1.0, shape=items)
                    if form == "ours":
                        distribution = getattr(br, name)
                        offered = np.ones(entries.shape, dtype=bool)
                        distribution("y", score[entries], offered, **options, observed=ranks)
                    else:
                        pm.Potential("y", graph(score[sorted_entries], starts, pt))
                tasks[form, linker] = value_and_gradient(model, linker, point)
        values = {key: task()[0] for key, task in tasks.items()}
        assert np.ptp(list(values.values())) < 1e-6 * abs(values["ours", "cvm"]), values
        times = median_times(tasks, 10 if quick else 200)
        cells = ""
        for linker, label in (("NUMBA", "Numba"), ("cvm", "C")):
            ours, other = times["ours", linker], times["graph", linker]
            cells += f"  {label} {1e6 * other:6.0f} / {1e6 * ours:5.0f} us = {other / ours:5.1f}"
        print(f"    {words:34s}{cells}")


def nascar(quick):
    """Sample the NASCAR races (e)."""
    start = time.perf_counter()
    fit = br.fit(
        br.load_dataset("nascar"), "plackett-luce", seed=1, progress=False,
        draws=100 if quick else 1000, tune=200 if quick else 1000,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    print("(e) NUTS on nascar (36 races, 87 drivers), plackett-luce")
    print(f"    {fit.diagnostics().summary} {seconds:.0f} s with compilation")


def main(arguments=None):
    """Run all parts, or one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--only", choices="abcde", help="one part")
    options = parser.parse_args(arguments)
    parts = {
        "a": growth, "b": against_exp, "c": exact_normalisers, "d": against_graphs, "e": nascar,
    }  # fmt: skip
    for name, part in parts.items():
        if options.only in (None, name):
            part(options.quick)


if __name__ == "__main__":
    main()
