"""Probabilities whose odds are multiplied, such as tie rates of agents."""

import math

from bayesrank.kernels.compiled import compiled

__all__ = ["shifted_odds", "slope_of_odds"]


@compiled()
def shifted_odds(p, shift):
    """Return p and 1 - p after the logit of p is shifted; neither loses digits."""
    q = 1.0 - p
    shrunk = math.exp(-abs(shift))
    if shift < 0.0:
        total = q + p * shrunk
        return p * shrunk / total, q / total
    total = p + q * shrunk
    return p / total, q * shrunk / total


@compiled()
def slope_of_odds(p, there, rest):
    """Return the derivative of the shifted probability by p."""
    # A p that is 0 or 1 stays there, whatever is added to its logit.
    return there * rest / max(p * (1.0 - p), 1e-300)
