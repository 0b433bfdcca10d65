"""Coordinates in which a posterior is close to a standard normal, for samplers.

A learned prior scale makes a funnel: the smaller it is, the closer together the scores. Given
the scale, though, scores and other parameters are nearly normal, with a mean and a covariance
that are known for every scale once they are known for one. Measured from that mean in units of
that covariance, nothing depends on the scale any more.
"""

from functools import cached_property

import numpy as np

from bayesrank.inference.normal import NormalAtScale, nearest_normal
from bayesrank.kernels.posterior.coordinates import place_all
from bayesrank.kernels.posterior.function import evaluate_moved

__all__ = ["Coordinates"]


class Coordinates:
    """The map from nearly independent standard normals to the flat vector of a specification.

    Given the scale, the flat vector has the mean and covariance of `NormalAtScale`; z is measured
    from that mean, in units of that covariance, and is what the sampler moves.

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
        if self.learned:
            normal = nearest_normal(self.specification, 2, near=0.1, averaged=False)
        else:
            normal = NormalAtScale(self.specification, 1.0)
        self.normal, self.scale, self.basis = normal, normal.scale, normal.basis
        self.spread = self._spread_of_scale() if self.learned else 1.0

    def _spread_of_scale(self):
        """Return the standard deviation of the log scale, by differences a tenth apart."""
        at = np.log(self.scale)
        below, here, above = (self.normal.log_density(at + h) for h in (-0.1, 0.0, 0.1))
        curvature = (2.0 * here - below - above) / 0.01
        return float(np.clip(1.0 / np.sqrt(max(curvature, 1e-6)), 0.02, 2.0))

    @property
    def prior_share(self):
        """How much of what is known of the effects comes from the prior, on average."""
        normal = self.normal
        return float(np.sum(normal.shares) / self.scale**2 / max(normal.effects, 1))

    @property
    def correlated(self):
        """Whether there is room for correlations."""
        return np.ndim(self.basis) == 2

    @cached_property
    def _map(self):
        frame = np.array([np.log(self.scale), self.spread, self.learned])
        return frame, np.ascontiguousarray(self.basis), self.normal.start, self.normal.shares

    @cached_property
    def table(self):
        """The model in these coordinates, for `bayesrank.kernels.posterior.function`."""
        return self.specification.program.in_coordinates(*self._map)

    @property
    def log_volume(self):
        """What `objective` leaves out of the log-Jacobian, since it is the same everywhere."""
        logs = np.linalg.slogdet(self.basis)[1] if self.correlated else np.log(self.basis)
        return float(np.sum(logs) + (np.log(self.spread) if self.learned else 0.0))

    def point(self, z):
        """Return the specification's flat vector."""
        return self.points(np.atleast_2d(z))[0]

    def points(self, z):
        """Return the flat vectors of many points, one row per point."""
        frame, basis, start, shares = self._map
        z = np.ascontiguousarray(z, dtype=float)
        return place_all(z, frame, basis.ravel(), basis.ndim == 1, start, shares)

    def objective(self, z):
        """Return the log-density of z, up to a constant, and its gradient."""
        gradient = np.empty(self.size)
        value = evaluate_moved(np.ascontiguousarray(z, dtype=float), self.table, gradient)
        return value, gradient
