"""How often the intervals of each model hold the truth, and NUTS beside Laplace."""

import numpy as np
from scipy import special

import bayesrank as br
from bayesrank.baselines import fit_pair_loss
from models.misspecified_bradley_terry.designs import BETA, DESIGNS, all_pairs, model, simulate
from models.misspecified_bradley_terry.ratios import limit
from models.study import progress_bar, sample

__all__ = ["coverage_table", "laplace", "nuts_table", "sandwich"]


def sandwich(x, draws, rng):
    """Return draws around Bradley-Terry's estimate that allow for related pairs of a ranking.

    The covariance is H^-1 J H^-1 (Godambe). H is the curvature of the pairs' log-likelihood, J the
    covariance of its gradient, summed over rankings.
    """
    better, worse = all_pairs(x)
    flat = x.reshape(-1, BETA.size)
    beta = fit_pair_loss(better, worse, flat)
    difference = flat[better] - flat[worse]
    lost = special.expit(-difference @ beta)
    curvature = (difference * (lost * (1.0 - lost))[:, None]).T @ difference
    gradient = (difference * lost[:, None]).reshape(len(x), -1, BETA.size).sum(axis=1)
    root = np.linalg.solve(curvature, np.linalg.cholesky(gradient.T @ gradient))
    return beta + rng.normal(size=(draws, BETA.size)) @ root.T


def laplace(x, likelihood, draws, seed):
    """Return draws of the coefficients from the normal approximation of a flat-prior posterior."""
    n, documents, _ = x.shape
    items = list(range(n * documents))
    if likelihood == "thurstone":
        ranks = np.tile(np.arange(1, documents + 1), (n, 1))
        data = br.Rankings(np.reshape(items, ranks.shape), ranks, items)
        features = x
    else:
        better, worse = all_pairs(x)
        data = br.Comparisons(better, worse, np.tile([1, 0, 0], (better.size, 1)), items)
        features = x.reshape(-1, BETA.size)
    fit = br.fit(
        data, likelihood, method="laplace", scale=np.inf, features=features, item_effects=False,
        draws=draws, chains=1, seed=seed, progress=False,
    )  # fmt: skip
    beta = fit.idata.posterior["beta"].values.reshape(-1, BETA.size)
    # The noise of "thurstone" has variance 1, that of the pairs' models 1/2.
    return beta * np.sqrt(0.5) if likelihood == "thurstone" else beta


def coverage_table(n, repetitions, seed=0, progress=True, draws=1000):
    """Return how often 95 % intervals hold the truth, for n rankings of four."""
    design = DESIGNS["rankings of 4, noise variance 1/2"]
    names = ("bradley-terry", "bradley-terry, calibrated", "thurstone-pairs", "thurstone")
    target = dict.fromkeys(names, BETA)
    target["bradley-terry"] = target["bradley-terry, calibrated"] = BETA * limit(design, "logistic")
    held, error = {name: [] for name in names}, {name: [] for name in names}
    with progress_bar(f"coverage, {n} rankings", repetitions, progress) as advance:
        for k in range(repetitions):
            rng = np.random.default_rng([seed, 1, n, k])
            x = simulate(design, n, rng)
            for name in names:
                calibrated = name.endswith("calibrated")
                beta = sandwich(x, draws, rng) if calibrated else laplace(x, name, draws, k)
                # Bradley-Terry has another scale, so that only directions can be compared.
                quantity = np.column_stack([beta, beta[:, 1:] / beta[:, :1]])
                truth = np.append(target[name], BETA[1:] / BETA[0])
                low, high = np.quantile(quantity, [0.025, 0.975], axis=0)
                held[name].append((low <= truth) & (truth <= high))
                error[name].append(np.median(quantity, axis=0) - truth)
            advance()
    rows = []
    for name in names:
        inside, off = np.array(held[name], dtype=float), np.array(error[name])
        row = {"design": f"{n} rankings of 4", "method": name, "n": n}
        for label, part in (("coefficients", slice(0, 3)), ("directions", slice(3, 5))):
            share = inside[:, part].mean(axis=1)
            row[label] = share.mean()
            row[f"{label} se"] = share.std(ddof=1) / np.sqrt(repetitions)
        row["rms error of directions"] = np.sqrt((off[:, 3:] ** 2).mean())
        rows.append(row)
    return rows


def nuts_table(n, draws, seed=0, likelihoods=("bradley-terry", "thurstone")):
    """Return mean and sd of each coefficient by NUTS and by Laplace, for one data set."""
    x = simulate(DESIGNS["rankings of 4, noise variance 1/2"], n, np.random.default_rng([seed, 2]))
    rows = []
    for likelihood in likelihoods:
        nuts = sample(model(x, likelihood), draws=draws, seed=seed + 1)
        nuts = nuts["beta"].values.reshape(-1, BETA.size)
        normal = laplace(x, likelihood, 4000, seed + 1)
        for method, beta in (("nuts", nuts), ("laplace", normal)):
            rows.append(
                {"design": f"{n} rankings of 4", "method": f"{likelihood}, {method}", "n": n,
                 "mean": beta.mean(axis=0), "sd": beta.std(axis=0, ddof=1)}
            )  # fmt: skip
    return rows
