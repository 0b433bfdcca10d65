"""Worths, and variances of items that reproduce those of all differences.

A worth is exp(score), scaled to sum to one. Quasi-variances q (Firth and de Menezes 2004) are
numbers of the items for which q_i + q_j is nearly the variance of the difference of scores i and
j, so that one number per item is enough to compare any two. They minimise the sum over all pairs
of the squared logarithm of the ratio.
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax

__all__ = ["quasi_variances", "worth_draws"]


def worth_draws(scores: np.ndarray) -> np.ndarray:
    """Return the worths in each draw."""
    return softmax(scores, axis=1)


def quasi_variances(covariance: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the quasi-variances, and the largest relative error of a difference's deviation.

    Parameters
    ----------
    covariance : ndarray, items by items
        Of the scores; a constant added to all scores does not matter.
    """
    own = np.diag(covariance)
    target = own[:, None] + own - 2.0 * covariance
    n = len(own)
    if n == 2:
        # One variance for two numbers: each has half.
        return np.full(2, target[0, 1] / 2.0), 0.0
    pair = ~np.eye(n, dtype=bool)
    # Differences of items that are always equal have no variance and do not count here.
    pair &= target > 1e-12 * max(target.max(), np.finfo(float).tiny)
    if not pair.any():
        return np.zeros(n), 0.0
    log_target = np.log(np.where(pair, target, 1.0))

    def objective(log_q: np.ndarray) -> tuple[float, np.ndarray]:
        q = np.exp(log_q)
        total = q[:, None] + q
        error = np.where(pair, np.log(total) - log_target, 0.0)
        return 0.5 * np.sum(error * error), 2.0 * q * np.sum(error / total, axis=1)

    start = np.log(np.maximum(_additive(target, n), 1e-3 * target.mean()))
    best = minimize(
        objective, start, jac=True, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-10}
    )
    q = np.exp(best.x)
    ratio = np.sqrt((q[:, None] + q)[pair] / target[pair])
    return q, float(np.max(np.abs(ratio - 1.0), initial=0.0))


def _additive(target: np.ndarray, n: int) -> np.ndarray:
    """Return the numbers whose sums are nearest to the variances in plain least squares."""
    rows = target.sum(axis=1)
    return (rows - target.sum() / (2.0 * (n - 1))) / (n - 2)
