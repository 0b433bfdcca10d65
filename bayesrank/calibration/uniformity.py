"""Whether ranks are uniform, by the whole of their distribution at once.

At each place the number of ranks below it is binomial if they are uniform; the statistic is the
smallest two-sided tail probability over all places, and its own distribution is simulated
(Sailynoja, Burkner and Vehtari 2022).
"""

from functools import cache
from typing import Any

import numpy as np
from scipy import stats

__all__ = ["ecdf_band", "gamma_statistic", "gamma_threshold", "p_value"]

_SIMULATED = 4000


def _places(draws: int) -> np.ndarray:
    """Return the shares of uniform ranks that are below each place, at most a hundred places."""
    step = max(1, (draws + 1) // 100)
    return np.arange(step, draws + 1, step)


def gamma_statistic(ranks: np.ndarray, draws: int) -> np.ndarray:
    """Return the smallest two-sided tail probability of the numbers of ranks below each place.

    Parameters
    ----------
    ranks : ndarray of int, replicates last
        From 0 to draws.
    draws : int
    """
    n, places = ranks.shape[-1], _places(draws)
    below = np.sum(ranks[..., None, :] < places[:, None], axis=-1)
    lower, upper = _tails(n, draws)
    index = np.arange(places.size)
    return 2.0 * np.minimum(lower[index, below], upper[index, below]).min(axis=-1)


@cache
def _tails(n: int, draws: int) -> tuple[np.ndarray, np.ndarray]:
    """Return P(at most k) and P(at least k) of the numbers below each place, places by k."""
    share = (_places(draws) / (draws + 1.0))[:, None]
    k = np.arange(n + 1)
    return stats.binom.cdf(k, n, share), stats.binom.sf(k - 1, n, share)


@cache
def _simulated(n: int, draws: int) -> np.ndarray:
    """Return the statistic of many sets of uniform ranks, sorted."""
    rng = np.random.default_rng(0)
    found = [
        gamma_statistic(rng.integers(0, draws + 1, size=(100, n)), draws)
        for _ in range(_SIMULATED // 100)
    ]
    return np.sort(np.concatenate(found))


def p_value(ranks: np.ndarray, draws: int) -> Any:
    """Return the probability of ranks at least as uneven if they are uniform."""
    smaller = np.searchsorted(_simulated(len(ranks), draws), gamma_statistic(ranks, draws), "right")
    return (smaller + 1.0) / (_SIMULATED + 1.0)


def gamma_threshold(n: int, draws: int, prob: float) -> float:
    """Return the value that the statistic of uniform ranks exceeds with a probability."""
    return float(np.quantile(_simulated(n, draws), 1.0 - prob))


def ecdf_band(n: int, draws: int, prob: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return places and the limits of the share of ranks below them, for all places at once."""
    places = _places(draws)
    tail = gamma_threshold(n, draws, prob) / 2.0
    share = places / (draws + 1.0)
    low = stats.binom.ppf(tail, n, share) / n
    return share, low, stats.binom.ppf(1.0 - tail, n, share) / n
