"""Coordinates in which scores that move are close to standard normal, for samplers."""

import numpy as np
from scipy import linalg

from bayesrank.inference.blocks import BlockCoordinates, Blocks
from bayesrank.inference.curvature import proper_peak
from bayesrank.inference.moving import likeliest_normal
from bayesrank.kernels.tridiagonal import back, states_of

__all__ = ["MovingCoordinates"]


class MovingCoordinates(BlockCoordinates):
    """The map from nearly independent standard normals to the flat vector of a specification.

    Its mean and its factor are functions of how far scores are apart and move, which are sampled
    along; see `bayesrank.kernels.posterior.moving_coordinates`.

    Parameters
    ----------
    specification : Specification
        With scores that move.
    """

    def __init__(self, specification):
        self.specification, self.size = specification, specification.size
        with proper_peak():
            self.normal, self.covariance = likeliest_normal(specification)

        self.blocks = self._blocks()

    def _blocks(self):
        normal, term = self.normal, self.normal.term
        n, hypers = normal.n, len(normal.hyper)
        names = [parameter.name for parameter in term.hyperparameters]
        blocks = Blocks()
        root = linalg.cholesky(self.covariance, lower=True) if hypers else np.zeros((0, 0))
        blocks.linear(np.arange(hypers), normal.hyper, root)
        steps = np.ascontiguousarray(normal.mode[:n])
        states = states_of(normal.left, normal.stretch, steps)
        known = {"scale": term.scale, term.move.name: term.rate}
        blocks.moving(
            hypers,
            np.where(term.states.first, -1.0, term.states.gap),
            # What the results say of the states, so that the mean is the mode at the likeliest.
            normal._known * states + back(normal.left, normal.stretch, steps),
            normal._known,
            reverts=term.move.high is not None,
            places=[names.index(name) if name in names else -1 for name in known],
            given=[0.0 if value is None else value for value in known.values()],
        )
        root = np.sqrt(normal._bend)
        blocks.whitened(np.arange(hypers + n, self.size), 1.0 / root, normal.mode[n:] * root)
        return blocks
