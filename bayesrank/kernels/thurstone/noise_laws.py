r"""The distribution of one item's noise: log density, log tails and how finely to step over them.

A law is three arrays that `noise_law` makes from a noise's name or functions:

- ``law``: which closed form there is, and numbers, as named below.
- ``steps``: three functions of the distance z between a point and an item, at equidistant
  z / (1 + abs(z)): the width of a panel on which the density is smooth, p/F and p/(1 - F). The
  width is divided by 1 + abs(z), and so are the other two, or multiplied by it for a power law,
  which keeps them bounded. They only choose a grid and are interpolated linearly.
- ``table``: for a noise without closed form, that of `own_noise.Tabulated`.
"""

import math
from functools import lru_cache

import numpy as np
from scipy import special

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.vector_math import bounded_exp, log_from_one
from bayesrank.kernels.thurstone.difference_noise import logistic, student
from bayesrank.kernels.thurstone.own_noise import own_noise, tabulate

__all__ = ["grid_rules", "log_densities", "log_tails", "noise_law"]

# Entries of ``law``: which of the forms below; a Student noise's degrees of freedom and the log of
# its constant; the distances beyond which less than e^-30 of the noise lies, which for a power law
# grow with the distances between items; its power, or 0; whether there is a kink at 0; and where
# the table starts, how wide its panels are and whether either tail is a power law.
FORM, DF, CONSTANT, REACH_BELOW, REACH_ABOVE, POWER, KINK = range(7)
TABLE_START, TABLE_WIDTH, POWER_BELOW, POWER_ABOVE = range(7, 11)
NORMAL, LOGISTIC, STUDENT, TABULATED = range(4)

_LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)
_BINS = 128
_NEGLIGIBLE = 30.0  # e^-30 = 1e-13 of the probability may be left out

# Mills' ratio of the normal distribution is a polynomial in (x - 4) / (x + 4), divided by 1 + x,
# to 6e-15.
_MILLS = np.polynomial.chebyshev.cheb2poly(
    np.polynomial.chebyshev.chebinterpolate(
        lambda t: (
            math.sqrt(math.pi / 2.0)
            * special.erfcx(4.0 * (1.0 + t) / (1.0 - t) / math.sqrt(2.0))
            * (1.0 + 4.0 * (1.0 + t) / (1.0 - t))
        ),
        20,
    )
)


@compiled()
def _place(z, law, table):
    """Return the panel of ``z``, the position in it from -1 to 1, and how a slope becomes one by z.

    The last number is how far ``z`` is beyond the table, in positions.
    """
    width = law[TABLE_WIDTH]
    u = (math.asinh(z) - law[TABLE_START]) / width
    inside = min(max(u, 0.0), float(table.shape[1]))
    panel = min(int(inside), table.shape[1] - 1)
    rate = 2.0 / (width * math.sqrt(1.0 + z * z))
    beyond = 2.0 * (u - inside)
    if beyond != 0.0 and law[POWER_BELOW if u < 0.0 else POWER_ABOVE] == 0.0:
        end = law[TABLE_START] + width * inside
        rate = 2.0 / (width * math.cosh(end))
        beyond = rate * (z - math.sinh(end))
    return panel, 2.0 * (inside - panel) - 1.0, rate, beyond


@compiled()
def _polynomial(coefficients, position, beyond):
    """Return a polynomial, which goes on along its slope, and the slope."""
    value, slope = 0.0, 0.0
    for k in range(coefficients.size - 1, -1, -1):
        slope = slope * position + value
        value = value * position + coefficients[k]
    return value + slope * beyond, slope


