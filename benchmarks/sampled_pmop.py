"""What contrastive divergence costs: geometric PMOP, exact against sampled as in its paper.

    python3 benchmarks/sampled_pmop.py --replicates 20

Each replicate simulates rankings and fits them by exact maximum likelihood and by contrastive
divergence, with Gibbs, with Metropolis-Hastings and with the paper's Metropolis-Hastings, which
leaves out the ratio of its proposals; chains of 1, 3 and 10 steps, 1 000 iterations at a rate of
0.1 as in the paper. The rankings are drawn

(a) from the model, eight items with scores of their own;
(b) from the model, queries of 24 documents with ten features (the paper's have 24 on average);
(c) not from the model: grades 0 to 4 of such documents, cut from a noisy linear score.

"stretch" is the bias in the direction of the parameters themselves, in per cent: 10 means that all
are a tenth too large. Standard errors are over replicates.
"""

import argparse
import time

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.baselines import fit_sampled_pmop
from bayesrank.kernels.samplers import draw_geometric
from bayesrank.progress import progress_bar

CHAINS = {
    "gibbs": {"sampler": "gibbs"},
    "metropolis, corrected": {"sampler": "metropolis"},
    "metropolis, paper": {"sampler": "metropolis", "proposal": "paper"},
}
SCORES = np.linspace(1.5, -1.5, 8)
BETA = np.array([1.5, -1.0, 1.0, -0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0])
DOCUMENTS = 24
FEATURES = [f"x{k}" for k in range(BETA.size)]


def draw(score, rng):
    """Return ranks drawn exactly from the model."""
    offered = np.ones(score.shape, dtype=bool)
    seeds = rng.integers(0, 2**62, len(score))
    return draw_geometric(score, np.ones((1, 1)), offered, np.ones(1), seeds)


def items(rows, rng):
    """Return rankings of eight items, and their scores (a)."""
    return br.Rankings.from_matrix(draw(np.tile(SCORES, (rows, 1)), rng), range(8)), SCORES


def _documents(rows, rng):
    x = rng.normal(size=(rows, DOCUMENTS, BETA.size))
    frame = pd.DataFrame(x.reshape(-1, BETA.size), columns=FEATURES)
    frame["query"] = np.repeat(np.arange(rows), DOCUMENTS)
    frame["document"] = np.arange(rows * DOCUMENTS)
    return frame, x @ BETA


def documents(rows, rng):
    """Return rankings of documents, and the coefficients of their features (b)."""
    frame, score = _documents(rows, rng)
    frame["rank"] = draw(score, rng).ravel()
    return br.Rankings.from_frame(frame, "query", "document", "rank", features=FEATURES), BETA


def graded(rows, rng):
    """Return graded documents; there are no true coefficients (c)."""
    frame, score = _documents(rows, rng)
    noisy = score + rng.normal(scale=np.std(score), size=score.shape)
    # Half of the documents are irrelevant, one in forty is perfect.
    frame["grade"] = np.searchsorted(np.quantile(noisy, [0.5, 0.75, 0.9, 0.975]), noisy).ravel()
    return br.Rankings.from_ratings(frame, "query", "document", "grade", features=FEATURES), None


def fits(data, steps, iterations, last, seed):
    """Return the estimate and the seconds of every way to fit."""
    ways = {("exact", ""): lambda: br.fit(data, "pmop-geometric", method="map", scale=np.inf)}
    for name, chain in CHAINS.items():
        for n in steps:
            ways[name, n] = lambda chain=chain, n=n: fit_sampled_pmop(
                data, **chain, steps=n, iterations=iterations, average=not last, seed=seed
            )
    found = {}
    for way, fit in ways.items():
        started = time.perf_counter()
        result = fit()
        seconds = time.perf_counter() - started
        found[way] = result.posterior["score" if data.features is None else "beta"][0, 0], seconds
    return found


def stretch(estimates, references):
    """Return mean and standard error of the stretch, in per cent."""
    each = [100.0 * (e @ r / (r @ r) - 1.0) for e, r in zip(estimates, references, strict=True)]
    return np.mean(each), np.std(each, ddof=1) / np.sqrt(len(each))


def error(estimates, references):
    """Return the root mean squared error and its standard error."""
    each = np.mean((np.array(estimates) - references) ** 2, axis=1)
    root = np.sqrt(each.mean())
    return root, each.std(ddof=1) / np.sqrt(len(each)) / (2.0 * root) if root > 0 else 0.0


def study(label, simulate, rows, options):
    """Simulate, fit and print one table."""
    found, truths = [], []
    fits(simulate(20, np.random.default_rng(0))[0], [1], 1, False, 0)  # compiles
    with progress_bar(label, options.replicates) as advance:
        for seed in range(options.replicates):
            data, truth = simulate(rows, np.random.default_rng([seed, rows]))
            truths.append(truth)
            found.append(fits(data, options.steps, options.iterations, options.last, seed))
            advance()
    print(f"{label}, {rows} rankings, {options.replicates} replicates")
    cells = [f"{name:>14s}" for name in ("from truth", "from exact", "from truth", "from exact")]
    print(f"    {'':28s} {'stretch, %':>29s} {'root mean squared error':>29s}")
    print(f"    {'':28s} {' '.join(cells)} seconds")
    exact = [row["exact", ""][0] for row in found]
    for way in found[0]:
        estimates = [row[way][0] for row in found]
        seconds = np.median([row[way][1] for row in found])
        cells = []
        for measure, form in ((stretch, "{:+6.1f} +- {:4.1f}"), (error, "{:.3f} +- {:.3f}")):
            for reference in (truths, exact):
                missing = reference[0] is None or (way[0] == "exact" and reference is exact)
                text = "" if missing else form.format(*measure(estimates, reference))
                cells.append(f"{text:>14s}")
        print(f"    {way[0]:24s} {way[1]:>3} {' '.join(cells)} {seconds:7.2f}")


def main(arguments=None):
    """Run all three studies, or one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--replicates", type=int, default=20)
    parser.add_argument("--steps", type=int, nargs="+", default=[1, 3, 10])
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--last", action="store_true", help="the last step alone, not their mean")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--only", choices="abc", help="one study")
    options = parser.parse_args(arguments)
    if options.replicates < 2:
        parser.error("--replicates must be at least 2")
    if options.quick:
        options.replicates, options.steps, options.iterations = 2, [1], 5
    parts = {
        "a": ("(a) eight items", items, 300),
        "b": ("(b) documents with features, from the model", documents, 200),
        "c": ("(c) graded documents, not from the model", graded, 200),
    }
    for name, (label, simulate, rows) in parts.items():
        if options.only in (None, name):
            study(label, simulate, 40 if options.quick else rows, options)


if __name__ == "__main__":
    main()
