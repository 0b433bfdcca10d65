"""The posterior mode by L-BFGS on the kernel objective, and the normal approximation there."""

import warnings

import numpy as np
from scipy import linalg, optimize
from scipy.special import logit

from bayesrank.inference.threads import one_blas_thread
from bayesrank.parameters import ZeroSum
from bayesrank.progress import progress_bar
from bayesrank.results import Fit
from bayesrank.wording import listing

__all__ = [
    "curvature_factor",
    "find_mode",
    "fit_laplace",
    "fit_map",
    "hessian",
    "require_curvature",
]

_EDGE = 1e-12  # how close to 0 and 1 an adherence is taken


def find_mode(specification, *, jacobian=False, progress=False):
    """Return the unconstrained mode and SciPy's report."""
    # Divided by the number of results, the gradient's tolerance has the same meaning for ten
    # games and for ten million.
    total = specification.observation.information
    # The mode of an adherence may be 0 or 1. There its logit would run off to infinity, so it is
    # sought between bounds, as what it is.
    bounded = np.zeros(specification.size, dtype=bool)
    if not jacobian:
        bounded = _bounded(specification)
    unit, tolerance = _units(specification)

    def unconstrained(z):
        x = z * unit
        x[bounded] = logit(np.clip(x[bounded], _EDGE, 1.0 - _EDGE))
        return x

    def loss(z):
        value, gradient = specification.objective(unconstrained(z), jacobian=jacobian)
        p = np.clip(z[bounded] * unit[bounded], _EDGE, 1.0 - _EDGE)
        gradient[bounded] /= p * (1.0 - p)
        advance()
        return -value / total, -gradient * unit / total

    # Models whose ties add up worths have saddle points where items are alike: start off them.
    start = np.zeros(specification.size)
    if not specification.observation.concave:
        start = np.random.default_rng(0).normal(scale=0.1, size=specification.size)
    start[bounded] = 0.5
    low, high = np.where(bounded, 0.0, -np.inf), np.where(bounded, 1.0 / unit, np.inf)
    bounds = optimize.Bounds(low, high) if bounded.any() else None
    options = {
        "maxiter": 20_000, "maxfun": 40_000, "maxcor": 20, "ftol": 0.0, "gtol": tolerance,
    }  # fmt: skip
    steps, start = 0, start / unit
    with progress_bar("Mode", None, progress) as advance, one_blas_thread():
        for _ in range(10):
            report = optimize.minimize(
                loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options
            )
            steps += report.nit
            # What pushes against a bound is no gradient.
            held = ((report.x <= low) & (report.jac > 0)) | ((report.x >= high) & (report.jac < 0))
            slope = np.where(held, 0.0, report.jac)
            # Where several adherences reach their ends at once, L-BFGS-B takes a step that leads
            # nowhere for the end of all steps: it finds its way if it starts afresh from there.
            still = np.array_equal(report.x, start) or np.max(np.abs(slope)) <= tolerance
            if still or not bounded.any():
                break
            start = report.x
    report.nit, report.jac = steps, slope / unit
    # At the last digit the line search may give up although the gradient is all but zero.
    steepest = np.max(np.abs(report.jac))
    if not report.success and steepest > 1e-6:
        warnings.warn(
            f"The optimiser stopped early ({report.message}), with a gradient of "
            f"{steepest:.1g} per result.",
            stacklevel=4,
        )
    return unconstrained(report.x), report


def _units(specification):
    """Return the size of a step for each free number, and the tolerance of the gradient.

    Where many instances are fitted together, some with a hundred times the data of others, steps
    in units of what one expects the standard deviations to be make one problem of all.
    """
    curvature = specification.observation.curvature
    if curvature is None:
        return np.ones(specification.size), 1e-9
    parts = []
    for parameter in specification.parameters:
        by_data = curvature.get(parameter.name, 0.0)
        prior = 1.0 / np.square(getattr(parameter, "sigma", 1.0))
        parts.append(np.broadcast_to(by_data + prior, parameter.size))
    unit = 1.0 / np.sqrt(np.maximum(np.concatenate(parts), 1e-6))
    # To a hundred-thousandth of a standard deviation.
    return unit, 1e-5 / specification.observation.information


