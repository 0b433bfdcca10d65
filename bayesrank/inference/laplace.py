"""Draws from normal approximations at modes: one, or a mixture over the learned prior scale."""

import numpy as np
from scipy import linalg

from bayesrank.inference.curvature import (
    DENSE,
    curvature_factor,
    precision,
    proper_peak,
    require_covariances,
    require_curvature,
)
from bayesrank.inference.mode import find_mode
from bayesrank.inference.moving import moving_draws
from bayesrank.inference.normal import (
    LOWEST,
    NormalAtScale,
    average,
    best_scale,
    nearest_normal,
    stretched_factor,
)
from bayesrank.inference.scale_mixtures import draws_over_scales
from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import progress_bar, waiting
from bayesrank.results.fit import Fit
from bayesrank.text import option

__all__ = ["fit_laplace"]

_STEP = 0.5  # between the logarithms of scales at which an approximation is made
_TAIL = 7.0  # how far below its peak the log-density of the scale is followed
_ROUNDS = 20  # in which a large normal is averaged, at most
_FINE = 1001  # points at which that density is laid out


def fit_laplace(specification, options):
    """Return draws from the normal approximation at the mode of the unconstrained density.

    Where the prior scale is learned there is one such approximation for each scale, weighted by
    its evidence: a mixture of normals, as in integrated nested Laplace approximations (Rue,
    Martino and Chopin 2009).
    """
    draws, progress = options.total, options.progress
    rng = np.random.default_rng(options.seed)
    if specification.moves is not None:
        points = moving_draws(specification, draws, rng, progress)
        note = (
            "Normal approximations at posterior modes, on the unconstrained scale, over how far "
            "scores are apart and move by their evidence."
        )
        return Fit.from_points(specification, "laplace", points[None], note=note)
    remedy = (
        f"Use {option('method', 'nuts')} or {option('method', 'advi')}, or "
        f"{option('method', 'map')} for scores alone."
    )
    require_covariances(specification, f"`{option('method', 'laplace')}`", remedy)
    if specification.learned_scales:
        specification = specification.replace(centered=True)
        mixture = _few if specification.size - 1 <= DENSE else _many
        if specification.learns_spreads:
            mixture = draws_over_scales
        with proper_peak():
            points = mixture(specification, draws, rng, progress)
        note = (
            "Normal approximations on the unconstrained scale, over prior scales as the closest "
            "normal has them."
            if specification.learns_spreads
            else "Normal approximations at posterior modes, on the unconstrained scale, over all "
            "prior scales by their evidence."
        )
        return Fit.from_points(specification, "laplace", points[None], note=note)
    mode, _ = find_mode(specification, jacobian=True, progress=progress)
    if specification.flat:
        require_curvature(specification, mode)
    factor = curvature_factor(specification, mode, progress)
    points = _normal_draws(mode, factor, rng.standard_normal((len(mode), draws)))
    note = "Normal approximation at the posterior mode, on the unconstrained scale."
    return Fit.from_points(specification, "laplace", points[None], note=note)


def _normal_draws(mode, factor, noise):
    with one_blas_thread():
        return mode + linalg.solve_triangular(factor, noise, lower=True, trans="T").T


def _few(specification, draws, rng, progress):
    """Return draws of the mixture where each approximation can be had for all scales at once."""
    with waiting("Normal approximations", progress):
        normals = _nodes(specification)
    nodes = np.log([normal.scale for normal in normals])
    ends = _edges(normals, nodes)
    t = np.linspace(*ends, _FINE)
    # Between two nodes both count, the nearer one more.
    densities = np.array([normal.log_density(t) for normal in normals])
    last = np.clip(np.searchsorted(nodes, t), 1, max(len(nodes) - 1, 1))
    if len(nodes) == 1:
        log_density, lower, share = densities[0], np.zeros(_FINE, dtype=int), np.ones(_FINE)
    else:
        lower = last - 1
        share = np.clip((nodes[last] - t) / (nodes[last] - nodes[lower]), 0.0, 1.0)
        places = np.arange(_FINE)
        log_density = share * densities[lower, places] + (1 - share) * densities[last, places]
    weight = np.exp(log_density - log_density.max())
    chosen = rng.choice(_FINE, size=draws, p=weight / weight.sum())
    log_scale = t[chosen] + (rng.random(draws) - 0.5) * (t[1] - t[0])
    node = lower[chosen] + (rng.random(draws) >= share[chosen])
    noise = rng.standard_normal((draws, specification.size - 1))
    points = np.empty((draws, specification.size))
    points[:, 0] = log_scale
    with one_blas_thread():
        for k, normal in enumerate(normals):
            mine = node == k
            points[mine, 1:] = normal.draw(log_scale[mine], noise[mine])
    return points


def _nodes(specification):
    """Return approximations at scales that cover the posterior of the scale, in order."""
    best = nearest_normal(specification)
    peak = best.log_density(np.log(best.scale))
    normals = [best]
    for sign in (-1.0, 1.0):
        normal = best
        while True:
            ahead = np.log(normal.scale) + sign * _STEP
            if normal.log_density(ahead) < peak - _TAIL or ahead < LOWEST - 4.0:
                break
            scale = float(np.exp(ahead))
            normal = NormalAtScale(specification, scale, normal.mode, averaged=True)
            normals.append(normal)
    return sorted(normals, key=lambda normal: normal.scale)


