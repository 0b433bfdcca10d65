"""Graded documents of queries, in folds, with features for a linear scorer."""

from dataclasses import replace

import numpy as np

from bayesrank.data import JudgedDocuments, read_letor
from models.study import data_folder

__all__ = ["folds_of", "prepared", "simulated"]


def simulated(queries, features, rng):
    """Return documents of queries like LETOR's: about 20 per query, most of them not relevant.

    Features are correlated, differ in level between queries, and explain relevance in part. The
    documents of a query are sorted by the first of them.
    """
    sizes = np.clip(rng.gamma(1.2, 16.0, queries).astype(int), 5, 120)
    query = np.repeat(np.arange(queries), sizes)
    quality = rng.normal(size=query.size)
    share = np.random.default_rng(features).uniform(0.0, 0.6, features)  # the same in all parts
    x = share * quality[:, None] + rng.normal(size=(query.size, features))
    x += rng.normal(size=(queries, features))[query]
    order = np.lexsort((x[:, 0], query))
    x, quality = x[order], quality[order]
    seen = (
        quality
        + 0.3 * x[:, 1] * x[:, 2]
        + rng.normal(scale=0.7, size=query.size)
        + rng.normal(size=queries)[query]
    )
    return JudgedDocuments(
        query=query, queries=list(range(queries)), documents=list(range(query.size)), values=x,
        columns=[f"f{k + 1}" for k in range(features)],
        relevance=np.digitize(seen, [1.6, 2.6]), relevant=None,
    )  # fmt: skip


def joined(parts):
    """Return the documents of several parts as one part, with new numbers of the queries."""
    first = np.cumsum([0, *(len(part.queries) for part in parts)])
    query = np.concatenate([part.query + k for part, k in zip(parts, first, strict=False)])
    return JudgedDocuments(
        query=query, queries=list(range(first[-1])), documents=list(range(query.size)),
        values=np.concatenate([part.values for part in parts]), columns=parts[0].columns,
        relevance=np.concatenate([part.relevance for part in parts]), relevant=None,
    )  # fmt: skip


def folds_of(name, quick, seed):
    """Return the name of the data, and pairs of training and test documents.

    MQ2008 has LETOR's five folds, the sample of MSLR one.
    """
    folder = data_folder(name)
    label = name if folder else f"{name}, simulated"
    rng = np.random.default_rng([seed, 0])
    if name == "mslr-sample":
        if folder is None:
            return label, [(simulated(43, 60, rng), simulated(43, 60, rng))]
        files = [folder / f"{part}.txt.gz" for part in ("train", "test")]
        return label, [tuple(joined([read_letor(file)]) for file in files)]
    if folder is None:
        parts = [simulated(60 if quick else 157, 12 if quick else 46, rng) for _ in range(5)]
    else:
        parts = [read_letor(folder / f"S{k}.txt.gz") for k in range(1, 6)]
        if quick:
            # Fewer queries than simulated, since LETOR has three times as many features.
            parts = [part.of_queries(part.queries[:25]) for part in parts]
    # The fourth part of a fold is for validation: nothing is chosen here.
    return label, [
        (joined([parts[(k + j) % 5] for j in range(3)]), joined([parts[(k + 4) % 5]]))
        for k in range(1 if quick else 5)
    ]


def spread_within(x, query):
    """Return the standard deviation of each column within queries."""
    size = np.bincount(query)
    centre = np.stack([np.bincount(query, column) / size for column in x.T], axis=1)
    return np.sqrt(np.mean((x - centre[query]) ** 2, axis=0))


def correlation(x, y):
    """Return Pearson's correlation of each column with y; 0 for a constant one."""
    x, y = x - x.mean(axis=0), y - y.mean()
    length = np.sqrt((x**2).sum(axis=0) * (y @ y))
    return np.divide(y @ x, length, out=np.zeros(x.shape[1]), where=length > 1e-9)


def prepared(train, test, threshold=None):
    """Return both sets of documents with their features as the fits see them.

    Columns that are constant within every query say nothing about a ranking and are left out. With
    a threshold there are also products that correlate with the label by more than the threshold.
    """
    mean, sd = train.values.mean(axis=0), train.values.std(axis=0)
    used = np.flatnonzero(spread_within(train.values, train.query) > 1e-9 * (1.0 + np.abs(mean)))
    parts = [(part.values[:, used] - mean[used]) / sd[used] for part in (train, test)]
    names = [str(train.columns[k]) for k in used]
    if threshold is not None:
        left, right = np.triu_indices(used.size)
        strength = np.concatenate([
            np.abs(correlation(parts[0][:, [k]] * parts[0][:, k:], train.relevance))
            for k in range(used.size)
        ])  # fmt: skip
        kept = np.flatnonzero(strength > threshold)
        names += [f"{names[left[k]]} x {names[right[k]]}" for k in kept]
        parts = [np.hstack([x, x[:, left[kept]] * x[:, right[kept]]]) for x in parts]
    mean, unit = parts[0].mean(axis=0), spread_within(parts[0], train.query)
    return [
        replace(
            part, values=(x - mean) / unit, columns=names, queries=list(range(len(part.queries))),
            documents=list(range(len(part))),
        )
        for part, x in zip((train, test), parts, strict=True)
    ]  # fmt: skip
