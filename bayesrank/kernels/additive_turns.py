"""Second derivatives of the additive potential: how its derivatives turn along a direction."""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.suffix_sums import block_sum, suffix_means, suffix_sums, turn_back
from bayesrank.kernels.maths.tie_prevalences import log_sizes
from bayesrank.kernels.ranking_rows import block_starts, check_entries, longest

__all__ = ["turn_prevalences", "turn_shares"]


@compiled(cache=True)
def turn_shares(x, sizes, start, along):
    """Return how the derivatives of `shares` in `additive.py` turn along a direction."""
    check_entries(x, sizes, start)
    check_entries(along, sizes, start)
    room, turned = longest(start) + 1, np.zeros(x.size)
    worth, reference, total, mean = np.empty(room), np.empty(room), np.empty(room), np.empty(room)
    share, begin = np.empty(room), np.empty(room, dtype=np.int64)
    by_total, still = np.empty(room), np.zeros(room)
    for n in range(start.size - 1):
        here = slice(start[n], start[n + 1])
        y, v, out = x[here], along[here], turned[here]
        blocks, ranked = block_starts(sizes[here], y.size, begin)
        if blocks == 0:
            continue
        suffix_sums(y, begin, blocks, worth, reference, total)
        suffix_means(begin, blocks, worth, reference, total, v, mean)
        by_total[:ranked], by_total[ranked:] = -1.0, 0.0
        for s in range(ranked):
            block_sum(y, begin[s], begin[s + 1], worth, reference[s], share)
            inside = 0.0
            for p in range(begin[s], begin[s + 1]):
                inside += share[p] * v[p]
            for p in range(begin[s], begin[s + 1]):
                out[p] = share[p] * (v[p] - inside)
        turn_back(begin, blocks, worth, reference, total, mean, by_total, still, v, out)
    return turned


@compiled(cache=True)
def turn_prevalences(tie, sizes, start, powers, along):
    """Return how the derivatives of `prevalences` in `additive.py` turn along a direction."""
    rows = start.size - 1
    if tie.shape[0] != rows or along.shape != tie.shape or start[-1] != sizes.size:
        raise ValueError("Tie prevalences must have a row for each ranking.")
    turned, share = np.zeros(tie.shape), np.empty(tie.shape[1])
    for n in range(rows):
        here = sizes[start[n] : start[n + 1]]
        left = here.size
        for size in here[here > 0]:
            if powers[0] != 0.0:
                turned[n, 0] -= _turn_of_power(size, left, tie[n, 0]) * along[n, 0]
            else:
                share[:] = 0.0  # minus what each size has of c(left)
                log_sizes(left, tie[n], share)
                inside = (share * along[n]).sum()
                turned[n] += share * inside
                if 1 < size <= tie.shape[1] + 1:
                    turned[n, size - 2] -= along[n, size - 2] / tie[n, size - 2] ** 2
            left -= size
    return turned


@compiled()
def _turn_of_power(size, n, tie):
    """Return the second derivative of log c(n) - (size - 1) log d by d.

    With u = log(1 + d) and f(y) = log((1 - e^-y) / y), log c(n) = n u + f(n u) - u - f(u).
    """
    u = math.log1p(tie)
    slope, bend = _bent(u)
    slope_n, bend_n = _bent(n * u)
    slope, bend = n - 1.0 + n * slope_n - slope, float(n) * n * bend_n - bend
    turned = (bend - slope) / ((1.0 + tie) * (1.0 + tie))
    return turned + (size - 1.0) / (tie * tie) if size > 1 else turned


@compiled()
def _bent(y):
    """Return the first and second derivatives of log((1 - e^-y) / y)."""
    if y < 0.2:
        z = y * y
        slope = y * (1.0 / 12.0 - z * (1.0 / 720.0 - z * (1.0 / 30240.0 - z / 1209600.0))) - 0.5
        bend = z * (1.0 / 240.0 - z * (1.0 / 6048.0 - z * (1.0 / 172800.0 - z / 5322240.0)))
        return slope, 1.0 / 12.0 - bend
    gone = math.exp(-y)
    missing = -math.expm1(-y)
    return gone / missing - 1.0 / y, 1.0 / (y * y) - gone / (missing * missing)
