"""From data to a fit, by any of the methods in `bayesrank.results.methods`."""

import warnings
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.data import Comparisons, Rankings
from bayesrank.inference.existence import require_finite_estimate
from bayesrank.inference.nuts import warn_of_failure
from bayesrank.inference.options import Options
from bayesrank.inference.resumable import fit_stored
from bayesrank.model.likelihoods import default_likelihood, likelihood_called
from bayesrank.model.specification import Specification
from bayesrank.model.terms.adherences import USUAL_SPREAD
from bayesrank.progress import waiting
from bayesrank.results.methods import METHODS
from bayesrank.text import listing

if TYPE_CHECKING:
    from bayesrank.results.fit import Fit
    from bayesrank.results.methods import Method

__all__ = ["fit", "fit_again", "fit_specification"]

GROUPS = ("log_likelihood", "posterior_predictive")


def fit(
    data: Comparisons | Rankings, likelihood: str | None = None, *, method: str = "nuts",
    scale: float | None = None, order_effect: Any = False, features: Any = None,
    item_effects: bool | None = None, draws: int = 1000, tune: int | None = None, chains: int = 4,
    seed: int | None = None, progress: bool = True, store: str | PathLike[str] | None = None,
    groups: Sequence[str] = (), sampler: str = "nutpie", target_accept: float | None = None,
    full_rank: bool | None = None, steps: int | None = None, variances: Any = None,
    adherence: Any = None, weight: Any = None, scores: Any = "constant",
    drift: float | None = None, persistence: float | None = None, ties: Any = "common",
    discrimination: str | None = None, spreads: Any = None,
) -> "Fit":  # fmt: skip
    """Fit a ranking model.

    Parameters
    ----------
    data : Comparisons or Rankings
    likelihood : str, optional
        For comparisons "bradley-terry", "davidson", "rao-kupper", "thurstone-pairs" or
        "glenn-david"; by default "davidson" with ties and "bradley-terry" without. For rankings
        "plackett-luce", "partitioned-plackett-luce" (order inside a block unknown), "pmop",
        "pmop-geometric" and "davidson-luce" (ties as results) or "thurstone"; by default
        "plackett-luce" without ties, "partitioned-plackett-luce" for ratings and with ties of
        more than eight, "davidson-luce" with smaller ties. For either "mpm".
    method : "nuts", "advi", "map" or "laplace"
        Posterior draws by NUTS; draws from a normal approximation fitted by variational
        inference (ADVI) or by curvature at the mode (Laplace); or the mode alone (MAP).
    scale : float, optional
        Prior standard deviation of the items' effects. By default it is learned: NUTS and ADVI
        sample it, Laplace integrates over it, and MAP takes the one of highest evidence.
        Infinity is a flat prior; its MAP is maximum likelihood.
    order_effect, features, item_effects : optional
        Whether the left item has an advantage, what is known of the items or entries, and
        whether items have effects beside their features; see `Specification`.
    draws, tune, chains, seed : int, optional
        Draws per chain, warm-up of NUTS, number of chains. The same seed gives the same result.
    progress : bool
    sampler, target_accept, full_rank, steps : optional
        The first two are for NUTS, the others for ADVI; see `bayesrank.inference.options.Options`.
    store : str or path, optional
        Folder to which NUTS writes its draws while it makes them. After an interruption or a
        crash `resume` goes on from there; at most the last five seconds are lost.
    groups : sequence of str
        "log_likelihood" and "posterior_predictive" compute these groups of ``idata`` right away.
    variances, adherence, weight : optional
        For "mpm": variances of items, adherences of agents (learned, or given, such as 1 or what
        `bayesrank.agreement` says) and power of the likelihood; see `Specification`. MAP has
        weight 1 by default if variances are not learned.
    scores, drift, persistence, ties, discrimination, spreads : optional
        Whether scores move in time or differ between categories, and agents or items in more than
        their scores; see `Specification`.

    Returns
    -------
    Fit

    Examples
    --------
    >>> fit = br.fit(br.load_dataset("pudding"), "davidson", seed=1, progress=False)
    >>> fit.ranking().columns.tolist()
    ['score', 'sd', 'low', 'high', 'rank', 'rank_low', 'rank_high', 'p_best', 'p_top3', 'tier']
    """
    options = Options(
        draws, chains, tune, target_accept, steps, full_rank, sampler, seed=seed, progress=progress
    )
    kind = _checked(method, options, groups, store, data)
    likelihood = default_likelihood(data) if likelihood is None else likelihood
    own = {"variances": variances, "adherence": adherence, "weight": weight}
    if likelihood_called(likelihood, data).has_adherences:
        own |= _own_defaults(kind, **own)
    specification = Specification(
        data, likelihood, scale=scale, order_effect=order_effect, features=features,
        item_effects=item_effects, scores=scores, drift=drift, persistence=persistence, ties=ties,
        discrimination=discrimination, spreads=spreads, **own,
    )  # fmt: skip
    _require_enough(specification)
    result = _run(specification, kind, options, store)
    result.seed = None if seed is None else int(seed)
    warn_of_failure(result)
    _add_groups(result, groups)
    return result


