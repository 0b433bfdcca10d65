"""Sums and solutions along the states of items: everything costs as much as there are states.

States of one item follow each other. State k is ``left[k]`` of the one before plus ``stretch[k]``
times a step; ``left`` is 0 where an item starts. W is the matrix from steps to states. The
precision of the states alone is then tridiagonal, and so is its sum with a diagonal, whose Cholesky
factor L has a diagonal and one number below each.
"""

import numpy as np

from bayesrank.kernels.compiled import compiled

__all__ = ["back", "factor", "from_whitened", "states_of", "steps_of", "to_whitened"]


@compiled("f8[::1](f8[::1], f8[::1], f8[::1])", cache=True)
def states_of(left, stretch, step):
    """Return W step."""
    out, state = np.empty_like(step), 0.0
    for k in range(step.size):
        state = left[k] * state + stretch[k] * step[k]
        out[k] = state
    return out


@compiled("f8[::1](f8[::1], f8[::1], f8[::1])", cache=True)
def steps_of(left, stretch, state):
    """Return the steps that lead to states, W^-1 state."""
    out, before = np.empty_like(state), 0.0
    for k in range(state.size):
        out[k] = (state[k] - left[k] * before) / stretch[k]
        before = state[k]
    return out


@compiled("f8[::1](f8[::1], f8[::1], f8[::1])", cache=True)
def back(left, stretch, by_step):
    """Return W^-T of derivatives by steps: derivatives by states."""
    out, ahead = np.empty_like(by_step), 0.0
    for k in range(by_step.size - 1, -1, -1):
        mine = by_step[k] / stretch[k]
        out[k] = mine - ahead
        ahead = left[k] * mine
    return out


@compiled("Tuple((f8[::1], f8[::1]))(f8[::1], f8[::1], f8[::1])", cache=True)
def factor(left, stretch, known):
    """Return the factor L of the states' prior precision plus a diagonal, ``known``.

    What is known of a state without those after it is added up as in a filter: to subtract squares
    of ``below`` would lose all digits where steps are short.
    """
    size = left.size
    diagonal, below = np.empty(size), np.zeros(size)
    so_far = 0.0
    for k in range(size):
        variance = stretch[k] ** 2 + (left[k] ** 2 / so_far if k > 0 else 0.0)
        so_far = known[k] + 1.0 / variance
        ahead = left[k + 1] / stretch[k + 1] if k + 1 < size else 0.0
        diagonal[k] = np.sqrt(so_far + ahead**2)
        if k + 1 < size:
            below[k] = -ahead / stretch[k + 1] / diagonal[k]
    return diagonal, below


@compiled("f8[::1](f8[::1], f8[::1], f8[::1])", cache=True)
def from_whitened(diagonal, below, z):
    """Return L^-T z."""
    out, after = np.empty_like(z), 0.0
    for k in range(z.size - 1, -1, -1):
        after = (z[k] - below[k] * after) / diagonal[k]
        out[k] = after
    return out


@compiled("f8[::1](f8[::1], f8[::1], f8[::1])", cache=True)
def to_whitened(diagonal, below, by_state):
    """Return L^-1 of derivatives by states."""
    out, before = np.empty_like(by_state), 0.0
    for k in range(by_state.size):
        before = (by_state[k] - (below[k - 1] * before if k > 0 else 0.0)) / diagonal[k]
        out[k] = before
    return out
