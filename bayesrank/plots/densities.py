"""Smooth densities of draws."""

import numpy as np

__all__ = ["density"]


def density(draws, low=None, high=None, points=256):
    """Return a grid and the density of draws on it, its largest value being 1.

    A Gaussian kernel of Silverman's width, applied to a histogram: as good as a sum over all
    draws on so fine a grid, and far quicker. Ends that are given are where draws end: what the
    kernel would put beyond them is reflected.

    Parameters
    ----------
    draws : ndarray
    low, high : float, optional
        Ends of the support.
    points : int
        Size of the grid.
    """
    from scipy.ndimage import gaussian_filter1d

    quarter, three = np.quantile(draws, [0.25, 0.75])
    width = min(np.std(draws), (three - quarter) / 1.349) or np.std(draws)
    width = 0.9 * width * draws.size**-0.2
    if not width > 1e-9 * max(np.abs(draws).max(), 1.0):
        width = 1e-3 * max(abs(draws[0]), 1.0)  # a parameter that does not vary is a spike
    start = draws.min() - 4.0 * width if low is None else low
    stop = draws.max() + 4.0 * width if high is None else high
    counts, edges = np.histogram(draws, points, (start, stop))
    sigma = width / (edges[1] - edges[0])
    smooth = gaussian_filter1d(counts.astype(float), sigma, mode="reflect", truncate=5.0)
    return 0.5 * (edges[1:] + edges[:-1]), smooth / smooth.max()