def fit_again(
    fit: "Fit", specification: Specification, *, seed: int | None = None, progress: bool = False,
    start: dict[str, Any] | None = None,
) -> "Fit":  # fmt: skip
    """Return the fit of a similar model by the same method, with as many draws.

    Parameters
    ----------
    fit : Fit
    specification : Specification
        The same model of other data, say.
    seed, progress
        As in `fit`.
    start : dict, optional
        See `bayesrank.inference.options.Options`.
    """
    chains, draws = fit.shape
    options = Options(
        draws, chains, fit.tune, seed=seed, progress=progress, start=start, **fit.options
    )
    _require_enough(specification)
    result = _run(specification, METHODS[fit.method], options)
    result.seed = None if seed is None else int(seed)
    warn_of_failure(result)
    return result


def fit_specification(
    specification: Specification,
    method: str,
    *,
    draws: int = 1000,
    tune: int | None = None,
    chains: int = 4,
    seed: int | None = None,
    progress: bool = False,
    sampler: str = "nutpie",
    target_accept: float | None = None,
    full_rank: bool | None = None,
    steps: int | None = None,
) -> "Fit":
    """Return the fit of a model that is put together already; see `fit`."""
    options = Options(
        draws, chains, tune, target_accept, steps, full_rank, sampler, seed=seed, progress=progress
    )
    return _run(specification, METHODS[method], options)


def _run(specification: Specification, kind: "Method", options: Options, store: Any = None) -> Any:
    """Return the fit of a model by a `Method`."""
    if store is not None:
        return fit_stored(specification, store, options)
    if options.progress:
        with waiting("Compiling, only the first time"):
            # This takes half a minute where nothing has been compiled yet, and no time later on.
            specification.objective(np.zeros(specification.size))
    result = kind.load()(specification, options)
    result.options = options.special
    return result


def _checked(
    method: str, options: Options, groups: Sequence[str], store: Any, data: Any
) -> "Method":
    """Return the row of a method; refuse arguments that cannot work, before any work is done."""
    if method not in list(METHODS):
        raise ValueError(f"`method` must be one of {listing(list(METHODS))}, got {method!r}.")
    kind = METHODS[method]
    options.require_valid()
    options.require_used_by(kind)
    if isinstance(groups, str) or not set(groups) <= set(GROUPS):
        raise ValueError(
            f'`groups` may hold "log_likelihood" and "posterior_predictive", got {groups!r}.'
        )
    if store is not None and not ("store" in kind.options and options.sampler == "nutpie"):
        raise ValueError('`store` is for method="nuts" with nutpie; other methods are soon done.')
    if not isinstance(data, (Comparisons, Rankings)):
        raise TypeError(
            f"`data` must be Comparisons or Rankings, got {type(data).__name__}; make them with "
            "br.Comparisons.from_frame, br.Rankings.from_frame or br.read."
        )
    return kind


def _own_defaults(kind: "Method", *, variances: Any, adherence: Any, weight: Any) -> dict[str, Any]:
    """Return what a method takes for arguments of a model with adherences that were left out.

    A point has weight 1 where variances are not learned: with adherence 1 that ranks by net wins.
    With learned variances a weight of 1 would drown the prior, and the mode would run off
    to variances of zero.
    """
    defaults = {}
    learned = variances is None or (isinstance(variances, (bool, np.bool_)) and bool(variances))
    if kind.is_point and weight is None and not learned:
        defaults["weight"] = 1.0
    if kind.at_mode and isinstance(adherence, str) and adherence == "by-instance":
        # If the spread were learned with what it spreads, the mode would be at a spread of zero.
        defaults["adherence_spread"] = USUAL_SPREAD
    return defaults


def _require_enough(specification: Specification) -> None:
    """Refuse data that fix no estimate under a flat prior; otherwise warn of what they leave open.

    Warnings point at the caller of `fit`.
    """
    if specification.flat:
        require_finite_estimate(specification)
    elif specification.of_preferences:
        _warn_of_the_silent(specification.observation)
    elif specification.item_effects:
        connectivity = specification.data.connectivity()
        if not connectivity.connected:
            warnings.warn(
                f"The data do not link all items: {connectivity}. How these groups stand to each "
                "other comes from the prior alone.",
                stacklevel=3,
            )


def _warn_of_the_silent(observation: Any) -> None:
    """Warn of agents and items of which nothing is known but the prior."""
    if observation.silent and observation.learns_adherence:
        warnings.warn(
            f"{len(observation.silent)} of {len(observation.agents)} agents prefer nothing: "
            f"{listing(observation.silent)}. They are kept; their adherence is that of the prior.",
            stacklevel=4,
        )
    if observation.unseen:
        warnings.warn(
            f"Never preferred to another, nor another to them, of {len(observation.data.items)} "
            f"items: {listing(observation.unseen)}. They are kept, near the middle.",
            stacklevel=4,
        )


def _add_groups(result: "Fit", groups: Sequence[str]) -> None:
    """Compute the groups of ``idata`` that were asked for."""
    if "log_likelihood" in groups:
        result.log_likelihood()
    if "posterior_predictive" in groups:
        result.posterior_predictive(seed=result.seed)
