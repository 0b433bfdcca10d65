"""Which methods are calibrated for which likelihoods, by simulation.

    python3 -m benchmarks.calibration --save

What is done is kept in calibration.npz, and not done again.

For every likelihood and method, parameters are drawn from the prior, data from the model, and the
rank of each true value among its posterior draws is noted: see `bayesrank.calibrate`. The prior
scale is learned by NUTS and ADVI, and 1 for Laplace, as it is by default.
"""

import argparse
import time
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.calibration.simulation import Calibration
from bayesrank.model.likelihoods import LIKELIHOODS, PAIR_LIKELIHOODS
from benchmarks.table import replace_section

__all__ = ["design", "main", "study", "verdict"]

HERE = Path(__file__).parent
TABLE, PICTURE = HERE / "calibration.csv", HERE / "calibration.png"
RANKS = HERE / "calibration.npz"
START, END = "<!-- calibration -->", "<!-- /calibration -->"
METHODS = ("nuts", "laplace", "advi")
LEVEL = 0.01
ITEMS, GAMES = 6, 8
RANKINGS, SLOTS = 24, 4


def design(likelihood):
    """Return data whose design, and not whose results, the study uses."""
    labels = [f"item {k + 1}" for k in range(ITEMS)]
    left, right = np.triu_indices(ITEMS, 1)
    if likelihood in PAIR_LIKELIHOODS:
        counts = np.tile([GAMES // 2, GAMES // 2, 0], (len(left), 1))
        return br.Comparisons(left, right, counts, labels)
    if likelihood == "mpm":
        agents, preferences = ["a", "b", "c"], 4
        counts = np.tile([preferences // 2, preferences // 2, 0], (len(left) * len(agents), 1))
        agent = np.repeat(np.arange(len(agents)), len(left))
        pairs = np.tile(left, len(agents)), np.tile(right, len(agents))
        return br.Comparisons(*pairs, counts, labels, agent=agent, agents=agents)
    rng = np.random.default_rng(1)
    lists = []
    for k in range(RANKINGS):
        chosen = [labels[i] for i in rng.permutation(ITEMS)[:SLOTS]]
        # Ties of two and of three, where a model has any.
        blocks = chosen if likelihood == "plackett-luce" else (
            [chosen[:2], *chosen[2:]], [chosen[0], chosen[1:]], [*chosen]
        )[k % 3]  # fmt: skip
        lists.append(blocks)
    return br.Rankings.from_lists(lists, unranked="not offered")


def verdict(table):
    """Return in words what the ranks of the quantities say."""
    bad = table[table["p_adjusted"] <= LEVEL]
    if bad.empty:
        return "calibrated"
    said = []
    for name, row in bad.iterrows():
        ways = []
        if row["spread"] > 1.05:
            ways.append("too narrow")
        elif row["spread"] < 0.95:
            ways.append("too wide")
        if abs(row["shift"]) > 0.05:
            ways.append("too low" if row["shift"] > 0 else "too high")
        said.append(f"{name} {' and '.join(ways) or 'of another shape'}")
    more = f" and {len(said) - 3} more" if len(said) > 3 else ""
    return ", ".join(said[:3]) + more


def study(likelihood, method, n, processes=None):
    """Return the calibration of a method for a likelihood."""
    model = br.Specification(design(likelihood), likelihood)
    return br.calibrate(model, n, method=method, seed=2026, processes=processes)


def draw(found):
    """Draw all quantities' distributions of ranks, a panel for each likelihood and method."""
    import matplotlib.pyplot as plt

    from bayesrank.calibration.uniformity import ecdf_band

    names = list(dict.fromkeys(likelihood for likelihood, _ in found))
    size = (2.4 * len(METHODS) + 1.6, 1.25 * len(names) + 0.6)
    figure, axes = plt.subplots(
        len(names), len(METHODS), figsize=size, sharex=True, sharey=True, squeeze=False,
        layout="constrained",
    )  # fmt: skip
    for row, name in enumerate(names):
        for column, method in enumerate(METHODS):
            ax = axes[row, column]
            ax.spines[["top", "right"]].set_visible(False)
            if row == 0:
                ax.set_title(method)
            if (name, method) not in found:
                continue
            one = found[name, method]
            share, low, high = ecdf_band(len(one.ranks), one.draws, 0.99)
            ax.fill_between(share, low - share, high - share, color="tab:grey", alpha=0.3, lw=0)
            place = (one.ranks + 0.5) / (one.draws + 1.0)
            p = one.table()["p_adjusted"]
            for k, quantity in enumerate(one.names):
                below = np.mean(place[:, k, None] < share, axis=0) - share
                bad = p[quantity] <= LEVEL
                ax.plot(
                    share, below, color="tab:orange" if bad else "tab:blue",
                    linewidth=1.4 if bad else 0.5, zorder=3 if bad else 2,
                )  # fmt: skip
        axes[row, 0].set_ylabel(name, rotation=0, ha="right", va="center", fontsize=9)
    for ax in axes[-1]:
        ax.set_xlabel("rank of the true value", fontsize=9)
    figure.suptitle("Departure of ranks from uniform; orange: too far", fontsize=10)
    return figure


def markdown(table):
    """Return the table for readers."""
    lines = ["| likelihood | " + " | ".join(METHODS) + " |", "|---|" + "---|" * len(METHODS)]
    for name, rows in table.groupby("likelihood", sort=False):
        said = rows.set_index("method")["verdict"]
        lines.append(f"| `{name}` | " + " | ".join(said.get(m, "") for m in METHODS) + " |")
    return "\n".join(lines)


def main(arguments=None):
    """Run the study, print the table, and keep it if asked to."""
    parser = argparse.ArgumentParser(prog="python3 -m benchmarks.calibration")
    parser.add_argument("--only", nargs="+", choices=list(LIKELIHOODS), metavar="LIKELIHOOD")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS)
    parser.add_argument(
        "--n", type=int, default=300, help="data sets for each, half as many for ADVI (default 300)"
    )
    parser.add_argument("--quick", action="store_true", help="20 data sets, two likelihoods")
    parser.add_argument("--save", action="store_true", help="write CSV, picture and README")
    options = parser.parse_args(arguments)
    names = options.only or list(LIKELIHOODS)
    n = options.n
    if options.quick:
        names, n = options.only or ["davidson", "plackett-luce"], 20
    found = kept() if options.save else {}
    for method in options.methods:
        for name in names:
            if (name, method) in found:
                continue
            start = time.perf_counter()
            one = found[name, method] = study(name, method, n // 2 if method == "advi" else n)
            print(f"{time.perf_counter() - start:>5.0f} s  {one}", flush=True)
            if options.save:
                keep(found)
    table = summary(found)
    print(markdown(table))
    if options.save:
        table.to_csv(TABLE, index=False)
        draw(found).savefig(PICTURE, dpi=110)
        readme = HERE / "README.md"
        readme.write_text(replace_section(readme.read_text(), markdown(table), START, END))
    return table


def keep(found):
    """Write ranks of all studies to one file."""
    arrays = {}
    for (name, method), one in found.items():
        key = f"{name}|{method}|{one.draws}|{'|'.join(one.names)}"
        arrays[key] = one.ranks.astype(np.int16)
    np.savez_compressed(RANKS, **arrays)


def kept():
    """Return the studies that were written."""
    if not RANKS.exists():
        return {}
    with np.load(RANKS, allow_pickle=False) as arrays:
        found = {}
        for key in arrays.files:
            name, method, draws, *names = key.split("|")
            ranks = arrays[key].astype(int)
            found[name, method] = Calibration(ranks, names, int(draws), method, name)
    return {key: found[key] for key in product(LIKELIHOODS, METHODS) if key in found}


def summary(found):
    """Return a row for each study: the least uniform quantity, and the verdict."""
    rows = []
    for (name, method), one in found.items():
        table = one.table()
        worst = table.iloc[0]
        rows.append(
            {
                "likelihood": name, "method": method, "data_sets": len(one.ranks),
                "quantities": len(one.names), "least_uniform": table.index[0], **worst.to_dict(),
                "verdict": verdict(table),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main()
