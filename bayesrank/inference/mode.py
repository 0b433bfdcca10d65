"""The posterior mode by L-BFGS on the kernel objective."""

import warnings

import numpy as np
from scipy import optimize
from scipy.special import expit, logit

from bayesrank.inference.curvature import UNEVEN, newton_step, whitened
from bayesrank.inference.threads import one_blas_thread
from bayesrank.progress import progress_bar

__all__ = ["find_mode", "is_sharp", "sharpened"]

_EDGE = 1e-12  # how close to 0 and 1 an adherence is taken
# In posterior standard deviations: how near Newton's steps lead, where only these do, and what
# nobody need be told.
_CLOSE, _NEAR = 1e-4, 1e-2
_FEW = 100  # free numbers for which Newton's equations are solved by a matrix


def find_mode(specification, *, jacobian=False, progress=False, start=None):
    """Return the unconstrained mode and SciPy's report.

    ``start`` is a vector nearby, such as the mode at another prior scale.
    """
    # Divided by the number of results, the gradient's tolerance has the same meaning for ten
    # games and for ten million.
    total = specification.observation.information
    # The mode of an adherence may be 0 or 1. There its logit would run off to infinity, so it is
    # sought between bounds, as what it is.
    bounded = np.zeros(specification.size, dtype=bool)
    if not jacobian:
        bounded = _bounded(specification)
    unit, tolerance = _units(specification)

    some_bounded = bool(bounded.any())

    def placed(z):
        """Return the unconstrained vector, and the adherences in it."""
        x, p = z * unit, None
        if some_bounded:
            p = np.minimum(np.maximum(x[bounded], _EDGE), 1.0 - _EDGE)
            x[bounded] = logit(p)
        return x, p

    def loss(z, per=1.0):
        x, p = placed(z)
        value, gradient = specification.objective(x, jacobian=jacobian)
        if some_bounded:
            gradient[bounded] /= p * (1.0 - p)
        advance()
        return -value / per, gradient * (-unit / per)

    def mean_loss(z):
        return loss(z, total)

    # Models whose ties add up worths have saddle points where items are alike: start off them.
    known = start is not None
    start = start.copy() if known else np.zeros(specification.size)
    if not known and not specification.observation.concave:
        start = np.random.default_rng(0).normal(scale=0.1, size=specification.size)
    start[bounded] = expit(start[bounded]) if known else 0.5
    low, high = np.where(bounded, 0.0, -np.inf), np.where(bounded, 1.0 / unit, np.inf)
    bounds = optimize.Bounds(low, high) if some_bounded else None
    options = {
        "maxiter": 20_000, "maxfun": 40_000, "maxcor": 20, "ftol": 0.0, "gtol": tolerance,
    }  # fmt: skip
    steps, off, start = 0, 0.0, start / unit
    with progress_bar("Mode", None, progress) as advance, one_blas_thread():
        for _ in range(10):
            report = optimize.minimize(
                mean_loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options
            )
            steps += report.nit
            # Where a bound is nearer than a step along the slope, the way there is what is left.
            slope = report.x - np.clip(report.x - report.jac, low, high)
            # Where several adherences reach their ends at once, L-BFGS-B takes a step that leads
            # nowhere for the end of all steps: it finds its way if it starts afresh from there.
            still = np.array_equal(report.x, start) or np.max(np.abs(slope)) <= tolerance
            if still or not some_bounded:
                break
            start = report.x
        # With very many results a gradient that is small beside their number may be large for the
        # few of some item; and at its last digits L-BFGS gives up, with or without reason.
        # Where steps are in units of standard deviations, the gradient itself tells how far it is.
        known = specification.observation.curvature is not None
        there = known and np.abs(slope).max() * total < 0.1 * _NEAR
        if (total > UNEVEN or not report.success) and not there:
            close = _CLOSE if total > UNEVEN else _NEAR
            report.x, slope, off = _newton(loss, report.x, low, high, close)
            slope /= total
    report.nit, report.jac = steps, slope / unit
    if off > _NEAR:
        warnings.warn(
            f"The optimiser stopped early, about {off:.1g} posterior standard deviations from the "
            "mode.",
            stacklevel=4,
        )
    return placed(report.x)[0], report


def is_sharp(specification):
    """Return whether the mode has no bounds, and one size of step is good for all numbers."""
    return specification.observation.curvature is None and not _bounded(specification).any()


def sharpened(specification, x):
    """Return the mode to more digits, and the slope there, by one more of Newton's steps.

    From where the search started then makes no difference to nine digits. Where that `is_sharp`
    does not hold, the mode stays as it is.
    """

    def gradient(at):
        return -specification.objective(at)[1]

    slope = gradient(x)
    if not is_sharp(specification):
        return x, slope
    with one_blas_thread():
        if x.size > _FEW:
            step, _ = newton_step(gradient, x, slope)
        else:
            basis = whitened(gradient, x)
            step = -basis @ (slope @ basis)
        ahead = gradient(x + step)
    better = np.abs(ahead).max() < np.abs(slope).max()
    return (x + step, ahead) if better else (x, slope)


def _held(z, slope, low, high):
    """Return where the slope pushes against a bound."""
    return ((z <= low) & (slope > 0)) | ((z >= high) & (slope < 0))


def _newton(loss, z, low, high, close):
    """Go on from where the gradient is small beside the number of all results.

    Items of a handful of results may be far from their mode there. Newton's steps are right in
    standard deviations of each direction, whatever those of others are.

    Returns
    -------
    tuple
        The minimum, the slope there, and about how many standard deviations it may be off.
    """
    previous, stalled = np.inf, False
    value, slope = loss(z)
    for _ in range(400 if z.size <= _FEW else 20):
        held = _held(z, slope, low, high)
        inward, free = np.where(held, 0.0, slope), ~held
        if held.all():
            return z, inward, 0.0

        def gradient(part, z=z, free=free):
            whole = z.copy()
            whole[free] = part
            return loss(whole)[1][free]

        step = np.zeros_like(z)
        if z.size > _FEW:
            step[free], off = newton_step(gradient, z[free], inward[free])
        else:
            # Slower, but right to more digits where counts differ by a factor of 1e10.
            basis = whitened(gradient, z[free], whitened(gradient, z[free]))
            turned = inward[free] @ basis
            step[free], off = -basis @ turned, np.linalg.norm(turned)
        if off < close or (stalled and off > 0.5 * previous):
            break
        # Near the minimum values differ by rounding alone, and the gradient knows better.
        rounding = 8.0 * np.finfo(float).eps * abs(value)
        for halved in range(40):
            ahead = np.clip(z + 0.5**halved * step, low, high)
            found, there = loss(ahead)
            if found <= value + rounding:
                break
        else:
            break
        stalled, previous = found >= value - rounding, off
        z, value, slope = ahead, found, there
    return z, inward, off


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
        prior = 1.0 / np.square(parameter.sigma)
        parts.append(np.broadcast_to(by_data + prior, parameter.size))
    unit = 1.0 / np.sqrt(np.maximum(np.concatenate(parts), 1e-6))
    # To a ten-thousandth of a standard deviation, unless the sum over very many results changes by
    # less than its rounding there: the search would only waste its last steps.
    information = specification.observation.information
    near = max(1e-4, 8.0 * np.sqrt(np.finfo(float).eps * information))
    return unit, near / information


def _bounded(specification):
    """Return which of the free numbers are logits of what may be 0 or 1."""
    mask = [np.full(parameter.size, parameter.bounded) for parameter in specification.parameters]
    return np.concatenate(mask) if mask else np.zeros(0, dtype=bool)
