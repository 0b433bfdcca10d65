r"""A noise that is given by its functions, as a table of its tails and density.

Both are smooth in asinh(z) on either side of 0, so a polynomial per panel represents them. Only
the density is integrated, outwards from each point and relative to its height there, which keeps
the tails accurate long after ``1 - cdf`` has lost its digits; the cdf is there to be checked.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bayesrank.kernels.maths.chebyshev import polynomials

__all__ = ["Tabulated", "own_noise", "tabulate"]

_WIDTH = 0.25
_DEGREE = 15
_REACH = 20.0  # asinh(z) where a table ends at the latest; power laws have settled there
_LOWEST = -1e6  # log density below which a table ends
_POSITION = np.polynomial.chebyshev.chebpts1(_DEGREE + 1)


class Tabulated(NamedTuple):
    """Polynomials in asinh(z), one per panel, of the log tail outwards of z and of log p.

    Past the last panel both go on along their slope: in asinh(z) for a power law, else in z.
    """

    table: np.ndarray  # tail and density, by panels, by powers of the position from -1 to 1
    start: float
    width: float
    power: tuple[bool, bool]  # whether the lower and the upper tail are power laws
    kink: bool  # whether the density has a kink at 0
    total: float  # what the given density integrates to; the table's integrates to 1

    def _entry(self, which, z):
        panels = self.table.shape[1]
        u = (np.arcsinh(z) - self.start) / self.width
        inside = np.clip(u, 0, panels)
        panel = np.minimum(inside.astype(int), panels - 1)
        position = 2.0 * (inside - panel) - 1.0
        value, slope = np.zeros_like(u), np.zeros_like(u)
        for k in range(self.table.shape[2] - 1, -1, -1):
            slope = slope * position + value
            value = value * position + self.table[which, panel, k]
        end = self.start + self.width * inside
        along = (z - np.sinh(end)) / (self.width * np.cosh(end))
        ahead = np.where(np.where(u < 0, *self.power), u - inside, along)
        return value + np.where(u == inside, 0.0, 2.0 * slope * ahead)

    @property
    def tail_power(self):
        """The power with which the heavier tail falls, or 0 if neither is a power law."""
        far = np.sinh(np.array([30.0, 31.0]))
        falls = -np.diff(self.log_cdf(-far))[0], -np.diff(self.log_sf(far))[0]
        return min((f for f, power in zip(falls, self.power, strict=True) if power), default=0.0)

    def log_density(self, z):
        """Return log p at each ``z``."""
        return self._entry(1, z)

    def log_cdf(self, z):
        """Return log F at each ``z``."""
        tail = self._entry(0, z)
        return np.where(z < 0.0, tail, np.log1p(-np.exp(tail)))

    def log_sf(self, z):
        """Return log(1 - F) at each ``z``."""
        tail = self._entry(0, z)
        return np.where(z < 0.0, np.log1p(-np.exp(tail)), tail)


def _extent(log_density, side):
    """Return how many panels one side needs, and whether its tail is a power law."""
    u = _WIDTH * np.arange(1, round(_REACH / _WIDTH) + 1)
    height = log_density(side * np.sinh(u))
    low = ~(height > _LOWEST)
    if low.any():
        return max(int(np.argmax(low)), 1), False
    # In asinh(z) a power law is a straight line.
    return u.size, bool(abs(height[-1] - 2.0 * height[-5] + height[-9]) < 1e-3)


def _log_tail(z, side, log_density):
    """Return the log-probability outwards of each ``z``, all of them on one side of 0.

    The distance outwards is sinh(v) times the scale on which the density falls at z.
    """
    height = log_density(z)
    step = 1e-4 * (1.0 + np.abs(z))
    slope = np.abs(log_density(z + side * step) - height) / step
    scale = 1.0 / np.maximum(slope, 1.0 / (1.0 + np.abs(z)))
    extent = 4.0
    while (log_density(z + side * scale * np.sinh(extent)) - height + extent > -40.0).any():
        extent *= 1.5
        if extent > 300.0:
            raise ValueError("`noise` has tails that fall more slowly than abs(x)^-0.2.")
    node, weight = np.polynomial.legendre.leggauss(12)
    panels = int(np.ceil(2.0 * extent))
    v = ((np.arange(panels)[:, None] + (node + 1.0) / 2.0) * (extent / panels)).ravel()
    measure = np.tile(weight, panels) * (0.5 * extent / panels) * np.cosh(v)
    total = np.empty_like(z)
    for part in np.array_split(np.arange(z.size), max(1, z.size // 256)):
        ahead = side * scale[part, None] * np.sinh(v)
        relative = np.exp(log_density(z[part, None] + ahead) - height[part, None])
        total[part] = (relative * measure).sum(axis=1)
    return height + np.log(total * scale)


def tabulate(log_density):
    """Return the table of a density that is positive everywhere and smooth except perhaps at 0."""
    below, power_below = _extent(log_density, -1)
    above, power_above = _extent(log_density, 1)
    start, panels = -_WIDTH * below, below + above
    z = np.sinh(start + _WIDTH * (np.arange(panels)[:, None] + (_POSITION + 1.0) / 2.0))
    origin = np.zeros(1)
    total = sum(np.exp(_log_tail(origin, side, log_density))[0] for side in (-1, 1))
    tail = [
        _log_tail(part.ravel(), side, log_density)
        for part, side in ((z[:below], -1), (z[below:], 1))
    ]
    rows = (np.concatenate(tail), log_density(z.ravel()))
    table = np.empty((2, panels, _DEGREE + 1))
    for which, row in enumerate(rows):
        table[which] = polynomials(row.reshape(z.shape) - np.log(total))
    powers = np.arange(_DEGREE + 1)
    left = (table[1, below - 1] * powers).sum()
    right = (table[1, below] * powers * (-1.0) ** (powers - 1.0)).sum()
    kink = bool(abs(left - right) > 1e-6 * (1.0 + abs(left)))
    return Tabulated(table, start, _WIDTH, (power_below, power_above), kink, float(total))


def _checked(function, name):
    """Return a function of the user's that is quiet and has no probability where it is NaN."""

    def call(z):
        with np.errstate(all="ignore"):
            value = np.asarray(function(z), dtype=np.float64)
        if value.shape != z.shape:
            raise ValueError(
                f"`noise`: {name} must take an array and return one of its shape, got shape "
                f"{value.shape} for shape {z.shape}."
            )
        return np.where(np.isnan(value), -np.inf, value)

    return call


