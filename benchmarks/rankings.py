"""Ranking models: how their cost grows, and against plain graphs; medians of one run, as ratios.

    python3 -m pip install -e ".[bench]" && python3 benchmarks/rankings.py

(a) additive PMOP, one ranking of 10^3 to 10^5 items: growth of value and gradient;
(b) partitioned Plackett-Luce, 500 items above 10^5: against one pass of `exp`;
(c) geometric PMOP, 24 to 200 items: value and gradient against the value alone;
(d) our kernels against the same likelihoods written as plain PyTensor graphs, both linkers;
(e) NUTS on the NASCAR races: R-hat, divergences, effective sample size.
"""

import argparse
import itertools
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
                prevalences(np.ones((1, 1)), arguments[2], np.ones(1)),
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


def simulate(n, items, slots, levels=None, seed=0):
    """Return entries and ranks of rankings of 8 to 24 items, strict or in up to five levels."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=items)
    entries, ranks = np.full((2, n, slots), -1)
    for row in range(n):
        length = rng.integers(8, slots + 1)
        chosen = rng.choice(items, length, replace=False)
        seen = score[chosen] + rng.gumbel(size=length)
        if levels:
            seen = np.clip(np.round(seen), -levels // 2, levels // 2)
        entries[row, :length] = chosen
        ranks[row, :length] = np.unique(-seen, return_inverse=True)[1] + 1
    return entries, ranks


class Layout:
    """What a plain graph needs to know of ranks: slots in rank order, and where blocks start."""

    def __init__(self, entries, ranks):
        offered = entries >= 0
        order = np.argsort(np.where(offered, ranks, 99), axis=1, kind="stable")
        self.offered = np.take_along_axis(offered, order, axis=1)
        self.entries = np.where(self.offered, np.take_along_axis(entries, order, axis=1), 0)
        sizes = np.array([np.bincount(r[r > 0], minlength=ranks.max() + 1)[1:] for r in ranks])
        self.starts = np.concatenate([np.zeros((len(ranks), 1), int), sizes.cumsum(axis=1)], axis=1)
        self.used = sizes > 0
        self.sizes = np.maximum(sizes, 1)
        self.left = np.maximum(offered.sum(axis=1, keepdims=True) - self.starts[:, :-1], 1)

    def remaining(self, score, pt):
        """Return scores less the best, and sums of worths from each slot on."""
        slots = pt.switch(self.offered, score[self.entries], -1e30)
        shifted = slots - slots.max(axis=1, keepdims=True)
        return shifted, pt.cumsum(pt.exp(shifted)[:, ::-1], axis=1)[:, ::-1]


def plain_plackett_luce(score, layout, pt):
    """Return log-probabilities of strict rankings, by one running sum."""
    shifted, remaining = layout.remaining(score, pt)
    terms = shifted - pt.log(pt.switch(layout.offered, remaining, 1.0))
    return pt.switch(layout.offered, terms, 0.0).sum(axis=1)


def plain_pmop(score, layout, pt):
    """Return log-probabilities under additive PMOP, by differences of one running sum."""
    _, remaining = layout.remaining(score, pt)
    padded = pt.concatenate([remaining, pt.zeros_like(remaining[:, :1])], axis=1)
    at = padded[np.arange(len(layout.starts))[:, None], layout.starts]
    inside, total = (pt.switch(layout.used, x, 1.0) for x in (at[:, :-1] - at[:, 1:], at[:, :-1]))
    constants = -np.log(layout.sizes) - np.log((2.0**layout.left - 1.0) / layout.left)
    terms = pt.log(inside) - pt.log(total) + constants
    return pt.switch(layout.used, terms, 0.0).sum(axis=1)


def plain_partitioned(score, layout, pt, nodes=64):
    """Return log-probabilities by a trapezoid rule on fixed nodes in log t; equal blocks only."""
    u = np.linspace(-26.0, 4.0, nodes)
    slots, total = score[layout.entries], 0.0
    starts = layout.starts[0]
    for first, last in itertools.pairwise(starts[:-1]):
        rest = pt.logsumexp(slots[:, last:], axis=1, keepdims=True)
        z = pt.exp((slots[:, first:last] - rest)[:, :, None] + u)
        log_f = u - np.exp(u) + pt.log(-pt.expm1(-z)).sum(axis=1)
        total = total + pt.logsumexp(log_f, axis=1) + np.log(u[1] - u[0])
    return total


def against_graphs(quick):
    """Time our distributions against plain graphs (d)."""
    pm = _compat.pymc()
    import pytensor.tensor as pt

    n, items, slots = (50 if quick else 500), 200, 24
    equal = np.random.default_rng(2).permuted(np.arange(items)[None].repeat(n, 0), axis=1)
    blocks = np.repeat([1, 2, 3, 4, 5], [3, 5, 5, 5, 6])[None].repeat(n, 0)
    cases = {
        "Plackett-Luce": (*simulate(n, items, slots), "PlackettLuce", plain_plackett_luce),
        "PMOP, up to 5 levels": (*simulate(n, items, slots, 5), "PMOP", plain_pmop),
        "partitioned, blocks 3-5-5-5-6": (
            equal[:, :slots], blocks, "PartitionedPlackettLuce", plain_partitioned,
        ),
    }  # fmt: skip
    print(
        f"(d) {n} rankings of 8 to {slots} of {items} items (partitioned: {slots}), value and "
        "gradient: plain graph / ours"
    )
    point = {"score_zerosum__": np.random.default_rng(1).normal(size=items - 1)}
    linkers = {"NUMBA": "Numba", "cvm": "C"}
    if quick:  # compilation takes most of the time
        cases = {"Plackett-Luce": cases["Plackett-Luce"]}
        linkers.pop("NUMBA")
    for words, (entries, ranks, name, graph) in cases.items():
        layout = Layout(entries, ranks)
        tasks = {}
        for linker in linkers:
            for form in ("ours", "graph"):
                with pm.Model() as model:
                    score = pm.ZeroSumNormal("score", 1.0, shape=items)
                    if form == "ours":
                        distribution = getattr(br, name)
                        distribution("y", score[entries], entries >= 0, observed=ranks)
                    else:
                        pm.Potential("y", graph(score, layout, pt))
                tasks[form, linker] = value_and_gradient(model, linker, point)
        values = {key: task()[0] for key, task in tasks.items()}
        assert np.ptp(list(values.values())) < 1e-6 * abs(values["ours", "cvm"]), values
        times = median_times(tasks, 10 if quick else 300)
        cells = ""
        for linker, label in linkers.items():
            ours, other = times["ours", linker], times["graph", linker]
            cells += f"  {label} {1e6 * other:6.0f} / {1e6 * ours:5.0f} us = {other / ours:5.1f}"
        print(f"    {words:30s}{cells}")


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
