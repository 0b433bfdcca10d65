r"""Partitioned Plackett-Luce: the order of the blocks is known, that inside a block is not.

Each item a waits an exponential time with rate e^f_a, and the first to come is the best. A block
A is above the rest B, whose rates add up to Lambda, with probability (Ma, Yi, Tang and others
2021, eq. 5)

    P(A > B) = int_0^inf Lambda e^(-Lambda t) prod over A of (1 - e^(-lambda_a t)) dt

and the blocks are independent given their order. With Lambda t = e^u the integrand is
log-concave in u, analytic, and falls exponentially on the left and doubly exponentially on the
right, so the trapezoid rule over its own bulk converges geometrically. A block of one has the
closed form of Plackett-Luce. Cost: O(N + nodes * items above the last block).
"""

import math

import numpy as np

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, as_wholes, keep, pointer, reals, wholes
from bayesrank.kernels.maths.suffix_sums import push_back, suffix_sums
from bayesrank.kernels.maths.vector_math import bounded_exp, expm1_nonpositive
from bayesrank.kernels.native import Kernel, native
from bayesrank.kernels.padding import padded
from bayesrank.kernels.ranking_rows import block_starts, check_entries, longest, weigh

__all__ = ["native_partitioned", "partitioned", "partitioned_scratch"]

# The rule stops where the integrand is below e^-30 of its peak, 1e-13, less than its own error.
_DEPTH = 30.0
# The error depends on the step. Where a block leads by far the integrand has a long tail, e^u, and
# a span that is longer than this takes more nodes at the same step; so does a large block that
# leads, where the tail begins with an edge that is the sharper the more items there are.
_SPAN = 22.0
_AT_ONCE = 32
# Numbers of scratch for each entry of the longest ranking, and for each node: enough for the
# longest span and blocks of a million.
_BY_ENTRY, _BY_NODE = 10, 36


@compiled()
def _log_product(q, size):
    """Return the log of a product of numbers in (0, 1]."""
    total, product = 0.0, 1.0
    for i in range(size):
        if product * q[i] < 1e-150:
            # Both may be tiny: their logarithms add up where the product would vanish.
            total += math.log(product) + math.log(q[i])
            product = 1.0
        else:
            product *= q[i]
    return total + math.log(product)


@compiled()
def _shape(u, rate, size, q):
    """Return the log of the integrand and its first two derivatives at u."""
    t = math.exp(u)
    first, second = 0.0, 0.0
    for i in range(size):
        z = t * rate[i]
        q[i] = max(-expm1_nonpositive(-z), 1e-307)
    for i in range(size):
        z = t * rate[i]
        w = z * (1.0 - q[i]) / q[i]
        first += w
        second += w * (1.0 - w - z)
    return u - t + _log_product(q, size), 1.0 - t + first, -t + second


@compiled()
def _edge(u, floor, rate, size, q):
    """Return where the log-integrand has fallen to a floor, on the side of the mode where u is.

    It is concave: Newton's steps end outside the place they look for.
    """
    for _ in range(4):
        height, slope, _ = _shape(u, rate, size, q)
        step = (floor - height) / slope
        u += step
        if abs(step) < 0.05:
            break
    return u


@compiled()
def _span(rate, size, q):
    """Return the mode of the integrand, and where it has fallen by e^-depth on either side."""
    mode = 0.5 * math.log(1.0 + size)  # it lies between 0 and log(1 + size)
    lowest, highest = 0.0, math.log(1.0 + size)
    for _ in range(8):
        peak, slope, curvature = _shape(mode, rate, size, q)
        if slope > 0.0:
            lowest = mode
        else:
            highest = mode
        step = -slope / curvature
        mode = min(max(mode + step, lowest), highest)
        if abs(step) < 1e-2:
            break
    peak, _, curvature = _shape(mode, rate, size, q)
    width = math.sqrt(-2.0 * _DEPTH / curvature)
    right = min(mode + width, math.log(math.exp(mode) + _DEPTH + 4.0))
    floor = peak - _DEPTH
    left = _edge(mode - width, floor, rate, size, q)
    return mode, left, _edge(right, floor, rate, size, q)


