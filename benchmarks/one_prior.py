"""One prior whatever the method: how near Laplace and ADVI come to NUTS.

    python3 -m benchmarks.one_prior [--quick] [--save]

On the data sets that come along, and on sparse comparisons, where the evidence of a prior scale is
hardest to come by: each of many items has a handful of results.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.data import DATASETS
from benchmarks.table import replace_section

__all__ = ["main", "sparse_games"]

START, END = "<!-- one prior -->", "<!-- /one prior -->"
METHODS = ("laplace", "advi")
SPREADS, RESULTS = (0.5, 1.0, 2.0), (3, 6, 12, 50)
COLUMNS = ("P(best)", "scores (sd)", "sd ratio", "ends of ranks", "scale ratio")


def sparse_games(items, per_item, spread, seed=0):
    """Return comparisons of items at random, whose scores are normal with the given spread."""
    rng = np.random.default_rng(seed)
    score = rng.normal(0.0, spread, items)
    left = rng.integers(0, items, items * per_item // 2)
    right = (left + rng.integers(1, items, left.size)) % items
    won = rng.random(left.size) < 1.0 / (1.0 + np.exp(score[right] - score[left]))
    frame = pd.DataFrame({"left": left, "right": right, "outcome": np.where(won, 1, -1)})
    return br.Comparisons.from_frame(frame)


def differences(data, draws):
    """Return how far each method is from NUTS, the largest difference over all items."""
    options = {"seed": 1, "draws": draws, "progress": False}
    nuts = br.fit(data, **options)
    found, rows = nuts.ranking(), {}
    for method in METHODS:
        fit = br.fit(data, method=method, **options)
        other = fit.ranking().loc[found.index]
        ends = [np.abs(found[end] - other[end]).max() for end in ("rank_low", "rank_high")]
        scale = fit.posterior["scale"].mean() / nuts.posterior["scale"].mean()
        rows[method] = (
            np.abs(found["p_best"] - other["p_best"]).max(),
            (np.abs(found["score"] - other["score"]) / found["sd"]).max(),
            (other["sd"] / found["sd"]).median(),
            max(ends),
            scale,
        )
    return rows


def main(arguments=None):
    """Run the study, print the table, and keep it if asked to."""
    parser = argparse.ArgumentParser(prog="python3 -m benchmarks.one_prior")
    parser.add_argument("--quick", action="store_true", help="two data sets, few draws")
    parser.add_argument("--save", action="store_true", help="write the table to the README")
    options = parser.parse_args(arguments)
    problems = {name: br.load_dataset(name) for name in DATASETS}
    items = 200
    for spread in SPREADS:
        for results in RESULTS:
            name = f"{items} items, spread {spread:g}, {results} results each"
            problems[name] = sparse_games(items, results, spread)
    if options.quick:
        problems = {"pudding": problems["pudding"], "sparse": sparse_games(20, 6, 1.0)}
    lines = [
        "| data | " + " | ".join(f"{m}: {c}" for m in METHODS for c in COLUMNS) + " |",
        "|---|" + "---|" * (len(METHODS) * len(COLUMNS)),
    ]
    for name, data in problems.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # few results leave items unconnected
            rows = differences(data, 100 if options.quick else 2000)
        cells = [
            f"{value:.0f}" if column == "ends of ranks" else f"{value:.3f}"
            for method in METHODS
            for column, value in zip(COLUMNS, rows[method], strict=True)
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    if options.save:
        readme = Path(__file__).parent / "README.md"
        readme.write_text(replace_section(readme.read_text(), "\n".join(lines), START, END))
    return lines


if __name__ == "__main__":
    main()
