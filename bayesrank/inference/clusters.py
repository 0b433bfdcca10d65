"""Clusters of agents: the highest of many modes, and NUTS that starts there."""

from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg, optimize

from bayesrank.inference.coordinates import Coordinates
from bayesrank.inference.normal import best_scale
from bayesrank.inference.nutpie_driver import sample_posterior
from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import progress_bar, waiting
from bayesrank.results.cluster_fit import SAME_MODE, ClusterFit

if TYPE_CHECKING:
    from bayesrank.inference.options import Options
    from bayesrank.model.clusters import ClusteredSpecification

__all__ = ["STARTS", "fit_map_clusters", "fit_nuts_clusters"]

STARTS = 20  # of the search for the highest mode
_CLOSE, _ROUNDS = 0.01, 30  # how near the logarithms of prior scales are known, and when to give up


def fit_map_clusters(model: "ClusteredSpecification", options: "Options") -> ClusterFit:
    """Return the highest of the modes that are found from random starts, as a `ClusterFit`."""
    mode = _Mode(model, options)
    fit = ClusterFit(model, "map", mode.x[None, None], note=mode.note)
    fit.heights, fit.far = mode.heights, mode.far
    return fit


def fit_nuts_clusters(model: "ClusteredSpecification", options: "Options") -> ClusterFit:
    """Return posterior draws by NUTS, whose chains all start around the highest mode."""
    tune = 400 if options.tune is None else options.tune
    with waiting("Preparing the sampler; the first time it is compiled", options.progress):
        mode = _Mode(model, options)
        coordinates = _ClusterCoordinates(model, mode.x)
    with one_blas_thread():
        points, stats = sample_posterior(
            coordinates, draws=options.draws, tune=tune, chains=options.chains, seed=options.seed,
            progress=options.progress, target_accept=options.target_accept or 0.9,
        )  # fmt: skip
    points = coordinates.points(points.reshape(-1, coordinates.size)).reshape(points.shape)
    fit = ClusterFit(model, "nuts", points, stats, note=mode.note)
    fit.tune, fit.heights = tune, mode.heights
    return fit


class _Mode:
    """The highest mode that is found, with clusters in order of size.

    Attributes
    ----------
    x : ndarray
        The flat vector of the model.
    note : str
        How it was found.
    heights : ndarray
        Log-posterior densities of the modes that were found, the highest first.
    far : bool
        Whether a flat prior lets the scores of a cluster run off.
    """

    def __init__(self, model: "ClusteredSpecification", options: "Options") -> None:
        fixed, learned = model, model.single.learns_scale
        if learned:
            fixed = model.at_scales(np.ones(model.clusters))
        rng = np.random.default_rng(0 if options.seed is None else options.seed)
        found = []
        with progress_bar("Starts", STARTS, options.progress) as advance, one_blas_thread():
            for _ in range(STARTS):
                inside = rng.normal(size=(model.clusters, fixed.members[0].size))
                start = np.append(inside, np.zeros(model.clusters - 1))
                found.append(_climb(fixed, start, 1e-7))
                advance()
            heights = np.array([height for _, height, _ in found])
            x, _, slope = _climb(fixed, found[int(heights.argmax())][0], 1e-10)
            scales = np.ones(model.clusters)
            if learned:
                x, slope, scales = _at_best_scales(model, x)
        self.heights = np.sort(heights)[::-1]
        same = int(np.sum(self.heights > self.heights[0] - SAME_MODE))
        inside, log_share = fixed.split(x)
        if learned:
            inside = np.column_stack([np.log(scales), inside])
        self.far = bool(model.single.flat and np.abs(inside).max() > 15.0)
        order = np.argsort(-log_share, kind="stable")
        self.x = model.in_order(model.joined(inside, np.exp(log_share)), order)
        total = float(model.times @ model.expect(self.x)[0])
        what = "Maximum likelihood" if model.single.flat else "Posterior mode"
        listed = ", ".join(f"{scale:.3g}" for scale in scales[order])
        at = f" at prior scales {listed}, the likeliest" if learned else ""
        self.note = (
            f"{what}{at}, the highest from {STARTS} starts, of which {same} came there; "
            f"log-likelihood {total:.3f}, largest gradient {slope:.1g} per {model.unit_name}."
        )


