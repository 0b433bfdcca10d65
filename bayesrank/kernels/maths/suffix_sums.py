r"""Sums of worths over what remains: the part that all choice models of rankings share.

Stage s of a ranking chooses among the items from position ``start[s]`` on. The kernels need
log of the sum of their worths, at every stage, and the derivatives that come back from it, each
in one sweep. Worths are kept relative to a reference score that only changes when scores are
hundreds apart, so that nothing overflows, whatever the scores.
"""

import math

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.vector_math import bounded_exp

__all__ = ["block_sum", "gather", "push_back", "suffix_means", "suffix_sums", "turn_back"]

_REACH = 300.0  # how far an item may be above the reference: e^300 leaves room for products


@compiled()
def gather(scores, order, sizes, x, start):
    """Copy scores in rank order and blocks' starts; return the numbers of blocks and of ranked.

    The unranked items, if any, are a last block that the second number leaves out.
    """
    blocks, place = 0, 0
    ranked = 0
    while blocks < sizes.size and sizes[blocks] != 0:
        start[blocks] = place
        place += abs(sizes[blocks])
        ranked += sizes[blocks] > 0
        blocks += 1
    start[blocks] = place
    for p in range(place):
        x[p] = scores[order[p]]
    return blocks, ranked


@compiled()
def suffix_sums(x, start, blocks, worth, reference, total):
    """Fill in each item's worth and each stage's total, both relative to the stage's reference.

    ``log(total[s]) + reference[s]`` is the log of the sum of worths from stage s on.
    """
    level = -math.inf
    for s in range(blocks - 1, -1, -1):
        highest = -math.inf
        for p in range(start[s], start[s + 1]):
            highest = max(highest, x[p])
        if highest > level + _REACH:
            level = highest
        reference[s] = level
    if reference[0] == reference[blocks - 1]:
        for p in range(start[blocks]):
            worth[p] = bounded_exp(x[p] - level)
    else:
        for s in range(blocks):
            for p in range(start[s], start[s + 1]):
                worth[p] = bounded_exp(x[p] - reference[s])
    running = 0.0
    for s in range(blocks - 1, -1, -1):
        if s < blocks - 1 and reference[s] != reference[s + 1]:
            running *= math.exp(reference[s + 1] - reference[s])
        for p in range(start[s], start[s + 1]):
            running += worth[p]
        total[s] = running


@compiled()
def suffix_means(start, blocks, worth, reference, total, y, mean):
    """Fill in the mean of y over what remains at each stage, weighted by worths."""
    running = 0.0
    for s in range(blocks - 1, -1, -1):
        if s < blocks - 1 and reference[s] != reference[s + 1]:
            running *= math.exp(reference[s + 1] - reference[s])
        for p in range(start[s], start[s + 1]):
            running += worth[p] * y[p]
        mean[s] = running / total[s]


@compiled()
def push_back(start, blocks, worth, reference, total, by_total, gradient):
    """Add to the items' derivatives what comes from the stages' log-sums.

    ``by_total[s]`` is the derivative by the log of stage s's sum; an item takes part in its own
    stage and all before it.
    """
    pull = 0.0
    for s in range(blocks):
        if s > 0 and reference[s] != reference[s - 1]:
            pull *= math.exp(reference[s] - reference[s - 1])
        pull += by_total[s] / total[s]
        for p in range(start[s], start[s + 1]):
            gradient[p] += worth[p] * pull


@compiled()
def turn_back(start, blocks, worth, reference, total, mean, by_total, turn, along, turned):
    """Add how the derivatives that `push_back` adds turn along a direction.

    ``mean`` is that of ``along`` at each stage, and ``turn`` how ``by_total`` turns.
    """
    pull, stiff = 0.0, 0.0
    for s in range(blocks):
        if s > 0 and reference[s] != reference[s - 1]:
            shrunk = math.exp(reference[s] - reference[s - 1])
            pull *= shrunk
            stiff *= shrunk
        pull += (turn[s] - by_total[s] * mean[s]) / total[s]
        stiff += by_total[s] / total[s]
        for p in range(start[s], start[s + 1]):
            turned[p] += worth[p] * (pull + stiff * along[p])


@compiled()
def block_sum(x, first, last, worth, reference, share):
    """Return a reference and a block's sum of worths relative to it; fill in the shares."""
    highest = -math.inf
    for p in range(first, last):
        highest = max(highest, x[p])
    total = 0.0
    if highest > reference - _REACH:
        for p in range(first, last):
            total += worth[p]
        for p in range(first, last):
            share[p] = worth[p] / total
        return reference, total
    for p in range(first, last):  # far below what remains: worths on their own scale
        share[p] = math.exp(x[p] - highest)
        total += share[p]
    for p in range(first, last):
        share[p] /= total
    return highest, total
