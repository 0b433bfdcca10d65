"""Scores that move: each state is what is left of the one before, and a stretched step.

``gap`` holds the years since the state before, -1 for the first state of an item, which is its step
times the scale. Otherwise, with r what is left and v the stretch,

- a walk has r = 1 and v = rate sqrt(gap);
- one that reverts has r = rate^gap and v = scale sqrt(1 - r^2).

The operations WALK and REVERT of a predictor take the steps and add the states. A record holds the
address of the gaps, places of scale and rate, -1 where these are given, and the address of the
given ones; see `bayesrank.kernels.posterior.operations`.
"""

import math

from bayesrank.kernels.compiled import compiled
from bayesrank.kernels.maths.pointers import ahead, reals
from bayesrank.kernels.posterior.operations import (
    FIRST,
    FOURTH,
    FROM,
    SECOND,
    THIRD,
    Operation,
)

__all__ = ["REVERT", "WALK", "move", "slopes"]


@compiled()
def move(reverts, gap, scale, rate):
    """Return what is left of the state before, and the stretch of the step."""
    if gap < 0.0:
        return 0.0, scale
    if reverts:
        log_left = gap * math.log(rate)
        return math.exp(log_left), scale * math.sqrt(-math.expm1(2.0 * log_left))
    return 1.0, rate * math.sqrt(gap)


@compiled()
def slopes(reverts, gap, scale, rate):
    """Return the derivatives by the rate of what is left and of the stretch, and by the scale."""
    if gap < 0.0:
        return 0.0, 0.0, 1.0
    if reverts:
        log_left = gap * math.log(rate)
        left = math.exp(log_left)
        width = math.sqrt(-math.expm1(2.0 * log_left))
        by_rate = left * gap / rate
        # Where rate is so close to 1 that nothing moves, nothing is known of its slope either.
        return by_rate, (-scale * left * by_rate / width if width > 0.0 else 0.0), width
    return 0.0, math.sqrt(gap), 0.0


@compiled()
def _add_moves(reverts, step, gap, scale, rate, size, out):
    """Add the states to ``out``."""
    state = 0.0
    for k in range(size):
        left, stretch = move(reverts, gap[k], scale, rate)
        state = left * state + stretch * step[k]
        out[k] += state


@compiled()
def _pull_moves(reverts, step, gap, scale, rate, size, by_out, by_step):
    """Add derivatives by the steps; return those by the scale and the rate."""
    state, scale_slope, rate_slope = 0.0, 0.0, 0.0
    by_scale, by_rate = 0.0, 0.0
    for k in range(size):
        left, stretch = move(reverts, gap[k], scale, rate)
        left_slope, rate_stretch, scale_stretch = slopes(reverts, gap[k], scale, rate)
        scale_slope = left * scale_slope + scale_stretch * step[k]
        rate_slope = left * rate_slope + left_slope * state + rate_stretch * step[k]
        state = left * state + stretch * step[k]
        by_scale += by_out[k] * scale_slope
        by_rate += by_out[k] * rate_slope
    carried = 0.0
    for back in range(size):
        k = size - 1 - back
        left, stretch = move(reverts, gap[k], scale, rate)
        by_state = by_out[k] + carried
        by_step[k] += stretch * by_state
        carried = left * by_state
    return by_scale, by_rate


@compiled()
def _how_far(record, w):
    """Return the scale and the rate."""
    given = reals(record[FOURTH])
    scale = w[record[SECOND]] if record[SECOND] >= 0 else given[0]
    return scale, w[record[THIRD]] if record[THIRD] >= 0 else given[1]


@compiled()
def _pull_all(reverts, record, w, by_w, size, by_out):
    """Add derivatives by the steps, the scale and the rate, where these are learned."""
    scale, rate = _how_far(record, w)
    step, by_step = ahead(w, record[FROM]), ahead(by_w, record[FROM])
    found = _pull_moves(reverts, step, reals(record[FIRST]), scale, rate, size, by_out, by_step)
    if record[SECOND] >= 0:
        by_w[record[SECOND]] += found[0]
    if record[THIRD] >= 0:
        by_w[record[THIRD]] += found[1]


def _add_walk(record, w, channel, first, last, out):
    scale, rate = _how_far(record, w)
    _add_moves(False, ahead(w, record[FROM]), reals(record[FIRST]), scale, rate, last - first, out)
    return 0


def _pull_walk(record, w, by_w, channel, by_channel, first, last, by_out):
    _pull_all(False, record, w, by_w, last - first, by_out)
    return 0


WALK = Operation(_add_walk, _pull_walk)


def _add_revert(record, w, channel, first, last, out):
    scale, rate = _how_far(record, w)
    _add_moves(True, ahead(w, record[FROM]), reals(record[FIRST]), scale, rate, last - first, out)
    return 0


def _pull_revert(record, w, by_w, channel, by_channel, first, last, by_out):
    _pull_all(True, record, w, by_w, last - first, by_out)
    return 0


REVERT = Operation(_add_revert, _pull_revert)
