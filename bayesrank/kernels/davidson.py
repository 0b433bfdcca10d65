r"""Davidson's model of pairs with ties (1970, eq. 2.4), of which Bradley-Terry is the case nu = 0.

With ``d`` the left score minus the right one, the outcomes (left wins, right wins, tie) have
``P = (e^{d/2}, e^{-d/2}, nu) / (e^{d/2} + e^{-d/2} + nu)``.
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, pointer, reals
from bayesrank.kernels.maths.vector_math import bounded_exp, log_from_one
from bayesrank.kernels.native import Kernel, native
from bayesrank.kernels.pair_rows import (
    BY_ROW,
    check_rows,
    close_rows,
    rate_of_row,
    take_limits,
    tie_rate,
)

__all__ = ["davidson", "native_davidson", "nu_of"]


@compiled(cache=True)
def nu_of(p):
    """Return nu = 2 p / (1 - p), where p is the probability that equals tie, and its slope."""
    q = 1.0 - p
    return 2.0 * p / q, 2.0 / (q * q)


# The rows are free of branches and calls, and the counts are laid out by outcome, so that the
# loop over them vectorises. A tie parameter that all rows share is the common case and is
# prepared once; one per row takes the same formula, with a logarithm for each row.


@compiled(inline="always")
def _row(d, nu, log_nu, inverse_nu, wins, losses, ties):
    n = wins + losses + ties
    lead = 0.5 * (wins - losses)
    half = 0.5 * abs(d)
    # e^{-|d|/2} never overflows; Z = e^{|d|/2} (1 + shrunk (shrunk + nu)).
    shrunk = bounded_exp(-half)
    rest = shrunk * (shrunk + nu)
    share = n / (1.0 + rest)
    pull = math.copysign(0.5 * share * (1.0 - shrunk * shrunk), d)
    value = lead * d - n * (half + log_from_one(1.0 + rest))
    tied = ties > 0.0
    return (
        value + (ties * log_nu if tied else 0.0),
        lead - pull,
        (ties * inverse_nu if tied else 0.0) - share * shrunk,
    )


@compiled()
def _rows(d, nu, rows, wins, losses, ties, logp, by_difference, by_nu):
    """Fill in the rows' log-probabilities and derivatives for one nu."""
    # An infinite nu, where a tie is certain, stays within reach of the arithmetic.
    nu = min(nu, 1e300)
    log_nu, inverse = math.log(nu), 1.0 / nu
    for i in range(rows):
        logp[i], by_difference[i], by_nu[i] = _row(
            d[i], nu, log_nu, inverse, wins[i], losses[i], ties[i]
        )


@compiled(cache=True)
def davidson(difference, nu, counts):
    """Return log-probability and its derivatives by ``difference`` and ``nu``, per row."""
    rows = check_rows(difference, nu, counts)
    logp, by_difference, by_nu = np.empty(rows), np.empty(rows), np.empty(rows)
    difference, counts = np.ascontiguousarray(difference), np.ascontiguousarray(counts)
    wins, losses, ties = counts[0], counts[1], counts[2]
    if nu.size == 1:
        _rows(
            pointer(difference), nu[0], rows, pointer(wins), pointer(losses), pointer(ties),
            pointer(logp), pointer(by_difference), pointer(by_nu),
        )  # fmt: skip
    else:
        for i in range(rows):
            v = min(nu[i], 1e300)
            logp[i], by_difference[i], by_nu[i] = _row(
                difference[i], v, math.log(v), 1.0 / v, wins[i], losses[i], ties[i]
            )
    take_limits(difference, nu, counts, logp, by_difference, by_nu)
    return logp, by_difference, by_nu


@native
def native_davidson(inputs, partials, table, first, last, logp, scratch):
    """Compute some rows; see `bayesrank.kernels.pair_rows` for the table."""
    rows, counts = table[0], ahead(reals(table[1]), first)
    losses, ties = ahead(counts, rows), ahead(counts, 2 * rows)
    d, by_difference, slope = reals(inputs[0]), reals(partials[0]), 0.0
    if table[2] == BY_ROW:
        for i in range(last - first):
            nu, steep = nu_of(rate_of_row(inputs, i))
            logp[i], by_difference[i], by_nu = _row(
                d[i], nu, math.log(nu), 1.0 / nu, counts[i], losses[i], ties[i]
            )
            reals(partials[1])[i] = by_nu * steep
    else:
        nu, slope = nu_of(tie_rate(inputs, table))
        _rows(d, nu, last - first, counts, losses, ties, logp, by_difference, scratch)
    return close_rows(partials, table, slope, last - first, logp, scratch)


KERNEL = Kernel("davidson", davidson, 2, davidson, native_davidson)
