"""The normal approximation where several scales are learned, and where these are.

Scores have a scale, and what differs between agents, items or categories has a spread for each
term. Given all of these the rest is nearly normal: with H the data's part of the precision, b the
precision times the mean and P the diagonal that the priors add, the precision at other scales is
H + P and the mean (H + P)^-1 b.

The scales are not found by the evidence at modes: where discriminations multiply scores of which
little is known, the mode is far from where the posterior has its mass. The closest normal in
coordinates that follow the scales (`bayesrank.inference.closest_normal`) is.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import linalg

from bayesrank.inference.blocks import BlockCoordinates, Blocks
from bayesrank.inference.closest_normal import MeanField, closest_normal
from bayesrank.inference.curvature import DENSE, diagonal, precision
from bayesrank.inference.mode import find_mode
from bayesrank.inference.threads import one_blas_thread
from bayesrank.model.terms.agents import AgentDiscrimination

if TYPE_CHECKING:
    from bayesrank.model.specification import Specification

__all__ = [
    "NormalAtScales",
    "WhitenedByScale",
    "groups_of_scales",
    "placed",
    "usual_scales",
]

LARGE = 3000  # free numbers beyond which only the diagonal of the precision is kept
_SPREAD = 0.3  # standard deviation of logarithms of scales to start from
_STEPS, _ROUNDS = 500, 10  # towards the closest normal
_CLOSE = 0.1  # how near the logarithms of the usual scales are known
_TURNED = 1500  # free numbers up to which all of a curvature is looked at
_FLAT, _FLATTEST = 0.7, 0.05  # curvatures that are stretched, and up to which they are
_NARROWEST, _WIDEST = 0.02, 1.5  # standard deviations of logarithms of scales


class NormalAtScales:
    """The normal approximation at given scales.

    Parameters
    ----------
    specification : Specification
        Centered, with several learned scales.
    log_scales : ndarray
        In the order of ``specification.learned_scales``.
    mean : ndarray, optional
        Free numbers but for the scales; by default the mode given the scales.

    Attributes
    ----------
    places, positions, group : ndarray of int
        Where the scales and the other free numbers are in the flat vector, and which scale each
        of the others has, -1 for none.
    data : ndarray
        H, or its diagonal.
    pull : ndarray
        b.
    """

    def __init__(
        self, specification: "Specification", log_scales: Any, mean: np.ndarray | None = None
    ) -> None:
        self.specification, self.log_scales = specification, np.asarray(log_scales, dtype=float)
        self.fixed = specification.with_scales(np.exp(self.log_scales))
        self.places, self.positions, self.group = groups_of_scales(specification)
        self.mean = find_mode(self.fixed, jacobian=True)[0] if mean is None else mean
        prior = self.prior(self.log_scales)
        self.dense = self.mean.size <= LARGE
        with one_blas_thread():
            if self.dense:
                matrix = precision(self.fixed, self.mean)
                self.data = _never_bent_upwards(matrix - np.diag(prior))
                self.pull = self.data @ self.mean + prior * self.mean
            else:
                bend = diagonal(lambda x: -self.fixed.objective(x, jacobian=True)[1], self.mean)
                self.data = np.maximum(bend - prior, 1e-6)
                self.pull = (self.data + prior) * self.mean

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
        matrix[np.diag_indices_from(matrix)] += prior + 1e-9
        factor = linalg.cholesky(matrix, lower=True, overwrite_a=True)
        return linalg.cho_solve((factor, True), self.pull, check_finite=False), factor


class WhitenedByScale(BlockCoordinates):
    """Coordinates in which the posterior is close to a standard normal, whatever the scales are.

    The scales are measured from usual ones, in units of their covariance. The effects of each scale
    are a block, whose mean and covariance given all others follow the scale; what has no scale is
    in the block of the first. So no scale makes a funnel.

    Parameters
    ----------
    normal : NormalAtScales
    covariance : ndarray
        Of the logarithms of the scales.
    """

    def __init__(self, normal: NormalAtScales, covariance: np.ndarray) -> None:
        self.specification, self.size = normal.specification, normal.specification.size
        self.normal, self.covariance = normal, covariance
        self.blocks = Blocks()
        root = linalg.cholesky(covariance, lower=True)
        self.blocks.linear(normal.places, normal.log_scales, root)
        with one_blas_thread():
            for k in range(len(normal.places)):
                self._add_block(k)

    def straighten(self) -> None:
        """Stretch the directions in which blocks depend on each other, by the curvature at zero."""
        step = 1e-4
        with one_blas_thread():
            ends = [
                self.objective(sign * step * unit)[1]
                for unit in np.eye(self.size)
                for sign in (-1.0, 1.0)
            ]
            curvature = np.subtract(ends[::2], ends[1::2]) / (2.0 * step)
            values, vectors = linalg.eigh(0.5 * (curvature + curvature.T))
        uneven = (values < _FLAT) | (values > 1.0 / _FLAT)
        lengths = 1.0 / np.sqrt(np.maximum(values[uneven], _FLATTEST))
        self.blocks.turn(np.ascontiguousarray(vectors[:, uneven].T), lengths)
        self.__dict__.pop("table", None)

    def _add_block(self, k: int) -> None:
        """Add the effects of a scale; those of the first have what has no scale with them."""
        normal = self.normal
        mine = np.flatnonzero((normal.group == k) | ((normal.group == -1) & (k == 0)))
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


def usual_scales(specification: "Specification", steps: int = _STEPS) -> WhitenedByScale:
    """Return coordinates around the usual scales: the means of the closest normal.

    It is looked for from the mode at scales that are guessed, then from where that led, and so on.
    What multiplies scores starts nearly equal: the mode would make scores of which little is known
    small, and some agents so sharp that they fit what they said of these.
    """
    names = specification.learned_scales
    normal = NormalAtScales(specification, [_start(name) for name in names])
    covariance = _SPREAD**2 * np.eye(len(names))
    rng = np.random.default_rng(0)
    for _ in range(_ROUNDS):
        space = WhitenedByScale(normal, covariance)
        found, _ = closest_normal(space, MeanField(space.size), steps, rng)
        point, width = space.point(found[: space.size]), np.exp(found[space.size :])
        # The scales are at the same places in z, where only they depend on each other.
        root = linalg.cholesky(covariance, lower=True) * width[normal.places]
        values, vectors = linalg.eigh(root @ root.T)
        covariance = (vectors * np.clip(values, _NARROWEST**2, _WIDEST**2)) @ vectors.T
        before = normal.log_scales
        normal = NormalAtScales(
            specification, point[normal.places], np.ascontiguousarray(point[normal.positions])
        )
        if np.abs(normal.log_scales - before).max() < _CLOSE:
            break
    space = WhitenedByScale(normal, covariance)
    if space.size <= _TURNED:
        space.straighten()
    return space


def _start(name: str) -> float:
    """Return the logarithm of a scale to start from."""
    return float(np.log(0.1 if name == f"{AgentDiscrimination.key}_spread" else 0.7))


def placed(normal: NormalAtScales, log_scales: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Return flat vectors from logarithms of scales and the other free numbers, row by row."""
    points = np.empty((len(rest), normal.specification.size))
    points[:, normal.places] = log_scales
    points[:, normal.positions] = rest
    return points
