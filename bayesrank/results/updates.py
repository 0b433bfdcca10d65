"""New results in a fit: draws are weighted by them, or the model is fitted again."""

import warnings
from copy import copy
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesrank.data.adding import joined
from bayesrank.model.changes import carried_values, new_labels, prior_change, same_shape
from bayesrank.results.methods import METHODS
from bayesrank.results.parts import FitPart
from bayesrank.results.refits import refitted, with_other_data
from bayesrank.results.weighted_draws import Update, WeightedDraws, log_likelihoods
from bayesrank.text import either, listing

if TYPE_CHECKING:
    from bayesrank.data import Comparisons, Rankings
    from bayesrank.model.specification import Specification

__all__ = ["Updates"]

# Weighted draws are good enough if they are worth so many, or so large a part of all.
_ENOUGH, _SHARE = 400, 0.5
# What labels are of, in words; those that follow from others come last.
_WORDS = {
    "item": "items", "agent": "agents", "category": "categories", "instance": "instances",
    "tie_size": "sizes of ties", "feature": "features", "state": "states of items",
    "cell": "items in categories", "place": "agents in instances",
}  # fmt: skip
_CALLED = ("the data of the fit", "`new`")


class Updates(FitPart):
    """New results in a fit."""

    updated: Update | None = None
    _weighted: WeightedDraws | None = None

    def update(
        self, new: "Comparisons | Rankings", *, seed: int | None = None, progress: bool = True
    ) -> Self:
        """Return the fit of the same model to the data and new results.

        The answers are those of fitting all data again, within the Monte-Carlo error of draws, and
        to eight digits for MAP. Draws are weighted by the likelihood of what has come in since the
        model was last fitted. Where these weights are too uneven (Pareto k above 0.7), where fewer
        than 400 draws of equal weights would say as much, where new labels need parameters of
        their own, and for MAP, the model is fitted again by the same method. ``updated`` says
        which, in words. Weights are always those of all results since the last fit, so that the
        order in which they come makes no difference.

        Parameters
        ----------
        new : Comparisons or Rankings
            Of the same kind as the data, with the same columns. If it has no results, an equal fit
            is returned.
        seed : int, optional
            Where the model is fitted again; by default that of the fit.
        progress : bool

        Returns
        -------
        Fit

        Examples
        --------
        >>> games = br.load_dataset("baseball")
        >>> fit = br.fit(games, "bradley-terry", method="laplace", seed=1)
        >>> rows = [["Boston", "Detroit", "Boston"], ["Toronto", "Boston", "Boston"]]
        >>> df = pd.DataFrame(rows, columns=["left", "right", "outcome"])
        >>> later = fit.update(br.Comparisons.from_frame(df))
        >>> later.updated.refitted, later.updated.results
        (False, 2.0)
        >>> len(games.items), later.specification.data.counts.sum()
        (7, np.int64(275))
        """
        return _updated(self, new, seed, progress)


def _updated(fit: Any, new: Any, seed: int | None, progress: bool) -> Any:
    """Return the fit of `Updates.update`."""
    _require_whole(fit)
    old = fit.specification
    data, rows = joined(old.data, new, _CALLED)
    if data.same_as(old.data):
        return copy(fit)
    model = with_other_data(old, data)
    added = new_labels(old, model)
    _warn_of_newcomers(added)
    before = fit._weighted
    if before is None:
        before = WeightedDraws(fit, np.zeros(fit.shape[0] * fit.shape[1]), 0, 0.0)
    unit, more = _results(new)
    about = {"unit": unit, "results": before.results + more, "batches": before.batches + 1}
    why, weighted = _reason(fit, model, added), None
    if not why:
        change = _log_weight(before.base.posterior, old, model, rows, new)
        weighted = WeightedDraws(
            before.base, before.log_weight + change, about["batches"], about["results"]
        )
        about |= {
            "pareto_k": weighted.pareto_k, "good_k": weighted.good_k,
            "effective": weighted.effective, "draws": weighted.weight.size,
        }  # fmt: skip
        why = _too_uneven(weighted)
    if why or weighted is None:
        return _again(fit, model, Update(refitted=True, why=why, **about), seed, progress)
    return weighted_fit(type(fit), model, weighted, Update(refitted=False, **about))


