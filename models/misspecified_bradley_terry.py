r"""What Bradley-Terry estimates when the rankings come from another model.

Jeon and Kim, Revisiting the Bradley-Terry model and its application to information retrieval
(2013). Documents have features x and are ranked by x' beta* plus normal noise. Every ranking is
broken into pairs, and a linear scorer is fitted to these with a loss that does not belong to
normal noise. The paper's claim: as rankings become many the estimate is beta* but for one factor,
so that the order is right, for the logistic loss (Bradley-Terry, RankNet), the hinge loss (RankSVM)
and the exponential one (RankBoost). Without features there is no such luck: Figure 4.1.

The paper says noise of variance 1 and prints "beta-hat / beta*"; its numbers are nearer to beta* /
beta-hat with noise of variance 1/2, so both ratios and both variances are here. The standard
deviations of its Table 3.1 are those of n single pairs rather than of n rankings of four. Hence a
third design, n pairs whose features differ by N(0, I), with noise N(0, 1) on the difference. It is
a guess at what was simulated, the nearest to Table 3.1 among some ten readings that we tried, and
it does not give Tables 3.2 and 3.3.

New here: the likelihood of the whole rankings (Thurstone's), and how often the intervals of both
hold the truth: pairs of one ranking are not independent.

    python3 -m models.misspecified_bradley_terry            # ten to twenty minutes
    python3 -m models.misspecified_bradley_terry --quick    # half a minute
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

import bayesrank as br
from bayesrank.baselines.pair_losses import fit_pair_loss, pair_loss
from bayesrank.progress import progress_bar
from models.study import keep, markdown, options, sample, with_error

__all__ = [
    "coverage_table",
    "limit",
    "main",
    "marginal_probabilities",
    "model",
    "nuts_table",
    "ratio_table",
]

BETA = np.array([1.0, 0.5, -1.0])
FEATURES = ["x1", "x2", "x3"]
WORTHS = np.array([10.0, 8.0, 6.0, 4.9, 4.6, 4.3, 1.2, 1.1, 1.0])  # of Figure 4.1


class Design(NamedTuple):
    """How many documents are ranked, the variance of their features and that of their noise."""

    documents: int
    features: float
    noise: float


DESIGNS = {
    "rankings of 4, noise variance 1/2": Design(4, 1.0, 0.5),
    "rankings of 4, noise variance 1": Design(4, 1.0, 1.0),
    # The difference of two such documents: features N(0, I), noise N(0, 1).
    "single pairs": Design(2, 0.5, 0.5),
}
# Tables 3.1 to 3.3: means and standard deviations over 200 repetitions, by number of observations.
PAPER = {
    "logistic": {
        100: ([0.566, 0.608, 0.557], [0.132, 0.036, 0.134]),
        1000: ([0.568, 0.568, 0.573], [0.042, 0.066, 0.038]),
        10_000: ([0.576, 0.576, 0.575], [0.013, 0.020, 0.012]),
    },
    "hinge": {
        100: ([0.743, 0.865, 0.761], [0.175, 1.321, 0.192]),
        1000: ([0.744, 0.752, 0.747], [0.05, 0.102, 0.006]),
        10_000: ([0.744, 0.744, 0.744], [0.001, 0.003, 0.016]),
    },
    "exponential": {
        100: ([1.064, 1.278, 1.079], [0.275, 0.954, 0.280]),
        1000: ([1.127, 1.133, 1.125], [0.09, 0.015, 0.009]),
        10_000: ([1.134, 1.131, 1.132], [0.002, 0.004, 0.002]),
    },
}


# The model -------------------------------------------------------------------------------------


def model(x, likelihood, noise=0.5):
    """Return the model in PyMC, for features of rankings by documents, the best first.

    "bradley-terry" sees all pairs of a ranking as if they were separate results; "thurstone" sees
    the ranking.
    """
    distribution = {"bradley-terry": br.BradleyTerry, "thurstone": br.Thurstone}[likelihood]
    import pymc as pm  # which our own distributions have imported without its notices

    n, documents, _ = x.shape
    with pm.Model(coords={"feature": FEATURES}) as made:
        beta = pm.Normal("beta", 0.0, 10.0, dims="feature")
        score = pm.math.dot(x.reshape(n * documents, -1), beta)
        if likelihood == "bradley-terry":
            better, worse = all_pairs(x)
            won = np.tile([1, 0, 0], (better.size, 1))
            distribution("pairs", score[better], score[worse], observed=won)
        else:
            ranks = np.tile(np.arange(1, documents + 1), (n, 1))
            score = score.reshape((n, documents))
            distribution("ranks", score, scale=np.sqrt(noise), observed=ranks)
    return made


def simulate(design, n, rng):
    """Return the features of n rankings, the best document first."""
    x = rng.normal(scale=np.sqrt(design.features), size=(n, design.documents, BETA.size))
    seen = x @ BETA + rng.normal(scale=np.sqrt(design.noise), size=x.shape[:2])
    return np.take_along_axis(x, np.argsort(-seen, axis=1)[:, :, None], axis=1)


def all_pairs(x):
    """Return rows of the better and of the worse document of each pair, ranking by ranking."""
    n, documents, _ = x.shape
    j, k = np.triu_indices(documents, 1)
    first = documents * np.arange(n)[:, None]
    return (first + j).ravel(), (first + k).ravel()


# The paper's fits: Tables 3.1 to 3.3 --------------------------------------------------------------


def limit(design, loss):
    """Return beta-hat / beta* for infinitely many rankings, by an integral over u = x' beta*."""
    spread = np.sqrt(2.0 * design.features * BETA @ BETA)
    u = spread * np.linspace(-9.0, 9.0, 20_001)
    density = stats.norm.pdf(u, scale=spread)
    won = special.ndtr(u / np.sqrt(2.0 * design.noise))

    def risk(c):
        return density @ (
            won * pair_loss(loss, c * u)[0] + (1.0 - won) * pair_loss(loss, -c * u)[0]
        )

    return optimize.minimize_scalar(risk, bounds=(0.01, 20.0), method="bounded").x


