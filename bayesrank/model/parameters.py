"""A model's parameters: what each is, its prior and its shape.

``variable`` makes the PyMC variable and ``draw`` the prior itself, by NumPy's generators. The same
transforms and densities on the flat vector that samplers move, with their gradients, are in
`bayesrank.kernels.transforms`; a `Layout` is what these need to know.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesrank.kernels.transforms import (
    POSITIVE,
    PROBABILITY,
    REAL,
    ZERO_SUM,
    constrain,
    pull,
    sum_to_zero,
)

__all__ = ["Layout", "Positive", "Probability", "Real", "ZeroSum"]


@dataclass(frozen=True)
class Real:
    """Normal with mean 0, or flat where ``sigma`` is infinite."""

    name: str
    sigma: np.ndarray | float
    dims: str | None = None
    kind = REAL

    @property
    def size(self):
        return np.size(self.sigma)

    def variable(self):
        import pymc as pm

        if np.any(np.isinf(self.sigma)):
            return pm.Flat(self.name, dims=self.dims)
        return pm.Normal(self.name, 0.0, self.sigma, dims=self.dims)

    def draw(self, rng):
        return rng.normal(0.0, self.sigma)


@dataclass(frozen=True)
class Positive:
    """Half-normal with scale 1, sampled on the log scale."""

    name: str
    size = 1
    dims = None
    kind = POSITIVE

    def variable(self):
        import pymc as pm

        return pm.HalfNormal(self.name, 1.0)

    def draw(self, rng):
        return abs(rng.standard_normal())


@dataclass(frozen=True)
class Probability:
    """Uniform between 0 and 1, sampled on the logit scale."""

    name: str
    size: int = 1
    dims: str | None = None
    kind = PROBABILITY

    def variable(self):
        import pymc as pm

        return pm.Uniform(self.name, 0.0, 1.0, dims=self.dims)

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
    kind = ZERO_SUM

    @cached_property
    def bounds(self):
        """Where the items of each instance start, and where the last one ends."""
        whole = self.starts is None
        return np.array([0, self.items]) if whole else np.asarray(self.starts, dtype=np.int64)

    @cached_property
    def _sizes(self):
        return np.diff(self.bounds)

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
        """Return numbers that sum to zero from free ones."""
        return sum_to_zero(np.ascontiguousarray(x), self.bounds)

    def draw(self, rng, sigma=None):
        """Return a draw of the prior; ``sigma`` may be a drawn scale."""
        sigma = self.sigma if sigma is None else sigma
        return self.constrain(rng.normal(0.0, sigma, self.size))


class Layout:
    """Where each of a model's parameters is in the flat vectors, and the way between these.

    Parameters
    ----------
    parameters : list
        The parameters, in order. A learned prior scale is the first.
    scaled : list of bool
        Whether each one's prior has that scale.
    """

    def __init__(self, parameters, scaled):
        sizes = [parameter.size for parameter in parameters]
        lengths = [getattr(parameter, "items", parameter.size) for parameter in parameters]
        bounds = [getattr(parameter, "bounds", np.zeros(0, np.int64)) for parameter in parameters]
        sigma = [
            np.broadcast_to(getattr(parameter, "sigma", 1.0), parameter.size)
            for parameter in parameters
        ]
        place = _ends(lengths)
        self.size, self.length = sum(sizes), sum(lengths)
        self.where = {
            parameter.name: slice(first, last) if parameter.dims else int(first)
            for parameter, first, last in zip(parameters, place[:-1], place[1:], strict=True)
        }
        self.arrays = (
            np.array([parameter.kind for parameter in parameters], dtype=np.int64),
            _ends(sizes),
            place,
            _ends([len(each) for each in bounds]),
            np.concatenate([*bounds, np.zeros(0, np.int64)]),
            np.concatenate([*sigma, np.zeros(0)]),
            np.array(scaled, dtype=bool),
        )

    def constrain(self, x):
        """Return all parameters, one after the other, at a flat vector."""
        if len(x) != self.size:
            raise ValueError(f"The model has {self.size} free numbers, got {len(x)}.")
        return constrain(np.ascontiguousarray(x, dtype=float), *self.arrays)

    def named(self, values):
        """Return each parameter by its name."""
        return {name: values[place] for name, place in self.where.items()}

    def pull(self, gradients, x, values, jacobian):
        """Return the log prior and the gradient of the log-posterior by the flat vector.

        Parameters
        ----------
        gradients : dict
            Derivatives of the log-likelihood by the parameters; those that are absent are zero.
        x, values : ndarray
            The flat vector and its parameters.
        jacobian : bool
            Whether to add the log-Jacobian of the transforms.
        """
        by_value = np.zeros(self.length)
        for name, place in self.where.items():
            if name in gradients:
                by_value[place] = gradients[name]
        return pull(by_value, np.ascontiguousarray(x, dtype=float), values, jacobian, *self.arrays)


def _ends(sizes):
    """Return where stretches of given sizes start, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
