"""Draws of a posterior as draws of another one: weights, smoothed, and what they are worth.

Draws are weighted by what makes the one density of the other, such as the likelihood of results
that have come in since. The largest weights are smoothed by a generalised Pareto distribution,
whose shape, Pareto k, says whether they can be trusted (Vehtari and others 2024).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import _compat
from bayesrank.results.diagnostics import DIMS, some_at_a_time

if TYPE_CHECKING:
    from bayesrank.model.protocols import Values

__all__ = ["Update", "WeightedDraws", "log_likelihoods", "resampled_places", "smoothed_weights"]

_NUMBERS = 1_000_000  # slots times draws that are looked at together
_LARGEST_K = 0.7  # with many draws
_TAILS = (0.05, 0.95)


def smoothed_weights(log_weight: np.ndarray) -> tuple[np.ndarray, float]:
    """Return smoothed importance weights that sum to one, and their Pareto k."""
    if np.ptp(log_weight) < 1e-12:
        return np.full(len(log_weight), 1.0 / len(log_weight)), 0.0
    smoothed, k = _compat.pareto_smoothed(log_weight)
    weight = np.exp(smoothed - smoothed.max())
    return weight / weight.sum(), k


def resampled_places(weight: np.ndarray) -> np.ndarray:
    """Return draws in proportion to their weights, at even steps: equal weights keep all."""
    steps = (np.arange(len(weight)) + 0.5) / len(weight)
    return np.searchsorted(np.cumsum(weight), steps).clip(max=len(weight) - 1)


def log_likelihoods(observation: Any, draws: "Values", slots: int) -> np.ndarray:
    """Return the log-likelihood of all rows of an observation, in many draws.

    Parameters
    ----------
    observation : Observation
    draws : dict of ndarray
        What enters the likelihood, by name; the first axis is that of draws.
    slots : int
        Rows of comparisons, or entries of rankings.
    """
    total = len(next(iter(draws.values())))
    size = max(1, _NUMBERS // max(slots, 1))
    found = np.empty(total)
    for first in range(0, total, size):
        part = slice(first, first + size)
        values = {
            name: np.ascontiguousarray(np.moveaxis(value[part], 0, -1))
            for name, value in draws.items()
        }
        found[part] = observation.log_likelihoods(values)
    return found


@dataclass(frozen=True)
class Update:
    """How new results came into a fit.

    Attributes
    ----------
    refitted : bool
        Whether the model was fitted again; otherwise the draws of the last fit were weighted.
    results : float
        How many comparisons or rankings were added to the data of the last fit.
    unit : str
        What they are.
    batches : int
        In how many updates.
    why : str
        Why the model was fitted again.
    pareto_k, good_k : float, optional
        How uneven the weights are, and up to where they can be trusted.
    effective : float, optional
        How many draws of equal weights would say as much.
    draws : int
        How many draws there are.
    """

    refitted: bool
    results: float
    unit: str
    batches: int
    why: str = ""
    pareto_k: float | None = None
    good_k: float | None = None
    effective: float | None = None
    draws: int = 1

    def __str__(self) -> str:
        more = f"{self.results:,.10g} more {self.unit}{'' if self.results == 1 else 's'}"
        batches = f" in {self.batches:,} batches" if self.batches > 1 else ""
        if self.refitted:
            return f"Fitted again with {more}{batches}, since {self.why}."
        return (
            f"Updated with {more}{batches} by weighting the draws of the last fit (Pareto k "
            f"{self.pareto_k:.2f}, good up to {self.good_k:.2g}), which are worth "
            f"{self.effective:,.0f} of {self.draws:,}."
        )


@dataclass(frozen=True, eq=False)
class WeightedDraws:
    """Draws of the last fit, weighted by the results that have come in since.

    Attributes
    ----------
    base : Fit
        The last fit.
    log_weight : ndarray
        One for each of its draws, chains laid end to end, up to a constant.
    batches : int
        How often results have come in since.
    results : float
        How many results.
    """

    base: Any
    log_weight: np.ndarray
    batches: int
    results: float

    @cached_property
    def _smoothed(self) -> tuple[np.ndarray, float]:
        return smoothed_weights(self.log_weight)

    @property
    def weight(self) -> np.ndarray:
        """Smoothed weights that sum to one."""
        return self._smoothed[0]

    @property
    def pareto_k(self) -> float:
        """How uneven the weights are."""
        return self._smoothed[1]

    @property
    def good_k(self) -> float:
        """Pareto k up to which so many weights can be trusted."""
        return min(1.0 - 1.0 / np.log10(max(len(self.weight), 2)), _LARGEST_K)

    @property
    def effective(self) -> float:
        """How many draws of equal weights would say as much."""
        return float(1.0 / np.sum(self.weight**2))

    def draws(self) -> dict[str, np.ndarray]:
        """Return draws of equal weights, in the shape of those of the last fit."""
        place = resampled_places(self.weight)
        found = {}
        for name, values in self.base.posterior.items():
            flat = values.reshape(-1, *values.shape[2:])
            found[name] = flat[place].reshape(values.shape)
        return found

    @cached_property
    def sizes(self) -> tuple[float, float]:
        """Effective sample sizes, the smallest of all quantities: of means, and of tails.

        The error of a weighted mean is the mean of the weighted differences from it, whose chains
        are looked at as those of any draws. So dependent draws and uneven weights both count, and
        so does what is lost where draws are repeated or left out whole.
        """
        import xarray as xr

        az, weight = _compat.arviz(), self.weight.reshape(*self.base.shape, 1)
        part = np.modf(self.weight * self.weight.size)[0]
        lost = np.mean(part * (1.0 - part)) / self.weight.size
        means: list[np.ndarray] = []
        tails: list[np.ndarray] = []
        for some in some_at_a_time(self.base):
            x = some["quantity"].values
            x = x[:, :, np.ptp(x, axis=(0, 1)) > 0]
            ends = self._ends(x)
            for found, values in ((means, x), *((tails, (x <= end).astype(float)) for end in ends)):
                term = weight * (values - np.sum(weight * values, axis=(0, 1)))
                with np.errstate(all="ignore"):
                    size = az.ess(xr.Dataset({"term": (DIMS, term)}), method="mean")["term"].values
                    error = np.sum(term**2, axis=(0, 1)) * weight.size / size
                    error = error / np.sum(term * values, axis=(0, 1))
                    found.append(1.0 / (error + lost))
        bulk, tail = (np.concatenate(sizes) for sizes in (means, tails))
        return float(np.min(bulk, initial=np.inf)), float(np.min(tail, initial=np.inf))

    def _ends(self, x: np.ndarray) -> np.ndarray:
        """Return the values below which the weighted draws of each column have their tails."""
        flat = x.reshape(-1, x.shape[2])
        order = np.argsort(flat, axis=0)
        reached = np.cumsum(self.weight[order], axis=0)
        place = [(reached < tail).sum(axis=0).clip(max=len(flat) - 1) for tail in _TAILS]
        return np.take_along_axis(flat, np.take_along_axis(order, np.array(place), axis=0), axis=0)
