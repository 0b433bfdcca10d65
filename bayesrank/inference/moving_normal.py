"""The normal approximation of scores that move, given how far they move.

Products with the Hessian are differences of the gradient. They are taken in coordinates q in which
every item alone, with what is known of its own states, is whitened by a factor that costs as much
as there are states. What opponents do not know of each other is then all that is left, so that a
few products are enough: conjugate gradients find the mode, and Lanczos' method the determinant
and draws with the covariance of all states together.
"""

from functools import cached_property

import numpy as np
from scipy import linalg

from bayesrank.inference.curvature import DENSE
from bayesrank.inference.soft_directions import soft_directions
from bayesrank.kernels.tridiagonal import (
    back,
    factor,
    from_whitened,
    steps_of,
    to_whitened,
)

__all__ = ["MovingNormal", "hyperparameters_of"]

_STEP = 1e-4  # standard deviations by which gradients are taken apart
_SIGNS = 8  # random vectors from which curvatures are taken
_PROBES = 8  # random vectors for the determinant
_FEW = 50  # numbers besides the steps whose curvatures are taken one by one
_DEPTH = 60  # at most so many products for one vector
_NEAR = 0.05  # standard deviations, in all, from which one more of Newton's steps is enough


def hyperparameters_of(specification):
    """Return names of what is learned of how far scores are apart and move, and of spreads."""
    own = [parameter.name for parameter in specification.terms[0].hyperparameters]
    return own + specification.learned_scales


