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
from bayesrank.kernels.maths.suffix_sums import push_back, suffix_means, suffix_sums, turn_back
from bayesrank.kernels.maths.vector_math import bounded_exp, expm1_nonpositive
from bayesrank.kernels.native import Kernel, native
from bayesrank.kernels.padding import padded, turned_padded
from bayesrank.kernels.ranking_rows import block_starts, check_entries, longest, weigh

__all__ = ["native_partitioned", "partitioned", "partitioned_scratch", "turn_partitioned"]

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
def _integrand(lead, size, nodes, rate, q, gradient, grid):
    """Fill in the nodes of a block's integral, and the integrand there.

    The scores lead the rest's log-sum by ``lead``. Over all of the span some items are sure to
    have come (factor 1, derivative 0) and some are so slow that their factor is lambda t itself
    (derivative 1); only the others, whose rates are gathered in front, need evaluation.
    Returns how many these are, the number of nodes and of room for them, the sum of the
    integrand times the step, the log of what it is relative to, and the mode.
    """
    for i in range(size):
        rate[i] = bounded_exp(min(max(lead[i], -600.0), 600.0))
    mode, left, right = _span(rate, size, q)
    active, slow, slow_sum = 0, 0, 0.0
    for i in range(size):
        gradient[i] = 0.0
        if lead[i] + right < -38.0:
            gradient[i] = 1.0
            slow += 1
            slow_sum += lead[i]
        elif lead[i] + left < 4.0:
            gradient[i] = -1.0  # to be found
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
    return active, nodes, most, total, step, (1.0 + slow) * mode - math.exp(mode) + slow_sum, mode


@compiled()
def _beats(lead, size, nodes, rate, q, moments, gradient, grid):
    """Return log P of a block whose scores lead the rest's log-sum by ``lead``; fill gradient."""
    active, nodes, most, total, step, log_peak, mode = _integrand(
        lead, size, nodes, rate, q, gradient, grid
    )
    t, weight, terms = grid, ahead(grid, most), ahead(grid, 2 * most)
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
    found = 0
    for i in range(size):
        if gradient[i] < 0.0:
            gradient[i] = moments[found]
            found += 1
    return log_peak + _log_product(q, active) + math.log(total * step)


@compiled()
def _beats_turned(lead, size, nodes, rate, q, gradient, grid, along, turned):
    """Fill in the gradient of log P of a block, and how it turns along a direction.

    With w_i = z_i / (e^z_i - 1) the gradient is the mean of w over the integrand, and its
    derivatives are the covariances of w and the means of w (1 - w - z) on the diagonal.
    """
    _, nodes, most, total, _, _, _ = _integrand(lead, size, nodes, rate, q, gradient, grid)
    t, weight, step = grid, ahead(grid, most), ahead(grid, 2 * most)
    for k in range(nodes):
        weight[k] /= total
        step[k] = 0.0
    found = 0
    for i in range(size):
        turned[i] = 0.0
        if gradient[i] < 0.0:
            mean, bent = 0.0, 0.0
            for k in range(nodes):
                z = t[k] * rate[found]
                missing = expm1_nonpositive(-z)
                w = z * (1.0 + missing) / -missing
                mean += weight[k] * w
                bent += weight[k] * w * (1.0 - w - z)
                step[k] += w * along[i]
            gradient[i], turned[i] = mean, bent * along[i]
            q[i] = rate[found]
            found += 1
        else:
            q[i] = 0.0
    middle = 0.0
    for k in range(nodes):
        middle += weight[k] * step[k]
    for i in range(size):
        if q[i] > 0.0:
            for k in range(nodes):
                z = t[k] * q[i]
                missing = expm1_nonpositive(-z)
                turned[i] += weight[k] * z * (1.0 + missing) / -missing * (step[k] - middle)


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


@compiled(cache=True)
def turn_partitioned(x, sizes, start, nodes, along):
    """Return how the derivatives of `partitioned` turn along a direction."""
    check_entries(x, sizes, start)
    check_entries(along, sizes, start)
    room, turned, points = longest(start) + 1, np.zeros(x.size), int(nodes[0])
    worth, reference, total, mean = np.empty(room), np.empty(room), np.empty(room), np.empty(room)
    lead, rate, q, by_lead = np.empty(room), np.empty(room), np.empty(room), np.empty(room)
    by_total, turn, step, found = np.empty(room), np.empty(room), np.empty(room), np.empty(room)
    begin, grid = np.empty(room, dtype=np.int64), np.empty(_BY_NODE * points)
    for n in range(start.size - 1):
        here = slice(start[n], start[n + 1])
        y, v, out = x[here], along[here], turned[here]
        blocks, _ = block_starts(sizes[here], y.size, begin)
        if blocks < 2:
            continue
        suffix_sums(y, begin, blocks, worth, reference, total)
        suffix_means(begin, blocks, worth, reference, total, v, mean)
        by_total[:], turn[:] = 0.0, 0.0
        for s in range(blocks - 1):
            first, size = begin[s], begin[s + 1] - begin[s]
            if size == 1:
                by_total[s] -= 1.0
                continue
            rest = reference[s + 1] + math.log(total[s + 1])
            for i in range(size):
                lead[i] = y[first + i] - rest
                step[i] = v[first + i] - mean[s + 1]
            _beats_turned(
                pointer(lead), size, points, pointer(rate), pointer(q), pointer(by_lead),
                pointer(grid), step, found,
            )  # fmt: skip
            for i in range(size):
                out[first + i] = found[i]
                by_total[s + 1] -= by_lead[i]
                turn[s + 1] -= found[i]
        turn_back(begin, blocks, worth, reference, total, mean, by_total, turn, v, out)
    for used in (lead, rate, q, by_lead, grid):
        keep(used)
    return turned


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
    "partitioned",
    padded(partitioned),
    1,
    partitioned,
    native_partitioned,
    partitioned_scratch,
    turned_padded(turn_partitioned),
)
