r"""Sums of exponentials of the same points at many rates, and their gradients.

For points ``x`` in [0, D] and rates ``theta`` >= 0 these are

.. math:: P(\theta) = \sum_i e^{\theta (x_i - D)}, \qquad N(\theta) = \sum_i e^{-\theta x_i},

from which the normalisers of the multinomial preference model are made. Taken one by one they
cost points times rates. Where points are many they are first laid into bins so narrow that the
exponential is a polynomial of degree seven in each, at every rate; a bin is then its eight
moments, whatever number of points it holds, and the cost is points + bins times rates. Bins are
as narrow as the largest rate asks, so the error does not depend on the spread: relative to the sum
it stays below 1e-13. (Interpolating the logarithms between Chebyshev nodes in theta is what one
would try first. Its error does depend on the spread: for one pair and 16 nodes it is 5e-11 at
D = 2 and 1e-3 at D = 20.)
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.vector_math import bounded_exp

__all__ = ["bin_points", "slopes", "sums"]

TERMS = 8
# With theta * width = 1/6 the first term left out is (1/12)^8 / 8! = 6e-14.
BINS_PER_UNIT = 6.0
# Sums are direct where a bin would hold less than this many points on average: an exponential of
# a point costs less than the series of a bin. So no spread, however large, needs many bins.
POINTS_PER_BIN = 4.0


@compiled()
def bin_points(x, points, largest, steepest):
    """Return the moments of the points in each bin, and the bins' width.

    No bins at all mean that the sums are to be taken directly. ``points`` is their number, also
    where ``x`` is empty because only the bins' number and width are wanted.
    """
    units = steepest * largest * BINS_PER_UNIT
    width = largest if units <= 1.0 else largest / units
    width = max(width, 1e-300)  # points may all be zero, or so small that 1 / width overflows
    if units * POINTS_PER_BIN > points:
        return np.zeros((0, TERMS)), width
    inverse = 1.0 / width
    # As points are laid below: largest / width may round to the bin before that of the largest.
    moments = np.zeros((int(largest * inverse) + 1, TERMS))
    for i in range(x.size):
        y = x[i] * inverse
        b = int(y)
        v = y - (b + 0.5)
        # v^j / j!
        second = v * v * 0.5
        third = second * v * (1.0 / 3.0)
        fourth = third * v * 0.25
        fifth = fourth * v * 0.2
        sixth = fifth * v * (1.0 / 6.0)
        row = moments[b]
        row[0] += 1.0
        row[1] += v
        row[2] += second
        row[3] += third
        row[4] += fourth
        row[5] += fifth
        row[6] += sixth
        row[7] += sixth * v * (1.0 / 7.0)
    return moments, width


@compiled()
def _series(row, phi):
    """Return a bin's sum of e^{phi v}, and of v e^{phi v}."""
    value, slope = row[7], 0.0
    for j in range(TERMS - 2, -1, -1):
        slope = slope * phi + value
        value = value * phi + row[j]
    return value, slope


@compiled()
def sums(x, largest, moments, width, theta):
    """Return P, N, and the sums of x e^{theta (x - D)} and of x e^{-theta x}, at one rate."""
    plus, minus, plus_slope, minus_slope = 0.0, 0.0, 0.0, 0.0
    bins = len(moments)
    if bins == 0:
        # In two loops, of which the first has no sums and is vectorised.
        up, down = np.empty(x.size), np.empty(x.size)
        for i in range(x.size):
            up[i] = bounded_exp(theta * (x[i] - largest))
            down[i] = bounded_exp(-theta * x[i])
        for i in range(x.size):
            plus += up[i]
            minus += down[i]
            plus_slope += x[i] * up[i]
            minus_slope += x[i] * down[i]
        return plus, minus, plus_slope, minus_slope
    phi = theta * width
    ratio = math.exp(-phi)
    # From the bins that weigh most, so that what underflows is what does not matter.
    factor = math.exp(phi * (bins - 0.5 - largest / width))
    for b in range(bins - 1, -1, -1):
        value, slope = _series(moments[b], phi)
        plus += factor * value
        plus_slope += factor * ((b + 0.5) * value + slope)
        factor *= ratio
    factor = math.exp(-0.5 * phi)
    for b in range(bins):
        value, slope = _series(moments[b], -phi)
        minus += factor * value
        minus_slope += factor * ((b + 0.5) * value + slope)
        factor *= ratio
    return plus, minus, width * plus_slope, width * minus_slope


@compiled()
def slopes(x, largest, bins, width, theta, plus, minus):
    """Return the derivative by each point of the sum over rates of plus * P + minus * N.

    ``theta``, ``plus`` and ``minus`` hold one number per rate.
    """
    out = np.zeros(x.size)
    if bins == 0:
        for r in range(theta.size):
            for i in range(x.size):
                up = plus[r] * bounded_exp(theta[r] * (x[i] - largest))
                out[i] += theta[r] * (up - minus[r] * bounded_exp(-theta[r] * x[i]))
        return out
    series = np.zeros((bins, TERMS))
    coefficient = np.empty(TERMS)
    for r in range(theta.size):
        phi = theta[r] * width
        coefficient[0] = theta[r]
        for j in range(1, TERMS):
            coefficient[j] = coefficient[j - 1] * phi / j
        ratio = math.exp(-phi)
        up = plus[r] * math.exp(phi * (bins - 0.5 - largest / width))
        for b in range(bins - 1, -1, -1):
            for j in range(TERMS):
                series[b, j] += up * coefficient[j]
            up *= ratio
        for j in range(0, TERMS, 2):
            coefficient[j] = -coefficient[j]
        down = minus[r] * math.exp(-0.5 * phi)
        for b in range(bins):
            for j in range(TERMS):
                series[b, j] += down * coefficient[j]
            down *= ratio
    inverse = 1.0 / width
    for i in range(x.size):
        y = x[i] * inverse
        b = int(y)
        v = y - (b + 0.5)
        row = series[b]
        value = row[7]
        for j in range(TERMS - 2, -1, -1):
            value = value * v + row[j]
        out[i] = value
    return out
