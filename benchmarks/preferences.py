"""The multinomial preference model: cost of a gradient, of a fit, and against plain graphs.

    python3 benchmarks/preferences.py [--movielens u.data] [--letor DIRECTORY]

(a) 1 682 items, 943 agents: value and gradient with and without variances, against summing over
    all pairs for each agent, and the error of interpolating between Chebyshev nodes instead;
(b) 30 items, 20 agents: against the same likelihood as a plain PyTensor graph, both linkers;
(c) with --movielens (the file u.data of MovieLens-100K): the mode of the full model;
(d) with --letor (the folder of MQ2008-agg or MQ2007-agg, S1.txt.gz to S5.txt.gz): the modes of
    all queries in one call.
"""

import argparse
import resource
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from timing import median_times, value_and_gradient

import bayesrank as br
from bayesrank import _compat
from bayesrank.data import read_letor
from bayesrank.kernels.compiled import compiled
from bayesrank.model.specification import Specification


def synthetic_ratings(agents=943, items=1682, ratings=100_000, seed=0):
    """Return ratings as unevenly spread over agents and items as those of films are."""
    rng = np.random.default_rng(seed)
    user = rng.choice(agents, size=4 * ratings, p=_uneven(agents, 0.7))
    film = rng.choice(items, size=4 * ratings, p=_uneven(items, 0.9))
    frame = pd.DataFrame({"user": user, "film": film}).drop_duplicates().head(ratings)
    good = rng.normal(size=items)[frame["film"]] + 1.2 * rng.normal(size=len(frame))
    frame["stars"] = np.clip(np.round(3.5 + good), 1, 5)
    return frame


def _uneven(n, power):
    weight = np.arange(1, n + 1) ** -power
    return weight / weight.sum()


def movielens(path):
    """Return the ratings of MovieLens-100K."""
    return pd.read_csv(path, sep="\t", header=None, names=["user", "film", "stars", "time"])


def letor(folder):
    """Return documents' places in the lists of engines, and relevance, of LETOR's aggregation."""
    documents = read_letor(sorted(Path(folder).glob("S*.txt.gz")))
    row, engine = np.nonzero(~np.isnan(documents.values))
    frame = documents.index[row].to_frame(index=False, name=["query", "document"])
    frame["engine"] = engine + 1
    frame["minus"] = -documents.values[row, engine]
    return frame, pd.Series(documents.relevance, index=documents.index)


@compiled()
def all_pairs(score, variance, adherence):
    """Return log Z and its gradients, pair by pair for each agent: what the bins replace."""
    total = np.empty(adherence.size)
    by_score, by_variance = np.zeros(score.size), np.zeros(score.size)
    for k in range(adherence.size):
        z = 0.0
        for i in range(score.size):
            for j in range(i):
                d = (score[i] - score[j]) / (variance[i] + variance[j])
                z += 2.0 * np.cosh(adherence[k] * d)
        total[k] = np.log(z)
        for i in range(score.size):
            for j in range(i):
                inverse = 1.0 / (variance[i] + variance[j])
                d = (score[i] - score[j]) * inverse
                slope = 2.0 * adherence[k] * np.sinh(adherence[k] * d) * inverse / z
                by_score[i] += slope
                by_score[j] -= slope
                by_variance[i] -= slope * d
                by_variance[j] -= slope * d
    return total, by_score, by_variance


def gradients(films, quick):
    """Time one value and gradient on a table the size of MovieLens-100K (a)."""
    print(f"(a) {len(films.items):,} items, {len(films):,} agents: value and gradient")
    rng = np.random.default_rng(1)
    tasks = {}
    for name, variances in (("with variances", True), ("without", False)):
        specification = Specification(films, "mpm", scale=1.0, variances=variances)
        x = rng.normal(scale=0.5, size=specification.size)
        tasks[name] = lambda specification=specification, x=x: specification.objective(x)
    times = median_times(tasks, 3 if quick else 15)
    score, variance = rng.normal(size=len(films.items)), np.full(len(films.items), 0.5)
    few = np.linspace(0.05, 1.0, 2 if quick else 8)
    all_pairs(score[:5], variance[:5], few)
    start = time.perf_counter()
    all_pairs(score, variance, few)
    plain = (time.perf_counter() - start) / few.size * len(films)
    for name, seconds in times.items():
        print(f"    {name:16s} {1e3 * seconds:9.1f} ms")
    print(
        f"    pair by pair for each agent, normaliser only: {plain:.1f} s (from {few.size} agents)"
    )
    print(f"    ratio: {plain / times['with variances']:.0f}")
    print("    error of log Z by 16 Chebyshev nodes, largest over adherences in [0, 1]:")
    for n in (2, 30, 300):
        errors = [f"{chebyshev_error(n, spread):.0e} at spread {spread}" for spread in (2, 10, 20)]
        print(f"      {n:4d} items: {', '.join(errors)}")


def chebyshev_error(items, spread, nodes=16):
    """Return the largest error of log Z interpolated between Chebyshev nodes."""
    from numpy.polynomial import chebyshev
    from scipy.special import logsumexp

    score = np.random.default_rng(items).normal(size=items)
    d = score[:, None] - score
    d = d[~np.eye(items, dtype=bool)] * spread / np.ptp(score)

    def log_norm(theta):
        return np.array([logsumexp(t * d) for t in theta])

    at = np.cos(np.pi * (np.arange(nodes) + 0.5) / nodes)
    series = chebyshev.chebfit(at, log_norm((at + 1.0) / 2.0), nodes - 1)
    theta = np.linspace(0.0, 1.0, 201)
    return np.abs(chebyshev.chebval(2.0 * theta - 1.0, series) - log_norm(theta)).max()