@compiled()
def log_densities(points, centre, law, table, value, slope):
    """Fill in log p and its slope at the distances of ``points`` from ``centre``."""
    if law[FORM] == NORMAL:
        for i in range(points.size):
            z = points[i] - centre
            value[i] = -0.5 * z * z - _LOG_SQRT_2PI
            slope[i] = -z
    elif law[FORM] == LOGISTIC:
        for i in range(points.size):
            z = points[i] - centre
            shrunk = bounded_exp(-abs(z))
            value[i] = -abs(z) - 2.0 * log_from_one(1.0 + shrunk)
            slope[i] = math.copysign((1.0 - shrunk) / (1.0 + shrunk), -z)
    elif law[FORM] == STUDENT:
        df = law[DF]
        for i in range(points.size):
            z = points[i] - centre
            square = z * z / df
            value[i] = law[CONSTANT] - 0.5 * (df + 1.0) * log_from_one(1.0 + square)
            slope[i] = -(df + 1.0) / df * z / (1.0 + square)
    else:
        for i in range(points.size):
            panel, position, rate, beyond = _place(points[i] - centre, law, table)
            value[i], bend = _polynomial(table[1, panel], position, beyond)
            slope[i] = rate * bend


@compiled()
def log_tails(points, centre, side, law, table, value, hazard):
    """Fill in the log-probability of one side and the density relative to it.

    The side is the noise below ``points - centre`` (``side=1``) or above it (``side=-1``).
    """
    if law[FORM] == NORMAL:
        for i in range(points.size):
            x = side * (points[i] - centre)
            far = abs(x)
            ratio = (far - 4.0) / (far + 4.0)
            mills = _MILLS[20]
            for k in range(19, -1, -1):
                mills = mills * ratio + _MILLS[k]
            height = -0.5 * x * x - _LOG_SQRT_2PI
            density = bounded_exp(height)
            inverse = (1.0 + far) / mills
            whole = 1.0 / (1.0 - density / inverse)
            value[i] = (height if x < 0.0 else 0.0) - log_from_one(inverse if x < 0.0 else whole)
            hazard[i] = inverse if x < 0.0 else density * whole
    elif law[FORM] == LOGISTIC:
        for i in range(points.size):
            x = side * (points[i] - centre)
            shrunk = bounded_exp(-abs(x))
            value[i] = min(x, 0.0) - log_from_one(1.0 + shrunk)
            hazard[i] = (1.0 if x < 0.0 else shrunk) / (1.0 + shrunk)
    else:
        for i in range(points.size):
            z = points[i] - centre
            panel, position, _, beyond = _place(z, law, table)
            tail, _ = _polynomial(table[0, panel], position, beyond)
            height, _ = _polynomial(table[1, panel], position, beyond)
            value[i] = tail if side * z < 0.0 else math.log1p(-math.exp(tail))
            # Far beyond the table the two no longer belong together.
            hazard[i] = math.exp(min(height - value[i], 40.0))


@compiled()
def grid_rules(z, law, steps):
    """Return the width, p/F and p/(1 - F) at distance ``z``, interpolated."""
    scale = 1.0 + abs(z)
    place = (z / scale + 1.0) * 0.5 * (steps.shape[1] - 1)
    left = min(int(place), steps.shape[1] - 2)
    part = place - left
    hazard_scale = 1.0 / scale if law[POWER] > 0.0 else scale
    return (
        scale * (steps[0, left] + part * (steps[0, left + 1] - steps[0, left])),
        hazard_scale * (steps[1, left] + part * (steps[1, left + 1] - steps[1, left])),
        hazard_scale * (steps[2, left] + part * (steps[2, left + 1] - steps[2, left])),
    )


def _smooth_widths(z, log_density, kink):
    """Return the widths of panels around ``z`` on which Gauss nodes resolve the density.

    What matters is how the density bends, not how steep it is, so its slope at ``z`` is taken
    out; and products of several densities have to be resolved, hence the fourth power.
    """
    node, weight = np.polynomial.legendre.leggauss(12)
    step = 1e-5 * (1.0 + np.abs(z))
    if kink:
        step = np.where(z == 0.0, step, np.minimum(step, np.abs(z) / 2.0))
    slope = (log_density(z + step) - log_density(z - step)) / (2.0 * step)
    height = log_density(z)
    width = 8.0 * (1.0 + np.abs(z))
    coarse = np.arange(z.size)
    while coarse.size:
        centre, half = z[coarse], width[coarse] / 2.0
        if kink:
            # A panel ends at a kink, so that one around it is moved to one side.
            side = np.where(centre < 0.0, -1.0, 1.0)
            centre = np.where(np.abs(centre) < half, side * half, centre)
        integrals = []
        for panels in (1, 4):
            part = (2.0 * np.arange(panels)[:, None] + 1.0 + node) / panels - 1.0
            x = centre[:, None, None] + half[:, None, None] * part
            bent = log_density(x) - height[coarse, None, None]
            bent -= slope[coarse, None, None] * (x - z[coarse, None, None])
            integrals.append((np.exp(4.0 * bent) * weight).sum(axis=(1, 2)) / panels)
        bad = ~(np.abs(integrals[0] - integrals[1]) <= 1e-12 * integrals[1])
        coarse = coarse[bad & (half > 1e-3)]
        width[coarse] /= 1.1
    return width, np.abs(slope)


