"""Coordinates in which scores that move are close to standard normal, for samplers."""

from functools import cached_property

import numpy as np
from scipy import linalg

from bayesrank.inference.curvature import proper_peak
from bayesrank.inference.moving import likeliest_normal
from bayesrank.kernels.posterior.function import evaluate_moved
from bayesrank.kernels.posterior.moving_coordinates import FRAME, place_all_moving
from bayesrank.kernels.tridiagonal import back, states_of

__all__ = ["MovingCoordinates"]

_BENT = 0.2  # how far the logarithm of a bend is from 0 where it is straightened


class MovingCoordinates:
    """The map from nearly independent standard normals to the flat vector of a specification.

    Its mean and its factor are functions of how far scores are apart and move, which are sampled
    along; see `bayesrank.kernels.posterior.moving_coordinates`. The map is exact whatever the
    posterior is like, as its Jacobian is accounted for.

    Parameters
    ----------
    specification : Specification
        With scores that move.
    """

    correlated = True

    def __init__(self, specification):
        self.specification, self.size = specification, specification.size
        with proper_peak():
            self.normal, self.covariance = likeliest_normal(specification)

    @cached_property
    def _map(self):
        normal, term = self.normal, self.normal.term
        n, hypers = normal.n, len(normal.hyper)
        names = [parameter.name for parameter in term.hyperparameters]
        frame = np.zeros(FRAME)
        frame[:4] = hypers, n, normal.size - n, term.move.high is not None
        for k, (name, given) in enumerate((("scale", term.scale), (term.move.name, term.rate))):
            frame[4 + k] = names.index(name) if name in names else -1
            frame[6 + k] = 0.0 if given is None else given
        frame[8 : 8 + hypers] = normal.hyper
        root = linalg.cholesky(self.covariance, lower=True) if hypers else np.zeros((0, 0))
        for i in range(hypers):
            frame[10 + 2 * i : 10 + 2 * i + hypers] = root[i]
        gap = np.where(term.states.first, -1.0, term.states.gap)
        states = states_of(normal.left, normal.stretch, np.ascontiguousarray(normal.mode[:n]))
        # What the results say of the states, so that the mean is the mode at the likeliest.
        steps = np.ascontiguousarray(normal.mode[:n])
        said = normal._known * states + back(normal.left, normal.stretch, steps)
        start = np.concatenate([said, normal.mode[n:]])
        known = np.concatenate([normal._known, 1.0 / np.sqrt(normal._bend)])
        return frame, gap, start, known

    @cached_property
    def turn(self):
        bends, axes = self.normal.soft
        kept = np.abs(np.log(bends)) > _BENT
        hypers = np.zeros((kept.sum(), len(self.normal.hyper)))
        return bends[kept] ** -0.5, np.ascontiguousarray(np.hstack([hypers, axes[kept]]))

    @cached_property
    def table(self):
        """The model in these coordinates, for `bayesrank.kernels.posterior.function`."""
        program = self.specification.program
        return program.in_coordinates(*self._map, moving=True, turn=self.turn)

    @property
    def log_volume(self):
        """What `objective` leaves out of the log-Jacobian, since it is the same everywhere."""
        widths = np.concatenate([self._map[3][self.normal.n :], self.turn[0]])
        return float(np.log(widths).sum() + 0.5 * np.linalg.slogdet(self.covariance)[1])

    def point(self, z):
        """Return the specification's flat vector."""
        return self.points(np.atleast_2d(z))[0]

    def points(self, z):
        """Return the flat vectors of many points, one row per point."""
        widths, axes = self.turn
        turned = z + ((widths - 1.0) * (z @ axes.T)) @ axes
        return place_all_moving(np.ascontiguousarray(turned, dtype=float), *self._map)

    def objective(self, z):
        """Return the log-density of z, up to a constant, and its gradient."""
        gradient = np.empty(self.size)
        value = evaluate_moved(np.ascontiguousarray(z, dtype=float), self.table, gradient)
        return value, gradient
