"""From items' scores to rows of comparisons, and back for derivatives."""

import numpy as np

from bayesrank.kernels.compiled import compiled

__all__ = ["differences", "sums"]

# Positions are unsigned below: a signed one might count from the end, which Numba would have to
# look into in every row.


@compiled(cache=True)
def differences(score, left, right, shift):
    """Return the left score minus the right one, plus a shift, in each row."""
    found = np.empty(left.size)
    for row in range(left.size):
        found[row] = score[np.uint64(left[row])] - score[np.uint64(right[row])] + shift
    return found


@compiled(cache=True)
def sums(logp, by_difference, by_tie, left, right, items):
    """Return the sums of the rows' values and of their derivatives: total, by score, shift, tie."""
    by_score = np.zeros(items)
    total = shift = tie = 0.0
    for row in range(left.size):
        slope = by_difference[row]
        by_score[np.uint64(left[row])] += slope
        by_score[np.uint64(right[row])] -= slope
        total += logp[row]
        shift += slope
        tie += by_tie[row]
    return total, by_score, shift, tie
