"""A kernel whose derivatives were computed elsewhere, such as by sampling.

It lets the compiled posterior pull derivatives by the slots back to a model's parameters.
"""

from bayesrank.kernels.maths.pointers import reals, wholes
from bayesrank.kernels.native import native

__all__ = ["native_slopes"]


@native
def native_slopes(inputs, partials, table, first, last, logp, scratch):
    """Hand on the derivatives of some rankings; the log-likelihood is left at zero.

    The table: addresses of the starts of the rankings and of the derivatives by their entries.
    """
    start, slopes = wholes(table[0]), reals(table[1])
    for n in range(first, last):
        logp[n - first] = 0.0
    for p in range(start[first], start[last]):
        reals(partials[0])[p - start[first]] = slopes[p]
    return 0.0
