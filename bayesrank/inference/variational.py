"""Automatic differentiation variational inference on the kernel objective."""

import numpy as np
from scipy import linalg

from bayesrank.inference.coordinates import Coordinates
from bayesrank.inference.curvature import curvature_factor, require_covariances
from bayesrank.inference.mode import find_mode
from bayesrank.inference.moving_coordinates import MovingCoordinates
from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import progress_bar, waiting
from bayesrank.results.fit import Fit
from bayesrank.text import option

__all__ = ["fit_advi"]

_BATCH = 8  # draws per step, half of them mirror images of the others


def fit_advi(specification, options):
    """Return draws from the normal distribution that maximises the evidence lower bound.

    The algorithm is that of Kucukelbir and others (2017), with the kernel's exact gradient. By
    default independent normals are fitted in the `Coordinates` that NUTS moves in, where the
    posterior is nearly a standard normal: all that is left to find is how far it is not. In the
    model's own coordinates independent normals (``full_rank`` false) cannot follow its
    correlations, and any normal (true) not the way in which a learned scale stretches them. The
    second half of the path is averaged to shed the noise of the single steps.
    """
    if specification.moves is not None and options.full_rank is not None:
        raise ValueError(
            f"{option('full_rank', options.full_rank)} is not for scores that move; leave it out."
        )
    full_rank, progress = options.full_rank, options.progress
    steps = options.steps or (1000 if full_rank is None else 3000)
    rng = np.random.default_rng(options.seed)
    with waiting("Looking for the mode", progress):
        if specification.moves is not None:
            space = MovingCoordinates(specification)
        elif full_rank is None:
            space = Coordinates(specification)
        else:
            space = _OwnCoordinates(specification, full_rank)
    family = _FullRank(space.size) if full_rank else _MeanField(space.size)
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
        drawn = family.points(average, rng.standard_normal((options.total, space.size)))
        points = np.array([space.point(z) for z in drawn])
    last = bounds[-steps // 4 :] + space.log_volume
    kind = "Full-rank normal" if full_rank else "Mean-field normal"
    if full_rank is None and space.correlated:
        kind = "Normal"
    note = f"{kind} approximation after {steps} steps; evidence lower bound {last.mean():.2f}."
    return Fit.from_points(space.specification, "advi", points[None], note=note)


class _OwnCoordinates:
    """The flat vector of a specification, in units of its normal approximation at the mode.

    These are its conditional standard deviations, or all of its covariance for full rank, so that
    one step size fits all parameters. A learned prior scale multiplies unit effects: in these
    coordinates the posterior has a proper peak.
    """

    def __init__(self, specification, full_rank):
        require_covariances(specification, "`full_rank`", "Leave it out.")
        if specification.learns_scale:
            specification = specification.replace(centered=False)
        self.specification, self.size = specification, specification.size
        self.mode, _ = find_mode(specification, jacobian=True)
        curvature = curvature_factor(specification, self.mode)
        if full_rank:
            self.basis = linalg.solve_triangular(
                curvature, np.eye(self.size), lower=True, trans="T"
            )
        else:
            # Of all diagonal normals, the best for a normal has its conditional variances.
            self.basis = np.diag(1.0 / np.linalg.norm(curvature, axis=1))
        self.log_volume = np.linalg.slogdet(self.basis)[1]

    def point(self, z):
        return self.mode + self.basis @ z

    def objective(self, z):
        value, gradient = self.specification.objective(self.point(z), jacobian=True)
        return value, gradient @ self.basis


class _MeanField:
    """Independent normals: means, then log standard deviations."""

    def __init__(self, size):
        self.size = size

    def start(self):
        return np.zeros(2 * self.size)

    def points(self, parameters, noise):
        return parameters[: self.size] + noise * np.exp(parameters[self.size :])

    def entropy(self, parameters):
        return parameters[self.size :].sum() + 0.5 * self.size * (1.0 + np.log(2.0 * np.pi))

    def gradient(self, parameters, noise, slopes):
        by_log_scale = (slopes * noise).mean(axis=0) * np.exp(parameters[self.size :]) + 1.0
        return np.concatenate([slopes.mean(axis=0), by_log_scale])


class _FullRank:
    """A normal with any covariance: means, then the lower triangle of a factor."""

    def __init__(self, size):
        self.size = size
        self.lower = np.tril_indices(size)

    def start(self):
        return np.concatenate([np.zeros(self.size), np.eye(self.size)[self.lower]])

    def _factor(self, parameters):
        factor = np.zeros((self.size, self.size))
        factor[self.lower] = parameters[self.size :]
        return factor

    def points(self, parameters, noise):
        return parameters[: self.size] + noise @ self._factor(parameters).T

    def entropy(self, parameters):
        diagonal = np.diag(self._factor(parameters))
        return np.log(np.abs(diagonal)).sum() + 0.5 * self.size * (1.0 + np.log(2.0 * np.pi))

    def gradient(self, parameters, noise, slopes):
        by_factor = slopes.T @ noise / len(noise)
        by_factor += np.diag(1.0 / np.diag(self._factor(parameters)))
        return np.concatenate([slopes.mean(axis=0), by_factor[self.lower]])


class _Adam:
    """Steps of adaptive size (Kingma and Ba 2015)."""

    def __init__(self, size):
        self.first, self.second, self.count = np.zeros(size), np.zeros(size), 0

    def step(self, gradient, rate):
        self.count += 1
        self.first += 0.1 * (gradient - self.first)
        self.second += 0.001 * (gradient**2 - self.second)
        first = self.first / (1.0 - 0.9**self.count)
        second = self.second / (1.0 - 0.999**self.count)
        return rate * first / (np.sqrt(second) + 1e-8)
