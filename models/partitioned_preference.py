r"""Scores from rankings of which only the order of the blocks is known.

Ma, Yi, Tang, Zhao, Hong, Chi and Mei, Learning-to-rank with partitioned preference: fast estimation
for the Plackett-Luce model (2021). Two questions. (1) Simulated rankings are cut into four blocks,
the last of which holds all but 500 items or fewer: who finds the true worths, the likelihood of the
blocks (PL-Partition), its lower bound (PL-LB), AttRank, RankNet or Ranking SVM, beside an oracle
that sees the order within the blocks (PL-TopK)? The paper shows figures only, no numbers.
(2) Delicious, where the true labels of a page are above all others: how good are the labels that
a network of two layers puts first?

The likelihood here is exact, where the paper's is a sum over an even grid. Scores of items are the
optimum under a normal prior of scale 10, the same for all methods, where the paper stops stochastic
gradients early.

The paper finds PL-Partition the best at all sizes. Here it is not where rankings are few for the
number of items: with 10 000 items and 100 or 300 rankings PL-LB has the smaller error, smaller than
the oracle's, too. Blocks of at most 500 items are then small beside the rest, so that the bound is
nearly exact; that it draws the highest scores together may help where these are mostly noise.

    python3 -m models.partitioned_preference            # most of it for 10 000 items
    python3 -m models.partitioned_preference --quick    # under a minute
    python3 -m models.partitioned_preference --part delicious    # one of the two
"""

import gzip
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.baselines.attention_rank import attention_rank
from bayesrank.baselines.block_pairs import block_pairs
from bayesrank.baselines.item_scores import fit_item_pairs, fit_item_scores
from bayesrank.baselines.pl_lower_bound import pl_lower_bound
from bayesrank.kernels import KERNELS
from bayesrank.metrics import (
    ndcg,
    precision,
    propensities,
    propensity_ndcg,
    propensity_precision,
    worth_error,
)
from bayesrank.progress import progress_bar
from models.label_network import train
from models.study import data_folder, keep, markdown, on_all_cores, options, with_error

__all__ = ["cost_table", "label_table", "main", "model", "simulate", "worth_table"]

BLOCKS, MOST = 4, 500
SCALE = 10.0  # wide: the true scores of 10 000 items have a standard deviation of 2.7
CUTOFFS = [1, 3, 5, 10]
NODES = np.array([32.0])  # right to 1e-5 or better, far below the noise of a batch
# Tables 1 and 4 of the paper, Delicious, at 1, 3, 5 and 10.
PAPER = {
    "PL-Partition": {
        "P": [66.72, 61.30, 56.63, 47.61], "PSP": [33.22, 34.23, 35.02, 35.26],
        "nDCG": [66.72, 62.78, 59.25, 52.48], "PSnDCG": [33.22, 36.01, 37.58, 39.48],
    },
    "PL-LB": {
        "P": [66.12, 60.13, 54.72, 45.76], "PSP": [30.36, 31.69, 31.82, 31.91],
        "nDCG": [66.12, 61.57, 57.51, 50.70], "PSnDCG": [30.36, 33.26, 34.55, 36.09],
    },
    "RankNet": {
        "P": [64.11, 58.46, 53.60, 45.62], "PSP": [32.02, 32.76, 32.85, 33.27],
        "nDCG": [64.11, 60.00, 56.29, 50.23], "PSnDCG": [32.02, 34.34, 35.77, 37.43],
    },
    "RankSVM": {
        "P": [61.95, 57.05, 52.74, 44.57], "PSP": [31.03, 31.61, 32.20, 32.71],
        "nDCG": [61.95, 58.24, 55.01, 49.08], "PSnDCG": [31.03, 33.29, 34.87, 36.52],
    },
}  # fmt: skip


# The model -------------------------------------------------------------------------------------


def model(data):
    """Return the model of partitioned rankings in PyMC, one score an item."""
    distribution = br.PartitionedPlackettLuce
    import pymc as pm  # which our own distributions have imported without its notices

    with pm.Model(coords=data.coords) as made:
        # PyTensor takes the logarithm of a plain 10.0 in single precision.
        score = pm.ZeroSumNormal("score", np.float64(SCALE), dims="item")
        distribution("ranks", score[data.entries], data.offered, observed=data.ranks)
    return made


def _partitioned(score, order, sizes):
    return KERNELS["partitioned"].function(score, order, sizes, NODES)


def _pairs(hinge):
    return lambda score, order, sizes: block_pairs(score, order, sizes, hinge)


OBJECTIVES = {
    "PL-Partition": _partitioned,
    "PL-LB": pl_lower_bound,
    "AttRank": attention_rank,
    "RankNet": _pairs(False),
    "RankSVM": _pairs(True),
}
RIVALS = ["PL-LB", "AttRank", "RankNet", "RankSVM"]


# Simulation: Figures 1 to 3 ----------------------------------------------------------------------


