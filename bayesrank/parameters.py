"""A model's parameters: prior and transform, each written for PyMC and for plain arrays.

Every class shows the two faces of `bayesrank.modelling.Specification`: ``variable`` makes the
PyMC variable; ``constrain``, ``pullback``, ``log_jacobian`` and ``log_prior`` are the same
transform and density on the unconstrained vector that PyMC samples, with their gradients.
``draw`` is the prior itself, by NumPy's generators.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit

__all__ = ["Positive", "Probability", "Real", "ZeroSum"]

_LOG_SQRT_2PI = 0.5 * np.log(2.0 * np.pi)


@dataclass(frozen=True)
class Real:
    """Normal with mean 0, or flat where ``sigma`` is infinite."""

    name: str
    sigma: np.ndarray | float
    dims: str | None = None

    @property
    def size(self):
        return np.size(self.sigma)

    def variable(self):
        import pymc as pm

        if np.any(np.isinf(self.sigma)):
            return pm.Flat(self.name, dims=self.dims)
        return pm.Normal(self.name, 0.0, self.sigma, dims=self.dims)

    def constrain(self, x):
        return x if self.dims else x[0]

    def pullback(self, x, gradient):
        return np.reshape(gradient, x.shape)

    def log_jacobian(self, x):
        return 0.0, np.zeros_like(x)

    def log_prior(self, value):
        if np.any(np.isinf(self.sigma)):
            return 0.0, np.zeros_like(value)
        z = value / self.sigma
        constant = _LOG_SQRT_2PI + np.log(self.sigma)
        return np.sum(-0.5 * z * z - constant), -z / self.sigma

    def draw(self, rng):
        return rng.normal(0.0, self.sigma)


@dataclass(frozen=True)
class Positive:
    """Half-normal with scale 1, sampled on the log scale."""

    name: str
    size = 1

    def variable(self):
        import pymc as pm

        return pm.HalfNormal(self.name, 1.0)

    def constrain(self, x):
        return np.exp(x[0])

    def pullback(self, x, gradient):
        return np.reshape(gradient * np.exp(x[0]), 1)

    def log_jacobian(self, x):
        return x[0], np.ones(1)

    def log_prior(self, value):
        return np.log(2.0) - _LOG_SQRT_2PI - 0.5 * value * value, -value

    def draw(self, rng):
        return abs(rng.standard_normal())


@dataclass(frozen=True)
class Probability:
    """Uniform between 0 and 1, sampled on the logit scale."""

    name: str
    size: int = 1
    dims: str | None = None

    def variable(self):
        import pymc as pm

        return pm.Uniform(self.name, 0.0, 1.0, dims=self.dims)

    def constrain(self, x):
        return expit(x) if self.dims else expit(x[0])

    def pullback(self, x, gradient):
        return np.reshape(gradient, x.shape) * expit(x) * expit(-x)

    def log_jacobian(self, x):
        value = -np.logaddexp(0.0, x) - np.logaddexp(0.0, -x)
        return value.sum(), 1.0 - 2.0 * expit(x)

    def log_prior(self, value):
        return 0.0, np.zeros_like(value)

    def draw(self, rng):
        return rng.random(self.size if self.dims else None)


@dataclass(frozen=True)
class ZeroSum:
    """Normal on the vectors that sum to zero, or flat on them where ``sigma`` is infinite.

    ``items - 1`` free numbers become ``items`` by PyMC's own orthogonal map: append the entry
    that a Householder reflection gives, then subtract a constant. So no Jacobian. Where there
    are several instances, the items of each sum to zero.

    Parameters
    ----------
    starts : ndarray of int, optional
        Where the items of each instance start, and where the last one ends.
    """

    name: str
    items: int
    sigma: float
    dims: str = "item"
    starts: np.ndarray | None = None

    @cached_property
    def _sizes(self):
        return np.array([self.items]) if self.starts is None else np.diff(self.starts)

    @cached_property
    def _groups(self):
        """Instances of the free numbers, and where these and the appended ones belong."""
        group = np.repeat(np.arange(self._sizes.size), self._sizes)
        last = np.cumsum(self._sizes) - 1
        free = np.setdiff1d(np.arange(self.items), last)
        return group[free], free, last

    @property
    def size(self):
        return self.items - self._sizes.size

    def variable(self, sigma=None):
        """Make the variable; ``sigma`` may be a random scale."""
        import pymc as pm
        import pytensor.tensor as pt

        # A plain 2.0 would be single precision to PyTensor, and so would its logarithm.
        sigma = np.float64(self.sigma) if sigma is None else sigma
        flat = isinstance(sigma, float) and np.isinf(sigma)
        if self.starts is None and not flat:
            return pm.ZeroSumNormal(self.name, sigma, dims=self.dims)
        name = f"{self.name}_free"
        free = pm.Flat(name, shape=self.size) if flat else pm.Normal(
            name, 0.0, sigma, shape=self.size
        )  # fmt: skip
        group, places, last = self._groups
        total = pt.zeros(self._sizes.size)[group].inc(free)
        root = np.sqrt(self._sizes)
        full = pt.zeros(self.items)[places].set(free - (total / (root + self._sizes))[group])
        return pm.Deterministic(self.name, full[last].set(-total / root), dims=self.dims)

    def constrain(self, x):
        group, places, last = self._groups
        total = np.bincount(group, x, minlength=self._sizes.size)
        root = np.sqrt(self._sizes)
        full = np.empty(self.items)
        full[places] = x - (total / (root + self._sizes))[group]
        full[last] = -total / root
        return full

    def pullback(self, x, gradient):
        group, places, last = self._groups
        root = np.sqrt(self._sizes)
        by_free = gradient[places]
        by_shift = np.bincount(group, by_free, minlength=self._sizes.size)
        return by_free - (by_shift / (root + self._sizes) + gradient[last] / root)[group]

    def log_jacobian(self, x):
        return 0.0, np.zeros_like(x)

    def log_prior(self, value, sigma=None):
        """Return log-density and its derivative by the value."""
        sigma = self.sigma if sigma is None else sigma
        if np.isinf(sigma):
            return 0.0, np.zeros_like(value)
        z = value / sigma
        return -0.5 * z @ z - self.size * (_LOG_SQRT_2PI + np.log(sigma)), -z / sigma

    def log_prior_by_sigma(self, value, sigma):
        """Return the derivative of the log-density by a random ``sigma``."""
        z = value / sigma
        return (z @ z - self.size) / sigma

    def draw(self, rng, sigma=None):
        """Return a draw of the prior; ``sigma`` may be a drawn scale."""
        sigma = self.sigma if sigma is None else sigma
        return self.constrain(rng.normal(0.0, sigma, self.size))