@lru_cache(maxsize=32)
def own_noise(log_density, cdf):
    """Return the table of a noise given by two functions, or say what is wrong with them.

    Parameters
    ----------
    log_density, cdf : callable
        Functions of an array. The density is positive everywhere, smooth except perhaps at 0,
        not far from 0 and on the scale of 1; see the errors.
    """
    name = f"the noise {getattr(log_density, '__name__', repr(log_density))}"
    log_density = _checked(log_density, "log_density")
    cdf = _checked(cdf, "cdf")
    x = np.sinh(np.linspace(-12.0, 12.0, 4801))
    below = cdf(x)
    if (np.diff(below) < 0.0).any() or below[0] < 0.0 or below[-1] > 1.0:
        raise ValueError(f"`noise`: the cdf of {name} must rise from 0 to 1.")
    spread = x[np.searchsorted(below, 0.75)] - x[np.searchsorted(below, 0.25)]
    if not (0.2 <= spread <= 20.0 and 0.02 <= below[x.size // 2] <= 0.98):
        raise ValueError(
            f"`noise`: {name} must lie around 0, with quartiles 0.2 to 20 apart (scores have a "
            f"scale of their own), got quartiles {spread:.3g} apart and {below[x.size // 2]:.3g} "
            "of it below 0."
        )
    near = np.abs(x) < 2.0 * spread
    if not np.isfinite(log_density(x[near])).all():
        raise ValueError(f"`noise`: the density of {name} must be positive and finite everywhere.")
    tabulated = tabulate(log_density)
    height = log_density(x)
    known = height > -700.0
    error = np.abs(tabulated.log_density(x) + np.log(tabulated.total) - height)[known]
    error /= np.maximum(1.0, -height[known])
    if not error.max() < 1e-9:
        raise ValueError(
            f"`noise`: the log density of {name} must be smooth except at 0; polynomials miss it "
            f"by {error.max():.1g} near {x[known][error.argmax()]:.3g}."
        )
    if not abs(tabulated.total - 1.0) < 1e-6:
        raise ValueError(
            f"`noise`: the density of {name} must integrate to 1, got {tabulated.total:.9g}."
        )
    error = np.abs(np.exp(tabulated.log_cdf(x)) - below)
    if not error.max() < 1e-6:
        raise ValueError(
            f"`noise`: the cdf of {name} must be the integral of its density; it differs by "
            f"{error.max():.1g} at {x[error.argmax()]:.3g}."
        )
    return tabulated