def _edges(normals, nodes):
    """Return between which logarithms the scale has all but a thousandth of its probability."""
    peak = max(n.log_density(t) for n, t in zip(normals, nodes, strict=True))
    ends = []
    for normal, node, sign in ((normals[0], nodes[0], -1.0), (normals[-1], nodes[-1], 1.0)):
        inside = np.linspace(0.0, 2.0 * _STEP, 201)
        follow = normal.log_density(node + sign * inside)
        below = np.flatnonzero(follow < peak - _TAIL)
        ends.append(node + sign * inside[below[0] if below.size else -1])
    return ends


def _many(specification, draws, rng, progress):
    """Return draws of the mixture where matrices of all free numbers are costly.

    The more effects there are the better the scale is known; its logarithm is taken as normal,
    and an approximation is made at three scales.
    """
    with waiting("Looking for the prior scale", progress):
        log_scale = float(np.log(best_scale(specification)))
    fixed = specification.replace(scale=float(np.exp(log_scale)))
    mode, _ = find_mode(fixed, jacobian=True, progress=progress)
    effects = np.zeros(mode.size)
    effects[: specification.parameters[1].size] = 1.0
    normal = _LargeNormal(specification, log_scale, mode, precision(fixed, mode, progress), effects)
    with waiting("Averaging the normal approximation", progress):
        if specification.observation.nearly_normal:
            normal.average()
        spread = normal.spread_of_scale()
    log_scale = normal.log_scale + spread * rng.standard_normal(draws)
    nodes = normal.log_scale + spread * np.array([-1.2, 0.0, 1.2])
    node = np.abs(log_scale[:, None] - nodes).argmin(axis=1)
    noise = rng.standard_normal((mode.size, draws))
    points = np.empty((draws, specification.size))
    points[:, 0] = log_scale
    with progress_bar("Draws", len(nodes), progress) as advance:
        for k, at in enumerate(nodes):
            mean, factor = normal.at(at)
            points[node == k, 1:] = _normal_draws(mean, factor, noise[:, node == k])
            advance()
    return points


class _LargeNormal:
    """A normal approximation of more free numbers than an eigenproblem is affordable for.

    It is averaged, as `bayesrank.inference.normal.average` says, and so are its changes with the
    scale.
    """

    def __init__(self, specification, log_scale, mode, matrix, effects):
        self.specification, self.log_scale = specification, log_scale
        self.mean, self.effects = mode, effects
        self.data = matrix - np.diag(self._prior(log_scale))
        self.stretch = np.ones(mode.size)

    def _prior(self, log_scale):
        return self.effects * np.exp(-2.0 * log_scale)

    def at(self, log_scale):
        """Return the mean and the factor of the precision at another scale."""
        here = stretched_factor(self.data, self.stretch, self._prior(self.log_scale))
        there = stretched_factor(self.data, self.stretch, self._prior(log_scale))
        pull = here @ (here.T @ self.mean)
        return linalg.cho_solve((there, True), pull, check_finite=False), there

    def _slope(self, log_scale, mean, apart):
        """Return the slope of the log-density of the log scale, the trace from random points."""
        squares = self.effects @ (mean**2 + np.mean(apart**2, axis=0))
        inverse = np.exp(-2.0 * log_scale)
        return squares * inverse - self.effects.sum() - 1.0 / inverse + 1.0

    def spread_of_scale(self):
        """Return the standard deviation of the log scale."""
        noise = np.random.default_rng(1).standard_normal((self.mean.size, 64))
        slopes = []
        for at in (self.log_scale - 0.05, self.log_scale + 0.05):
            mean, factor = self.at(at)
            apart = linalg.solve_triangular(factor, noise, lower=True, trans="T").T
            slopes.append(self._slope(at, mean, apart))
        return float(np.clip(1.0 / np.sqrt(max((slopes[0] - slopes[1]) / 0.1, 1e-6)), 0.005, 1.0))

    def average(self):
        """Average mean and curvatures over the normal, and move the scale to where it is best."""
        variance = self.spread_of_scale() ** 2
        for _ in range(_ROUNDS):
            fixed = self.specification.replace(scale=float(np.exp(self.log_scale)))
            prior = self._prior(self.log_scale)
            try:
                self.mean, self.stretch, _, apart = average(
                    fixed, self.mean, self.stretch, self.data, prior, rounds=1
                )
            except linalg.LinAlgError:
                break  # the normal at the mode is as good as it gets
            slope = self._slope(self.log_scale, self.mean, apart)
            move = float(np.clip(0.5 * variance * slope, -0.3, 0.3))
            if abs(move) < 0.01:
                break
            # The mean follows the scale at once; otherwise the two would chase each other.
            self.mean, _ = self.at(self.log_scale + move)
            self.log_scale += move
