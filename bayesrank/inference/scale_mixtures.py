"""Laplace draws and modes where several scales are learned."""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg

from bayesrank.inference.curvature import proper_peak
from bayesrank.inference.mode import find_mode
from bayesrank.inference.scales import placed, usual_scales
from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import progress_bar, waiting

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = ["draws_over_scales", "mode_at_usual_scales"]

_NODES = 512  # scales at which a normal is drawn from
_MANY = 500  # free numbers beyond which there are fewer


def mode_at_usual_scales(
    specification: "Specification", progress: bool
) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return the flat vector of the mode given the usual scales, these, and a report."""
    with waiting("Looking for the scales", progress), proper_peak():
        normal = usual_scales(specification).normal
    fixed = specification.with_scales(np.exp(normal.log_scales))
    mode, report = find_mode(fixed, progress=progress, start=normal.mean)
    return placed(normal, normal.log_scales, mode[None])[0], normal.log_scales, report


def draws_over_scales(
    specification: "Specification", draws: int, rng: np.random.Generator, progress: bool
) -> np.ndarray:
    """Return draws of the scales and of a normal given these, one row per draw."""
    with waiting("Looking for the scales", progress), proper_peak():
        space = usual_scales(specification)
    normal = space.normal
    nodes = min(draws, _NODES if normal.mean.size <= _MANY else _NODES // 8)
    root = linalg.cholesky(space.covariance, lower=True)
    scales = normal.log_scales + rng.standard_normal((nodes, len(root))) @ root.T
    node = rng.permutation(np.arange(draws) % nodes)
    rest = np.empty((draws, normal.mean.size))
    with progress_bar("Draws", nodes, progress) as advance, one_blas_thread(), proper_peak():
        for k, at in enumerate(scales):
            mine = node == k
            z = rng.standard_normal((normal.mean.size, int(mine.sum())))
            mean, factor = normal.at(at)
            if normal.dense:
                rest[mine] = mean + linalg.solve_triangular(factor, z, lower=True, trans="T").T
            else:
                rest[mine] = mean + z.T / factor
            advance()
    return placed(normal, scales[node], rest)
