"""Posterior draws by NUTS."""

import numpy as np

from bayesrank.inference.mode import find_mode
from bayesrank.results import Fit

__all__ = ["fit_nuts"]


def fit_nuts(specification, *, draws, tune, chains, seed, progress, sampler, target_accept):
    """Return posterior draws by nutpie's NUTS or PyMC's own."""
    from bayesrank import _compat

    if sampler not in ("nutpie", "pymc"):
        raise ValueError(f'`sampler` must be "nutpie" or "pymc", got {sampler!r}.')
    if specification.learns_scale:
        specification = specification.replace(centered=_tells_items_apart(specification))
        if target_accept is None:
            # At 0.8 some of the shipped data sets show divergences, at these rates hardly any.
            target_accept = 0.9 if specification.centered else 0.98
    idata = _compat.sample_nuts(
        specification.pymc(),
        draws=draws,
        tune=tune,
        chains=chains,
        seed=seed,
        progress=progress,
        sampler=sampler,
        target_accept=target_accept or 0.8,
    )
    return Fit.from_idata(specification, "nuts", idata)


def _tells_items_apart(specification):
    """Whether items differ by more than their own uncertainty.

    Then the data fix the scores, and a scale that multiplied unit effects would move against
    all of them at once; otherwise scores drawn at that scale would make a funnel.
    """
    fixed = specification.replace(scale=1.0, features=None, item_effects=True)
    mode, _ = find_mode(fixed)
    values = fixed.split(mode)
    information = _information(fixed.observation, values)
    return bool(np.var(values["score"]) > 2.0 * np.mean(1.0 / np.maximum(information, 1e-3)))


def _information(observation, values, probes=16):
    """Return roughly what the data say of each score: the diagonal of minus the Hessian.

    By differences of the gradient along random signs (Hutchinson's estimator).
    """
    rng = np.random.default_rng(0)
    step, total = 1e-4, np.zeros_like(values["score"])
    for _ in range(probes):
        sign = rng.choice([-1.0, 1.0], size=total.size)
        ahead, behind = (
            observation.value_and_gradients(values | {"score": values["score"] + way * step * sign})
            for way in (1.0, -1.0)
        )
        total += sign * (behind[1]["score"] - ahead[1]["score"]) / (2.0 * step)
    return total / probes
