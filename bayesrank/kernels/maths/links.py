r"""Distributions of the difference of two independent noises, as a pair model needs them.

The difference has a symmetric cdf G and density g. An empty table is the standard normal
distribution; any other table comes from `bayesrank.kernels.thurstone.difference_noise`. Both
functions keep their accuracy far in the tails.
"""

import math

from bayesrank.kernels.compiled import compiled

__all__ = ["curvature", "log_pdf", "tails"]

_LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)


@compiled()
def _normal_tails(x):
    height = -0.5 * x * x - _LOG_SQRT_2PI
    if x < 5.0:
        tail = 0.5 * math.erfc(x / math.sqrt(2.0))
        density = math.exp(height)
        return math.log(tail), density / tail, math.log1p(-tail), density / (1.0 - tail)
    # Laplace's continued fraction of g/G: rounding is reached within 30 levels at 5.
    hazard = x
    for level in range(30, 0, -1):
        hazard = level / hazard + x
    density = math.exp(height)
    tail = density / hazard
    return height - math.log(hazard), hazard, math.log1p(-tail), density / (1.0 - tail)


@compiled()
def _place(x, table):
    """Return the panel of ``x >= 0``, the position in it from -1 to 1, and the panels beyond.

    Past the last panel a function goes on along its slope: in asinh(x), which is a power law,
    or in x, which is an exponential, as the table says.
    """
    panels = table.shape[1]
    width = table[2, 0, 0]
    y = math.asinh(x) / width
    inside = min(y, float(panels))
    panel = min(int(inside), panels - 1)
    beyond = y - inside
    if beyond > 0.0 and table[2, 0, 1] > 0.0:
        beyond = (x - math.sinh(panels * width)) / (width * math.cosh(panels * width))
    return panel, 2.0 * (inside - panel) - 1.0, beyond


@compiled()
def _polynomial(table, which, panel, position, beyond):
    """Return the tabulated function and its slope per panel."""
    value = 0.0
    slope = 0.0
    for k in range(table.shape[2] - 1, -1, -1):
        slope = slope * position + value
        value = value * position + table[which, panel, k]
    slope *= 2.0
    return value + slope * beyond, slope


@compiled()
def tails(x, table):
    """Return log G(-x), g/G at -x, log G(x), g/G at x, for ``x >= 0``."""
    if table.size == 0:
        return _normal_tails(x)
    panel, position, beyond = _place(x, table)
    below, _ = _polynomial(table, 0, panel, position, beyond)
    height, _ = _polynomial(table, 1, panel, position, beyond)
    above = math.log1p(-math.exp(below))
    return below, math.exp(height - below), above, math.exp(height - above)


@compiled()
def log_pdf(x, table):
    """Return log g(x) and its slope."""
    if table.size == 0:
        return -0.5 * x * x - _LOG_SQRT_2PI, -x
    panel, position, beyond = _place(abs(x), table)
    height, slope = _polynomial(table, 1, panel, position, beyond)
    reach = abs(x)
    if beyond > 0.0 and table[2, 0, 1] > 0.0:
        reach = math.sinh(table.shape[1] * table[2, 0, 0])
    return height, math.copysign(slope, -x) / (table[2, 0, 0] * math.sqrt(1.0 + reach * reach))


@compiled()
def curvature(x, table):
    """Return the second derivative of log g at x."""
    if table.size == 0:
        return -1.0
    width = table[2, 0, 0]
    panel, position, beyond = _place(abs(x), table)
    if beyond > 0.0 and table[2, 0, 1] > 0.0:
        return 0.0  # a straight line
    slope, bend = 0.0, 0.0
    for k in range(table.shape[2] - 1, 0, -1):
        bend = bend * position + slope
        slope = slope * position + k * table[1, panel, k]
    slope, bend = 2.0 * slope, 0.0 if beyond > 0.0 else 4.0 * bend
    squared = 1.0 + x * x
    return (bend / width - slope * abs(x) / math.sqrt(squared)) / (width * squared)
