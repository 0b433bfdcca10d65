"""The normal distribution closest to a posterior, by automatic differentiation of the bound."""

from typing import Any

import numpy as np

from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import progress_bar

__all__ = ["FullRank", "MeanField", "closest_normal"]

_BATCH = 8  # draws per step, half of them mirror images of the others


def closest_normal(
    space: Any, family: Any, steps: int, rng: np.random.Generator, progress: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return the family's parameters, and the lower bound of each step.

    The second half of the path is averaged to shed the noise of the single steps.

    Parameters
    ----------
    space : coordinates
        With ``size`` and ``objective``.
    family : MeanField or FullRank
    steps : int
    rng : numpy.random.Generator
    progress : bool
    """
    parameters = family.start()
    average = np.zeros_like(parameters)
    adam = _Adam(len(parameters))
    bounds = np.empty(steps)
    with progress_bar("ADVI", steps, progress) as advance, one_blas_thread():
        for step in range(steps):
            half = rng.standard_normal((_BATCH // 2, space.size))
            noise = np.concatenate([half, -half])
            evaluated = [space.objective(z) for z in family.points(parameters, noise)]
            slopes = np.array([slope for _, slope in evaluated])
            # Less the density of the very draws, not less its mean: most of the noise cancels.
            size = 0.5 * (np.square(noise).sum(axis=1) - space.size)
            values = np.array([value for value, _ in evaluated]) + size
            bounds[step] = values.mean() + family.entropy(parameters)
            rate = 0.05 * 0.01 ** (step / steps)
            parameters = parameters + adam.step(family.gradient(parameters, noise, slopes), rate)
            if step >= steps // 2:
                average += parameters / (steps - steps // 2)
            advance()
    return average, bounds


class MeanField:
    """Independent normals: means, then log standard deviations."""

    def __init__(self, size: int) -> None:
        self.size = size

    def start(self) -> np.ndarray:
        return np.zeros(2 * self.size)

    def points(self, parameters: np.ndarray, noise: np.ndarray) -> np.ndarray:
        return parameters[: self.size] + noise * np.exp(parameters[self.size :])

    def entropy(self, parameters: np.ndarray) -> float:
        return parameters[self.size :].sum() + 0.5 * self.size * (1.0 + np.log(2.0 * np.pi))

    def gradient(self, parameters: np.ndarray, noise: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        by_log_scale = (slopes * noise).mean(axis=0) * np.exp(parameters[self.size :]) + 1.0
        return np.concatenate([slopes.mean(axis=0), by_log_scale])


class FullRank:
    """A normal with any covariance: means, then the lower triangle of a factor."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.lower = np.tril_indices(size)

    def start(self) -> np.ndarray:
        return np.concatenate([np.zeros(self.size), np.eye(self.size)[self.lower]])

    def _factor(self, parameters: np.ndarray) -> np.ndarray:
        factor = np.zeros((self.size, self.size))
        factor[self.lower] = parameters[self.size :]
        return factor

    def points(self, parameters: np.ndarray, noise: np.ndarray) -> np.ndarray:
        return parameters[: self.size] + noise @ self._factor(parameters).T

    def entropy(self, parameters: np.ndarray) -> float:
        diagonal = np.diag(self._factor(parameters))
        return np.log(np.abs(diagonal)).sum() + 0.5 * self.size * (1.0 + np.log(2.0 * np.pi))

    def gradient(self, parameters: np.ndarray, noise: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        by_factor = slopes.T @ noise / len(noise)
        by_factor += np.diag(1.0 / np.diag(self._factor(parameters)))
        return np.concatenate([slopes.mean(axis=0), by_factor[self.lower]])


class _Adam:
    """Steps of adaptive size (Kingma and Ba 2015)."""

    def __init__(self, size: int) -> None:
        self.first, self.second, self.count = np.zeros(size), np.zeros(size), 0

    def step(self, gradient: np.ndarray, rate: float) -> np.ndarray:
        self.count += 1
        self.first += 0.1 * (gradient - self.first)
        self.second += 0.001 * (gradient**2 - self.second)
        first = self.first / (1.0 - 0.9**self.count)
        second = self.second / (1.0 - 0.999**self.count)
        return rate * first / (np.sqrt(second) + 1e-8)