def against_graphs(quick):
    """Time the distribution against a plain graph of the same likelihood (b)."""
    pm = _compat.pymc()
    import pytensor.tensor as pt

    items, agents, total = 30, 20, 300
    rng = np.random.default_rng(2)
    left, right = np.tril_indices(items, -1)
    rows = len(left)
    left, right = np.tile(left, agents), np.tile(right, agents)
    agent = np.repeat(np.arange(agents), rows)
    counts = np.zeros((rows * agents, 3), dtype=np.int64)
    for k in range(agents):
        drawn = rng.multinomial(total, np.full(2 * rows, 0.5 / rows)).reshape(rows, 2)
        counts[agent == k, :2] = drawn
    print(f"(b) {items} items, {agents} agents: value and gradient, plain graph / ours")

    def build(plain):
        with pm.Model() as model:
            score = pm.ZeroSumNormal("score", 1.0, shape=items)
            log_variance = pm.ZeroSumNormal("log_variance", 0.5, shape=items)
            adherence = pm.Uniform("adherence", 0.0, 1.0, shape=agents)
            variance = 0.5 * pt.exp(log_variance)
            if not plain:
                br.MPM("y", score, variance, adherence, left, right, agent, observed=counts)
                return model
            i, j = left[:rows], right[:rows]
            d = (score[i] - score[j]) / (variance[i] + variance[j])
            net = (counts[:, 0] - counts[:, 1]).reshape(agents, rows)
            e = adherence[:, None] * d
            # |e| + log1p: the form that never overflows.
            size = pt.abs(e)
            pairs = size + pt.log1p(pt.exp(-2.0 * size))
            logp = adherence * pt.dot(net, d) - total * pt.logsumexp(pairs, axis=1)
            pm.Potential("y", logp.sum())
        return model

    for linker in ("NUMBA", "CVM"):
        tasks = {}
        for plain in (True, False):
            model = build(plain)
            tasks[plain] = value_and_gradient(model, linker, model.initial_point())
        times = median_times(tasks, 20 if quick else 300)
        ours, graph = 1e6 * times[False], 1e6 * times[True]
        print(f"    {linker:6s} {graph:7.0f} / {ours:6.0f} us = {graph / ours:5.1f}")


def mode_of(films, quick):
    """Time the mode of the full model on one table of ratings (c)."""
    print(f"(c) {len(films.items):,} films, {len(films):,} users: posterior mode")
    for variances in (False, True) if not quick else (False,):
        start = time.perf_counter()
        options = {"scale": 1.0, "variances": variances, "progress": False}
        fit = br.fit(films, "mpm", method="map", **options)
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        order = fit.ranking().index
        print(f"    variances {variances}: {seconds:.1f} s, peak {peak:.2f} GB. {fit.note}")
        print(f"      first {list(order[:5])}, last {list(order[-5:])}")


def all_queries(folder, quick):
    """Time the modes of all queries of a LETOR aggregation data set in one call (d)."""
    frame, labels = letor(folder)
    if quick:
        frame = frame[frame["query"].isin(frame["query"].unique()[:20])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # lists of one document say nothing, and are named
        data = br.Rankings.from_ratings(frame, "engine", "document", "minus", instance="query")
    items = pd.MultiIndex.from_arrays([[data.instances[q] for q in data.instance], data.items])
    # Of an engine that no label speaks of, one half.
    supervised = br.agreement(data, labels[items].to_dict()).fillna(0.5)
    print(
        f"(d) {len(data.instances):,} queries, {len(data.items):,} documents, {len(data):,} lists"
    )
    choices = {
        "adherence 1, no variances": {"variances": False, "adherence": 1.0},
        "adherence 1, variances": {"variances": True, "adherence": 1.0},
        "supervised, variances": {"variances": True, "adherence": supervised},
        "learned, variances": {"variances": True, "adherence": "learned"},
    }
    for name, options in choices.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # documents that were compared with none are named
            start = time.perf_counter()
            fit = br.fit(data, "mpm", method="map", scale=1.0, progress=False, **options)
        print(f"    {name:26s} {time.perf_counter() - start:6.1f} s. {fit.note}")


def main(arguments=None):
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--movielens", type=Path, metavar="u.data")
    parser.add_argument("--letor", type=Path, metavar="DIRECTORY")
    parser.add_argument("--only", choices="abcd", help="one part")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try it out")
    options = parser.parse_args(arguments)
    if options.movielens:
        ratings = movielens(options.movielens)
    else:
        size = {"agents": 60, "items": 80, "ratings": 1500} if options.quick else {}
        ratings = synthetic_ratings(**size)
    films = br.Rankings.from_ratings(ratings, agent="user", item="film", rating="stars")
    # Compile before anything is timed.
    for variances in (True, False):
        br.fit(br.load_dataset("fruits"), "mpm", method="map", variances=variances)
    parts = {"a": lambda: gradients(films, options.quick)}
    parts["b"] = lambda: against_graphs(options.quick)
    parts["c"] = lambda: mode_of(films, options.quick)
    if options.letor:
        parts["d"] = lambda: all_queries(options.letor, options.quick)
    for name, part in parts.items():
        if options.only in (None, name):
            part()


if __name__ == "__main__":
    main()
