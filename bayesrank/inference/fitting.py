"""From data to a fit: NUTS, ADVI, MAP (or maximum likelihood) and Laplace."""

import warnings
from numbers import Integral

import numpy as np

from bayesrank.data import Comparisons, Rankings
from bayesrank.inference.existence import require_finite_estimate
from bayesrank.inference.laplace import fit_laplace
from bayesrank.inference.nuts import fit_nuts, warn_of_failure
from bayesrank.inference.point import fit_map
from bayesrank.inference.resumable import fit_stored
from bayesrank.inference.variational import fit_advi
from bayesrank.model.likelihoods import PREFERENCE_LIKELIHOODS, default_likelihood
from bayesrank.model.preference_observation import ADHERENCE_SPREAD
from bayesrank.model.specification import Specification
from bayesrank.progress import waiting
from bayesrank.text import listing

__all__ = ["METHODS", "fit", "fit_specification"]

METHODS = ("nuts", "advi", "map", "laplace")


def fit(
    data,
    likelihood=None,
    *,
    method="nuts",
    scale=None,
    order_effect=False,
    features=None,
    item_effects=None,
    draws=1000,
    tune=None,
    chains=4,
    seed=None,
    progress=True,
    store=None,
    groups=(),
    sampler="nutpie",
    target_accept=None,
    full_rank=None,
    steps=None,
    variances=None,
    adherence=None,
    weight=None,
):
    """Fit a ranking model.

    Parameters
    ----------
    data : Comparisons or Rankings
    likelihood : str, optional
        For comparisons "bradley-terry", "davidson", "rao-kupper", "thurstone-pairs" or
        "glenn-david"; by default "davidson" where there are ties and "bradley-terry" where there
        are none. For rankings "plackett-luce", "partitioned-plackett-luce" (order inside a
        block unknown), "pmop", "pmop-geometric" and "davidson-luce" (ties as results) or
        "thurstone"; by default "plackett-luce" without ties, "partitioned-plackett-luce" for
        ratings and with ties of more than eight, "davidson-luce" with smaller ties. For either
        "mpm", whose
        agents prefer by as many counts as ranks or ratings differ.
    method : "nuts", "advi", "map" or "laplace"
        Posterior draws by NUTS; draws from a normal approximation fitted by variational
        inference (ADVI) or by curvature at the mode (Laplace); or the mode alone (MAP).
    scale : float, optional
        Prior standard deviation of the items' effects. By default it is learned, whatever the
        method: NUTS and ADVI sample it along, Laplace integrates over it, and MAP takes the one
        of highest evidence. Infinity is a flat prior; its MAP is maximum likelihood.
    order_effect : bool
        Whether the left item has an advantage, such as playing at home.
    features : data frame or array, optional
        What is known of the items, or of the entries of rankings; see `Specification`.
    item_effects : bool, optional
        Whether items have effects of their own beside their features.
    draws, tune, chains : int
        Size of the sample: draws per chain, warm-up of NUTS per chain (by default 400, and 1000
        with PyMC's sampler), number of chains. ADVI and Laplace draw ``draws * chains``
        independent points; MAP is one point and needs no seed either.
    seed : int, optional
        The same seed gives the same result.
    progress : bool
        Whether to show progress.
    store : str or path, optional
        Folder to which NUTS writes its draws while it makes them. After an interruption or a
        crash `resume` goes on from there; at most the last five seconds are lost.
    groups : sequence of str
        "log_likelihood" and "posterior_predictive" compute these groups of ``idata`` right away.
    sampler : "nutpie" or "pymc"
        Which NUTS: nutpie on the likelihood's own compiled code, or PyMC's on the PyMC model.
    target_accept : float, optional
        NUTS acceptance rate; by default 0.8, more where there are few parameters or may be
        several peaks, and with PyMC's sampler where the prior scale is learned.
    full_rank : bool, optional
        Which normal ADVI fits. By default one with the correlations of the normal approximation at
        the mode for each prior scale, and spreads of its own; False: independent parameters; True:
        any covariance.
    steps : int, optional
        Optimisation steps of ADVI, by default 1 000, and 3 000 where ``full_rank`` is given.
    variances : bool, mapping or array, optional
        For "mpm": whether items have variances of their own, as they have by default, or the
        variances themselves.
    adherence : "learned", "by-instance", number, mapping or array, optional
        For "mpm": learned for each agent, as by default where there are several; learned for
        each agent and, around that, each instance; or given, such as 1 for all or what
        `bayesrank.agreement` says.
    weight : "effective" or float, optional
        For "mpm": power of the likelihood. Pairs that were made from rankings or ratings are
        not independent draws. "effective" makes them count as such draws would, and is the
        default for such data; otherwise it is 1. MAP takes 1 too unless variances are learned:
        with adherence 1 that ranks by net wins. With learned variances it would leave the prior
        no say, and the mode runs off to variances of zero.

    Returns
    -------
    Fit

    Examples
    --------
    >>> fit = br.fit(br.load_dataset("pudding"), "davidson", seed=1, progress=False)
    >>> fit.ranking().columns.tolist()
    ['score', 'sd', 'low', 'high', 'rank', 'rank_low', 'rank_high', 'p_best', 'p_top3', 'tier']
    >>> fit.tiers().tolist()  # nothing is certain
    [1, 1, 1, 1, 1, 1]
    """
    if method not in METHODS:
        raise ValueError(f"`method` must be one of {listing(METHODS)}, got {method!r}.")
    for name, value in (("draws", draws), ("chains", chains), ("steps", steps), ("tune", tune)):
        least = 0 if name == "tune" else 1
        if name in ("tune", "steps") and value is None:
            continue
        if not isinstance(value, Integral) or value < least:
            raise ValueError(f"`{name}` must be a whole number from {least} up, got {value!r}.")
    if target_accept is not None and not 0.0 < target_accept < 1.0:
        raise ValueError(f"`target_accept` must be between 0 and 1, got {target_accept!r}.")
    if seed is not None and (not isinstance(seed, Integral) or seed < 0):
        raise ValueError(f"`seed` must be a whole number from 0 up, got {seed!r}.")
    if full_rank is not None and not isinstance(full_rank, (bool, np.bool_)):
        raise ValueError(f"`full_rank` must be True, False or None, got {full_rank!r}.")
    _require_use(
        method, tune=tune, target_accept=target_accept, steps=steps, full_rank=full_rank,
        sampler=None if sampler == "nutpie" else sampler,
    )  # fmt: skip
    unknown = sorted(set(groups) - {"log_likelihood", "posterior_predictive"})
    if unknown or isinstance(groups, str):
        raise ValueError(
            f'`groups` may hold "log_likelihood" and "posterior_predictive", got {groups!r}.'
        )
    if store is not None and not (method == "nuts" and sampler == "nutpie"):
        raise ValueError('`store` is for method="nuts" with nutpie; other methods are soon done.')
    if not isinstance(data, (Comparisons, Rankings)):
        raise TypeError(
            f"`data` must be Comparisons or Rankings, got {type(data).__name__}; make them with "
            "br.Comparisons.from_frame, br.Rankings.from_frame or br.read."
        )
    if likelihood is None:
        likelihood = default_likelihood(data)
    own = {}
    if likelihood in PREFERENCE_LIKELIHOODS:
        if method == "map" and weight is None and not (variances is None or _is_true(variances)):
            weight = 1.0
        by_instance = isinstance(adherence, str) and adherence == "by-instance"
        if by_instance and method in ("map", "laplace"):
            # Learned together with what it spreads, its mode would collapse to zero.
            own["adherence_spread"] = ADHERENCE_SPREAD
    specification = Specification(
        data, likelihood, scale=scale, order_effect=order_effect, features=features,
        item_effects=item_effects, variances=variances, adherence=adherence, weight=weight, **own,
    )  # fmt: skip
    if specification.flat:
        require_finite_estimate(specification)
    elif likelihood in PREFERENCE_LIKELIHOODS:
        _warn_of_the_silent(specification.observation)
    elif specification.item_effects:
        connectivity = data.connectivity()
        if not connectivity.connected:
            warnings.warn(
                f"The data do not link all items: {connectivity}. How these groups stand to each "
                "other comes from the prior alone.",
                stacklevel=2,
            )
    options = {
        "draws": draws, "tune": tune, "chains": chains, "seed": seed, "progress": progress,
        "sampler": sampler, "target_accept": target_accept,
    }  # fmt: skip
    if store is not None:
        result = fit_stored(specification, store, **options)
    else:
        result = fit_specification(
            specification, method, full_rank=full_rank, steps=steps, **options
        )
    result.seed = None if seed is None else int(seed)
    warn_of_failure(result)
    if "log_likelihood" in groups:
        result.log_likelihood()
    if "posterior_predictive" in groups:
        result.posterior_predictive(seed=seed)
    return result