def estimates(name, n, repetitions, seed=0, progress=True):
    """Return the coefficients by loss, repetitions by columns."""
    found = {loss: [] for loss in PAPER}
    place = list(DESIGNS).index(name)
    with progress_bar(f"{n} observations", repetitions, progress) as advance:
        for k in range(repetitions):
            x = simulate(DESIGNS[name], n, np.random.default_rng([seed, 0, place, n, k]))
            for loss, rows in found.items():
                rows.append(fit_pair_loss(*all_pairs(x), x.reshape(-1, BETA.size), loss=loss))
            advance()
    return {loss: np.array(rows) for loss, rows in found.items()}


def apart(ratios):
    """Return the largest difference between two coefficients' ratios, in standard errors."""
    differences = ratios[:, [0, 0, 1]] - ratios[:, [1, 2, 2]]
    error = differences.std(axis=0, ddof=1) / np.sqrt(len(ratios))
    return np.max(np.abs(differences.mean(axis=0)) / error)


def ratio_table(name, sizes, repetitions, seed=0, progress=True):
    """Return rows of the tables 3.1 to 3.3 for a design: both ratios, and what they tend to."""
    rows = []
    for n in sizes:
        for loss, beta in estimates(name, n, repetitions, seed, progress).items():
            inverse, plain = BETA / beta, beta / BETA
            row = {"design": name, "method": loss, "n": n, "apart": apart(inverse)}
            for label, ratio in (("beta*/beta-hat", inverse), ("beta-hat/beta*", plain)):
                row[label] = ratio.mean(axis=0)
                row[f"{label} sd"] = ratio.std(axis=0, ddof=1)
            row["se"] = inverse.mean(axis=1).std(ddof=1) / np.sqrt(repetitions)
            row["limit"] = limit(DESIGNS[name], loss)
            row["paper"], row["paper sd"] = PAPER[loss][n]
            rows.append(row)
    return rows


# Figure 4.1 --------------------------------------------------------------------------------------


def marginal_probabilities(n, seed=0):
    """Return the probabilities of each pair of nine items: true, and as three models fit them."""
    score = np.log(WORTHS)
    rng = np.random.default_rng([seed, 3])
    seen = score + rng.normal(scale=np.sqrt(0.5), size=(n, score.size))
    left, right = np.triu_indices(score.size, 1)
    wins = (seen[:, left] > seen[:, right]).sum(axis=0)
    counts = np.stack([wins, n - wins, np.zeros_like(wins)], axis=1)
    games = br.Comparisons(left, right, counts, list(range(score.size)))
    order = np.argsort(-seen, axis=1)
    ranks = np.tile(np.arange(1, score.size + 1), (n, 1))
    rankings = br.Rankings(order, ranks, list(range(score.size)))
    true = special.ndtr(score[left] - score[right])
    result = {"true": true}
    for likelihood in ("bradley-terry", "thurstone-pairs", "thurstone"):
        data = rankings if likelihood == "thurstone" else games
        fit = br.fit(data, likelihood, method="map", scale=np.inf, progress=False)
        fitted = fit.ranking()["score"].sort_index().to_numpy()
        d = fitted[left] - fitted[right]
        if likelihood == "thurstone":
            d = d / np.sqrt(2.0)  # whose noise has variance 1
        result[likelihood] = special.expit(d) if likelihood == "bradley-terry" else special.ndtr(d)
    both = np.concatenate([left, right]), np.concatenate([right, left])
    fitted = fit_pair_loss(*both, weights=np.concatenate([true, 1.0 - true]))
    result["bradley-terry, limit"] = special.expit(fitted[left] - fitted[right])
    return result


