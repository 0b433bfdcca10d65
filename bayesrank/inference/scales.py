"""The normal approximation where several scales are learned, and the evidence of all of them.

Scores have a scale, and what differs between agents, items or categories has a spread for each
term. Given all of these the rest is nearly normal: with H the data's part of the precision, b the
precision times the mean and P the diagonal that the priors add, the precision at other scales is
H + P and the mean (H + P)^-1 b. So is the evidence of the scales known, nearly, once H and b are.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg, optimize

from bayesrank.inference.curvature import diagonal, precision
from bayesrank.inference.mode import find_mode
from bayesrank.inference.normal import averaged_normal
from bayesrank.inference.threads import one_blas_thread

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = ["LARGE", "NormalAtScales", "groups_of_scales", "likeliest_scales", "placed"]

LARGE = 3000  # free numbers beyond which only the diagonal of the precision is kept
_LOWEST, _HIGHEST = -5.0, 2.5  # of logarithms of scales, as far as the likeliest is sought
_CLOSE = 0.05  # how near these are known
_WIDEST = 1.5  # standard deviation of a logarithm of which the data say nothing


class NormalAtScales:
    """The normal approximation at given scales.

    Parameters
    ----------
    specification : Specification
        Centered, with several learned scales.
    log_scales : ndarray
        In the order of ``specification.learned_scales``.
    start : ndarray, optional
        Free numbers but for the scales from which to look for the mode.
    averaged : bool
        Whether mean and precision are averaged over the normal, or those at the mode.

    Attributes
    ----------
    positions, group : ndarray of int
        Where the free numbers but for the scales are in the flat vector, and which scale each has,
        -1 for none.
    mean : ndarray
        Of these.
    data : ndarray
        H, or its diagonal.
    """

    def __init__(
        self, specification: "Specification", log_scales: Any, start: np.ndarray | None = None, *,
        averaged: bool = True,
    ) -> None:  # fmt: skip
        self.specification, self.log_scales = specification, np.asarray(log_scales, dtype=float)
        self.fixed = specification.with_scales(np.exp(self.log_scales))
        self.places, self.positions, self.group = groups_of_scales(specification)
        self.counts = np.array([np.sum(self.group == k) for k in range(len(self.places))])
        self.mode, _ = find_mode(self.fixed, jacobian=True, start=start)
        prior = self.prior(self.log_scales)
        self.mean, height = self.mode, self.fixed.objective(self.mode, jacobian=True)[0]
        self.dense = self.mode.size <= LARGE
        with one_blas_thread():
            if self.dense:
                matrix = precision(self.fixed, self.mode)
                if averaged and self.fixed.observation.nearly_normal:
                    self.mean, matrix, height = averaged_normal(
                        self.fixed, self.mode, matrix, prior, height
                    )
                self.data = _never_bent_upwards(matrix - np.diag(prior))
                self.pull = self.data @ self.mean + prior * self.mean
            else:
                bend = diagonal(lambda x: -self.fixed.objective(x, jacobian=True)[1], self.mode)
                self.data = np.maximum(bend - prior, 1e-6)
                self.pull = (self.data + prior) * self.mean
        self.level = height - 0.5 * self.mean @ self.pull

    def prior(self, log_scales: Any) -> np.ndarray:
        """Return what the priors add to the diagonal of the precision."""
        inverse = np.append(np.exp(-2.0 * np.asarray(log_scales)), 0.0)
        return inverse[self.group]

    def at(self, log_scales: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean at other scales, and the factor of the precision, lower or diagonal."""
        prior = self.prior(log_scales)
        if not self.dense:
            bend = self.data + prior
            return self.pull / bend, np.sqrt(bend)
        matrix = self.data.copy()
        matrix[np.diag_indices_from(matrix)] += prior
        factor = linalg.cholesky(matrix, lower=True, overwrite_a=True)
        return linalg.cho_solve((factor, True), self.pull, check_finite=False), factor

    def log_density(self, log_scales: Any) -> float:
        """Return the approximate log posterior density of the logarithms of the scales."""
        mean, factor = self.at(log_scales)
        volume = np.log(np.diag(factor) if self.dense else factor).sum()
        # What the height has of the priors' own constants is that of the scales it was made at.
        change = self.counts @ (np.asarray(log_scales) - self.log_scales)
        hyper = np.sum(log_scales - 0.5 * np.exp(2.0 * np.asarray(log_scales)))
        return float(self.level + 0.5 * mean @ self.pull - volume - change + hyper)

    def slope(self, log_scales: Any) -> np.ndarray:
        """Return the derivatives of `log_density`."""
        mean, factor = self.at(log_scales)
        if self.dense:
            inverse = linalg.solve_triangular(factor, np.eye(len(mean)), lower=True)
            variance = np.square(inverse).sum(axis=0)
        else:
            variance = factor**-2
        square = np.array([np.sum((mean**2 + variance)[self.group == k])
                           for k in range(len(self.places))])  # fmt: skip
        scale = np.exp(2.0 * np.asarray(log_scales))
        return square / scale - self.counts - scale + 1.0

    def likeliest(self) -> np.ndarray:
        """Return the logarithms of the likeliest scales, as this approximation sees them."""
        bounds = [(_LOWEST, _HIGHEST)] * len(self.places)
        with one_blas_thread():
            found = optimize.minimize(
                lambda t: (-self.log_density(t), -self.slope(t)), self.log_scales, jac=True,
                method="L-BFGS-B", bounds=bounds, options={"gtol": 1e-4},
            )  # fmt: skip
        return found.x

    def covariance(self) -> np.ndarray:
        """Return the covariance of the logarithms of the scales."""
        k, step = len(self.places), 0.1
        with one_blas_thread():
            rows = [
                (self.slope(self.log_scales - step * unit)
                 - self.slope(self.log_scales + step * unit)) / (2.0 * step)
                for unit in np.eye(k)
            ]  # fmt: skip
        values, vectors = linalg.eigh(0.5 * (np.array(rows) + np.array(rows).T))
        return (vectors / np.clip(values, _WIDEST**-2, None)) @ vectors.T


