"""The multinomial preference model as a native kernel; see `bayesrank.kernels.mpm` for the model.

All ballots share the scores, so they are computed together: there is one block of rows. The inputs
are the scores, the logarithms of the variances (relative to one half), the adherences of agents,
how far these differ between instances, and the offsets of each place, an agent in an instance.
Which of them are parameters the table says, whose words are named below.
"""

import math

import numpy as np
from numba import carray

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import positions, reals, wholes
from bayesrank.kernels.mpm import even, even_pull, varied, varied_pull
from bayesrank.kernels.native import native

__all__ = ["EXTREME", "WORDS", "native_even", "native_varied"]

# Words of the table.
ITEMS, INSTANCES, BALLOTS, CELLS = 0, 1, 2, 3
ITEM_START, BALLOT_START, CELL_START = 4, 5, 6  # addresses, as all below but those said otherwise
LEFT, RIGHT, NET, TOTAL, WEIGHT = 7, 8, 9, 10, 11
VARIANCE = 12  # given variances; 0 where they are learned
ADHERENCE = 13  # given adherences by ballot; 0 where they are learned
AGENT = 14  # of each ballot
PLACES = 15  # number of places; 0 where adherences do not differ between instances
PLACE, PLACE_AGENT = 16, 17  # of each ballot its place, of each place its agent
SPREAD = 18  # given spread of adherences; 0 where it is learned
WORDS = 19
SCORE_INPUT, VARIANCE_INPUT, ADHERENCE_INPUT, SPREAD_INPUT, OFFSET_INPUT = range(5)
# Logarithms of variances beyond are taken for this one, whose exponential has a square.
EXTREME = 300.0


@compiled()
def _numbers(address, size):
    return carray(reals(address), (size,))


@compiled()
def _starts(address, size):
    return carray(wholes(address), (size + 1,))


@compiled()
def _spread(inputs, table):
    return reals(table[SPREAD] if table[SPREAD] != 0 else inputs[SPREAD_INPUT])[0]


@compiled()
def _here(inputs, table, k):
    """Return the adherence at a place, an agent in an instance."""
    base = reals(inputs[ADHERENCE_INPUT])[wholes(table[PLACE_AGENT])[k]]
    shifted = math.log(base) - math.log1p(-base)
    shifted += _spread(inputs, table) * reals(inputs[OFFSET_INPUT])[k]
    return 1.0 / (1.0 + math.exp(-shifted))


@compiled()
def _adherences(inputs, table):
    """Return the adherence in each ballot."""
    found = np.empty(table[BALLOTS])
    agent, place = wholes(table[AGENT]), wholes(table[PLACE])
    for k in range(found.size):
        if table[ADHERENCE] != 0:
            found[k] = reals(table[ADHERENCE])[k]
        elif table[PLACES] > 0:
            found[k] = _here(inputs, table, place[k])
        else:
            found[k] = reals(inputs[ADHERENCE_INPUT])[agent[k]]
    return found


@compiled()
def _pull_adherences(inputs, partials, table, by_adherence):
    """Add the derivatives by adherences, their spread and their offsets."""
    if table[ADHERENCE] != 0:
        return
    weight, by_agent = reals(table[WEIGHT]), reals(partials[ADHERENCE_INPUT])
    if table[PLACES] == 0:
        for k in range(table[BALLOTS]):
            by_agent[wholes(table[AGENT])[k]] += weight[k] * by_adherence[k]
        return
    by_here = np.zeros(table[PLACES])
    for k in range(table[BALLOTS]):
        by_here[wholes(table[PLACE])[k]] += weight[k] * by_adherence[k]
    spread, offset = _spread(inputs, table), reals(inputs[OFFSET_INPUT])
    for k in range(table[PLACES]):
        here, agent = _here(inputs, table, k), wholes(table[PLACE_AGENT])[k]
        by_logit = by_here[k] * here * (1.0 - here)
        base = reals(inputs[ADHERENCE_INPUT])[agent]
        by_agent[agent] += by_logit / max(base * (1.0 - base), 1e-300)
        reals(partials[OFFSET_INPUT])[k] += by_logit * spread
        if table[SPREAD] == 0:
            reals(partials[SPREAD_INPUT])[0] += by_logit * offset[k]


@compiled()
def _close(table, weight, found, logp):
    total = 0.0
    for k in range(table[BALLOTS]):
        logp[k] = found[k]
        total += weight[k] * found[k]
    return total


@native
def native_even(inputs, partials, table, first, last, logp, scratch):
    """Compute all ballots where variances are equal; ``LEFT`` holds the items of entries."""
    score, adherence = _numbers(inputs[SCORE_INPUT], table[ITEMS]), _adherences(inputs, table)
    item_start = _starts(table[ITEM_START], table[INSTANCES])
    ballot_start = _starts(table[BALLOT_START], table[INSTANCES])
    start = _starts(table[CELL_START], table[BALLOTS])
    item = carray(positions(table[LEFT]), (table[CELLS],))
    net, total = _numbers(table[NET], table[CELLS]), _numbers(table[TOTAL], table[BALLOTS])
    weight = _numbers(table[WEIGHT], table[BALLOTS])
    found, by_adherence, shares = even(
        score, adherence, item_start, ballot_start, start, item, net, total
    )
    by_score = even_pull(
        weight, shares, score, adherence, item_start, ballot_start, start, item, net, total
    )
    for i in range(table[ITEMS]):
        reals(partials[SCORE_INPUT])[i] += by_score[i]
    _pull_adherences(inputs, partials, table, by_adherence)
    return _close(table, weight, found, logp)


@compiled()
def _variances(inputs, table):
    """Return the variance of each item."""
    found = np.empty(table[ITEMS])
    for i in range(found.size):
        if table[VARIANCE] != 0:
            found[i] = reals(table[VARIANCE])[i]
        else:
            log = reals(inputs[VARIANCE_INPUT])[i]
            found[i] = 0.5 * math.exp(min(max(log, -EXTREME), EXTREME))
    return found


@native
def native_varied(inputs, partials, table, first, last, logp, scratch):
    """Compute all ballots where items have variances of their own."""
    score, adherence = _numbers(inputs[SCORE_INPUT], table[ITEMS]), _adherences(inputs, table)
    variance = _variances(inputs, table)
    item_start = _starts(table[ITEM_START], table[INSTANCES])
    ballot_start = _starts(table[BALLOT_START], table[INSTANCES])
    start = _starts(table[CELL_START], table[BALLOTS])
    left = carray(positions(table[LEFT]), (table[CELLS],))
    right = carray(positions(table[RIGHT]), (table[CELLS],))
    net, total = _numbers(table[NET], table[CELLS]), _numbers(table[TOTAL], table[BALLOTS])
    weight = _numbers(table[WEIGHT], table[BALLOTS])
    found, by_adherence, shares = varied(
        score, variance, adherence, item_start, ballot_start, start, left, right, net, total
    )
    by_score, by_variance = varied_pull(
        weight, shares, score, variance, adherence, item_start, ballot_start, start, left, right,
        net, total,
    )  # fmt: skip
    for i in range(table[ITEMS]):
        reals(partials[SCORE_INPUT])[i] += by_score[i]
        if table[VARIANCE] == 0:
            inside = abs(reals(inputs[VARIANCE_INPUT])[i]) < EXTREME
            reals(partials[VARIANCE_INPUT])[i] += by_variance[i] * variance[i] if inside else 0.0
    _pull_adherences(inputs, partials, table, by_adherence)
    return _close(table, weight, found, logp)
