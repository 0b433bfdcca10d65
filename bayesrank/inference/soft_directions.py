"""Directions of scores that move along which the results say little: levels of all scores together.

No result says how high all items are that meet at some time: only the prior does. In coordinates
in which each item alone is whitened the density is wide along such levels, the wider the more
results there are.
"""

from typing import Any

import numpy as np
from scipy import linalg

from bayesrank.inference.curvature import DENSE

__all__ = ["soft_directions"]

_MOST = 200  # directions of a large problem,
_ROOM = 2e7  # which together have no more than so many numbers
_SOFT = 0.5  # where the density bends less than this
_LEAST = 1e-8


def soft_directions(normal: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return how much the density bends along some directions of q, and the directions as rows.

    Of a small problem these are all eigenvectors of the Hessian. Of a large one they are the best
    that levels can do: of states that results link or, if these are too many, of items that meet,
    in so many steps of time. Along other directions it bends about as much as a standard normal.
    """
    if normal.size <= DENSE:
        bends, axes = linalg.eigh(normal.hessian)
        return np.maximum(bends, _LEAST), axes.T
    basis, _ = linalg.qr(_levels(normal), mode="economic")
    products = np.array([normal.product(way) for way in basis.T])
    matrix = products @ basis
    bends, turn = linalg.eigh(0.5 * (matrix + matrix.T))
    soft = bends < _SOFT
    return np.maximum(bends[soft], _LEAST), (basis @ turn[:, soft]).T


def _levels(normal: Any) -> np.ndarray:
    """Return what moves levels of the states, as columns of q."""
    states, most = normal.term.states, int(min(_MOST, _ROOM / normal.size))
    group = states.groups
    if group.max() < most:
        shapes = group[:, None] == np.arange(group.max() + 1)
    else:
        # Items that never meet have levels of their own.
        apart = states.item_groups
        year = states.years[states.time]
        many = max(2, most // (apart.max() + 1))
        knots = np.unique(np.quantile(year, np.linspace(0.0, 1.0, many)))
        hats = np.array([np.interp(year, knots, unit) for unit in np.eye(len(knots))])
        shapes = np.concatenate([hats * (apart == k) for k in range(min(apart.max() + 1, most))]).T
    q = np.zeros((normal.size, shapes.shape[1]))
    q[: normal.n] = normal.diagonal[:, None] * shapes
    q[: normal.n - 1] += normal.below[: normal.n - 1, None] * shapes[1:]
    return q
