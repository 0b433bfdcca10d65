"""Automatic differentiation variational inference on the kernel objective."""

import numpy as np
from scipy import linalg

from bayesrank.inference.closest_normal import FullRank, MeanField, closest_normal
from bayesrank.inference.coordinates import Coordinates
from bayesrank.inference.curvature import curvature_factor, require_covariances
from bayesrank.inference.mode import find_mode
from bayesrank.inference.moving_coordinates import MovingCoordinates
from bayesrank.inference.scales import usual_scales
from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import waiting
from bayesrank.results.fit import Fit
from bayesrank.text import option

__all__ = ["fit_advi"]


def fit_advi(specification, options):
    """Return draws from the normal distribution that maximises the evidence lower bound.

    The algorithm is that of Kucukelbir and others (2017), with the kernel's exact gradient. By
    default independent normals are fitted in the `Coordinates` that NUTS moves in, where the
    posterior is nearly a standard normal: all that is left to find is how far it is not. In the
    model's own coordinates independent normals (``full_rank`` false) cannot follow its
    correlations, and any normal (true) not the way in which a learned scale stretches them. The
    second half of the path is averaged to shed the noise of the single steps.
    """
    if specification.moves is not None and options.full_rank is not None:
        raise ValueError(
            f"{option('full_rank', options.full_rank)} is not for scores that move; leave it out."
        )
    full_rank, progress = options.full_rank, options.progress
    steps = options.steps or (1000 if full_rank is None else 3000)
    rng = np.random.default_rng(options.seed)
    with waiting("Looking for the mode", progress):
        if specification.moves is not None:
            space = MovingCoordinates(specification)
        elif full_rank is None and specification.learns_spreads:
            space = usual_scales(specification.replace(centered=True))
        elif full_rank is None:
            space = Coordinates(specification)
        else:
            space = _OwnCoordinates(specification, full_rank)
    family = FullRank(space.size) if full_rank else MeanField(space.size)
    average, bounds = closest_normal(space, family, steps, rng, progress)
    with one_blas_thread():
        drawn = family.points(average, rng.standard_normal((options.total, space.size)))
        points = np.array([space.point(z) for z in drawn])
    last = bounds[-steps // 4 :] + space.log_volume
    kind = "Full-rank normal" if full_rank else "Mean-field normal"
    if full_rank is None and space.correlated:
        kind = "Normal"
    note = f"{kind} approximation after {steps} steps; evidence lower bound {last.mean():.2f}."
    return Fit.from_points(space.specification, "advi", points[None], note=note)


class _OwnCoordinates:
    """The flat vector of a specification, in units of its normal approximation at the mode.

    These are its conditional standard deviations, or all of its covariance for full rank, so that
    one step size fits all parameters. A learned prior scale multiplies unit effects: in these
    coordinates the posterior has a proper peak.
    """

    def __init__(self, specification, full_rank):
        require_covariances(specification, "`full_rank`", "Leave it out.")
        if specification.learned_scales:
            specification = specification.replace(centered=False)
        self.specification, self.size = specification, specification.size
        self.mode, _ = find_mode(specification, jacobian=True)
        curvature = curvature_factor(specification, self.mode)
        if full_rank:
            self.basis = linalg.solve_triangular(
                curvature, np.eye(self.size), lower=True, trans="T"
            )
        else:
            # Of all diagonal normals, the best for a normal has its conditional variances.
            self.basis = np.diag(1.0 / np.linalg.norm(curvature, axis=1))
        self.log_volume = np.linalg.slogdet(self.basis)[1]

    def point(self, z):
        return self.mode + self.basis @ z

    def objective(self, z):
        value, gradient = self.specification.objective(self.point(z), jacobian=True)
        return value, gradient @ self.basis
