"""The posterior mode by L-BFGS on the kernel objective, and the normal approximation there."""

import warnings

import numpy as np
from scipy import linalg, optimize

from bayesrank.results import Fit

__all__ = ["curvature_factor", "find_mode", "fit_laplace", "fit_map", "hessian"]


def find_mode(specification, *, jacobian=False):
    """Return the unconstrained mode and SciPy's report."""
    # Divided by the number of results, the gradient's tolerance has the same meaning for ten
    # games and for ten million.
    total = specification.observation.information

    def loss(x):
        value, gradient = specification.objective(x, jacobian=jacobian)
        return -value / total, -gradient / total

    report = optimize.minimize(
        loss, np.zeros(specification.size), jac=True, method="L-BFGS-B",
        options={"maxiter": 20_000, "maxfun": 40_000, "maxcor": 20, "ftol": 0.0, "gtol": 1e-9},
    )  # fmt: skip
    # At the last digit the line search may give up although the gradient is all but zero.
    steepest = np.max(np.abs(report.jac))
    if not report.success and steepest > 1e-6:
        warnings.warn(
            f"The optimiser stopped early ({report.message}), with a gradient of "
            f"{steepest:.1g} per result.",
            stacklevel=4,
        )
    return report.x, report


def fit_map(specification):
    """Return the posterior mode in the space of the parameters themselves."""
    mode, report = find_mode(specification)
    note = (
        f"{'Maximum likelihood' if specification.flat else 'Posterior mode'} after {report.nit} "
        f"steps; largest gradient {np.max(np.abs(report.jac)):.1g} per result."
    )
    return Fit.from_unconstrained(specification, "map", mode[None, :], note)


def hessian(specification, x, *, jacobian=True):
    """Return the Hessian of the log-posterior, by central differences of the exact gradient."""
    n = len(x)
    columns = np.empty((n, n))
    step = np.finfo(float).eps ** (1 / 3)
    for k in range(n):
        shift = np.zeros(n)
        shift[k] = step * (1.0 + abs(x[k]))
        ahead = specification.objective(x + shift, jacobian=jacobian)[1]
        behind = specification.objective(x - shift, jacobian=jacobian)[1]
        columns[k] = (ahead - behind) / (2.0 * shift[k])
    return (columns + columns.T) / 2.0


def curvature_factor(specification, mode):
    """Return the lower Cholesky factor of minus the Hessian at the mode."""
    try:
        return linalg.cholesky(-hessian(specification, mode), lower=True)
    except linalg.LinAlgError:
        raise ValueError(
            "The posterior has no proper peak (its curvature there is not negative definite), "
            'so it has no normal approximation; use method="nuts".'
        ) from None


def fit_laplace(specification, draws, seed):
    """Return draws from the normal approximation at the mode of the unconstrained density."""
    mode, _ = find_mode(specification, jacobian=True)
    factor = curvature_factor(specification, mode)
    noise = np.random.default_rng(seed).standard_normal((len(mode), draws))
    points = mode + linalg.solve_triangular(factor, noise, lower=True, trans="T").T
    note = "Normal approximation at the posterior mode, on the unconstrained scale."
    return Fit.from_unconstrained(specification, "laplace", points, note)