def _require_whole(fit: Any) -> None:
    """Refuse to update a part or a view of a fit."""
    if fit.part:
        raise ValueError(
            "This is one instance of a fit of several, which shares its agents with the others: "
            "update the whole fit, and take fit.instance(label) of the result."
        )
    if fit._time is not None or fit._category is not None:
        view = "at(time)" if fit._category is None else "in_category(label)"
        raise ValueError(
            f"This fit is seen at one time or in one category only: update the fit itself, and "
            f"take .{view} of the result."
        )


def _warn_of_newcomers(added: dict[str, list[Any]]) -> None:
    """Name new items and agents, which may be old ones in a new spelling."""
    named = [f"{_WORDS[dim]} {listing(added[dim])}" for dim in ("item", "agent") if dim in added]
    if named:
        text = f"New in these results: {'; '.join(named)}. They are added."
        warnings.warn(text, stacklevel=4)


def _results(new: Any) -> tuple[str, float]:
    """Return what results are, and how many there are."""
    if new.row == "pair":
        return "comparison", float(new.counts.sum())
    return "ranking", float(new.weights.sum())


def _reason(fit: Any, model: "Specification", added: dict[str, list[Any]]) -> str:
    """Return why draws cannot be weighted, if so."""
    if fit.kind.is_point:
        return "a mode has no draws that could be weighted"
    for dim, what in _WORDS.items():
        if dim in added:
            return f"it has new {what}: {listing(added[dim])}"
    if not same_shape(fit.specification, model):
        return "the model has other parameters with these data"
    if not model.observation.adds_up:
        return "the weight of an agent's preferences changes with new ones"
    return ""


def _log_weight(
    posterior: dict[str, np.ndarray], old: "Specification", model: "Specification",
    rows: np.ndarray, new: Any,
) -> np.ndarray:  # fmt: skip
    """Return by how much the log-posterior of each draw changes, up to a constant."""
    draws = {
        name: values.reshape(-1, *values.shape[2:])
        for name, values in posterior.items()
        if name in model.quantities and model.quantities[name].enters
    }
    own = {name: values.T for name, values in draws.items() if values.ndim == 2}
    change = prior_change(old, model, own)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of counts, which were said of all data
            part = model.observation.part(rows, new)
    except ValueError:  # by which "mpm" says that nobody prefers anything in these rows
        return np.zeros(len(next(iter(draws.values())))) + change
    slots = len(new) if new.row == "pair" else new.n_entries
    return log_likelihoods(part, draws, slots) + change


def _too_uneven(weighted: WeightedDraws) -> str:
    """Return why weighted draws are not good enough, if so."""
    if not weighted.pareto_k <= weighted.good_k:
        return (
            f"weights of the old draws would be too uneven (Pareto k {weighted.pareto_k:.2f}, good "
            f"up to {weighted.good_k:.2g})"
        )
    share = 1.0
    if weighted.base.kind.has_chains:
        effective = weighted.base.diagnostics().min_ess_bulk
        share = min(effective / weighted.weight.size, 1.0) if effective > 0 else 1.0
    left = weighted.effective * share
    if left < min(_ENOUGH, _SHARE * weighted.weight.size * share):
        return f"the old draws would be worth {left:,.0f} only"
    return ""


def weighted_fit(kind: Any, model: "Specification", weighted: WeightedDraws, update: Update) -> Any:
    """Return the fit of weighted draws."""
    base = weighted.base
    result = kind(model, base.method, weighted.draws(), note=base.note)
    result.seed, result.tune, result.options = base.seed, base.tune, base.options
    result.updated, result._weighted = update, weighted
    return result


def _again(
    fit: Any, model: "Specification", update: Update, seed: int | None, progress: bool
) -> Any:
    """Return the fit of all data."""
    if fit.method not in METHODS:
        names = either([f'"{name}"' for name in METHODS])
        raise ValueError(
            f'A fit by "{fit.method}" cannot be made again, and {update.why}. Fit data + new '
            f"yourself, or by br.fit with method={names}."
        )
    start = None
    if fit.kind.is_point:
        mode = {name: values[0, 0] for name, values in fit.posterior.items()}
        start = carried_values(fit.specification, model, mode)
    result = refitted(
        fit, model, seed=fit.seed if seed is None else seed, progress=progress, start=start
    )
    result.updated = update
    return result
