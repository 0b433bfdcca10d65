"""Pairs in JAX: the formulas of `bayesrank.kernels`' kernels of pairs, differentiable by JAX.

What would break a derivative is avoided: a difference is turned by a factor that is constant where
it matters, and an argument is replaced where its result is not used.
"""

from math import log, pi, sqrt

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erfc

__all__ = ["cumulative", "davidson", "rao_kupper"]

_FAR = 1e150
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)


def _with_limits(value):
    """Return the formula for all numbers; see `bayesrank.kernels.pair_rows.take_limits`."""

    def of_all(difference, tie, counts, *structure):
        wins, losses, ties = counts
        tie = jnp.broadcast_to(tie, difference.shape)
        near, endless = jnp.abs(difference) < _FAR, jnp.isposinf(tie)
        d = jnp.where(near & ~endless, difference, 0.0)
        t = jnp.where(near & ~endless, tie, 1.0)
        without = jnp.where(difference > 0.0, losses, wins)
        impossible = jnp.where(
            near,
            wins + losses,
            jnp.where(endless | jnp.isnan(difference), wins + losses + ties, ties + without),
        )
        limit = jnp.where(impossible == 0.0, 0.0, -jnp.inf)
        return jnp.where(near & ~endless, value(d, t, wins, losses, ties, *structure), limit)

    return of_all


def _times_log(count, x):
    """Return count * log x, and 0 where there is nothing to count."""
    seen = count > 0.0
    return jnp.where(seen, count * jnp.log(jnp.where(seen, x, 1.0)), 0.0)


@_with_limits
def davidson(d, nu, wins, losses, ties):
    """Return the log-probability of each row."""
    nu = jnp.minimum(nu, 1e300)
    half = jnp.where(d < 0.0, -0.5, 0.5) * d
    shrunk = jnp.exp(-half)
    n = wins + losses + ties
    value = 0.5 * (wins - losses) * d - n * (half + jnp.log1p(shrunk * (shrunk + nu)))
    return value + _times_log(ties, nu)


@_with_limits
def rao_kupper(d, t, wins, losses, ties):
    """Return the log-probability of each row."""
    value = -(wins + ties) * jnp.logaddexp(0.0, t - d)
    value -= (losses + ties) * jnp.logaddexp(0.0, t + d)
    seen = ties > 0.0
    t = jnp.where(seen, t, 1.0)
    return value + jnp.where(seen, ties * (2.0 * t + jnp.log(-jnp.expm1(-2.0 * t))), 0.0)


def _place(x, table):
    """Return the coefficients of the panel of ``x >= 0``, the position in it, and what is beyond.

    See `bayesrank.kernels.maths.links`.
    """
    panels, width = table.shape[1], table[2, 0, 0]
    y = jnp.arcsinh(x) / width
    outside, exponential = y > panels, table[2, 0, 1] > 0.0
    inside = jnp.where(outside, float(panels), y)
    panel = jnp.minimum(jax.lax.stop_gradient(inside).astype(int), panels - 1)
    start, stretch = jnp.sinh(panels * width), width * jnp.cosh(panels * width)
    beyond = jnp.where(exponential, (x - start) / stretch, y - panels)
    return panel, 2.0 * (inside - panel) - 1.0, jnp.where(outside, beyond, 0.0)


@jax.custom_jvp
def _polynomial(coefficients, position):
    """Return polynomials, whose coefficients are by power on the first axis."""
    value = jnp.zeros_like(position)
    for coefficient in coefficients[::-1]:
        value = value * position + coefficient
    return value


@_polynomial.defjvp
def _polynomial_and_slope(primals, tangents):
    # The coefficients are given: only the position moves.
    coefficients, position = primals
    return _polynomial(coefficients, position), _slope(coefficients, position) * tangents[1]


def _slope(coefficients, position):
    """Return the derivatives of polynomials."""
    powers = jnp.arange(1.0, coefficients.shape[0]).reshape(-1, *[1] * position.ndim)
    return _polynomial(powers * coefficients[1:], position)


def _tabulated(which, x, table):
    """Return a function of ``x >= 0`` by its polynomials."""
    panel, position, beyond = _place(x, table)
    coefficients = jnp.moveaxis(jnp.asarray(table)[which][panel], -1, 0)
    return _polynomial(coefficients, position) + 2.0 * _slope(coefficients, position) * beyond


def _log_pdf(x, table):
    """Return log g of the difference of two noises."""
    if table.size == 0:
        return -0.5 * x * x - 0.5 * log(2.0 * pi)
    return _tabulated(1, jnp.where(x < 0.0, -x, x), table)


def _far_hazard(x):
    """Return g(x) / G(-x) of the normal distribution for ``x >= 5``, by a continued fraction."""
    hazard = x
    for level in range(30, 0, -1):
        hazard = level / hazard + x
    return hazard


def _log_tail(x, table):
    """Return log G(-x) for ``x >= 0``."""
    if table.size:
        return _tabulated(0, x, table)
    far = jnp.maximum(x, 5.0)
    beyond = _log_pdf(far, table) - jnp.log(_far_hazard(far))
    return jnp.where(x < 5.0, jnp.log(0.5 * erfc(jnp.minimum(x, 5.0) / sqrt(2.0))), beyond)


@jax.custom_jvp
def _log_cdf(x, table):
    """Return log G(x). Its slope is g / G, which a table's polynomial would only resemble."""
    tail = _log_tail(jnp.abs(x), table)
    return jnp.where(x < 0.0, tail, jnp.log1p(-jnp.exp(tail)))


@_log_cdf.defjvp
def _log_cdf_and_slope(primals, tangents):
    x, table = primals
    value = _log_cdf(x, table)
    hazard = jnp.exp(_log_pdf(x, table) - value)
    if table.size == 0:
        # Logarithms of thousands have lost the digits of their difference.
        hazard = jnp.where(x > -5.0, hazard, _far_hazard(jnp.maximum(-x, 5.0)))
    return value, hazard * tangents[0]


def _log_tie(d, t, short, upset, table):
    """Return log(G(d + t) - G(d - t)) for ``d >= 0``; see `bayesrank.kernels.cumulative`."""
    gap = short - upset
    wide = gap > 0.02
    apart = short + jnp.log(-jnp.expm1(-jnp.where(wide, gap, 1.0)))
    # Where they nearly agree, integrate the density in between.
    centre, narrow = _log_pdf(d, table), jnp.where(wide, 0.0, t)
    heights = _log_pdf(d + narrow * _NODES[:, None], table) - centre
    total = (_WEIGHTS[:, None] * jnp.exp(heights)).sum(axis=0)
    return jnp.where(wide, apart, centre + jnp.log(jnp.where(wide, 1.0, t) * total))


@_with_limits
def cumulative(d, t, wins, losses, ties, table):
    """Return the log-probability of each row."""
    turned = d < 0.0
    d = jnp.where(turned, -d, d)
    wins, losses = jnp.where(turned, losses, wins), jnp.where(turned, wins, losses)
    seen = ties > 0.0
    win, upset, short = _log_cdf(jnp.stack([d - t, -d - t, t - d]), table)
    value = jnp.where(wins > 0.0, wins * win, 0.0) + jnp.where(losses > 0.0, losses * upset, 0.0)
    tie = _log_tie(d, jnp.where(seen, t, 1.0), short, upset, table)
    return value + jnp.where(seen, ties * tie, 0.0)