def _steps(log_density, log_cdf, log_sf, kink, power):
    """Return ``steps``, as the module's docstring says."""
    position = np.linspace(-1.0, 1.0, _BINS + 1)
    position[[0, -1]] *= 1.0 - 1e-6
    z = position / (1.0 - np.abs(position))
    height = log_density(z)
    # Where an item's density is below e^-40 only rare orders need it, and those the hazards see.
    felt = np.flatnonzero(height > height.max() - 40.0)
    width, slope = _smooth_widths(z[felt], log_density, kink)
    # A steep stretch counts the less the lower the density is.
    steep = 6.0 + (height.max() - height[felt]) / 4.0
    width = np.minimum(width, steep / np.maximum(slope, 1e-300))
    width = np.interp(z, z[felt], width)
    width += np.maximum(z[felt[0]] - z, 0.0) + np.maximum(z - z[felt[-1]], 0.0)
    hazards = np.exp(np.minimum(height - np.stack([log_cdf(z), log_sf(z)]), 300.0))
    scale = 1.0 + np.abs(z)
    hazards = np.minimum(hazards, 1e3 * scale)
    hazards = hazards * scale if power else hazards / scale
    # The ends stand for infinity, which a table of a noise with light tails does not reach.
    hazards[:, 0] = np.minimum(hazards[:, 0], hazards[:, 1])
    hazards[:, -1] = np.minimum(hazards[:, -1], hazards[:, -2])
    return np.stack([width / scale, *hazards])


def _reach(log_tail, side):
    """Return the distance at which a tail is negligible."""
    z = side * np.sinh(np.linspace(0.0, 200.0, 4001))
    return abs(z[np.argmax(log_tail(z) < -_NEGLIGIBLE)])


@lru_cache(maxsize=32)
def noise_law(noise):
    """Return ``law``, ``steps`` and ``table`` of a noise, as the module's docstring says.

    Parameters
    ----------
    noise : "normal", "logistic", ("t", degrees of freedom) or (log_density, cdf)
        In the spelling that `bayesrank.kernels.thurstone.difference_noise.check_noise` returns.
    """
    law = np.zeros(11)
    table = np.empty((2, 0, 0))
    if noise == "normal":
        law[FORM] = NORMAL
        log_density, log_cdf = lambda z: -0.5 * z * z - _LOG_SQRT_2PI, special.log_ndtr
    elif noise == "logistic":
        law[FORM] = LOGISTIC
        log_density, log_cdf, _ = logistic()
    else:
        if noise[0] == "t":
            log_density = student(noise[1])[0]
            tabulated = tabulate(log_density)
            law[: CONSTANT + 1] = STUDENT, noise[1], tabulated.log_density(np.zeros(1))[0]
        else:
            tabulated = own_noise(*noise)
            log_density = tabulated.log_density
            law[FORM] = TABULATED
        log_cdf = tabulated.log_cdf
        table = tabulated.table
        law[POWER:] = (
            tabulated.tail_power,
            tabulated.kink,
            tabulated.start,
            tabulated.width,
            *tabulated.power,
        )
    log_sf = tabulated.log_sf if table.size else lambda z: log_cdf(-z)
    law[REACH_BELOW], law[REACH_ABOVE] = _reach(log_cdf, -1), _reach(log_sf, 1)
    return law, _steps(log_density, log_cdf, log_sf, law[KINK] > 0.0, law[POWER] > 0.0), table
