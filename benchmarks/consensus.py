"""Answers about ranks at scale: 1 000 items, 4 000 draws.

    python3 benchmarks/consensus.py

(a) ranks, probabilities to be among the first, intervals, expected ranks; sets and tiers;
(b) probabilities of all pairs: of the true order, and of the next comparison;
(c) the order with the fewest reversals, and how far from the best it may be, where items are well
    spread, nearly equal, and equal;
(d) the other losses;
(e) the page of a fit with 500 items.

Times are of one run each, compiled code being ready: by the clock, and of the processor, which is
what counts where others use the machine. Memory is the peak of all arrays beyond the draws, from a
second run.
"""

import argparse
import os
import tempfile
import time
import tracemalloc
import warnings
from pathlib import Path

# Before NumPy is loaded: times are of one core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import bayesrank as br
from bayesrank.consensus import probability_top
from bayesrank.data import Comparisons

# Spread of the true scores, in mean standard deviations of the posterior.
SPREADS = {"well spread": 5.0, "nearly equal": 0.02, "equal": 0.0}


def posterior(items, draws, spread, seed=0):
    """Return draws of scores, some items known better than others."""
    rng = np.random.default_rng(seed)
    mean = spread * rng.normal(size=items)
    return br.ScoreDraws(mean + rng.uniform(0.5, 1.5, items) * rng.normal(size=(draws, items)))


def fitted(items, draws):
    """Return a fit of random comparisons, 30 for each item."""
    rng = np.random.default_rng(1)
    score = rng.normal(size=items)
    left = rng.integers(items, size=30 * items)
    right = (left + rng.integers(1, items, size=left.size)) % items
    first, second = np.minimum(left, right), np.maximum(left, right)
    pair, compared = np.unique(first * items + second, return_counts=True)
    first, second = np.divmod(pair, items)
    wins = rng.binomial(compared, 1.0 / (1.0 + np.exp(score[second] - score[first])))
    counts = np.column_stack([wins, compared - wins, np.zeros_like(wins)])
    data = Comparisons(first, second, counts, list(range(items)))
    with warnings.catch_warnings():
        # A small one, to try it out, may fall into groups.
        warnings.filterwarnings("ignore", message="The data do not link")
        return br.fit(
            data, "bradley-terry", method="laplace", scale=1.0, draws=draws, chains=1, seed=1,
            progress=False,
        )  # fmt: skip


def seconds_of(task):
    """Return how long a task takes, by the clock and of the processor, and what it returns."""
    start = np.array([time.perf_counter(), time.process_time()])
    result = task()
    return np.array([time.perf_counter(), time.process_time()]) - start, result


def peak_of(task):
    """Return the largest memory, in GB, that a task has in use at once."""
    tracemalloc.start()
    task()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e9


def row(part, what, seconds, peak=None, asked="", said=""):
    """Print a row of the table."""
    times = [f"{value:.2f} s" for value in seconds]
    memory = "" if peak is None else f"{peak:.2f} GB"
    print("| " + " | ".join([part, what, *times, memory, asked, said]) + " |", flush=True)


def summaries(items, draws):
    """Time what is said of each item (a)."""
    known = posterior(items, draws, SPREADS["well spread"])
    tasks = {
        "ranks' probabilities": known.rank_probabilities,
        "intervals, one by one": lambda: known.rank_intervals(simultaneous=False),
        "intervals, all at once": known.rank_intervals,
        "expected ranks, SUCRA": known.expected_ranks,
        "probability of the first 10": lambda: probability_top(known.scores(), 10),
    }
    total = np.zeros(2)
    for name, task in tasks.items():
        seconds, _ = seconds_of(task)
        total += seconds
        row("a", name, seconds, peak_of(task))
    row("a", "all of these together", total, asked="5 s")
    seconds, _ = seconds_of(lambda: known.top(10))
    row("a", "set that holds the first 10", seconds, peak_of(lambda: known.top(10)))
    for name, spread in SPREADS.items():
        draws_of = posterior(items, draws, spread)
        seconds, tier = seconds_of(draws_of.tiers)
        row("a", f"tiers, {name}", seconds, said=f"tiers: {tier.max()}")


def pairs(items, draws):
    """Time the matrices of all pairs (b)."""
    known = posterior(items, draws, SPREADS["well spread"])
    seconds, _ = seconds_of(known.probability_above)
    peak = peak_of(known.probability_above)
    row("b", "probability of being above", seconds, peak, "20 s, 1 GB")
    fitting, fit = seconds_of(lambda: fitted(items, draws))
    row("b", "a Laplace fit, for the next row", fitting)
    seconds, _ = seconds_of(fit.win_probabilities)
    peak = peak_of(lambda: fit.win_probabilities(draws=2))
    row("b", "win probabilities", seconds, peak, "20 s, 1 GB")


def fewest_reversals(items, draws):
    """Time the Kendall consensus on three posteriors (c)."""
    for name, spread in SPREADS.items():
        known = posterior(items, draws, spread)
        seconds, found = seconds_of(known.consensus)
        said = f"expected loss {found.expected_loss:.0f}, "
        said += "proven" if found.optimal else f"gap {found.gap / found.expected_loss:.2%}"
        row("c", f"Kendall, {name}", seconds, asked="60 s", said=said)


def other_losses(items, draws):
    """Time the orders under the other losses (d)."""
    for name, spread in SPREADS.items():
        known = posterior(items, draws, spread)
        for loss in ("spearman", "footrule", "zero_one", "ndcg"):
            seconds, found = seconds_of(lambda known=known, loss=loss: known.consensus(loss))
            said = f"expected loss {found.expected_loss:.4g}, "
            said += "proven" if found.optimal else f"gap {found.gap:.2g}"
            row("d", f"{loss}, {name}", seconds, said=said)


def page(items, draws):
    """Time the writing of a report (e)."""
    fit = fitted(items, draws)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        seconds, _ = seconds_of(lambda: fit.report(path))
        size = path.stat().st_size / 1e6
        peak = peak_of(lambda: fit.report(path))
    row("e", f"report, {items} items", seconds, peak, said=f"{size:.1f} MB")


def main(arguments=None):
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices="abcde", help="one part")
    parser.add_argument("--quick", action="store_true", help="small sizes, to try it out")
    options = parser.parse_args(arguments)
    items, draws = (40, 200) if options.quick else (1000, 4000)
    # Compile before anything is timed.
    small = posterior(5, 20, 1.0)
    small.rank_intervals()
    small.tiers()
    fitted(5, 20)
    print(f"{items:,} items, {draws:,} draws\n")
    print("| | what | clock | processor | peak | asked | |")
    print("|---" * 7 + "|")
    parts = {
        "a": summaries,
        "b": pairs,
        "c": fewest_reversals,
        "d": other_losses,
        "e": lambda items, draws: page(max(items // 2, 5), draws),
    }
    for name, part in parts.items():
        if options.only in (None, name):
            part(items, draws)


if __name__ == "__main__":
    main()
