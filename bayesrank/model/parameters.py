"""A model's parameters: what each is, its prior and its shape.

``variable`` makes the PyMC variable and ``draw`` the prior itself, by NumPy's generators. The same
transforms and densities on the flat vector that samplers move, with their gradients, are in
`bayesrank.kernels.posterior.transforms`; a `Layout` is what these need to know.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import logit

from bayesrank.kernels.posterior.transforms import (
    POSITIVE,
    PROBABILITY,
    REAL,
    WORDS,
    ZERO_SUM,
    constrain_all,
    sum_to_zero,
)
from bayesrank.model.protocols import Parameter

__all__ = ["Layout", "Positive", "Probability", "Real", "ZeroSum"]


_EDGE = 1e-12  # how close to 0 and 1 a probability is taken


@dataclass(frozen=True)
class Real:
    """Normal with mean 0, or flat where ``sigma`` is infinite."""

    name: str
    sigma: np.ndarray | float
    words: str
    dims: str | None = None
    kind = REAL
    scale = None
    bounded = False

    @property
    def size(self) -> int:
        return int(np.size(self.sigma))

    length = size

    @property
    def sentence(self) -> str:
        if np.any(np.isinf(self.sigma)):
            return f"{self.words}: flat."
        spread = f"{np.max(self.sigma):g}"
        return f"{self.words}: normal with mean 0 and standard deviation {spread}."

    def variable(self) -> Any:
        import pymc as pm

        if np.any(np.isinf(self.sigma)):
            return pm.Flat(self.name, dims=self.dims)
        return pm.Normal(self.name, 0.0, self.sigma, dims=self.dims)

    def draw(self, rng: np.random.Generator) -> Any:
        return rng.normal(0.0, self.sigma)

    def free(self, values: Any) -> Any:
        """Return the free numbers that stand for some values."""
        return values


@dataclass(frozen=True)
class Positive:
    """Half-normal with scale 1, sampled on the log scale."""

    name: str
    words: str
    size = 1
    length = 1
    dims = None
    sigma = 1.0
    kind = POSITIVE
    scale = None
    bounded = False

    @property
    def sentence(self) -> str:
        return f"{self.words}: half-normal with scale 1."

    def variable(self) -> Any:
        import pymc as pm

        return pm.HalfNormal(self.name, 1.0)

    def draw(self, rng: np.random.Generator) -> Any:
        return abs(rng.standard_normal())

    def free(self, values: Any) -> Any:
        """Return the free numbers that stand for some values."""
        return np.log(values)


@dataclass(frozen=True)
class Probability:
    """Uniform between 0 and 1, sampled on the logit scale.

    ``bounded`` says whether the mode may be 0 or 1 itself, so that it is sought between bounds.
    """

    name: str
    words: str
    size: int = 1
    dims: str | None = None
    bounded: bool = False
    sigma = 1.0
    kind = PROBABILITY
    scale = None

    @property
    def length(self) -> int:
        return self.size

    @property
    def sentence(self) -> str:
        return f"{self.words}: uniform between 0 and 1."

    def variable(self) -> Any:
        import pymc as pm

        return pm.Uniform(self.name, 0.0, 1.0, dims=self.dims)

    def draw(self, rng: np.random.Generator) -> Any:
        return rng.random(self.size if self.dims else None)

    def free(self, values: Any) -> Any:
        """Return the free numbers that stand for some values; the ends are taken as near by."""
        return logit(np.clip(values, _EDGE, 1.0 - _EDGE))


@dataclass(frozen=True)
class ZeroSum:
    """Normal on the vectors that sum to zero, or flat on them where ``sigma`` is infinite.

    ``length - 1`` free numbers become ``length`` by PyMC's own orthogonal map: append the entry
    that a Householder reflection gives, then subtract a constant. So no Jacobian. Where there
    are several instances, the items of each sum to zero.

    Parameters
    ----------
    starts : ndarray of int, optional
        Where the items of each instance start, and where the last one ends.
    scale : str, optional
        Name of the learned scale, in whose units the numbers are.
    stretched : bool
        Whether that scale multiplies unit numbers, instead of being their standard deviation.
    """

    name: str
    length: int
    sigma: float
    words: str = ""
    dims: str = "item"
    starts: np.ndarray | None = None
    scale: str | None = None
    stretched: bool = False
    kind = ZERO_SUM
    bounded = False

    @property
    def prior_scale(self) -> str | None:
        """Name of the learned scale that is the standard deviation of the prior."""
        return None if self.stretched else self.scale

    @cached_property
    def bounds(self) -> np.ndarray:
        """Where the items of each instance start, and where the last one ends."""
        starts = [0, self.length] if self.starts is None else self.starts
        return np.asarray(starts, dtype=np.int64)

    @cached_property
    def _sizes(self) -> np.ndarray:
        return np.diff(self.bounds)

    @cached_property
    def _groups(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Instances of the free numbers, and where these and the appended ones belong."""
        group = np.repeat(np.arange(self._sizes.size), self._sizes)
        last = np.cumsum(self._sizes) - 1
        free = np.setdiff1d(np.arange(self.length), last)
        return group[free], free, last

    @property
    def size(self) -> int:
        return int(self.length - self._sizes.size)

    @property
    def sentence(self) -> str:
        if self.scale is not None:
            prior = f"normal with mean 0 and the learned {self.scale.split('_')[-1]}"
        elif np.isinf(self.sigma):
            prior = "flat"
        else:
            prior = f"normal with mean 0 and standard deviation {self.sigma:g}"
        return f"{self.words}: {prior}, made to sum to zero."

    def variable(self, sigma: Any = None) -> Any:
        """Make the variable; ``sigma`` may be a random scale."""
        import pymc as pm
        import pytensor.tensor as pt

        # A plain 2.0 would be single precision to PyTensor, and so would its logarithm.
        sigma = np.float64(self.sigma) if sigma is None else sigma
        flat = isinstance(sigma, float) and np.isinf(sigma)
        if self.starts is None and not flat:
            return pm.ZeroSumNormal(self.name, sigma, dims=self.dims)
        name = f"{self.name}_free"
        if flat:
            free = pm.Flat(name, shape=self.size)
        else:
            free = pm.Normal(name, 0.0, sigma, shape=self.size)
        group, places, last = self._groups
        total = pt.zeros(self._sizes.size)[group].inc(free)
        root = np.sqrt(self._sizes)
        full = pt.zeros(self.length)[places].set(free - (total / (root + self._sizes))[group])
        return pm.Deterministic(self.name, full[last].set(-total / root), dims=self.dims)

    def constrain(self, x: np.ndarray) -> np.ndarray:
        """Return numbers that sum to zero from free ones."""
        return sum_to_zero(np.ascontiguousarray(x), self.bounds)

    def free(self, values: np.ndarray) -> np.ndarray:
        """Return the free numbers of some that sum to zero: what `constrain` undoes."""
        group, free, last = self._groups
        root = np.sqrt(self._sizes)
        shift = -np.asarray(values)[last] * root / (root + self._sizes)
        return np.asarray(values)[free] + shift[group]

    def draw(self, rng: np.random.Generator, sigma: float | None = None) -> np.ndarray:
        """Return a draw of the prior; ``sigma`` may be a drawn scale."""
        sigma = self.sigma if sigma is None else sigma
        return self.constrain(rng.normal(0.0, sigma, self.size))


