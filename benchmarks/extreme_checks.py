"""What must hold of every result at the extremes: it is finite, and right where it is known."""

import numpy as np

from bayesrank.inference.curvature import hessian
from bayesrank.inference.mode import find_mode
from bayesrank.kernels.posterior.transforms import PROBABILITY

__all__ = ["Wrong", "check_fit", "check_mode", "check_objective", "vectors"]

SIZES = (1e-6, 1e-3, 1.0, 10.0, 40.0, 100.0, 300.0, 700.0)
# Larger scores, which a large scale makes of large effects, must give numbers, but the slopes need
# not be exact: there the integrals of Thurstone's model with normal noise are e to the minus 10^8.
FURTHEST = 1e4


class Wrong(Exception):
    """A result that is not as it must be."""


def _require(condition, what):
    if not condition:
        raise Wrong(what)


def _require_finite(what, values):
    values = np.asarray(values, dtype=float)
    bad = ~np.isfinite(values)
    _require(not bad.any(), f"{bad.sum()} of {values.size} of {what} not finite")


def vectors(model):
    """Yield names and flat vectors from near zero to far beyond anything a sampler should see."""
    n, rng = model.size, np.random.default_rng(0)
    sign = np.where(np.arange(n) % 2, -1.0, 1.0)
    shapes = {"all": np.ones(n), "alternating": sign, "first": np.eye(n)[0], "last": np.eye(n)[-1]}
    shapes["random"] = rng.uniform(-1.0, 1.0, n)
    yield "zero", np.zeros(n)
    for size in SIZES:
        for name, shape in shapes.items():
            yield f"{name} {size:g}", size * shape
            yield f"{name} {-size:g}", -size * shape


def check_objective(model):
    """Require that values and gradients at extreme vectors are numbers and agree with each other.

    Minus infinity is a value. Where it is, the gradient may be infinite, too.
    """
    ends = np.array([p.kind == PROBABILITY for p in model.parameters for _ in range(p.size)])
    wrong = []
    for name, x in vectors(model):
        for jacobian in (False, True):
            value, gradient = model.objective(x, jacobian=jacobian)
            if not value < np.inf:
                wrong.append(f"value {value} at {name}")
            elif np.isnan(gradient).any():
                wrong.append(f"gradient nan, value {value:.3g} at {name}")
            elif np.isfinite(value) and not np.isfinite(gradient).all():
                wrong.append(f"gradient infinite, value {value:.3g} at {name}")
            # A probability within rounding of 0 or 1 is kept off them.
            elif np.isfinite(value) and np.abs(x[ends]).max(initial=0.0) < 30.0 and not jacobian:
                if np.abs(model.split(x)["score"]).max() > FURTHEST:
                    continue
                slopes = _slopes_apart(model, x, value, gradient)
                if slopes is not None:
                    wrong.append("slope {:.6g}, gradient's {:.6g} at {}".format(*slopes, name))
    wrong = list(dict.fromkeys(wrong))
    where = f"{model!r}" + ", not centered" * (not model.centered)
    more = f" and {len(wrong) - 4} more" if len(wrong) > 4 else ""
    _require(not wrong, f"{'; '.join(wrong[:4])}{more} of {where}")


def _slopes_apart(model, x, value, gradient):
    """Return the slope by differences of values and by the gradient, if no step makes them one."""
    direction = np.random.default_rng(1).uniform(0.5, 1.5, model.size)
    direction /= np.linalg.norm(direction)
    if model.learns_scale and model.centered:
        # Scores are of the size of their prior scale, which is the first.
        direction[1 : len(model.data.items)] *= min(1.0, np.exp(x[0]))
    expected, found = gradient @ direction, np.nan
    for step in (1e-3, 1e-5, 1e-7):
        ahead, behind = (model.objective(x + way * step * direction)[0] for way in (1.0, -1.0))
        slope = (ahead - behind) / (2.0 * step)
        # Thurstone's values have ten digits or so, others have all.
        allowed = 1e-3 * max(1.0, np.abs(gradient).max()) + 1e-10 * abs(value) / step
        if abs(slope - expected) <= allowed:
            return None
        if not abs(slope - expected) >= abs(found - expected):
            found = slope
    return found, expected


def check_mode(fit, said):
    """Require that a Newton step from the mode does not raise the log-posterior."""
    model = fit.specification
    if model.learns_scale:
        model = model.replace(scale=float(fit.posterior["scale"][0, 0]))
    mode, _ = find_mode(model)
    value, gradient = model.objective(mode)
    _require_finite("the objective at the mode", [value])
    _require_finite("the gradient at the mode", gradient)
    if model.size > 60 or any("stopped early" in text for text in said):
        return
    values, turn = np.linalg.eigh(-hessian(model, mode, jacobian=False))
    _require_finite("the curvature at the mode", values)
    # Adherences of 0 and 1 are at the end of where they may be.
    inner = np.array([p.name != "adherence" for p in model.parameters for _ in range(p.size)])
    kept = values > 1e-13 * values[-1]
    step = turn[:, kept] @ ((turn.T @ (gradient * inner))[kept] / values[kept]) * inner
    gain = max(model.objective(mode + part * step)[0] - value for part in (1.0, 0.3, 0.1, 0.01))
    _require(
        gain < 0.01, f"no mode: a Newton step raises the log-posterior by {gain:.2g}, none is said"
    )


def check_fit(fit, situation, said):
    """Require that everything that a fit says is finite."""
    point = fit.method == "map"
    for name, values in fit.posterior.items():
        _require_finite(f"the draws of {name}", values)
    table = fit.ranking()
    _require_finite("the ranking", table[["score", "rank"]] if point else table)
    table = fit.parameters()
    _require_finite("the parameters", table["mean"] if point else table)
    if "variance" in fit.posterior:
        table = fit.items()
        _require_finite("the items", table[["score", "rank"]] if point else table)
    values = fit.values(0) if not point else {name: v[0, 0] for name, v in fit.posterior.items()}
    observation = fit.specification.observation
    _require_finite("the log-likelihood", observation.log_likelihood(values))
    if point:
        check_mode(fit, said)
    else:
        spread = fit.scores().std(axis=0)
        _require(spread.min() > 0.0, "the scores do not vary")
        if situation.sd is not None:
            n = spread.size
            ratio = np.sqrt(np.mean(spread**2) * n / (n - 1)) / situation.sd
            _require(0.8 < ratio < 1.25, f"standard deviations are {ratio:.3g} times the prior's")
    if fit.method == "nuts":
        found = fit.diagnostics()
        if found.divergences or found.max_rhat > 1.1:
            said.append(found.summary)
