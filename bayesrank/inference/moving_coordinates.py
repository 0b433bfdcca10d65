"""Coordinates in which scores that move are close to standard normal, for samplers."""

import numpy as np
from scipy import linalg

from bayesrank.inference.blocks import BlockCoordinates, Blocks
from bayesrank.inference.curvature import proper_peak
from bayesrank.inference.moving import likeliest_normal
from bayesrank.inference.moving_normal import hyperparameters_of
from bayesrank.inference.scales import groups_of_scales
from bayesrank.kernels.tridiagonal import back, states_of

__all__ = ["MovingCoordinates"]

_BENT = 0.2  # how far the logarithm of a bend is from 0 where it is straightened


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
        self.specification = specification = specification.replace(centered=True)
        self.size = specification.size
        with proper_peak():
            self.normal, self.covariance = likeliest_normal(specification)

        self.blocks = self._blocks()

    def _blocks(self):
        normal, term = self.normal, self.normal.term
        n, names = normal.n, hyperparameters_of(self.specification)
        where = dict(zip(names, normal.places.tolist(), strict=True))
        blocks = Blocks()
        root = linalg.cholesky(self.covariance, lower=True) if names else np.zeros((0, 0))
        blocks.linear(normal.places, normal.hyper, root)
        steps = np.ascontiguousarray(normal.mode[:n])
        states = states_of(normal.left, normal.stretch, steps)
        known = {"scale": term.scale, term.move.name: term.rate}
        blocks.moving(
            int(normal.positions[0]),
            np.where(term.states.first, -1.0, term.states.gap),
            # What the results say of the states, so that the mean is the mode at the likeliest.
            normal._known * states + back(normal.left, normal.stretch, steps),
            normal._known,
            reverts=term.move.high is not None,
            places=[where.get(name, -1) for name in known],
            given=[0.0 if value is None else value for value in known.values()],
        )
        rest, mode = normal.positions[n:], normal.mode[n:]
        _, positions, group = groups_of_scales(self.specification)
        group = group[np.searchsorted(positions, rest)]
        for k in sorted(set(group.tolist())):
            mine = group == k
            root = np.sqrt(normal._bend[mine])
            scale = where[self.specification.learned_scales[k]] if k >= 0 else -1
            usual = normal.hyper[names.index(self.specification.learned_scales[k])] if k >= 0 else 0
            blocks.whitened(
                rest[mine], 1.0 / root, mode[mine] * root, scale=scale, usual=float(usual),
                shares=np.minimum(root**-2, np.exp(2.0 * usual)),
            )  # fmt: skip
        # What results leave open of several items makes z wide along some directions.
        bends, axes = normal.soft
        kept = np.abs(np.log(bends)) > _BENT
        directions = np.zeros((int(kept.sum()), self.size))
        directions[:, normal.positions] = axes[kept]
        blocks.turn(directions, bends[kept] ** -0.5)
        return blocks
