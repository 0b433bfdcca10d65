"""Noises at some points: what is tabulated, and one given by functions."""

import numpy as np

from bayesrank.kernels.thurstone.noise_laws import log_densities, log_tails, noise_law

POINTS = np.array([-700.0, -50.0, -8.0, -2.5, -0.3, 0.0, 1e-3, 0.9, 4.0, 20.0, 300.0])


def evaluate(noise, points=POINTS):
    """Return log density, slope, log cdf, hazard below, log sf, hazard above."""
    law, _, table = noise_law(noise)
    rows = np.empty((6, points.size))
    log_densities(points, 0.0, law, table, rows[0], rows[1])
    log_tails(points, 0.0, 1.0, law, table, rows[2], rows[3])
    log_tails(points, 0.0, -1.0, law, table, rows[4], rows[5])
    return rows


def unit_normal(z):
    return -0.5 * z * z - 0.5 * np.log(2 * np.pi)
