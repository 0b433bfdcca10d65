"""Coordinates in which a posterior with several learned scales is close to a standard normal."""

from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

from bayesrank.inference.blocks import BlockCoordinates, Blocks
from bayesrank.inference.curvature import DENSE, proper_peak
from bayesrank.inference.scales import likeliest_scales
from bayesrank.inference.threads import one_blas_thread

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = ["ScaledCoordinates"]


class ScaledCoordinates(BlockCoordinates):
    """The map from nearly independent standard normals to the flat vector of a specification.

    The scales are measured from the likeliest ones, in units of their covariance. The effects of
    each scale are a block, whose mean and covariance given all others follow the scale; what has no
    scale is in the block of the scores. So no scale makes a funnel.

    Parameters
    ----------
    specification : Specification
    """

    def __init__(self, specification: "Specification") -> None:
        self.specification = specification.replace(centered=True)
        self.size = self.specification.size
        with proper_peak(), one_blas_thread():
            self.normal = normal = likeliest_scales(self.specification, averaged=False)
            self.blocks = Blocks()
            root = linalg.cholesky(normal.covariance(), lower=True)
            self.blocks.linear(normal.places, normal.log_scales, root)
            for k in sorted(set(normal.group.tolist()) | {0}):
                self._add_block(k)
        self.basis = np.ones((1, 1))

    def _add_block(self, k: int) -> None:
        """Add the effects of a scale; those of the first have what has no scale with them."""
        normal = self.normal
        mine = np.flatnonzero((normal.group == k) | ((normal.group == -1) & (k == 0)))
        if k == -1 or not mine.size:
            return
        own = (normal.group[mine] == k).astype(float)
        usual = normal.log_scales[k]
        prior = own * np.exp(-2.0 * usual)
        if not normal.dense or mine.size > DENSE:
            data = np.diag(normal.data)[mine] if normal.dense else normal.data[mine]
            bend = np.maximum(data, 1e-6) + prior
            basis, shares = 1.0 / np.sqrt(bend), own / bend
            start = normal.mean[mine] / basis
        else:
            matrix = normal.data[np.ix_(mine, mine)] + np.diag(prior)
            values, vectors = linalg.eigh(matrix)
            values = np.maximum(values, min(1e-6 * values[-1], 0.1))
            root = vectors / np.sqrt(values)
            shares, turn = linalg.eigh(root.T @ (own[:, None] * root))
            basis = np.ascontiguousarray(root @ turn)
            start = turn.T @ (np.sqrt(values) * (vectors.T @ normal.mean[mine]))
        self.blocks.whitened(
            normal.positions[mine], basis, start, scale=normal.places[k], usual=usual,
            shares=np.clip(shares, 0.0, np.exp(2.0 * usual)),
        )  # fmt: skip
