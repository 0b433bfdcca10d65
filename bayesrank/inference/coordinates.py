"""Coordinates in which a posterior is close to a standard normal, for samplers.

A learned prior scale makes a funnel: the smaller it is, the closer together the scores. Given
the scale, though, scores and other parameters are nearly normal, with a mean and a covariance
that are known for every scale once they are known for one. Measured from that mean in units of
that covariance, nothing depends on the scale any more.
"""

from functools import cached_property

import numpy as np
from scipy import linalg, optimize

from bayesrank.inference.curvature import DENSE, diagonal, precision
from bayesrank.inference.mode import find_mode
from bayesrank.kernels.coordinates import place, pull
from bayesrank.kernels.native import pack

__all__ = ["Coordinates"]


class Coordinates:
    """The map from nearly independent standard normals to the flat vector of a specification.

    Let A be minus the Hessian at the mode for one value s of the scale, and D the unit matrix of
    the effects, whose prior precision is D / scale^2. With V from the eigenproblem D v = m A v,
    so that V'AV = 1 and V'DV = diag(m), the precision at any other scale is diag(c) in the
    coordinates w = V^-1 x, where c = 1 + m (1 / scale^2 - 1 / s^2), and the mean is (w at the
    mode) / c. So w = mean + z / sqrt(c), and z is what the sampler moves.

    The map is exact whatever the posterior is like, as its Jacobian is accounted for; only how far
    z is from standard normal depends on the approximation.

    Parameters
    ----------
    specification : Specification
    """

    def __init__(self, specification):
        self.specification = specification.replace(centered=True)
        self.size = self.specification.size
        self.learned = int(self.specification.learns_scale)
        self._settle(1.0)
        for _ in range(2 if self.learned else 0):
            found = self._best_scale()
            if abs(np.log(found / self.scale)) < 0.1:
                break
            self._settle(found)
        self.spread = self._spread_of_scale() if self.learned else 1.0

    def _settle(self, scale):
        """Take the normal approximation at a scale."""
        given = self.specification
        fixed = given.replace(scale=scale) if self.learned else given
        mode, _ = find_mode(fixed, jacobian=True)
        self.scale = scale
        effects = np.zeros(len(mode))
        if self.learned:
            own = given.parameters[1]  # the scale is the first
            effects[: own.size] = 1.0
        self.effects = int(effects.sum())
        if len(mode) <= DENSE:
            values, vectors = linalg.eigh(precision(fixed, mode))
            # Where ties add up worths, some direction may be flat or worse at a mode.
            values = np.maximum(values, min(1e-6 * values[-1], 0.1))
            root = vectors / np.sqrt(values)
            shares, turn = linalg.eigh(root.T @ (effects[:, None] * root))
            self.basis = root @ turn
            self.start = turn.T @ (np.sqrt(values) * (vectors.T @ mode))
        else:
            bend = diagonal(lambda x: -fixed.objective(x, jacobian=True)[1], mode)
            bend = np.maximum(bend, np.maximum(effects / scale**2, 1e-6))
            self.basis = 1.0 / np.sqrt(bend)
            shares = effects / bend
            self.start = mode / self.basis
        # Above, the data would say less than nothing along some direction.
        self.shares = np.clip(shares, 0.0, scale**2)

    def _log_density_of_scale(self, log_scale):
        """Return the approximate log posterior of the logarithm of the scale, up to a constant."""
        c = 1.0 + self.shares * (np.exp(-2.0 * log_scale) - self.scale**-2)
        c = np.maximum(c, 1e-12)
        prior = -0.5 * np.exp(2.0 * log_scale) + log_scale
        fit = 0.5 * np.sum(self.start**2 / c - np.log(c))
        return prior - self.effects * log_scale + fit

    def _best_scale(self):
        found = optimize.minimize_scalar(
            lambda t: -self._log_density_of_scale(t), bounds=(-6.0, 3.0), method="bounded"
        )
        return float(np.exp(found.x))

    def _spread_of_scale(self):
        """Return the standard deviation of the log scale, by differences a tenth apart."""
        at = np.log(self.scale)
        below, here, above = (self._log_density_of_scale(at + h) for h in (-0.1, 0.0, 0.1))
        curvature = (2.0 * here - below - above) / 0.01
        return float(np.clip(1.0 / np.sqrt(max(curvature, 1e-6)), 0.02, 2.0))

    @property
    def prior_share(self):
        """How much of what is known of the effects, on average, is the prior's word."""
        return float(np.sum(self.shares) / self.scale**2 / max(self.effects, 1))

    @cached_property
    def _map(self):
        frame = np.array([np.log(self.scale), self.spread, self.learned])
        basis = np.atleast_2d(np.ascontiguousarray(self.basis))
        return frame, basis, self.start, self.shares

    def native(self):
        """Return the name of the compiled function of `objective` and its buffer, or None.

        See `bayesrank.kernels.native`.
        """
        specification = self.specification
        where = specification.layout.where
        found = specification.observation.native(where)
        if found is None or not specification.item_effects:
            return None
        name, own, before, after = found
        score = where["score" if "score" in where else "effect"].start
        features, beta = np.zeros((len(specification.data.items), 0)), 0
        if specification.features is not None:
            features, beta = specification.standardized, where["beta_standardized"].start
        about = np.array([score, len(features), beta, features.shape[1], *own])
        common = (*self._map, *specification.layout.arrays)
        return name, pack([*common, about, *before, features, *after])

    @property
    def log_volume(self):
        """What `objective` leaves out of the log-Jacobian, since it is the same everywhere."""
        diagonal = np.ndim(self.basis) == 1
        basis = np.log(self.basis).sum() if diagonal else np.linalg.slogdet(self.basis)[1]
        return float(basis + (np.log(self.spread) if self.learned else 0.0))

    def point(self, z):
        """Return the specification's flat vector."""
        return place(z, *self._map)

    def objective(self, z):
        """Return the log-density of z, up to a constant, and its gradient."""
        value, gradient = self.specification.objective(place(z, *self._map), jacobian=True)
        log_jacobian, gradient = pull(gradient, z, *self._map)
        return value + log_jacobian, gradient