def _climb(
    model: "ClusteredSpecification", start: np.ndarray, tolerance: float
) -> tuple[np.ndarray, float, float]:
    """Return a mode near a start, its height, and the largest gradient there by unit."""
    total = float(model.times.sum())

    def loss(x: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = model.objective(x)
        return -value / total, -gradient / total

    report = optimize.minimize(
        loss, start, jac=True, method="L-BFGS-B",
        options={"maxiter": 2000, "maxcor": 20, "ftol": 0.0, "gtol": tolerance},
    )  # fmt: skip
    return report.x, -report.fun * total, float(np.abs(report.jac).max())


def _at_best_scales(
    model: "ClusteredSpecification", x: np.ndarray
) -> tuple[np.ndarray, float, np.ndarray]:
    """Return mode, slope and scales where each cluster has its scale of highest evidence.

    That is the evidence of a cluster given who belongs to it, and who belongs to it depends on the
    scales in turn.
    """
    scales = np.ones(model.clusters)
    for _ in range(_ROUNDS):
        fixed = model.at_scales(scales)
        x, _, slope = _climb(fixed, x, 1e-10)
        model.weigh(fixed.expect(x)[1])
        ahead = np.array([best_scale(member) for member in model.members])
        if np.abs(np.log(ahead / scales)).max() < _CLOSE:
            break
        scales = ahead
    return x, slope, scales


class _ClusterCoordinates:
    """Coordinates in which the posterior around a mode is not far from a standard normal.

    For each cluster they are those of its own model, given who belongs to it at the mode.

    Parameters
    ----------
    model : ClusteredSpecification
    mode : ndarray
    """

    def __init__(self, model: "ClusteredSpecification", mode: np.ndarray) -> None:
        self.model, self.size = model, model.size
        model.weigh(model.expect(mode)[1])
        self.parts = [Coordinates(member) for member in model.members]
        self.inside = model.clusters * model.members[0].size
        self.centre = mode[self.inside :]
        self.factor = self._spread_of_shares(mode)

    def _spread_of_shares(self, mode: np.ndarray) -> np.ndarray:
        """Return a factor of the covariance of the shares' free numbers, by differences."""
        step, k = 1e-4, self.model.clusters - 1

        def slope(j: int, h: float) -> np.ndarray:
            x = mode.copy()
            x[self.inside + j] += h
            return self.model.objective(x, jacobian=True)[1][self.inside :]

        bend = np.array([(slope(j, -step) - slope(j, step)) / (2 * step) for j in range(k)])
        values, vectors = linalg.eigh((bend + bend.T) / 2.0)
        return vectors / np.sqrt(np.maximum(values, 1.0))

    def points(self, z: np.ndarray) -> np.ndarray:
        """Return the flat vectors of many points, one row per point."""
        parts = np.split(z[:, : self.inside], self.model.clusters, axis=1)
        inside = [
            part.points(np.ascontiguousarray(own))
            for part, own in zip(self.parts, parts, strict=True)
        ]
        return np.hstack([*inside, self.centre + z[:, self.inside :] @ self.factor.T])

    def objective(self, z: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-density of z, up to a constant, and its gradient."""
        model, z = self.model, np.asarray(z, dtype=float)
        own = np.split(z[: self.inside], model.clusters)
        x = self.points(z[None])[0]
        with np.errstate(all="ignore"):
            total, probability = model.expect(x)
            value, of_shares = model.of_shares(model.split(x)[1], probability, True)
            value += float(model.times @ total)
        model.weigh(None)
        value += sum(part.objective(at)[0] for part, at in zip(self.parts, own, strict=True))
        if not np.isfinite(value):
            return -np.inf, np.zeros(self.size)
        model.weigh(probability)
        slopes = [part.objective(at)[1] for part, at in zip(self.parts, own, strict=True)]
        return float(value), np.concatenate([*slopes, of_shares @ self.factor])
