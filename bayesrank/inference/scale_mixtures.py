"""Laplace draws and modes where several scales are learned."""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg

from bayesrank.inference.curvature import proper_peak
from bayesrank.inference.mode import find_mode
from bayesrank.inference.scales import likeliest_scales, placed
from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import progress_bar, waiting

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = ["draws_over_scales", "mode_at_likeliest_scales"]

_NODES = 256  # scales at which a normal is drawn from
_MANY = 1000  # free numbers beyond which there are fewer
_WIDER = 1.3  # than the normal approximation of the scales is what they are drawn from
_FREEDOM = 5.0


def mode_at_likeliest_scales(
    specification: "Specification", progress: bool
) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return the flat vector of the mode given the scales of highest evidence, and a report."""
    with waiting("Looking for the scales", progress), proper_peak():
        normal = likeliest_scales(specification)
        scales = normal.log_scales
    fixed = specification.with_scales(np.exp(scales))
    mode, report = find_mode(fixed, progress=progress, start=normal.mode)
    return placed(normal, scales, mode[None])[0], scales, report


def draws_over_scales(
    specification: "Specification", draws: int, rng: np.random.Generator, progress: bool
) -> np.ndarray:
    """Return draws from a mixture of normals over all scales by their evidence, one row per draw.

    The scales are drawn from a distribution that is wider than their posterior, and drawn again by
    how much more evidence they have than density: sampling by importance.
    """
    with waiting("Looking for the scales", progress), proper_peak():
        normal = likeliest_scales(specification)
        covariance = normal.covariance()
    nodes = _NODES if normal.mode.size <= _MANY else _NODES // 8
    root = linalg.cholesky(covariance, lower=True)
    k = len(normal.log_scales)
    noise = rng.standard_normal((nodes, k))
    noise *= np.sqrt(_FREEDOM / rng.chisquare(_FREEDOM, size=nodes))[:, None]
    tried = normal.log_scales + _WIDER * noise @ root.T
    log_density = -0.5 * (_FREEDOM + k) * np.log1p(np.square(noise).sum(axis=1) / _FREEDOM)
    with progress_bar("Scales", nodes, progress) as advance, one_blas_thread(), proper_peak():
        excess = np.empty(nodes)
        for row, at in enumerate(tried):
            excess[row] = normal.log_density(at) - log_density[row]
            advance()
    weight = np.exp(excess - excess.max())
    # At even steps, so that each node has as many draws as it should have but for one.
    steps = (np.arange(draws) + rng.random()) / draws
    node = np.searchsorted(np.cumsum(weight / weight.sum()), steps).clip(max=nodes - 1)
    rest = np.empty((draws, normal.mode.size))
    chosen = np.unique(node)
    with progress_bar("Draws", len(chosen), progress) as advance, one_blas_thread(), proper_peak():
        for row in chosen:
            mine = node == row
            z = rng.standard_normal((normal.mode.size, int(mine.sum())))
            mean, factor = normal.at(tried[row])
            if normal.dense:
                rest[mine] = mean + linalg.solve_triangular(factor, z, lower=True, trans="T").T
            else:
                rest[mine] = mean + z.T / factor
            advance()
    order = rng.permutation(draws)
    return placed(normal, tried[node], rest)[order]
