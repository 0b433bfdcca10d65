"""Figures 1 and 3: who finds the true worths from simulated rankings."""

from functools import partial

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.baselines import fit_item_pairs, fit_item_scores
from bayesrank.metrics import worth_error
from models.partitioned_preference.objectives import OBJECTIVES, RIVALS, SCALE
from models.score_gradients import shares
from models.study import on_all_cores

__all__ = ["BLOCKS", "MOST", "picture", "simulate", "worth_summary", "worth_table"]

BLOCKS, MOST = 4, 500


def simulate(items, rankings, rng):
    """Return true worths, rankings in blocks, and the same rankings with the order within blocks.

    Cuts are at random places of the first `MOST` items; the last block is unranked.
    """
    score = rng.uniform(0.0, np.log(items), items)
    entries = np.argsort(-(score + rng.gumbel(size=(rankings, items))), axis=1)
    blocks, full = np.zeros((2, rankings, items), dtype=np.int64)
    for row in range(rankings):
        places = rng.choice(min(MOST, items - 1), BLOCKS - 1, replace=False)
        cuts = np.sort(places) + 1
        blocks[row, : cuts[-1]] = 1 + np.searchsorted(cuts, np.arange(cuts[-1]), side="right")
        full[row, : cuts[-1]] = np.arange(1, cuts[-1] + 1)
    worth = np.exp(score) / np.exp(score).sum()
    names = list(range(items))
    return worth, br.Rankings(entries, blocks, names), br.Rankings(entries, full, names)


def estimates(data, full):
    """Yield the name of each method, and its scores of the items."""
    # An item's gradient per ranking is of the order of 1 in likelihoods, of N in pairs.
    for name in ("PL-Partition", "PL-LB", "AttRank"):
        yield name, fit_item_scores(data, OBJECTIVES[name], scale=SCALE, tolerance=1e-6)
    yield "RankNet", fit_item_pairs(data, "logistic", scale=SCALE, tolerance=1e-6 * len(data.items))
    yield "RankSVM", fit_item_pairs(data, "hinge", scale=SCALE)
    # Without ties `shares` is Plackett-Luce.
    yield "PL-TopK", fit_item_scores(full, shares, scale=SCALE, tolerance=1e-6)


def worth_table(chosen, sizes):
    """Return the squared error of the worths, with one row per data set and method.

    ``sizes`` holds items, rankings and the number of data sets.
    """
    # The longest jobs are first, so that no core is left with a long one at the end.
    jobs = [(*size[:2], k) for size in sorted(sizes, reverse=True) for k in range(size[2])]
    found = on_all_cores(chosen, "Simulation", partial(_errors, chosen.seed), jobs)
    rows = [row for rows in found for row in rows]
    table = pd.DataFrame(rows, columns=["items", "rankings", "set", "method", "error"])
    return table.sort_values(["items", "rankings", "set"], kind="stable", ignore_index=True)


def _errors(seed, job):
    """Return the rows of one data set."""
    items, rankings, k = job
    worth, data, full = simulate(items, rankings, np.random.default_rng([seed, *job]))
    return [
        (items, rankings, k, name, float(worth_error(score, worth)))
        for name, score in estimates(data, full)
    ]


def worth_summary(table):
    """Return mean errors with their standard errors, and whether the claim holds in each row."""
    rows = []
    for (items, rankings), part in table.groupby(["items", "rankings"]):
        wide = part.pivot(index="set", columns="method", values="error")
        row = {"N": items, "n": rankings, "data sets": len(wide)}
        for name in ["PL-Partition", *RIVALS, "PL-TopK"]:
            spread = wide[name].sem() if len(wide) > 1 else np.nan
            row[name] = f"{wide[name].mean():.2e} ± {spread:.0e}"
        above = [name for name in RIVALS if wide[name].mean() <= wide["PL-Partition"].mean()]
        row["PL-Partition the best but the oracle"] = f"no: {', '.join(above)}" if above else "yes"
        rows.append(row)
    return pd.DataFrame(rows)


def picture(worths):
    """Return a figure of the errors by number of rankings, one panel per number of items."""
    from matplotlib.figure import Figure

    items = sorted(worths["items"].unique())
    figure = Figure(figsize=(4.0 * len(items), 3.6), layout="constrained")
    for axes, n in zip(figure.subplots(1, len(items), squeeze=False)[0], items, strict=True):
        part = worths[worths["items"] == n]
        for name in ["PL-Partition", *RIVALS, "PL-TopK"]:
            mean = part[part["method"] == name].groupby("rankings")["error"].mean()
            axes.plot(mean.index, mean, "o--" if name == "PL-TopK" else "o-", label=name)
        axes.set(xscale="log", yscale="log", title=f"{n:,} items", xlabel="rankings")
    figure.axes[0].set_ylabel("squared error of worths")
    figure.axes[0].legend(fontsize="small")
    return figure
