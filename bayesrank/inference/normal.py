"""The normal approximation of a posterior given the prior scale, and the evidence of that scale.

Given the scale, scores and other parameters are nearly normal. Once mean and covariance are known
for one scale they are known, nearly, for every other; and so is the evidence of each scale.
"""

from functools import cache

import numpy as np
from scipy import linalg, optimize

from bayesrank.inference.curvature import DENSE, diagonal, newton_step, precision, solve
from bayesrank.inference.mode import find_mode
from bayesrank.inference.threads import one_blas_thread

__all__ = [
    "LOWEST",
    "NormalAtScale",
    "average",
    "averaged_normal",
    "best_scale",
    "nearest_normal",
    "stretched_factor",
]

# Logarithms of prior scales between which the best one is sought.
LOWEST, _HIGHEST = -6.0, 3.0
_CLOSE = 0.05  # how near the logarithm of the best scale is known, where it is not exact
_POINTS, _ROUNDS = 64, 10  # over which a normal is averaged, and how often at most
_FAR = 0.2  # standard deviations, up to which a step may be longer than the last one
_PROBES = 8  # random vectors for the trace of a covariance


def average(fixed, mean, stretch, data, prior, rounds=_ROUNDS):
    """Average the mean and the curvatures of a normal approximation over the normal itself.

    At the mode of few results the posterior bends more than elsewhere. A normal made there is too
    narrow, and over many items its evidence makes the prior scale too small. So the mean is moved
    to where the gradient, averaged over the normal, is zero, and rows and columns of the data's
    part of the precision are stretched until its diagonal is the averaged one: a Gaussian
    variational approximation. Only departures from a parabola are averaged, so few points are
    enough; half of them are mirror images of the others.

    Parameters
    ----------
    fixed : Specification
        The model with its prior scale fixed.
    mean, stretch : ndarray
        Where to start.
    data, prior : ndarray
        Minus the Hessian at the mode less what the prior of the effects adds to its diagonal,
        and what it adds.
    rounds : int

    Raises
    ------
    scipy.linalg.LinAlgError
        Where there is no such normal.

    Returns
    -------
    mean, stretch : ndarray
    height : float
        Average log-density, to which a parabola adds back what it falls by: the height of the
        normal's own peak.
    apart : ndarray, points by free numbers
        The points, as differences from the mean.
    """
    half = np.random.default_rng(0).standard_normal((_POINTS // 2, mean.size))
    noise = np.concatenate([half, -half])
    bend, rate, nearest, height = np.maximum(np.diag(data), 1e-9), 1.0, np.inf, None
    there = mean, stretch
    for _ in range(rounds):
        factor = stretched_factor(data, there[1], prior)
        around = linalg.solve_triangular(factor, noise.T, lower=True, trans="T").T
        found = [fixed.objective(there[0] + x, jacobian=True) for x in around]
        heights, slopes = (np.array(part) for part in zip(*found, strict=True))
        good = bool(np.isfinite(heights).all() and np.isfinite(slopes).all())
        if good:
            towards = noise @ factor.T
            rest = slopes + towards
            ahead = linalg.cho_solve((factor, True), rest.mean(axis=0), check_finite=False)
            moved = np.sqrt(ahead @ (factor @ (factor.T @ ahead)) / mean.size)
            good = moved <= max(nearest, _FAR)
        elif height is None:
            raise linalg.LinAlgError("The normal reaches out of what numbers can hold.")
        if good:
            (mean, stretch), step, nearest, apart = there, ahead, moved, around
            height = float(np.mean(heights + 0.5 * np.square(noise).sum(axis=1)))
            more = -(rest * towards).mean(axis=0) / bend
            rate = min(rate, 1.0 / max(moved, 1.0))
        else:
            # The last step went too far. Where all results went one way the density falls off
            # exponentially, and whole steps would lead further and further away.
            rate *= 0.5
        there = mean + rate * step, np.sqrt(np.clip(stretch**2 + rate * more, 0.25, 4.0))
        if good and moved < 1e-3 and np.abs(there[1] - stretch).max() < 0.01:
            break
    mean, stretch = there if good else (mean, stretch)
    return mean, stretch, height, apart


def stretched_factor(data, stretch, prior):
    """Return the lower Cholesky factor of a precision whose data's part is stretched."""
    matrix = data * stretch * stretch[:, None]
    matrix[np.diag_indices_from(matrix)] += prior
    return linalg.cholesky(matrix, lower=True, overwrite_a=True)


class NormalAtScale:
    """The normal approximation for one value of the prior scale.

    Let A be its precision at the scale s, and D the unit matrix of the effects, whose prior
    precision is D / scale^2. With V from the eigenproblem D v = m A v, so that V'AV = 1 and
    V'DV = diag(m), the precision at any other scale is diag(c) in the coordinates w = V^-1 x,
    where c = 1 + m (1 / scale^2 - 1 / s^2), and the mean is (w at the mean) / c.

    Parameters
    ----------
    specification : Specification
    scale : float
    start : ndarray, optional
        A mode nearby.
    averaged : bool
        Whether mean and precision are averaged over the normal, or those at the mode.

    Attributes
    ----------
    scale : float
    mode : ndarray
        The mode in the unconstrained coordinates of the model with the scale fixed.
    effects : int
        Number of free numbers whose prior has the scale; the first ones.
    basis : ndarray
        V; or its diagonal where there are too many free numbers.
    start, shares : ndarray
        w at the mean, and m.
    """

    def __init__(self, specification, scale, start=None, *, averaged=False):
        learned = specification.learns_scale
        fixed = specification.replace(scale=scale) if learned else specification
        self.scale = scale
        self.mode, _ = find_mode(fixed, jacobian=True, start=start)
        effects = np.zeros(self.mode.size)
        if learned:
            effects[: specification.parameters[1].size] = 1.0  # the scale is the first parameter
        self.effects = int(effects.sum())
        mean, height = self.mode, fixed.objective(self.mode, jacobian=True)[0]
        if self.mode.size <= DENSE:
            with one_blas_thread():
                matrix = precision(fixed, self.mode)
                if averaged and fixed.observation.nearly_normal:
                    prior = effects / scale**2
                    mean, matrix, height = averaged_normal(fixed, mean, matrix, prior, height)
                values, vectors = linalg.eigh(matrix)
                # Where ties add up worths, some direction may be flat or worse at a mode.
                values = np.maximum(values, min(1e-6 * values[-1], 0.1))
                root = vectors / np.sqrt(values)
                shares, turn = linalg.eigh(root.T @ (effects[:, None] * root))
                self.basis = root @ turn
                self.start = turn.T @ (np.sqrt(values) * (vectors.T @ mean))
                self._turn = vectors @ turn
                log_volume = -0.5 * np.log(values).sum()
        else:
            bend = diagonal(lambda x: -fixed.objective(x, jacobian=True)[1], self.mode)
            bend = np.maximum(bend, np.maximum(effects / scale**2, 1e-6))
            self.basis = 1.0 / np.sqrt(bend)
            shares = effects / bend
            self.start = mean / self.basis
            log_volume = -0.5 * np.log(bend).sum()
        # Above, the data would say less than nothing along some direction.
        self.shares = np.clip(shares, 0.0, scale**2)
        # The evidence of this scale, less what `_change` says here.
        self._level = height + log_volume - self._change(np.log(scale))

    def precisions(self, log_scale):
        """Return the precision of each of the coordinates w, the last axis, at other scales."""
        more = np.exp(-2.0 * np.asarray(log_scale))[..., None] - self.scale**-2
        return np.maximum(1.0 + self.shares * more, 1e-12)

    def _change(self, log_scale):
        c = self.precisions(log_scale)
        by_shape = np.sum(self.start**2 / c - np.log(c), axis=-1)
        return -self.effects * log_scale + 0.5 * by_shape

    def log_density(self, log_scale):
        """Return the approximate log posterior density of the logarithm of the scale.

        Up to a constant that is the same for all scales at which an approximation is made.
        Takes one logarithm or an array of them. The scale has a half-normal prior.
        """
        prior = -0.5 * np.exp(2.0 * log_scale) + log_scale
        return self._level + self._change(log_scale) + prior

    def _slope(self, log_scale):
        """Return the derivative of `log_density`."""
        c, inverse = self.precisions(log_scale), np.exp(-2.0 * log_scale)
        by_shape = np.sum(self.shares * inverse * (self.start**2 / c**2 + 1.0 / c))
        return float(by_shape - self.effects - 1.0 / inverse + 1.0)

    def best_log_scale(self):
        """Return the logarithm of the likeliest scale, as this approximation sees it."""
        grid = np.linspace(LOWEST, _HIGHEST, 181)
        best = int(np.argmax(self.log_density(grid)))
        if best in (0, grid.size - 1):
            return float(grid[best])
        low, high = grid[best - 1], grid[best + 1]
        if self._slope(low) <= 0.0 or self._slope(high) >= 0.0:
            return float(grid[best])
        # By its slope, which is known to more digits than the peak itself.
        return float(optimize.brentq(self._slope, low, high, xtol=1e-12))

    def draw(self, log_scale, z):
        """Return unconstrained vectors at other scales, one row for each row of normal noise.

        The noise is turned, so that the signs and the order of eigenvectors play no role: the same
        noise gives the same vectors for data that say the same.
        """
        c = self.precisions(log_scale)
        return (self.start / c + (z @ self._turn) / np.sqrt(c)) @ self.basis.T


def averaged_normal(fixed, mode, matrix, prior, height):
    """Return mean, precision and height of the averaged normal, or what it was where it fails."""
    data = matrix - np.diag(prior)
    try:
        mean, stretch, height, _ = average(fixed, mode, np.ones(mode.size), data, prior)
    except (linalg.LinAlgError, ValueError):  # not a proper peak, or not numbers any more
        return mode, matrix, height
    return mean, data * stretch * stretch[:, None] + np.diag(prior), height


def best_scale(specification):
    """Return the prior scale of highest evidence, times its prior, on the logarithmic scale."""
    if specification.size - 1 > DENSE:
        return _best_scale_of_many(specification)
    return float(np.exp(nearest_normal(specification).best_log_scale()))


def nearest_normal(specification, steps=6, near=_CLOSE, *, averaged=True):
    """Return the normal approximation at about the likeliest scale.

    Up to so many steps are taken, until one is shorter than ``near`` on the logarithmic scale.
    """
    normal = NormalAtScale(specification, 1.0, averaged=averaged)
    for _ in range(steps):
        found = normal.best_log_scale()
        if abs(found - np.log(normal.scale)) < near:
            break
        scale = float(np.exp(found))
        normal = NormalAtScale(specification, scale, normal.mode, averaged=averaged)
    return normal


def _best_scale_of_many(specification):
    """Return the likeliest scale without a matrix of all free numbers.

    The slope of the log evidence by the log scale is what the effects' squares, at the mode and
    by their covariance, exceed the prior's expectation by. The trace of the covariance comes from
    random signs, for each of which one system of equations is solved by conjugate gradients.
    Gradients are averaged over a few points as far from the mode as the posterior is wide, for the
    reason that `average` gives.
    """
    rng = np.random.default_rng(0)
    effects = specification.parameters[1].size
    start = None

    @cache  # a second look from another start must not change the sign
    def slope(log_scale):
        nonlocal start
        scale = float(np.exp(log_scale))
        fixed = specification.replace(scale=scale)
        start, _ = find_mode(fixed, jacobian=True, start=start)

        def at_a_point(x):
            return -fixed.objective(x, jacobian=True)[1]

        width = 1.0 / np.sqrt(np.maximum(diagonal(at_a_point, start), 1e-6))

        def gradient(x):
            return np.mean([at_a_point(x + width * z) for z in noise], axis=0)

        mean = start
        for _ in range(2):
            mean = mean + newton_step(gradient, mean, gradient(mean))[0]
        bend = np.maximum(diagonal(gradient, mean), 1e-6)
        trace = np.mean([v @ solve(gradient, mean, v, bend) for v in signs])
        squares = mean[:effects] @ mean[:effects] + min(trace, effects * scale**2)
        return squares / scale**2 - effects - scale**2 + 1.0

    signs = np.zeros((_PROBES, specification.size - 1))
    signs[:, :effects] = rng.choice([-1.0, 1.0], size=(_PROBES, effects))
    half = rng.standard_normal((2, specification.size - 1))
    noise = np.concatenate([half, -half])
    if not specification.observation.nearly_normal:
        noise = np.zeros((1, specification.size - 1))
    low, high = LOWEST, _HIGHEST
    at, value = 0.0, slope(0.0)
    while (at < high) if value > 0 else (at > low):
        # By a factor of e at a time, until the slope changes its sign.
        ahead = float(np.clip(at + np.sign(value), low, high))
        there = slope(ahead)
        if there * value <= 0:
            ends = sorted([at, ahead])
            return float(np.exp(optimize.brentq(slope, *ends, xtol=_CLOSE)))
        at, value = ahead, there
        if at in (low, high):
            break
    return float(np.exp(at))