def simulate(items, rankings, rng):
    """Return true worths, rankings in blocks, and the same with the order within known.

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
    shares = KERNELS["shares"].function  # of a ranking without ties this is Plackett-Luce
    yield "PL-TopK", fit_item_scores(full, shares, scale=SCALE, tolerance=1e-6)


def worth_table(chosen, sizes):
    """Return the squared error of the worths, one row a data set and method.

    ``sizes`` holds items, rankings and the number of data sets.
    """
    # The longest first, so that no core is left with one at the end.
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


def cost_table(chosen, sizes):
    """Return the cost of one gradient of a batch of 20 rankings, by method and number of items.

    Each is a process of its own, so that its memory is its own, except in quick runs, which have
    no memory then.
    """
    jobs = [(items, name) for items in sizes for name in OBJECTIVES]
    if chosen.quick:
        return pd.DataFrame([_cost(job) for job in jobs]).drop(columns="megabytes")
    rows = []
    with progress_bar("Cost", len(jobs)) as advance:
        for job in jobs:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
                rows.append(alone.submit(_cost, job).result())
            advance()
    return pd.DataFrame(rows)


def _cost(job):
    """Return the time of a gradient, and the memory beyond that of the data."""
    items, name = job
    rng = np.random.default_rng(items)
    order, sizes = np.zeros((2, 20, items), dtype=np.int64)
    score = np.empty((20, items))
    for row in range(20):  # one by one, so that making the data takes no more than they do
        order[row], score[row] = rng.permutation(items), rng.normal(size=items)
        cuts = np.sort(rng.choice(min(MOST, items - 1), BLOCKS - 1, replace=False)) + 1
        sizes[row, :BLOCKS] = np.diff(cuts, prepend=0, append=items)
        sizes[row, BLOCKS - 1] *= -1  # of which the order is unknown
    objective = OBJECTIVES[name]
    objective(np.zeros((1, 2)), np.array([[0, 1]]), np.array([[1, -1]]))  # compiles
    before, times = _memory("VmRSS", forget=True), []
    for _ in range(3):
        start = time.process_time()  # of one thread, whatever else the machine does
        objective(score, order, sizes)
        times.append(time.process_time() - start)
    return {
        "items": items, "method": name,
        "milliseconds": 1e3 * min(times), "megabytes": _memory("VmHWM") - before,
    }  # fmt: skip


def _memory(name, forget=False):
    """Return what Linux says of this process, in megabytes; NaN elsewhere.

    VmRSS is the memory now, VmHWM the most there ever was, since it was last told to forget.
    """
    try:
        if forget:
            Path("/proc/self/clear_refs").write_text("5")
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return np.nan
    (line,) = (line for line in lines if line.startswith(f"{name}:"))
    return int(line.split()[1]) / 1024.0


def cost_summary(table):
    """Return milliseconds, and megabytes where known: a row a number of items."""
    cells = table["milliseconds"].map("{:.3g} ms".format)
    if "megabytes" in table:
        cells += table["megabytes"].map(", {:.0f} MB".format)
    wide = table.assign(cell=cells).pivot(index="items", columns="method", values="cell")
    return wide[list(OBJECTIVES)].rename_axis("N").reset_index()


# Delicious: Tables 1 and 4 -----------------------------------------------------------------------


def read_labels(path, features=500):
    """Return features and labels of a sparse ARFF file, rows by columns."""
    rows, columns, n, width, inside = [], [], 0, 0, False
    with gzip.open(path, "rt") as file:
        for line in map(str.strip, file):
            if inside and line:
                found = [int(part.split()[0]) for part in line.strip("{}").split(",") if part]
                rows += [n] * len(found)
                columns += found
                n += 1
            width += line.lower().startswith("@attribute")
            inside = inside or line.lower() == "@data"
    table = np.zeros((n, width), dtype=bool)
    table[rows, columns] = True
    return table[:, :features].astype(float), table[:, features:]


def simulated_labels(rng, pages=(3000, 1000), features=100, labels=200, mean=12):
    """Return a training and a test set of the same kind: the first labels of Plackett-Luce."""
    weights = rng.normal(size=(features, 8)) @ rng.normal(size=(8, labels)) / np.sqrt(8.0)
    popular = rng.normal(scale=1.5, size=labels)
    sets = []
    for n in pages:
        x = (rng.random((n, features)) < 0.1).astype(float)
        noisy = x @ weights + popular + rng.gumbel(size=(n, labels))
        place = np.argsort(np.argsort(-noisy, axis=1), axis=1)
        sets.append((x, place < 1 + rng.poisson(mean - 1, size=(n, 1))))
    return sets


def delicious(quick, seed):
    """Return the training and the test set, a stand-in where the data are not at hand."""
    folder = None if quick else data_folder("delicious")
    if folder is None:
        return simulated_labels(np.random.default_rng(seed))
    return [read_labels(folder / f"delicious-{part}.arff.gz") for part in ("train", "test")]


def label_measures(score, labels, propensity):
    """Return the four measures at the four cutoffs, in per cent."""
    labels = labels.astype(float)
    made = {
        "P": precision(score, labels, k=CUTOFFS),
        "PSP": propensity_precision(score, labels, propensity, k=CUTOFFS),
        "nDCG": ndcg(score, labels, k=CUTOFFS),
        "PSnDCG": propensity_ndcg(score, labels, propensity, k=CUTOFFS),
    }
    return {name: 100.0 * value.mean(axis=0) for name, value in made.items()}


def label_table(sets, methods, rates, seeds, *, seed=0, progress=True, **training):
    """Return the measures of each method and seed, one row a measure and cutoff.

    The learning rate is chosen once, with the first seed, by validation on a quarter of the
    training set; each seed splits it anew.
    """
    (x, labels), (test_x, test_labels) = sets
    propensity = propensities(labels.sum(axis=0), len(labels))
    rows = []
    steps = len(methods) * (seeds - 1 + len(rates))
    with progress_bar("Networks", steps, progress) as advance:
        for name in methods:
            chosen = None
            for k in range(seeds):
                order = np.random.default_rng([seed, k]).permutation(len(x))
                valid, fitted = np.split(order, [len(x) // 4])
                tried = {}
                for rate in rates if chosen is None else [chosen]:
                    tried[rate] = train(
                        OBJECTIVES[name], (x[fitted], labels[fitted]), (x[valid], labels[valid]),
                        rate, np.random.default_rng([seed, k, 1]), **training,
                    )  # fmt: skip
                    advance()
                chosen = max(tried, key=lambda rate: tried[rate][1])
                network, _, epochs = tried[chosen]
                measures = label_measures(network.score(test_x), test_labels, propensity)
                for measure, values in measures.items():
                    for cutoff, value in zip(CUTOFFS, values, strict=True):
                        rows.append((name, k, chosen, epochs, measure, cutoff, value))
    columns = ["method", "seed", "rate", "epochs", "measure", "cutoff", "value"]
    return pd.DataFrame(rows, columns=columns)


def label_summary(table, published=True):
    """Return means with standard errors over seeds, beside the paper's numbers if asked."""
    rows = []
    for name in table["method"].unique():
        for measure in ("P", "PSP", "nDCG", "PSnDCG"):
            row = {"method": name, "measure": measure}
            for j, cutoff in enumerate(CUTOFFS):
                part = table[
                    (table["method"] == name)
                    & (table["measure"] == measure)
                    & (table["cutoff"] == cutoff)
                ]["value"]
                spread = part.sem() if len(part) > 1 else np.nan
                row[f"@{cutoff}"] = with_error(part.mean(), spread, 2)
                if published:
                    row[f"@{cutoff}"] += f" ({PAPER[name][measure][j]:.2f})"
            rows.append(row)
    return pd.DataFrame(rows)