def fit_specification(
    specification,
    method,
    *,
    draws=1000,
    tune=None,
    chains=4,
    seed=None,
    progress=False,
    sampler="nutpie",
    target_accept=None,
    full_rank=None,
    steps=None,
):
    """Return the fit of a model that is put together already; see `fit`."""
    if progress:
        with waiting("Compiling, only the first time"):
            # What takes half a minute where nothing has been compiled yet, and nothing later on.
            specification.objective(np.zeros(specification.size))
    if method == "map":
        return fit_map(specification, progress)
    if method == "laplace":
        return fit_laplace(specification, draws * chains, seed, progress)
    if method == "advi":
        return fit_advi(specification, draws * chains, seed, full_rank, steps, progress)
    return fit_nuts(
        specification, draws=draws, tune=tune, chains=chains, seed=seed, progress=progress,
        sampler=sampler, target_accept=target_accept,
    )  # fmt: skip


# Which method each of these is for.
_USES = {
    "tune": "nuts", "target_accept": "nuts", "sampler": "nuts", "steps": "advi",
    "full_rank": "advi",
}  # fmt: skip


def _require_use(method, **given):
    """Refuse arguments that the method would ignore."""
    for name, value in given.items():
        if value is not None and method != _USES[name]:
            raise ValueError(f'`{name}` is for method="{_USES[name]}", not for "{method}".')


def _is_true(value):
    return isinstance(value, (bool, np.bool_)) and bool(value)


def _warn_of_the_silent(observation):
    """Say of whom nothing is known but the prior."""
    if observation.silent and observation.learns_adherence:
        warnings.warn(
            f"{len(observation.silent)} of {len(observation.agents)} agents prefer nothing: "
            f"{listing(observation.silent)}. They are kept; their adherence is that of the prior.",
            stacklevel=3,
        )
    if observation.unseen:
        warnings.warn(
            f"Never preferred to another, nor another to them, of {len(observation.data.items)} "
            f"items: {listing(observation.unseen)}. They are kept, near the middle.",
            stacklevel=3,
        )
