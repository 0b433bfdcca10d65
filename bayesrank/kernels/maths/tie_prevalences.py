r"""Tie prevalences: the factor of a block by its size.

One number d gives a block of m the factor d^(m-1); an array gives those of blocks of 2, 3, ...,
larger ones being impossible.
"""

import math

from bayesrank.kernels.compiled import compiled

__all__ = ["log_choose", "log_prevalence", "log_sizes", "log_tie"]


@compiled()
def log_choose(n, m):
    """Return log of the number of ways to choose m of n."""
    return math.lgamma(n + 1.0) - math.lgamma(m + 1.0) - math.lgamma(n - m + 1.0)


@compiled()
def log_tie(m, tie, powers):
    """Return log of the prevalence of blocks of m."""
    if m == 1:
        return 0.0
    if powers:
        return (m - 1.0) * math.log(tie[0])
    return math.log(tie[m - 2]) if m <= tie.size + 1 else -math.inf


@compiled()
def log_prevalence(size, tie, powers, by_tie):
    """Return log of the prevalence of a block of some size, and add its derivatives."""
    if size > 1 and powers:
        by_tie[0] += (size - 1.0) / tie[0]
    elif size > 1 and size <= tie.size + 1:
        by_tie[size - 2] += 1.0 / tie[size - 2]
    return log_tie(size, tie, powers)


@compiled()
def log_sizes(n, tie, by_tie):
    """Return log c(n) of prevalences by size, and take its derivatives off ``by_tie``.

    What c is says `bayesrank.kernels.additive`.
    """
    # Terms grow like binomial coefficients: a common factor keeps them within range.
    largest = min(n, tie.size + 1)
    log_total = 0.0
    for sweep in range(2):  # the sum, then each term's share of it
        term, total, scale = 1.0, 1.0, 0.0
        for m in range(2, largest + 1):
            term *= (n - m + 1.0) / m
            if term > 1e200:
                term *= 1e-200
                total *= 1e-200
                scale += 200.0 * math.log(10.0)
            if sweep == 1:
                by_tie[m - 2] -= term * math.exp(scale - log_total)
            total += term * tie[m - 2]
        log_total = math.log(total) + scale
    return log_total