# Posteriors --------------------------------------------------------------------------------------


def sandwich(x, draws, rng):
    """Return draws around Bradley-Terry's estimate that allow for pairs of a ranking being related.

    The covariance is H^-1 J H^-1: H the curvature of the pairs' log-likelihood, J the covariance of
    its gradient, summed over rankings (Godambe).
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
    """Return draws of the coefficients from the normal approximation of a posterior, flat prior."""
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
                # Only directions can be compared: Bradley-Terry has a scale of its own.
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


# Tables and pictures -----------------------------------------------------------------------------


def _three(mean, sd):
    return ", ".join(f"{m:.3f} ({s:.3f})" for m, s in zip(mean, sd, strict=True))


def print_ratios(rows):
    """Print both ratios beside the paper's."""
    print(f"\n{rows[0]['design']}: mean (sd) of the three coefficients\n")
    shown = [
        {
            "loss": row["method"], "n": row["n"], "paper": _three(row["paper"], row["paper sd"]),
            "β*/β̂": _three(row["beta*/beta-hat"], row["beta*/beta-hat sd"]),
            "limit of β*/β̂": f"{1.0 / row['limit']:.3f}",
            "β̂/β*": _three(row["beta-hat/beta*"], row["beta-hat/beta* sd"]),
            "limit of β̂/β*": f"{row['limit']:.3f}",
        }
        for row in rows
    ]  # fmt: skip
    print(markdown(pd.DataFrame(shown)))


def print_verdict(ratios):
    """Print how the claims came out for the most observations."""
    most = max(row["n"] for row in ratios)
    print(f"\nn = {most:,}: β*/β̂, mean of the three coefficients; how far these are apart\n")
    shown = []
    for row in ratios:
        if row["n"] == most:
            ours, paper = row["beta*/beta-hat"].mean(), np.mean(row["paper"])
            shown.append({
                "design": row["design"], "loss": row["method"], "paper": f"{paper:.3f}",
                "ours": with_error(ours, row["se"], 4), "minus paper": f"{ours - paper:+.4f}",
                "limit": f"{1.0 / row['limit']:.4f}", "apart, in se": f"{row['apart']:.1f}",
            })  # fmt: skip
    print(markdown(pd.DataFrame(shown)))


def print_marginals(found):
    """Print how far fitted probabilities are from the true ones."""
    print("\nFigure 4.1: fitted minus true probability that the better item of a pair wins\n")
    shown = []
    for name in list(found)[1:]:
        off = found[name] - found["true"]
        parts = {"mean": off.mean(), "smallest": off.min(), "largest": off.max()}
        for low, high in ((0.5, 0.6), (0.6, 0.9), (0.9, 0.97), (0.97, 1.0)):
            inside = (found["true"] > low) & (found["true"] <= high)
            parts[f"true {low:g} to {high:g}"] = off[inside].mean()
        shown.append({"model": name} | {key: f"{value:+.4f}" for key, value in parts.items()})
    print(markdown(pd.DataFrame(shown)))


def print_coverage(rows):
    """Print the share of 95 % intervals that hold the truth."""
    print("\nShare of 95 % intervals that hold the truth, Laplace\n")
    shown = [
        {
            "n": row["n"], "model": row["method"],
            "coefficients": with_error(row["coefficients"], row["coefficients se"]),
            "directions": with_error(row["directions"], row["directions se"]),
            "rms error of directions": f"{row['rms error of directions']:.4f}",
        }
        for row in rows
    ]  # fmt: skip
    print(markdown(pd.DataFrame(shown)))


def print_nuts(rows, chosen):
    """Print NUTS beside Laplace."""
    print(f"\n{rows[0]['design']}, one data set: posterior mean (sd) of three coefficients\n")
    shown = [{"model": row["method"], "β": _three(row["mean"], row["sd"])} for row in rows]
    print(markdown(pd.DataFrame(shown), chosen))