def _bounded(specification):
    """Return which of the free numbers are logits of adherences."""
    mask = [
        np.full(parameter.size, parameter.name == "adherence")
        for parameter in specification.parameters
    ]
    return np.concatenate(mask) if mask else np.zeros(0, dtype=bool)


def require_curvature(specification, mode):
    """Refuse a point that only looks like a maximum: the likelihood goes on along some direction.

    Only where no exact condition was checked before, and the Hessian is affordable.
    """
    if specification.settled:
        return
    if specification.size > 300:
        warnings.warn(
            "Whether the maximum-likelihood estimate exists was not checked, for the number of "
            "parameters: look for scores far from all others.",
            stacklevel=4,
        )
        return
    values, vectors = linalg.eigh(-hessian(specification, mode, jacobian=False))
    # One result between two items has a curvature of a quarter.
    if values[0] > 1e-3 * specification.observation.mean_weight:
        return
    start, along = 0, []
    for parameter in specification.parameters:
        part = vectors[start : start + parameter.size, 0]
        start += parameter.size
        if np.abs(part).max() < 0.1:
            continue
        if isinstance(parameter, ZeroSum):
            moves = np.abs(parameter.constrain(part))
            along += [str(specification.data.items[k]) for k in np.flatnonzero(moves > 0.1)]
        else:
            along.append(parameter.name.removesuffix("_standardized"))
    raise ValueError(
        "The maximum-likelihood estimate does not exist or is not unique: the likelihood does not "
        f"fall along a direction of {listing(along)}. Give a finite prior `scale`, such as 1."
    )


def fit_map(specification, progress=False):
    """Return the posterior mode in the space of the parameters themselves."""
    mode, report = find_mode(specification, progress=progress)
    if specification.flat:
        require_curvature(specification, mode)
    note = (
        f"{'' if specification.observation.concave else 'There may be other modes. '}"
        f"{'Maximum likelihood' if specification.flat else 'Posterior mode'} after {report.nit} "
        f"steps; largest gradient {np.max(np.abs(report.jac)):.1g} per result."
    )
    return Fit.from_points(specification, "map", mode[None, None], note=note)


def hessian(specification, x, *, jacobian=True, progress=False):
    """Return the Hessian of the log-posterior, by central differences of the exact gradient."""
    n = len(x)
    columns = np.empty((n, n))
    step = np.finfo(float).eps ** (1 / 3)
    with progress_bar("Curvature", n, progress) as advance, one_blas_thread():
        for k in range(n):
            shift = np.zeros(n)
            shift[k] = step * (1.0 + abs(x[k]))
            ahead = specification.objective(x + shift, jacobian=jacobian)[1]
            behind = specification.objective(x - shift, jacobian=jacobian)[1]
            columns[k] = (ahead - behind) / (2.0 * shift[k])
            advance()
    return (columns + columns.T) / 2.0


def curvature_factor(specification, mode, progress=False):
    """Return the lower Cholesky factor of minus the Hessian at the mode."""
    try:
        with one_blas_thread():
            return linalg.cholesky(-hessian(specification, mode, progress=progress), lower=True)
    except linalg.LinAlgError:
        raise ValueError(
            "The posterior has no proper peak (its curvature there is not negative definite), "
            'so it has no normal approximation; use method="nuts".'
        ) from None


def fit_laplace(specification, draws, seed, progress=False):
    """Return draws from the normal approximation at the mode of the unconstrained density."""
    mode, _ = find_mode(specification, jacobian=True, progress=progress)
    if specification.flat:
        require_curvature(specification, mode)
    factor = curvature_factor(specification, mode, progress)
    noise = np.random.default_rng(seed).standard_normal((len(mode), draws))
    with one_blas_thread():
        points = mode + linalg.solve_triangular(factor, noise, lower=True, trans="T").T
    note = "Normal approximation at the posterior mode, on the unconstrained scale."
    return Fit.from_points(specification, "laplace", points[None], note=note)
