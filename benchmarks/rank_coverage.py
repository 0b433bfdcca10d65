"""Count how often statements about ranks are true: intervals, sets of the best, tiers.

    python3 benchmarks/rank_coverage.py --replicates 500

Each replicate takes true scores, simulates comparisons of random pairs or rankings of 3 to 10
random items, fits the model and holds what the fit says at level 0.95 against the truth. The
true scores are drawn from the prior or fixed, some of them exactly equal. Then the rank of an item
is any from 1 + the number of better items to the number that are not worse, and an interval is
right if it holds one of them (strictly: all of them); the best item, or the first three, are the
first ones by label, as if picked before seeing any data. The table, with standard errors over
replicates, is printed and added to benchmarks/rank_coverage.csv.
"""

import argparse
import csv
import datetime
import itertools
import os
import time
import warnings
from pathlib import Path

# Before NumPy is loaded: all of this is small, and threads would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import bayesrank as br
from bayesrank.data import Comparisons, Rankings
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS
from bayesrank.model.specification import Specification
from bayesrank.progress import progress_bar

PROB = 0.95
TOP = 3
INTERVALS = {"simultaneous": True, "posterior": "posterior", "marginal": False}
LIKELIHOODS = ("bradley-terry", "davidson", "plackett-luce")
TRUTHS = ("prior", "even", "clusters", "equal", "leader")
# Comparisons, and rankings, for each item. "uneven" are as many comparisons as "many", but some
# items are in them 30 times as often as others.
AMOUNTS = {"few": (10, 1), "many": (100, 20), "uneven": (100, 20)}
SETTINGS = [
    *itertools.product(("bradley-terry", "plackett-luce"), (10, 30), TRUTHS, ("few", "many")),
    *itertools.product(("davidson",), (10,), TRUTHS, ("few", "many")),
    *itertools.product(("bradley-terry",), (10,), TRUTHS, ("uneven",)),
]
TABLE = Path(__file__).with_name("rank_coverage.csv")
SETTING = ["likelihood", "items", "truth", "data", "method"]
COLUMNS = [*SETTING, "quantity", "replicates", "value", "se", "seconds", "date"]
# What is printed, with a short heading.
PRINTED = {
    "ranks, simultaneous": "ranks",
    "ranks, simultaneous, all of equals": "strictly",
    "ranks, simultaneous, width": "width",
    "ranks, posterior": "posterior",
    "ranks, posterior, width": "width",
    "ranks, marginal": "marginal",
    "ranks, marginal, width": "width",
    "best": "best",
    "best, size": "size",
    "best, posterior": "posterior",
    "best, posterior, size": "size",
    "top": "top 3",
    "top, size": "size",
    "tiers, reversed": "reversed",
    "tiers": "tiers",
}