def picture(worths):
    """Return a figure of the errors by rankings, one panel a number of items."""
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


def main(arguments=None):
    """Print the tables, and write them."""
    parts = {"choices": ["simulation", "delicious"], "help": "only one of the two parts"}
    chosen = options(__doc__, arguments, part=parts)
    if chosen.part != "delicious":
        sizes = [(100, 100, 3), (100, 300, 3)]
        if not chosen.quick:
            sizes = [(items, n, 5) for items in (100, 1000, 10_000) for n in (100, 300, 1000)]
        worths = worth_table(chosen, sizes)
        print("Mean squared error of the worths (no numbers in the paper)\n")
        summary = worth_summary(worths)
        print(markdown(summary, chosen), "\n")
        if summary.iloc[:, -1].str.startswith("no").any():
            print("Where a rival is ahead the paper's claim does not hold; see the docstring.\n")
        cost = cost_table(chosen, [100, 1000] if chosen.quick else [100, 1000, 10_000, 100_000])
        print("Cost of a gradient, 20 rankings\n")
        print(markdown(cost_summary(cost), chosen), "\n")
        keep(chosen, "partitioned_preference_simulation", worths, picture(worths))
        keep(chosen, "partitioned_preference_cost", cost)
    if chosen.part != "simulation":
        sets = delicious(chosen.quick, chosen.seed)
        real = sets[0][1].shape[1] == 983
        if chosen.quick:
            print("delicious: quick runs simulate it")
        methods = ["PL-Partition", "PL-LB"] if chosen.quick else list(PAPER)
        rates, seeds = ([3e-3], 2) if chosen.quick else ([1e-4, 1e-3, 1e-2], 3)
        training = {"hidden": 64, "epochs": 40} if chosen.quick else {}
        labels = label_table(sets, methods, rates, seeds, seed=chosen.seed, **training)
        print("First labels, per cent" + (" (the paper's in brackets)" if real else "") + "\n")
        print(markdown(label_summary(labels, published=real), chosen))
        keep(chosen, "partitioned_preference_labels", labels)


if __name__ == "__main__":
    main()