@compiled()
def _log_weights(rate, active, slow, mode, left, step, nodes, t, weight, logs):
    """Fill in the integrand at the nodes, relative to its value at the mode.

    Each item in turn multiplies all nodes at once. Products of more than a few items might
    leave the range of numbers, so from time to time they move into ``logs``.
    """
    t_mode = math.exp(mode)
    for k in range(nodes):
        t[k] = bounded_exp(left + k * step)
    for k in range(nodes):
        weight[k] = bounded_exp((1.0 + slow) * (left + k * step - mode) - (t[k] - t_mode))
    folded = active + slow > _AT_ONCE
    if folded:  # powers of t, and t itself, may be too large for one exponential
        for k in range(nodes):
            logs[k] = (1.0 + slow) * (left + k * step - mode) - (t[k] - t_mode)
            weight[k] = 1.0
    for i in range(active):
        peak = -1.0 / math.expm1(-t_mode * rate[i])
        for k in range(nodes):
            weight[k] *= -expm1_nonpositive(-t[k] * rate[i]) * peak
        if i % _AT_ONCE == _AT_ONCE - 1:
            for k in range(nodes):
                logs[k] = math.log(weight[k]) + (logs[k] if folded else 0.0)
                weight[k] = 1.0
            folded = True
    if folded:
        for k in range(nodes):
            weight[k] = math.exp(logs[k] + math.log(weight[k]))


@compiled()
def _beats(lead, size, nodes, rate, q, moments, gradient, grid):
    """Return log P of a block whose scores lead the rest's log-sum by ``lead``; fill gradient."""
    for i in range(size):
        rate[i] = bounded_exp(min(max(lead[i], -600.0), 600.0))
    mode, left, right = _span(rate, size, q)
    # Over all of the span some items are sure to have come (factor 1) and some are so slow that
    # their factor is lambda t itself; only the others, gathered in front, need evaluation.
    active, slow, slow_sum = 0, 0, 0.0
    for i in range(size):
        gradient[i] = 0.0
        if lead[i] + right < -38.0:
            gradient[i] = 1.0
            slow += 1
            slow_sum += lead[i]
        elif lead[i] + left < 4.0:
            rate[active] = rate[i]
            active += 1
    wanted = (right - left) / _SPAN * max(1.0, 0.5 * math.log(max(active, 1)))
    wanted = math.ceil(wanted * (nodes - 1)) + 1
    most = _BY_NODE // 3 * nodes
    nodes = min(max(nodes, wanted), most)
    step = (right - left) / (nodes - 1)
    t, weight, terms = grid, ahead(grid, most), ahead(grid, 2 * most)
    _log_weights(rate, active, slow, mode, left, step, nodes, t, weight, terms)
    total = 0.0
    for k in range(nodes):
        total += weight[k]
    log_peak = (1.0 + slow) * mode - math.exp(mode) + slow_sum
    t_mode = math.exp(mode)
    for i in range(active):
        for k in range(nodes):
            z = t[k] * rate[i]
            missing = expm1_nonpositive(-z)
            # z / (e^z - 1)
            terms[k] = weight[k] * z * (1.0 + missing) / -missing
        moment = 0.0
        for k in range(nodes):
            moment += terms[k]
        moments[i] = moment / total
        q[i] = -math.expm1(-t_mode * rate[i])
    active = 0
    for i in range(size):
        if lead[i] + right >= -38.0 and lead[i] + left < 4.0:
            gradient[i] = moments[active]
            active += 1
    return log_peak + _log_product(q, active) + math.log(total * step)


def partitioned_scratch(most, nodes):
    """Return how much scratch rankings of so many entries need."""
    return _BY_ENTRY * (most + 1) + _BY_NODE * int(nodes[0])


