"""Tables 1 and 4: the labels that a network puts first, on Delicious or on simulated pages."""

import gzip

import numpy as np
import pandas as pd

from bayesrank.metrics import (
    ndcg,
    precision,
    propensities,
    propensity_ndcg,
    propensity_precision,
)
from models.partitioned_preference.label_network import train
from models.partitioned_preference.objectives import OBJECTIVES
from models.study import data_folder, progress_bar, with_error

__all__ = [
    "PAPER",
    "delicious",
    "label_measures",
    "label_summary",
    "label_table",
    "read_labels",
    "simulated_labels",
]

CUTOFFS = [1, 3, 5, 10]
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
    """Return a training and a test set; the true labels are the first ones of Plackett-Luce."""
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
    """Return the training and the test set, simulated where there are no data."""
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
    """Return the measures of each method and seed, with one row per measure and cutoff.

    The learning rate is chosen once, with the first seed, by validation on a quarter of the
    training set. Each seed has its own split of the training set.
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
