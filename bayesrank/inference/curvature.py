"""How sharply a log-posterior bends at its mode, and the normal approximation that follows."""

import warnings
from contextlib import contextmanager

import numpy as np
from scipy import linalg

from bayesrank.inference.threads import one_blas_thread
from bayesrank.model.parameters import ZeroSum
from bayesrank.progress import progress_bar
from bayesrank.text import listing, option

__all__ = [
    "DENSE",
    "UNEVEN",
    "curvature_factor",
    "diagonal",
    "hessian",
    "newton_step",
    "precision",
    "proper_peak",
    "require_covariances",
    "require_curvature",
    "solve",
    "whitened",
]

_STEP = np.finfo(float).eps ** (1 / 3)
_LARGEST = 10_000  # free numbers whose covariances, 0.8 GB, are held several times
# With so many results, what follows from a handful of them is lost among the last digits of
# what follows from the others, unless one looks along the right directions.
UNEVEN = 1e6
DENSE = 500  # free numbers up to which that is affordable
_SHARE = 0.01  # of a standard deviation: the step where these are known


def _differences(gradient, x, steps, basis=None, progress=False):
    """Return second derivatives along the columns of a basis, by differences of a gradient.

    ``steps`` is how far to go along each column. Without a basis the columns are the coordinates.
    """
    rows = []
    with progress_bar("Curvature", len(steps), progress) as advance, one_blas_thread():
        for k, step in enumerate(steps):
            shift = np.zeros_like(x) if basis is None else step * basis[:, k]
            if basis is None:
                shift[k] = step
            change = (gradient(x + shift) - gradient(x - shift)) / (2.0 * step)
            rows.append(change if basis is None else change @ basis)
            advance()
    matrix = np.array(rows)
    return (matrix + matrix.T) / 2.0


def hessian(specification, x, *, jacobian=True, progress=False):
    """Return the Hessian of the log-posterior, by central differences of the exact gradient."""

    def gradient(at):
        return specification.objective(at, jacobian=jacobian)[1]

    return _differences(gradient, x, _STEP * (1.0 + np.abs(x)), progress=progress)


def whitened(gradient, x, basis=None):
    """Return a basis along whose columns the second derivatives are one.

    Parameters
    ----------
    gradient : callable
        Gradient of minus the log-posterior.
    x : ndarray
    basis : ndarray, optional
        An earlier answer, nearby or less exact: along its columns no direction outweighs another.
    """
    steps = _STEP * (1.0 + np.abs(x)) if basis is None else np.full(basis.shape[1], _SHARE)
    values, turn = linalg.eigh(_differences(gradient, x, steps, basis))
    values = np.maximum(np.abs(values), 1e-14 * np.abs(values).max())
    return (turn if basis is None else basis @ turn) / np.sqrt(values)


def diagonal(gradient, x, probes=16):
    """Return roughly the second derivatives by each coordinate, from random signs (Hutchinson)."""
    rng = np.random.default_rng(0)
    step, total = 1e-4, np.zeros_like(x)
    with one_blas_thread():
        for _ in range(probes):
            sign = rng.choice([-1.0, 1.0], size=x.size)
            change = gradient(x + step * sign) - gradient(x - step * sign)
            total += sign * change / (2.0 * step)
    return total / probes


def newton_step(gradient, x, slope):
    """Return the step that Newton would take, and how many standard deviations that is.

    ``slope`` is the gradient of minus the log-posterior at ``x``.
    """
    bend = np.abs(diagonal(gradient, x)) + 1e-12
    step, gain = _conjugate_gradients(gradient, x, slope, bend, 1e-8)
    return step, np.sqrt(gain)


def solve(gradient, x, right, bend, least=1e-6):
    """Return the solution y of H y = right, where H is the Hessian of minus the log-posterior.

    Parameters
    ----------
    gradient : callable
        Gradient of minus the log-posterior.
    x : ndarray
        Where the Hessian is taken.
    right : ndarray
    bend : ndarray
        Roughly the diagonal of the Hessian.
    least : float
        Share of the squared residual that may be left.
    """
    return -_conjugate_gradients(gradient, x, right, bend, least)[0]


def _conjugate_gradients(gradient, x, slope, bend, share):
    """Return the step -H^-1 slope, and its squared length in standard deviations.

    Products with the Hessian H are differences of the gradient.
    """
    step, rest = np.zeros_like(x), slope.copy()
    scaled = rest / bend
    way, size = scaled.copy(), rest @ scaled
    least, gain = share * size, 0.0
    with one_blas_thread():
        for _ in range(200):
            if not size > least:
                break
            length = _SHARE / np.sqrt(way @ (bend * way))
            change = (gradient(x + length * way) - gradient(x - length * way)) / (2.0 * length)
            along = way @ change
            if not along > 0.0:
                # No bowl here: downhill, if nothing else was found yet.
                step, gain = (-way, size) if gain == 0.0 else (step, gain)
                break
            step -= size / along * way
            gain += size / along * size
            rest -= size / along * change
            scaled = rest / bend
            before, size = size, rest @ scaled
            way = scaled + size / before * way
    return step, gain


def precision(specification, mode, progress=False):
    """Return minus the Hessian at the mode."""
    if specification.observation.information <= UNEVEN or specification.size > DENSE:
        return -hessian(specification, mode, progress=progress)

    def gradient(at):
        return -specification.objective(at, jacobian=True)[1]

    basis = whitened(gradient, mode)
    inverse = linalg.inv(basis)
    return inverse.T @ _differences(gradient, mode, np.full(len(mode), _SHARE), basis) @ inverse


def curvature_factor(specification, mode, progress=False):
    """Return the lower Cholesky factor of minus the Hessian at the mode."""
    with one_blas_thread(), proper_peak():
        return linalg.cholesky(precision(specification, mode, progress), lower=True)


@contextmanager
def proper_peak():
    """Raise an error with a sentence where a posterior has no normal approximation."""
    try:
        yield
    except linalg.LinAlgError:
        raise ValueError(
            "The posterior has no proper peak (its curvature there is not negative definite), "
            f"so it has no normal approximation; use {option('method', 'nuts')}."
        ) from None


def require_covariances(specification, what, remedy):
    """Refuse more free numbers than a matrix of their covariances has room for."""
    if specification.size > _LARGEST:
        raise ValueError(
            f"{what} holds the covariances of all free numbers, {_LARGEST:,} at most; this model "
            f"has {specification.size:,}. {remedy}"
        )


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
        f"fall along a direction of {listing(along)}. Give a finite prior scale, such as "
        f"{option('scale', 1.0)}."
    )
