"""Count how often 95 % intervals cover the truth.

    python3 benchmarks/interval_coverage.py --method nuts --replicates 200

Each replicate draws scores, a tie parameter and (without ties) an order effect, simulates a small
tournament from them, fits the model and notes which intervals hold the truth. The table, with
standard errors over replicates, is printed and added to benchmarks/interval_coverage.csv.
"""

import argparse
import csv
import datetime
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import special

import bayesrank as br
from bayesrank.data.comparisons import Comparisons
from bayesrank.likelihoods import PAIR_LIKELIHOODS
from bayesrank.modelling import Specification
from bayesrank.progress import progress_bar

ITEMS = 8
PER_PAIR = 6  # comparisons of each ordered pair
TABLE = Path(__file__).with_name("interval_coverage.csv")


def simulate(likelihood, rng):
    """Return data and the parameters it was drawn from."""
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
        tie = PAIR_LIKELIHOODS[likelihood].tie
        truth[tie.name] = float(tie.value(truth["tie_rate"], 1.0 - truth["tie_rate"], special))
    return Comparisons(left, right, counts, design.items), truth


def covered(likelihood, method, seed, **options):
    """Return, for one replicate, the share of intervals that hold the truth, by quantity."""
    rng = np.random.default_rng(seed)
    data, truth = simulate(likelihood, rng)
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
    for name in set(truth) - {"score", "tie_rate"}:
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
                warnings.filterwarnings("ignore", message="The comparisons do not link")
                rows.append(covered(likelihood, method, seed, **options))
            advance()
    result = {}
    for name in rows[0]:
        values = np.array([row[name] for row in rows])
        result[name] = (values.mean(), values.std(ddof=1) / np.sqrt(replicates))
    return result


def main(arguments=None):
    """Run the study for every likelihood and add to the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--method", choices=("nuts", "advi", "laplace"), default="nuts")
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--likelihood", choices=PAIR_LIKELIHOODS, action="append")
    parser.add_argument("--table", type=Path, default=TABLE, help="where the table is kept")
    options = parser.parse_args(arguments)
    if options.replicates < 2:
        parser.error("--replicates must be at least 2")
    settings = {"draws": 500, "tune": 500, "chains": 2} if options.method == "nuts" else {}
    new = not options.table.exists()
    for likelihood in options.likelihood or PAIR_LIKELIHOODS:
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
                print(f"{likelihood:16s} {options.method:8s} {name:12s} {mean:.3f} +- {se:.3f}")


if __name__ == "__main__":
    main()