def true_scores(truth, items, rng):
    """Return scores, the best ones first where they are not drawn."""
    if truth == "prior":
        return rng.normal(size=items)
    if truth == "even":
        return np.linspace(1.5, -1.5, items)
    score = np.zeros(items)
    if truth == "clusters":
        score[: items // 2], score[items // 2 :] = 0.75, -0.75
    elif truth == "leader":
        score[0] = 2.0
    return score


def simulate_pairs(likelihood, score, amount, rng):
    """Return comparisons of random pairs."""
    items = len(score)
    left, right = np.triu_indices(items, 1)
    tie = PAIR_LIKELIHOODS[likelihood].tie
    blank = np.ones((left.size, 3), dtype=int)
    blank[:, 2] = tie is not None
    labels = list(range(items))
    specification = Specification(Comparisons(left, right, blank, labels), likelihood, scale=1.0)
    truth = {"score": score}
    if tie is not None:
        truth["tie_rate"] = rng.uniform(0.05, 0.6)
    p = specification.observation.outcome_probabilities(truth)
    p /= p.sum(axis=1, keepdims=True)
    chance = np.ones(items)
    if amount == "uneven":
        chance = rng.permutation(np.geomspace(1.0, 1.0 / 30.0, items))
    met = chance[left] * chance[right]
    compared = rng.multinomial(AMOUNTS[amount][0] * items, met / met.sum())
    counts = rng.multinomial(compared, p)
    seen = compared > 0
    return Comparisons(left[seen], right[seen], counts[seen], labels)


def simulate_rankings(score, amount, rng):
    """Return rankings of 3 to 10 random items, by score and Gumbel noise."""
    items = len(score)
    rankings = AMOUNTS[amount][1] * items
    slots = min(10, items)
    length = rng.integers(3, slots + 1, size=rankings)
    entries = rng.permuted(np.tile(np.arange(items), (rankings, 1)), axis=1)[:, :slots]
    missing = np.arange(slots) >= length[:, None]
    utility = np.where(missing, -np.inf, score[entries] + rng.gumbel(size=entries.shape))
    entries = np.take_along_axis(entries, np.argsort(-utility, axis=1), axis=1)
    ranks = np.tile(np.arange(1, slots + 1), (rankings, 1))
    entries, ranks = np.where(missing, -1, entries), np.where(missing, -1, ranks)
    return Rankings(entries, ranks, list(range(items)))


def simulate(likelihood, items, truth, amount, rng):
    """Return true scores and data that come from them."""
    score = true_scores(truth, items, rng)
    if likelihood in PAIR_LIKELIHOODS:
        return score, simulate_pairs(likelihood, score, amount, rng)
    return score, simulate_rankings(score, amount, rng)


def held_against(fit, score):
    """Return, for one fit, which statements are true of the scores, and how much they say."""
    n = len(score)
    better = (score > score[:, None]).sum(axis=1)
    worse = (score < score[:, None]).sum(axis=1)
    first = np.argsort(-score, kind="stable")
    found = {}
    for name, simultaneous in INTERVALS.items():
        table = fit.rank_intervals(PROB, simultaneous=simultaneous).sort_index()
        holds = (table["low"] <= n - worse) & (table["high"] >= 1 + better)
        found[f"ranks, {name}"] = holds.all()
        found[f"ranks, {name}, each"] = holds.mean()
        whole = (table["low"] <= 1 + better) & (table["high"] >= n - worse)
        found[f"ranks, {name}, all of equals"] = whole.all()
        found[f"ranks, {name}, width"] = (table["high"] - table["low"] + 1).mean()
    table = fit.best(PROB)
    # The likeliest first; an item belongs while those before it do not make up the probability.
    likeliest = table.index[table["p_top"].cumsum() - table["p_top"] < PROB - 1e-9]
    for name, chosen in (("best", table.index[table["in_set"]]), ("best, posterior", likeliest)):
        found[name] = first[0] in chosen
        found[f"{name}, all equals"] = set(np.flatnonzero(better == 0)) <= set(chosen)
        found[f"{name}, size"] = len(chosen)
    table = fit.top(TOP, PROB)
    chosen = table.index[table["in_set"]]
    found["top"] = set(first[:TOP]) <= set(chosen)
    found["top, size"] = len(chosen)
    tier = fit.tiers(PROB, "certain").sort_index().to_numpy()
    across = tier[:, None] < tier
    reversed_ = across & (score[:, None] < score)
    found["tiers, reversed"] = reversed_.any()
    found["tiers, reversed or equal"] = (across & (score[:, None] <= score)).any()
    if across.any():
        found["tiers, share of pairs reversed"] = reversed_.sum() / across.sum()
    found["tiers"] = tier.max()
    return {name: float(value) for name, value in found.items()}


def replicate(likelihood, items, truth, amount, method, seed, **options):
    """Return what was found in one data set; `seed` may be a list of numbers."""
    rng = np.random.default_rng(seed)
    score, data = simulate(likelihood, items, truth, amount, rng)
    drawn = int(rng.integers(2**31))
    if method == "laplace":
        options = {"scale": 1.0} | options  # that of scores that are drawn from the prior
    fit = br.fit(data, likelihood, method=method, seed=drawn, progress=False, **options)
    return held_against(fit, score)


def study(setting, method, replicates, seed=0, progress=True, **options):
    """Return the mean of each quantity and its standard error."""
    rows = []
    with progress_bar(f"{', '.join(map(str, setting))}, {method}", replicates, progress) as advance:
        for k in range(replicates):
            with warnings.catch_warnings():
                # Few comparisons may fall into groups, or miss an item; the prior links them.
                warnings.filterwarnings("ignore", message="The data do not link")
                rows.append(replicate(*setting, method, [seed, k], **options))
            advance()
    result = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        # Where there is one tier no pair is across tiers.
        values = np.array([row[name] for row in rows if name in row])
        error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
        result[name] = (values.mean(), error)
    return result


def line(setting, result):
    """Return one setting as a row of a table."""
    cells = [setting[0], str(setting[1]), *setting[2:]]
    for name in PRINTED:
        mean, error = result[name]
        sized = name.endswith(("size", "width")) or name == "tiers"
        cells.append(f"{mean:.1f}" if sized else f"{mean:.3f} ± {error:.3f}")
    return "| " + " | ".join(cells) + " |"


def main(arguments=None):
    """Run the study for every setting and add to the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--method", choices=("nuts", "advi", "laplace"), default="laplace")
    parser.add_argument("--replicates", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--likelihood", choices=LIKELIHOODS, action="append")
    parser.add_argument("--items", type=int, choices=(10, 30), action="append")
    parser.add_argument("--truth", choices=TRUTHS, action="append")
    parser.add_argument("--data", choices=AMOUNTS, action="append")
    parser.add_argument("--table", type=Path, default=TABLE, help="where the table is kept")
    options = parser.parse_args(arguments)
    if options.replicates < 2:
        parser.error("--replicates must be at least 2")
    wanted = (options.likelihood, options.items, options.truth, options.data)
    settings = [
        setting
        for setting in SETTINGS
        if all(w is None or s in w for s, w in zip(setting, wanted, strict=True))
    ]
    if not settings:
        parser.error("no setting has all of these")
    sizes = {"draws": 1000, "chains": 2}
    if options.method == "nuts":
        sizes["tune"] = 500
    print("| model | items | truth | data | " + " | ".join(PRINTED.values()) + " |")
    print("|---" * (4 + len(PRINTED)) + "|")
    new = not options.table.exists()
    for setting in settings:
        started = time.perf_counter()
        result = study(setting, options.method, options.replicates, options.seed, **sizes)
        seconds = time.perf_counter() - started
        with options.table.open("a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if new:
                writer.writerow(COLUMNS)
                new = False
            today = datetime.date.today().isoformat()
            for name, (mean, error) in result.items():
                cells = [*setting, options.method, name, options.replicates]
                writer.writerow([*cells, f"{mean:.4f}", f"{error:.4f}", f"{seconds:.0f}", today])
        print(line(setting, result), flush=True)


if __name__ == "__main__":
    main()