def long_table(rows, found):
    """Return everything, one number a line."""
    lines = []
    for row in rows:
        where = [row["design"], row["method"], row["n"]]
        for name in [key for key in row if key not in ("design", "method", "n")]:
            labels = FEATURES if np.ndim(row[name]) else [""]
            for label, number in zip(labels, np.atleast_1d(row[name]), strict=True):
                lines.append([*where, name, label, round(float(number), 5)])
    for name, values in found.items():
        for i, j, p in zip(*np.triu_indices(WORTHS.size, 1), values, strict=True):
            lines.append(
                ["figure 4.1", name, "", "probability", f"{i + 1} > {j + 1}", round(float(p), 5)]
            )
    columns = ["design", "method", "n", "quantity", "coefficient", "value"]
    return pd.DataFrame(lines, columns=columns)


def picture(ratios, found, coverage):
    """Return a figure of the ratios, Figure 4.1 and the coverage."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(15, 4.2), layout="constrained")
    blue, orange, grey = "#1f5a94", "#d1741f", "0.4"
    shown = [row for row in ratios if row["design"] == ratios[0]["design"]]
    for loss, colour in zip(PAPER, (blue, orange, grey), strict=True):
        rows = [row for row in shown if row["method"] == loss]
        n = np.array([row["n"] for row in rows])[:, None] * [0.88, 1.0, 1.14]
        mean, sd, paper = (
            np.array([row[name] for row in rows])
            for name in ("beta*/beta-hat", "beta*/beta-hat sd", "paper")
        )
        axes[0].errorbar(
            n.ravel(), mean.ravel(), sd.ravel(), fmt="o", ms=4, color=colour, label=loss
        )
        axes[0].plot(n.ravel(), paper.ravel(), "x", color=colour, ms=5)
        axes[0].axhline(1.0 / rows[0]["limit"], color=colour, lw=0.8, ls=":")
    axes[0].set(xscale="log", xlabel="rankings", ylabel="β*/β̂, mean ± sd", ylim=(0.3, 1.7))
    axes[0].set_title("Ratios (dots), limits (lines), the paper's (crosses)", fontsize=10)
    axes[0].legend(fontsize=8, ncols=3, loc="upper center")
    axes[1].axhline(0.0, color="0.75", lw=1)
    styles = {"thurstone": (blue, "o"), "bradley-terry": (orange, "o")}
    for name, (colour, style) in (styles | {"bradley-terry, limit": (grey, "x")}).items():
        off = found[name] - found["true"]
        axes[1].plot(found["true"], off, style, ms=4, color=colour, label=name)
    axes[1].set(xlabel="true probability of a pair", ylabel="fitted - true")
    axes[1].set_title("Figure 4.1: nine items without features", fontsize=10)
    axes[1].legend(fontsize=8)
    labels = [f"{row['method']}, n = {row['n']:,}" for row in coverage]
    place = np.arange(len(coverage))[::-1]
    for label, colour, shift in (("coefficients", blue, 0.1), ("directions", orange, -0.1)):
        share = [row[label] for row in coverage]
        error = [2.0 * row[f"{label} se"] for row in coverage]
        axes[2].errorbar(share, place + shift, xerr=error, fmt="o", ms=4, color=colour, label=label)
    axes[2].axvline(0.95, color="0.75", lw=1)
    axes[2].set_yticks(place, labels, fontsize=8)
    axes[2].set(xlabel="share (± 2 se)", ylim=(-0.6, len(coverage) + 0.4))
    axes[2].set_title("95 % intervals that hold the truth", fontsize=10)
    axes[2].legend(fontsize=8, ncols=2, loc="upper center")
    return figure


def main(arguments=None):
    """Run the study; returns the rows of each table."""
    repeat = {"type": int, "default": None, "help": "of the tables (default 200, quick 40)"}
    chosen = options(__doc__, arguments, repetitions=repeat)
    quick, seed = chosen.quick, chosen.seed
    repetitions = chosen.repetitions or (40 if quick else 200)
    ratios, coverage = [], []
    for name in DESIGNS:
        rows = ratio_table(name, (100, 1000) if quick else (100, 1000, 10_000), repetitions, seed)
        print_ratios(rows)
        ratios += rows
    print_verdict(ratios)
    found = marginal_probabilities(1000 if quick else 10_000, seed)
    print_marginals(found)
    for n, times in ((100, 20),) if quick else ((100, 400), (1000, 200)):
        coverage += coverage_table(n, times, seed)
    print_coverage(coverage)
    # Thurstone's gradient takes the longest to compile.
    nuts = nuts_table(100, 200, seed, ["bradley-terry"]) if quick else nuts_table(500, 1000, seed)
    print_nuts(nuts, chosen)
    table = long_table([*ratios, *coverage, *nuts], found)
    keep(chosen, "misspecified_bradley_terry", table, picture(ratios, found, coverage))
    return ratios, found, coverage, nuts


if __name__ == "__main__":
    main()
