"""The paper's fits, Tables 3.1 to 3.3: estimates over true coefficients, and their limits."""

import numpy as np
from scipy import optimize, special, stats

from bayesrank.baselines import fit_pair_loss
from models.misspecified_bradley_terry.designs import BETA, DESIGNS, all_pairs, simulate
from models.study import progress_bar

__all__ = ["LOSSES", "PAPER", "limit", "ratio_table"]

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


def _exponential(margin):
    """Return e^-margin, and below -50 the tangent there, so that nothing overflows."""
    bounded = np.maximum(margin, -50.0)
    return np.exp(-bounded) * (1.0 + bounded - margin)


# The loss of a margin, which is the score of the better document minus that of the worse one.
LOSSES = {
    "logistic": lambda margin: np.logaddexp(0.0, -margin),
    "hinge": lambda margin: np.maximum(0.0, 1.0 - margin),
    "exponential": _exponential,
    "squared": lambda margin: (1.0 - margin) ** 2,
}


def limit(design, loss):
    """Return beta-hat / beta* for infinitely many rankings, by an integral over u = x' beta*."""
    spread = np.sqrt(2.0 * design.features * BETA @ BETA)
    u = spread * np.linspace(-9.0, 9.0, 20_001)
    density = stats.norm.pdf(u, scale=spread)
    won = special.ndtr(u / np.sqrt(2.0 * design.noise))

    def risk(c):
        return density @ (won * LOSSES[loss](c * u) + (1.0 - won) * LOSSES[loss](-c * u))

    return optimize.minimize_scalar(risk, bounds=(0.01, 20.0), method="bounded").x


def estimates(name, n, repetitions, seed=0, progress=True):
    """Return the coefficients for each loss, repetitions by columns."""
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
    """Return rows of Tables 3.1 to 3.3 for a design: both ratios and their limits."""
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