class MovingNormal:
    """The normal approximation at given hyperparameters.

    Parameters
    ----------
    specification : Specification
        With scores that move.
    hyper : ndarray
        Free numbers of what is learned of how far scores are apart and move, and of spreads, in
        the order of `hyperparameters_of`.
    start : ndarray, optional
        Other free numbers from which to look for the mode.
    jacobian : bool
        Whether the mode is that of the free numbers, or of what they stand for.

    Attributes
    ----------
    mode : ndarray
        Free numbers after the hyperparameters: the steps, and what other terms have.
    height : float
        Log-posterior there.
    """

    def __init__(self, specification, hyper, start=None, *, jacobian=True):
        self.specification, self.hyper, self.jacobian = specification, np.asarray(hyper), jacobian
        self.term = specification.terms[0]
        self.n, self.size = len(self.term.states), specification.size - len(self.hyper)
        layout, names = specification.layout, hyperparameters_of(specification)
        self.places = np.array([layout.free[name] for name in names], dtype=np.int64)
        self.positions = np.setdiff1d(np.arange(layout.size), self.places)
        known = layout.named(layout.constrain(self.whole(self.hyper, np.zeros(self.size))))
        self.left, self.stretch = self.term.moves(known, np)
        self.mode = np.zeros(self.size) if start is None else start.copy()
        if start is None and not specification.observation.concave:
            self.mode = np.random.default_rng(0).normal(scale=0.1, size=self.size)
        self._known, self._bend = np.zeros(self.n), np.ones(self.size - self.n)
        self._climb()

    def whole(self, hyper, x):
        """Return the specification's flat vector."""
        out = np.empty(len(hyper) + len(x))
        out[self.places], out[self.positions] = hyper, x
        return out

    def objective(self, x):
        """Return minus the log-posterior and its gradient by the free numbers."""
        value, gradient = self.specification.objective(
            self.whole(self.hyper, x), jacobian=self.jacobian
        )
        return -value, -gradient[self.positions]

    # The coordinates q -------------------------------------------------------------------------

    def _whiten(self):
        """Set the coordinates by what is known of each state, and of other numbers, at the mode."""
        rng, n = np.random.default_rng(0), self.n
        total = np.zeros(n)
        width = np.sqrt(self._prior_variance())
        for _ in range(_SIGNS):
            sign = rng.choice([-1.0, 1.0], size=n)
            # One size of step for all: a state's own width would bias the sum over opponents.
            move = np.zeros(self.size)
            move[:n] = steps_of(self.left, self.stretch, 1e-4 * sign)
            change = self._change(move) / 1e-4
            change[:n] -= move[:n] / 1e-4  # the prior's part
            total += sign * back(self.left, self.stretch, change[:n])
        self._known = np.clip(total / _SIGNS, 0.0, None) + 1e-9 / width**2
        self.diagonal, self.below = factor(self.left, self.stretch, self._known)
        if self.size - n > _FEW:
            total = np.zeros(self.size - n)
            for _ in range(2 * _SIGNS):
                move = np.zeros(self.size)
                sign = rng.choice([-1.0, 1.0], size=self.size - n)
                move[n:] = 1e-4 * sign
                total += sign * self._change(move)[n:] / 1e-4
            self._bend = np.maximum(total / (2 * _SIGNS), 1e-2)
            return
        for k in range(n, self.size):
            move = np.zeros(self.size)
            move[k] = 1e-4
            self._bend[k - n] = max(self._change(move)[k] / 1e-4, 1e-3)

    def _prior_variance(self):
        variance, out = 0.0, np.empty(self.n)
        for k, (left, stretch) in enumerate(zip(self.left, self.stretch, strict=True)):
            variance = left**2 * variance + stretch**2
            out[k] = variance
        return out

    def _change(self, move):
        """Return the product of the Hessian with a short vector."""
        return 0.5 * (self.objective(self.mode + move)[1] - self.objective(self.mode - move)[1])

    def place(self, q):
        """Return the free numbers, from the mode, that q stands for."""
        states = from_whitened(self.diagonal, self.below, np.ascontiguousarray(q[: self.n]))
        rest = q[self.n :] / np.sqrt(self._bend)
        return np.concatenate([steps_of(self.left, self.stretch, states), rest])

    def pull(self, gradient):
        """Return a gradient by q from one by the free numbers."""
        by_state = back(self.left, self.stretch, np.ascontiguousarray(gradient[: self.n]))
        whitened = to_whitened(self.diagonal, self.below, by_state)
        return np.concatenate([whitened, gradient[self.n :] / np.sqrt(self._bend)])

    def product(self, q):
        """Return the product of the Hessian by q with a vector."""
        length = _STEP * np.sqrt(self.size) / max(np.linalg.norm(q), 1e-300)
        return self.pull(self._change(self.place(length * q))) / length

    # The mode ----------------------------------------------------------------------------------

    def _climb(self):
        value, slope = self.objective(self.mode)
        self.newton = self.products = 0
        for _ in range(50):
            self._whiten()
            self.newton += 1
            step, gain = self._solve(-self.pull(slope))
            move, share = self.place(step), 1.0
            for _ in range(30):
                ahead = self.objective(self.mode + share * move)
                if ahead[0] <= value + 1e-10 * abs(value) and np.isfinite(ahead[1]).all():
                    break
                share *= 0.5
            else:
                break
            self.mode = self.mode + share * move
            value, slope = ahead
            self.off = np.sqrt(max(gain, 0.0))
            if self.off < _NEAR and share == 1.0:
                # Newton's steps are right to the square of their length: one more is enough.
                self._whiten()
                step, gain = self._solve(-self.pull(slope), 1e-16)
                self.mode = self.mode + self.place(step)
                value, slope = self.objective(self.mode)
                self.off = float(gain)
                break
        self.height = -value
        self._whiten()
        self.slope = slope

    def _solve(self, right, share=1e-4):
        """Return the solution by q, and its squared length in standard deviations."""
        out, rest = np.zeros_like(right), right.copy()
        way, size = rest.copy(), rest @ rest
        least, gain = share * size, 0.0
        for _ in range(_DEPTH):
            if not size > max(least, 1e-24):
                break
            change = self.product(way)
            self.products += 1
            along = way @ change
            if not along > 0.0:
                return (way, size) if gain == 0.0 else (out, gain)
            out += size / along * way
            gain += size / along * size
            rest -= size / along * change
            before, size = size, rest @ rest
            way = rest + size / before * way
        return out, gain

    # Evidence and draws ------------------------------------------------------------------------

    @property
    def log_volume(self):
        """Minus half the log-determinant of the Hessian by the free numbers."""
        # Steps by states, and states by q.
        by_q = -np.log(self.stretch).sum() - np.log(self.diagonal).sum()
        by_q -= 0.5 * np.log(self._bend).sum()
        if self.size <= DENSE:
            return by_q - np.log(np.diag(self._factor)).sum()
        rng, total = np.random.default_rng(1), 0.0
        for _ in range(_PROBES):
            probe = rng.choice([-1.0, 1.0], size=self.size)
            _, alpha, beta = self._lanczos(probe, 1e-3)
            values, vectors = linalg.eigh_tridiagonal(alpha, beta)
            total += self.size * (vectors[0] ** 2 @ np.log(np.maximum(values, 1e-8)))
        return by_q - 0.5 * total / _PROBES

    @property
    def log_evidence(self):
        """Laplace's approximation of the hyperparameters' log density, up to a constant."""
        return self.height + self.log_volume

    @cached_property
    def hessian(self):
        """The Hessian by q, of problems that have room for it."""
        columns = np.array([self.product(unit) for unit in np.eye(self.size)])
        return 0.5 * (columns + columns.T)

    @cached_property
    def _factor(self):
        return linalg.cholesky(self.hessian, lower=True)

    @cached_property
    def soft(self):
        """Directions of q with how the density bends along them; see `soft_directions`."""
        return soft_directions(self)

    def draw(self, noise):
        """Return free numbers after the hyperparameters from standard normal noise."""
        if self.size <= DENSE:
            return self.mode + self.place(
                linalg.solve_triangular(self._factor, noise, lower=True, trans="T")
            )
        # Along soft directions draws are wide, which takes many products to find out.
        bends, axes = self.soft
        along = axes @ noise
        rest = noise - along @ axes
        basis, alpha, beta = self._lanczos(rest, 1e-4)
        values, vectors = linalg.eigh_tridiagonal(alpha, beta)
        inverse_root = vectors @ (vectors[0] / np.sqrt(np.maximum(values, 1e-8)))
        q = np.linalg.norm(rest) * (inverse_root @ basis) + (along / np.sqrt(bends)) @ axes
        return self.mode + self.place(q)

    def _lanczos(self, start, close):
        """Return an orthonormal basis, one row each, and the Hessian by q in it, tridiagonal."""
        basis, alpha, beta = [start / np.linalg.norm(start)], [], []
        while True:
            ahead = self.product(basis[-1])
            alpha.append(float(ahead @ basis[-1]))
            for row in basis[-2:]:
                ahead = ahead - (ahead @ row) * row
            size = float(np.linalg.norm(ahead))
            # What is left after so many products falls off geometrically.
            share = np.prod(np.array([*beta, size])) if len(beta) < 200 else 0.0
            if share < close or len(alpha) >= _DEPTH:
                return np.array(basis), np.array(alpha), np.array(beta)
            beta.append(size)
            basis.append(ahead / size)