class Layout:
    """Where each of a model's parameters is in the flat vectors.

    Attributes
    ----------
    size, length : int
        How many free numbers there are, and how many values they stand for.
    free, place : dict
        Where each parameter starts among the free numbers, and among the values.
    where : dict
        What each parameter has of the values: a slice, or a position.
    records : ndarray of int
        What `bayesrank.kernels.posterior.transforms` needs to know. It holds addresses of the
        arrays in ``held``.
    """

    def __init__(self, parameters: list[Parameter]) -> None:
        self.free, self.place, self.where = {}, {}, {}
        self.held: list[np.ndarray] = []
        self.size = self.length = 0
        records = np.zeros((len(parameters), WORDS), dtype=np.int64)
        for record, parameter in zip(records, parameters, strict=True):
            name = parameter.name
            self.free[name], self.place[name] = self.size, self.length
            end = self.length + parameter.length
            self.where[name] = slice(self.length, end) if parameter.dims else self.length
            bounds = getattr(parameter, "bounds", np.zeros(1, dtype=np.int64))
            sigma = np.broadcast_to(
                np.asarray(parameter.sigma, dtype=float), max(parameter.size, 1)
            )
            self.held += [bounds, sigma.copy()]
            scale = getattr(parameter, "prior_scale", None)
            record[:] = (
                parameter.kind, self.size, self.length, parameter.size, bounds.size - 1,
                bounds.ctypes.data, self.held[-1].ctypes.data,
                -1 if scale is None else self.place[scale],
                -1 if scale is None else self.free[scale],
            )  # fmt: skip
            self.size += parameter.size
            self.length = end
        self.parameters, self.records = parameters, records

    def constrain(self, x: np.ndarray) -> np.ndarray:
        """Return all parameters, one after the other, at a flat vector."""
        if len(x) != self.size:
            raise ValueError(f"The model has {self.size} free numbers, got {len(x)}.")
        x, values = np.ascontiguousarray(x, dtype=float), np.empty(self.length)
        constrain_all(x, self.records, values)
        return values

    def named(self, values: np.ndarray) -> dict[str, Any]:
        """Return each parameter by its name."""
        return {name: values[place] for name, place in self.where.items()}
