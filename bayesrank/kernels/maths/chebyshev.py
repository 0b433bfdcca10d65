"""Smooth functions as one polynomial per panel."""

import numpy as np

__all__ = ["polynomials"]


def polynomials(values):
    """Return the polynomials through values at Chebyshev points, by rising powers.

    Parameters
    ----------
    values : ndarray, panels by points
        At ``np.polynomial.chebyshev.chebpts1(points)``, from -1 to 1 within each panel.

    Returns
    -------
    ndarray, panels by points
        Coefficients of 1, x, x^2, ...
    """
    panels, points = values.shape
    position = np.polynomial.chebyshev.chebpts1(points)
    chebyshev = np.polynomial.chebyshev.chebfit(position, values.T, points - 1)
    found = np.zeros((panels, points))
    for panel in range(panels):
        # Shorter where the last coefficient happens to be zero.
        powers = np.polynomial.chebyshev.cheb2poly(chebyshev[:, panel])
        found[panel, : len(powers)] = powers
    return found
