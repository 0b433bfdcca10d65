"""Coordinates in which a posterior is close to a standard normal, for samplers.

A learned prior scale makes a funnel: the smaller it is, the closer together the scores. Given
the scale, though, scores and other parameters are nearly normal, with a mean and a covariance
that are known for every scale once they are known for one. Measured from that mean in units of
that covariance, nothing depends on the scale any more.
"""

import numpy as np

from bayesrank.inference.blocks import BlockCoordinates, Blocks
from bayesrank.inference.normal import NormalAtScale, nearest_normal

__all__ = ["Coordinates"]


class Coordinates(BlockCoordinates):
    """The map from nearly independent standard normals to the flat vector of a specification.

    Given the scale, the flat vector has the mean and covariance of `NormalAtScale`; z is measured
    from that mean, in units of that covariance, and is what the sampler moves.

    Parameters
    ----------
    specification : Specification
    """

    def __init__(self, specification):
        self.specification = specification.replace(centered=True)
        self.size = self.specification.size
        self.learned = int(self.specification.learns_scale)
        if self.learned:
            normal = nearest_normal(self.specification, 2, near=0.1, averaged=False)
        else:
            normal = NormalAtScale(self.specification, 1.0)
        self.normal, self.scale, self.basis = normal, normal.scale, normal.basis
        self.spread = self._spread_of_scale() if self.learned else 1.0
        self.blocks = blocks = Blocks()
        blocks.linear(np.arange(self.learned), [np.log(self.scale)], np.array([[self.spread]]))
        blocks.whitened(
            np.arange(self.learned, self.size), np.ascontiguousarray(self.basis), normal.start,
            scale=0 if self.learned else -1, usual=np.log(self.scale), shares=normal.shares,
        )  # fmt: skip

    def _spread_of_scale(self):
        """Return the standard deviation of the log scale, by differences a tenth apart."""
        at = np.log(self.scale)
        below, here, above = (self.normal.log_density(at + h) for h in (-0.1, 0.0, 0.1))
        curvature = (2.0 * here - below - above) / 0.01
        return float(np.clip(1.0 / np.sqrt(max(curvature, 1e-6)), 0.02, 2.0))

    @property
    def correlated(self):
        """Whether there is room for correlations."""
        return np.ndim(self.basis) == 2

    @property
    def prior_share(self):
        """How much of what is known of the effects comes from the prior, on average."""
        normal = self.normal
        return float(np.sum(normal.shares) / self.scale**2 / max(normal.effects, 1))
