"""Count how often 95 % intervals cover the truth.

    python3 benchmarks/interval_coverage.py --method nuts --replicates 200

Each replicate draws scores, tie parameters and (for pairs without ties) an order effect, simulates
a small tournament or some rankings from them, fits the model and notes which intervals hold the
truth. The table, with
standard errors over replicates, is printed and added to benchmarks/interval_coverage.csv.
"""

import argparse
import csv
import datetime
import time
import warnings
from pathlib import Path

import numpy as np

import bayesrank as br
from bayesrank.data import Comparisons, Rankings
from bayesrank.kernels import samplers
from bayesrank.model.likelihoods import LIKELIHOODS, PAIR_LIKELIHOODS, RANKING_LIKELIHOODS
from bayesrank.model.specification import Specification
from bayesrank.progress import progress_bar

ITEMS = 8
PER_PAIR = 6  # comparisons of each ordered pair
RANKINGS, SLOTS = 40, 5
TABLE = Path(__file__).with_name("interval_coverage.csv")


def simulate_rankings(likelihood, rng):
    """Return rankings of five of the items and the parameters they were drawn from."""
    family = RANKING_LIKELIHOODS[likelihood]
    score = rng.normal(size=ITEMS)
    truth = {"score": score - score.mean()}
    entries = np.array([rng.permutation(ITEMS)[:SLOTS] for _ in range(RANKINGS)])
    slots, offered = truth["score"][entries], np.ones(entries.shape, dtype=bool)
    if family.noise is not None:
        blocks = [1] * SLOTS if family.ties == "none" else [1, 2, 2, 0, 0]
        utility = slots + family.noise(rng, slots.shape)
        ranks = samplers.sort_into_blocks(utility, offered, np.tile(blocks, (RANKINGS, 1)))
    else:
        tie, powers = np.full((1, 1), family.tie), np.ones(1)
        if family.ties == "learned":
            rate = rng.uniform(0.05, 0.6, size=2)
            truth["tie[2]"], truth["tie[3]"] = np.array([2, 3]) * rate / (1 - rate)
            tie, powers = np.array([[truth["tie[2]"], truth["tie[3]"]]]), np.zeros(1)
        potential = "geometric" if family.kernel == "geometric" else "additive"
        draw = getattr(samplers, f"draw_{potential}")
        ranks = draw(slots, tie, offered, powers, rng.integers(0, 2**62, size=RANKINGS))
    return Rankings(entries, ranks, list(range(ITEMS))), truth


def simulate(likelihood, rng):
    """Return data and the parameters it was drawn from."""
    if likelihood in RANKING_LIKELIHOODS:
        return simulate_rankings(likelihood, rng)
    left, right = np.where(~np.eye(ITEMS, dtype=bool))
    blank = np.ones((left.size, 3), dtype=int)
    ties = PAIR_LIKELIHOODS[likelihood].tie is not None
    blank[:, 2] = ties
    design = Comparisons(left, right, blank, list(range(ITEMS)))
    specification = Specification(design, likelihood, scale=1.0, order_effect=not ties)
    score = rng.normal(size=ITEMS)
    truth = {"score": score - score.mean()}
    if ties:
        truth["tie_rate"] = rng.uniform(0.05, 0.6)
    else:
        truth["order_effect"] = rng.normal(scale=0.5)
    p = specification.observation.outcome_probabilities(truth)
    counts = rng.multinomial(PER_PAIR, p / p.sum(axis=1, keepdims=True))
    if ties:
        truth |= specification.observation.ties.derive(truth, np)
    return Comparisons(left, right, counts, design.items), truth


def covered(likelihood, method, seed, **options):
    """Return, for one replicate, the share of intervals that hold the truth, by quantity."""
    rng = np.random.default_rng(seed)
    data, truth = simulate(likelihood, rng)
    if method == "laplace":
        options = {"scale": 1.0} | options
    fit = br.fit(
        data, likelihood, method=method, order_effect="order_effect" in truth, seed=seed,
        progress=False, **options,
    )  # fmt: skip
    ranking, parameters = fit.ranking(), fit.parameters()
    score = truth["score"][ranking.index]
    rank = 1 + (truth["score"][None, :] > score[:, None]).sum(axis=1)
    found = {
        "score": np.mean((ranking["low"] <= score) & (score <= ranking["high"])),
        "rank": np.mean((ranking["rank_low"] <= rank) & (rank <= ranking["rank_high"])),
    }
    for name in set(truth) & set(parameters.index) - {"tie_rate"}:
        row = parameters.loc[name]
        found[name] = float(row["low"] <= truth[name] <= row["high"])
    return found


def study(likelihood, method, replicates, progress=True, **options):
    """Return coverage and its standard error, by quantity."""
    rows = []
    with progress_bar(f"{likelihood}, {method}", replicates, progress) as advance:
        for seed in range(replicates):
            with warnings.catch_warnings():
                # A small tournament may fall apart; the prior then links its groups.
                warnings.filterwarnings("ignore", message="The data do not link")
                rows.append(covered(likelihood, method, seed, **options))
            advance()
    result = {}
    for name in sorted(set().union(*rows)):
        # A block size that no ranking shows has no parameter.
        values = np.array([row[name] for row in rows if name in row])
        result[name] = (values.mean(), values.std(ddof=1) / np.sqrt(len(values)))
    return result


def main(arguments=None):
    """Run the study for every likelihood and add to the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--method", choices=("nuts", "advi", "laplace"), default="nuts")
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--likelihood", choices=LIKELIHOODS, action="append")
    parser.add_argument("--table", type=Path, default=TABLE, help="where the table is kept")
    options = parser.parse_args(arguments)
    if options.replicates < 2:
        parser.error("--replicates must be at least 2")
    settings = {"draws": 500, "tune": 500, "chains": 2} if options.method == "nuts" else {}
    new = not options.table.exists()
    for likelihood in options.likelihood or LIKELIHOODS:
        started = time.perf_counter()
        result = study(likelihood, options.method, options.replicates, **settings)
        seconds = time.perf_counter() - started
        with options.table.open("a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if new:
                writer.writerow(
                    ["likelihood", "method", "quantity", "replicates", "coverage", "se",
                     "seconds", "date"]
                )  # fmt: skip
                new = False
            for name, (mean, se) in result.items():
                cells = [likelihood, options.method, name, options.replicates]
                today = datetime.date.today().isoformat()
                writer.writerow([*cells, f"{mean:.4f}", f"{se:.4f}", f"{seconds:.0f}", today])
                print(f"{likelihood:26s} {options.method:8s} {name:12s} {mean:.3f} +- {se:.3f}")


if __name__ == "__main__":
    main()
