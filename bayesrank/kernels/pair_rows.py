"""What all kernels of pairs share: checks of their arrays, and the ends of their native forms.

``counts`` holds three rows: wins, losses, ties. Zero counts contribute nothing, whatever the
probability; the multinomial coefficient depends only on the data and is left to the caller.

The table of a native kernel of pairs: number of rows in all, address of the counts, `NONE`,
`SHARED` or `BY_ROW` for the tie parameter, and what else the kernel needs. Its inputs are the
differences of rows and, if there is a tie parameter, the probability that equal items tie: one for
all rows, or one for each.
"""

import math

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import reals

__all__ = [
    "BY_ROW",
    "NONE",
    "SHARED",
    "check_rows",
    "close_rows",
    "rate_of_row",
    "take_limits",
    "tie_rate",
]

NONE, SHARED, BY_ROW = range(3)

_BELOW_ONE = 1.0 - 2.0**-52
_FAR = 1e150  # beyond it squares overflow


@compiled()
def check_rows(difference, tie, counts):
    """Refuse arrays of different lengths, which would be read past their ends."""
    rows = difference.size
    if counts.shape[0] != 3 or counts.shape[1] != rows or (tie.size != 1 and tie.size != rows):
        raise ValueError("Differences, tie parameters and counts must have the same rows.")
    return rows


@compiled()
def take_limits(difference, tie, counts, logp, by_difference, by_tie):
    """Put the limits where differences or tie parameters are infinite, or nearly so.

    Then one outcome is certain, and small changes change nothing. Two scores that are infinite in
    the same way have no difference, and an infinite difference with an infinite tie parameter
    has no limit: such a row is impossible.
    """
    far = 0
    for i in range(difference.size):  # which is quick, as nothing else is done
        far += not abs(difference[i]) < _FAR
    for i in range(tie.size):
        far += tie[i] == math.inf
    if far == 0:
        return
    for i in range(difference.size):
        d, endless = difference[i], tie[i if tie.size > 1 else 0] == math.inf
        near = abs(d) < _FAR
        if near and not endless:
            continue
        wins, losses, ties = counts[0, i], counts[1, i], counts[2, i]
        if near:
            possible = wins + losses == 0.0
        elif endless or math.isnan(d):
            possible = wins + losses + ties == 0.0
        else:
            possible = ties == 0.0 and (losses if d > 0.0 else wins) == 0.0
        logp[i] = 0.0 if possible else -math.inf
        by_difference[i] = by_tie[i] = 0.0


@compiled()
def tie_rate(inputs, table):
    """Return the probability that equal items tie, kept off one; 0 where there are no ties."""
    return min(reals(inputs[1])[0], _BELOW_ONE) if table[2] else 0.0


@compiled()
def rate_of_row(inputs, row):
    """Return the same for one row, kept off zero too, where its logarithm would be lost."""
    return min(max(reals(inputs[1])[row], 1e-300), _BELOW_ONE)


@compiled()
def close_rows(partials, table, slope, rows, logp, by_tie):
    """Return the sum of the rows' log-probabilities; add up the derivatives by the tie rate.

    Where each row has its own rate, its derivative was filled in already.
    """
    total, tie = 0.0, 0.0
    for i in range(rows):
        total += logp[i]
        tie += by_tie[i]
    if table[2] == SHARED:
        reals(partials[1])[0] += tie * slope
    return total
