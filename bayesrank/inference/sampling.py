"""Draws from a PyMC model of the user's own."""

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import _compat

if TYPE_CHECKING:
    import pymc as pm

__all__ = ["sample"]

_ENOUGH = 400  # effective draws


def sample(
    model: "pm.Model | None" = None,
    *,
    draws: int = 1000,
    tune: int = 1000,
    chains: int = 4,
    seed: int | None = None,
    progress: bool = True,
    target_accept: float = 0.9,
) -> Any:
    """Sample a PyMC model of your own by nutpie's NUTS, compiled with Numba.

    It is `pm.sample` with settings that suit ranking models, on both versions of PyMC; the
    results are PyMC's. Where the draws are not good enough, one warning says so and what to do.

    Parameters
    ----------
    model : pm.Model, optional
        By default the one of the context.
    draws, tune, chains : int
        Draws and warm-up of each chain, and the number of chains.
    seed : int, optional
    progress : bool
    target_accept : float
        Acceptance rate to aim at: higher is slower, and reaches narrower corners.

    Returns
    -------
    InferenceData or DataTree
        As ArviZ has them: the groups posterior, sample_stats, observed_data, and so on.

    Examples
    --------
    >>> games = br.load_dataset("baseball")
    >>> with pm.Model(coords=games.coords) as model:
    ...     score = pm.ZeroSumNormal("score", 1.0, dims="item")
    ...     y = br.BradleyTerry(
    ...         "y", score[games.left], score[games.right], observed=games.counts
    ...     )
    >>> idata = br.sample(model, draws=500, seed=1, progress=False)
    >>> br.ScoreDraws(idata["posterior"]["score"]).ranking().index[0]
    'Milwaukee'
    """
    pm = _compat.pymc()
    try:
        model = pm.modelcontext(model)
    except TypeError:
        raise TypeError(
            "`model` must be a PyMC model, given or by `with model:`, got "
            f"{'none' if model is None else type(model).__name__}."
        ) from None
    idata = _compat.sample_model(
        model, draws=draws, tune=tune, chains=chains, seed=seed, progress=progress,
        sampler="nutpie", target_accept=target_accept,
    )  # fmt: skip
    problems = _problems(idata, target_accept)
    if problems:
        warnings.warn(f"Do not trust these draws yet. {' '.join(problems)}", stacklevel=2)
    return idata


def _problems(idata: Any, target_accept: float) -> list[str]:
    """Return sentences on what is wrong with draws, and what to do."""
    az = _compat.arviz()
    draws = _compat.to_dataset(idata, "posterior")
    found = []
    diverged = int(idata["sample_stats"]["diverging"].sum())
    if diverged:
        smaller = 1.0 - 0.5 * (1.0 - target_accept)
        found.append(
            f"{diverged} of {draws.sizes['chain'] * draws.sizes['draw']:,} draws diverged: take "
            f"smaller steps, target_accept={smaller:.3g}, or multiply standard normal effects by "
            "their spread instead of drawing them with it."
        )
    with np.errstate(all="ignore"):  # of what does not vary
        rhat = max(float(values.max()) for values in az.rhat(draws).values())
        effective = min(float(values.min()) for values in az.ess(draws).values())
    if rhat > 1.01:
        found.append(f"R-hat is up to {rhat:.3f}: the chains do not agree; double `tune`, `draws`.")
    if effective < _ENOUGH:
        found.append(f"The effective sample size is down to {effective:.0f}: make more draws.")
    return found