@compiled(cache=True)
def partitioned(x, sizes, start, nodes):
    """Return log-probability and its derivative by the scores, per ranking.

    Parameters
    ----------
    x : ndarray
        Scores of the entries, best first, one ranking after the other.
    sizes, start : ndarray of int
        See `bayesrank.kernels.ranking_rows`.
    nodes : ndarray of one number
        Nodes of the trapezoid rule, at least 2. With 64 the log-probability of a block is right
        to 1e-9 or better, mostly to 1e-11, whatever the scores and the size of the block.
    """
    check_entries(x, sizes, start)
    x, sizes = np.ascontiguousarray(x), np.ascontiguousarray(sizes)
    start = np.ascontiguousarray(start)
    rows, most, points = start.size - 1, longest(start), int(nodes[0])
    logp, by_score = np.empty(rows), np.empty(x.size)
    scratch = np.empty(_BY_ENTRY * (most + 1) + _BY_NODE * points)
    _rankings(
        pointer(x), pointer(sizes), pointer(start), 0, rows, most, points, pointer(logp),
        pointer(by_score), pointer(scratch),
    )  # fmt: skip
    keep(scratch)
    return logp, by_score


@native
def native_partitioned(inputs, partials, table, first, last, logp, scratch):
    """Compute some rankings; the table goes on with the address of the number of nodes.

    See `bayesrank.kernels.ranking_rows` for its beginning.
    """
    start, points = wholes(table[0]), int(reals(table[4])[0])
    _rankings(
        reals(inputs[0]), wholes(table[1]), start, first, last, table[3], points, logp,
        reals(partials[0]), scratch,
    )  # fmt: skip
    return weigh(partials, table, start, first, last, logp)


@compiled()
def _rankings(x, sizes, start, first, last, most, points, logp, by_score, scratch):
    """Fill in the log-probabilities of some rankings, and the derivatives by their entries."""
    for n in range(first, last):
        at, items = start[n] - start[first], start[n + 1] - start[n]
        logp[n - first] = _ranking(
            ahead(x, at), ahead(sizes, start[n]), items, points, ahead(by_score, at), scratch,
            most + 1,
        )  # fmt: skip


@compiled()
def _ranking(x, sizes, items, points, gradient, scratch, room):
    """Return the log-probability of one ranking; fill in the derivatives by its entries."""
    worth, reference, total = scratch, ahead(scratch, room), ahead(scratch, 2 * room)
    by_total, lead = ahead(scratch, 3 * room), ahead(scratch, 4 * room)
    rate, q, moments = ahead(scratch, 5 * room), ahead(scratch, 6 * room), ahead(scratch, 7 * room)
    by_lead, begin = ahead(scratch, 8 * room), as_wholes(ahead(scratch, 9 * room))
    grid = ahead(scratch, _BY_ENTRY * room)
    for p in range(items):
        gradient[p] = 0.0
    blocks, _ = block_starts(sizes, items, begin)
    if blocks < 2:
        return 0.0
    suffix_sums(x, begin, blocks, worth, reference, total)
    for s in range(blocks):
        by_total[s] = 0.0
    value = 0.0
    for s in range(blocks - 1):
        first, size = begin[s], begin[s + 1] - begin[s]
        if size == 1:
            value += x[first] - reference[s] - math.log(total[s])
            gradient[first] = 1.0
            by_total[s] -= 1.0
            continue
        rest = reference[s + 1] + math.log(total[s + 1])
        for i in range(size):
            lead[i] = x[first + i] - rest
        value += _beats(lead, size, points, rate, q, moments, by_lead, grid)
        for i in range(size):
            gradient[first + i] = by_lead[i]
            by_total[s + 1] -= by_lead[i]
    push_back(begin, blocks, worth, reference, total, by_total, gradient)
    return value


KERNEL = Kernel(
    "partitioned", padded(partitioned), 1, partitioned, native_partitioned, partitioned_scratch
)