def _never_bent_upwards(matrix: np.ndarray) -> np.ndarray:
    """Return the nearest matrix along no direction of which the data say less than nothing.

    A product, such as that of scores and discriminations, has such directions. Only the prior
    makes a peak there, and a wider one would not.
    """
    try:
        linalg.cholesky(matrix + 1e-8 * np.diag(np.diag(matrix)))
    except linalg.LinAlgError:
        values, vectors = linalg.eigh(matrix)
        return (vectors * np.maximum(values, 0.0)) @ vectors.T
    return matrix


def groups_of_scales(
    specification: "Specification",
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return positions of the scales and of the others in the flat vector, and others' scales."""
    layout, names = specification.layout, specification.learned_scales
    places = np.array([layout.free[name] for name in names], dtype=np.int64)
    group = np.full(layout.size, -1)
    for parameter in specification.parameters:
        scale = getattr(parameter, "prior_scale", None)
        if scale is not None:
            first = layout.free[parameter.name]
            group[first : first + parameter.size] = names.index(scale)
    positions = np.setdiff1d(np.arange(layout.size), places)
    return places, positions, group[positions]


def likeliest_scales(
    specification: "Specification", steps: int = 8, *, averaged: bool = True
) -> NormalAtScales:
    """Return the normal approximation at about the likeliest scales."""
    normal = NormalAtScales(
        specification, np.full(len(specification.learned_scales), -0.5), averaged=averaged
    )
    for _ in range(steps):
        found = normal.likeliest()
        far = np.abs(found - normal.log_scales).max()
        if far < _CLOSE:
            break
        # Where little is known the evidence is flat, and an approximation does not reach far.
        there = normal.log_scales + (found - normal.log_scales) * min(1.0, 2.0 / far)
        normal = NormalAtScales(specification, there, normal.mode, averaged=averaged)
    return normal


def placed(normal: NormalAtScales, log_scales: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Return flat vectors from logarithms of scales and the other free numbers, row by row."""
    points = np.empty((len(rest), normal.specification.size))
    points[:, normal.places] = log_scales
    points[:, normal.positions] = rest
    return points
