r"""Tables of the difference of two independent noises that has no convenient closed form.

For iid noises with density p and cdf F, the difference lies below -x with probability
``G(-x) = int p(z) F(z - x) dz`` and has density ``g(x) = int p(z) p(z - x) dz``. Both integrands
live near z = 0 and near z = x, so each half is integrated by Gauss-Legendre panels in asinh of
the distance to its own centre, which resolves the bulk and heavy tails alike. log G and log g
are then smooth in asinh(x), and a polynomial per panel represents them to 1e-10 of their size
(1e-14 up to 200 degrees of freedom).
"""

from functools import lru_cache
from numbers import Real

import numpy as np
from scipy import special

from bayesrank.kernels.maths.chebyshev import polynomials
from bayesrank.kernels.thurstone.own_noise import own_noise

__all__ = ["check_noise", "difference_table"]

NOISES = ("normal", "logistic", "gumbel")

_REACH = 16.0  # asinh(x) covered: differences up to four million noise scales
_DEGREE = 15


def check_noise(noise):
    """Return the noise in its one spelling, or say what a noise may be."""
    if isinstance(noise, str) and noise in NOISES:
        return noise
    if isinstance(noise, tuple | list) and len(noise) == 2:
        if noise[0] == "t" and isinstance(noise[1], Real) and 0.5 <= noise[1] <= 1000:
            return ("t", float(noise[1]))
        if callable(noise[0]) and callable(noise[1]):
            return tuple(noise)
    raise ValueError(
        '`noise` must be "normal", "logistic", "gumbel", ("t", degrees of freedom from 0.5 to '
        "1000, beyond which it is normal) or your own (log_density, cdf), two functions of an "
        f"array, got {noise!r}."
    )


def _composite(panels):
    """Return nodes and weights of Gauss-Legendre panels that fill [0, 1]."""
    node, weight = np.polynomial.legendre.leggauss(12)
    nodes = (np.arange(panels)[:, None] + (node + 1.0) / 2.0) / panels
    return nodes.ravel(), np.tile(weight / 2.0 / panels, panels)


def _log_difference(x, log_density, log_cdf, reach):
    """Return log G(-x) and log g(x) of the difference, for each ``x >= 0``."""
    log_cdf_terms, log_pdf_terms = [], []
    x = x[:, None]
    midway = np.arcsinh(x / 2.0)
    # From each centre inwards to the midpoint between them, and outwards past any mass.
    for extent, panels, inwards in ((midway, 96, True), (np.full_like(x, reach), 64, False)):
        nodes, weights = _composite(panels)
        w = extent * nodes
        log_measure = np.log(np.cosh(w) * weights * extent)
        step = np.sinh(w) if inwards else -np.sinh(w)
        # Each centre has its own exact distance; the other is a difference.
        for z, beyond in ((step, step - x), (x - step, -step)):
            log_cdf_terms.append(log_measure + log_density(z) + log_cdf(beyond))
            log_pdf_terms.append(log_measure + log_density(z) + log_density(beyond))
    return (
        special.logsumexp(np.concatenate(log_cdf_terms, axis=1), axis=1),
        special.logsumexp(np.concatenate(log_pdf_terms, axis=1), axis=1),
    )


def _student_log_cdf(df, z):
    """Return the log cdf; in the lower tail, where the cdf underflows, by its expansion there.

    F(z) = I_x(df/2, 1/2) / 2 with x = df / (df + z^2), and I_x is x^a times a hypergeometric
    series in x (DLMF 8.17.8).
    """
    a = df / 2.0
    with np.errstate(divide="ignore"):
        log_cdf = np.log(special.stdtr(df, z))
    far = z < -30.0
    x = df / (df + z[far] ** 2)
    log_power = -a * np.log1p(z[far] ** 2 / df) + 0.5 * np.log1p(-x)
    series = special.hyp2f1(a + 0.5, 1.0, a + 1.0, x)
    log_cdf[far] = np.log(series / (2.0 * a)) + log_power - special.betaln(a, 0.5)
    return log_cdf


def student(df):
    constant = special.gammaln((df + 1.0) / 2.0) - special.gammaln(df / 2.0)
    constant -= 0.5 * np.log(df * np.pi)
    return (
        lambda z: constant - (df + 1.0) / 2.0 * np.log1p(z * z / df),
        lambda z: _student_log_cdf(df, z),
        # Out to where the two-sided tail, about e^(-df reach), is below rounding.
        max(40.0, 40.0 / df),
    )


def logistic():
    return lambda z: special.log_expit(z) + special.log_expit(-z), special.log_expit, 10.0


def _own(noise):
    tabulated = own_noise(*noise)
    # The tail |z|^-power of a power law is e^(-power reach).
    reach = 40.0 / tabulated.tail_power if any(tabulated.power) else 10.0
    return tabulated.log_density, tabulated.log_cdf, reach


@lru_cache(maxsize=32)
def difference_table(noise):
    """Return the table of a noise's difference, as `bayesrank.kernels.maths.links` reads it.

    Parameters
    ----------
    noise : "normal", "logistic", ("t", degrees of freedom) or (log_density, cdf)
        Standard distribution of each item's own noise. The normal needs no table: its
        difference is a normal with standard deviation sqrt(2), which the caller scales.
    """
    if noise == "normal":
        return np.empty((3, 0, 0))
    own = callable(noise[0])
    law = logistic() if noise == "logistic" else _own(noise) if own else student(noise[1])
    # A nearly normal Student noise turns from a normal to a power law within a short stretch.
    width = 0.125 if noise[0] == "t" and noise[1] > 20 else 0.5
    panels = round(_REACH / width)
    position = np.polynomial.chebyshev.chebpts1(_DEGREE + 1)
    y = width * (np.arange(panels)[:, None] + (position + 1.0) / 2.0)
    values = np.stack(_log_difference(np.sinh(y.ravel()), *law)).reshape(2, *y.shape)
    if own:
        # Tails may fall so fast that nothing is left to integrate. Such a table ends early.
        panels = int(np.argmin((values[0] > -2000.0).all(axis=1))) or panels
    table = np.zeros((3, panels, _DEGREE + 1))
    table[2, 0, 0] = width
    # An exponential tail, not a power law.
    table[2, 0, 1] = not any(own_noise(*noise).power) if own else noise == "logistic"
    for which in range(2):
        table[which] = polynomials(values[which, :panels])
    return table
