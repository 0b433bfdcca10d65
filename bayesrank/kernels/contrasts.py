"""How far each item strays from the others in each draw, in units of the difference's spread.

For centred draws x (items by draws) and weights w, the inverse standard deviations of all
differences, ``strays[i, s] = max over j of (x[i, s] - x[j, s]) * w[i, j]``.
"""

import numpy as np

from bayesrank.kernels.compiled import compiled

__all__ = ["strays"]

_BLOCK = 256  # draws at a time, so that the four rows in use stay in the fastest cache


@compiled(cache=True)
def strays(x, weight):
    """Return the largest weighted lead of each item over another, in each draw."""
    n, draws = x.shape
    largest = np.zeros((n, draws))
    for start in range(0, draws, _BLOCK):
        end = min(start + _BLOCK, draws)
        for i in range(n):
            for j in range(i + 1, n):
                w = weight[i, j]
                for s in range(start, end):
                    lead = (x[i, s] - x[j, s]) * w
                    largest[i, s] = max(largest[i, s], lead)
                    largest[j, s] = max(largest[j, s], -lead)
    return largest
