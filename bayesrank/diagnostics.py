"""Whether draws can be trusted, said in words."""

from dataclasses import dataclass, field

import numpy as np

__all__ = ["Diagnostics", "diagnose"]


@dataclass(frozen=True)
class Diagnostics:
    """Numbers about the draws, and sentences about the numbers.

    Attributes
    ----------
    ok : bool
        Whether nothing was found.
    messages : list of str
        What was found and what to do about it.
    divergences : int, optional
    max_rhat, min_ess_bulk, min_ess_tail : float, optional
        Over all scores and parameters; only NUTS has them.
    summary : str
        One line.
    """

    summary: str
    messages: list = field(default_factory=list)
    divergences: int | None = None
    max_rhat: float | None = None
    min_ess_bulk: float | None = None
    min_ess_tail: float | None = None

    @property
    def ok(self):
        return not self.messages

    def __str__(self):
        return "\n".join([self.summary, *(f"- {message}" for message in self.messages)])


def diagnose(fit):
    """Return the `Diagnostics` of a fit."""
    scale = fit.specification.scale
    given = ""
    if scale is not None and np.isfinite(scale) and fit.specification.item_effects:
        given = f" Prior scale {scale:g}, as given and not learned."
    if fit.method == "map":
        return Diagnostics(f"{fit.note}{given} A single point: no uncertainty.")
    if fit.method in ("advi", "laplace"):
        certain = fit.method == "advi" and fit.specification.learns_scale
        too_certain = ", too certain of the prior scale" if certain else ""
        approximate = f"An approximation{too_certain}: check intervals that matter with NUTS."
        return Diagnostics(f"{fit.note}{given} {approximate}", _known_departures(fit))
    from bayesrank import _compat

    az = _compat.arviz()
    names = [name for name in fit.posterior if name != "effect"]
    data = _compat.to_dataset(fit.idata, "posterior")[names]

    def over_all(values, extreme):
        return float(extreme([extreme(values[name].values) for name in names]))

    with np.errstate(all="ignore"):  # of draws that do not vary, which are NaN below
        rhat = over_all(az.rhat(data), np.max)
        bulk = over_all(az.ess(data, method="bulk"), np.min)
        tail = over_all(az.ess(data, method="tail"), np.min)
    divergences = int(fit.idata["sample_stats"]["diverging"].sum())
    chains, draws = fit.shape
    total = chains * draws
    messages = []
    if divergences:
        messages.append(
            f"{divergences} of {total} draws diverged: the sampler missed a part of the posterior. "
            "Raise target_accept (0.99), or give a fixed prior scale."
        )
    if chains == 1:
        messages.append("One chain cannot show whether chains agree: use chains=4.")
    elif rhat > 1.01:
        messages.append(
            f"R-hat is up to {rhat:.3f} (should be below 1.01): the chains do not agree yet. "
            "Double tune and draws."
        )
    if np.isnan([bulk, tail]).any():
        messages.append("Too few draws to tell whether they can be trusted: raise draws.")
    elif min(bulk, tail) < 400:
        messages.append(
            f"The effective sample size is down to {min(bulk, tail):.0f} (should be 400 or "
            "more): intervals are rough. Raise draws."
        )
    summary = (
        f"{chains} chains of {draws} draws: {divergences} divergences, R-hat up to {rhat:.3f}, "
        f"effective sample size at least {min(bulk, tail):.0f}."
    )
    return Diagnostics(summary, messages, divergences, rhat, bulk, tail)


def _known_departures(fit):
    """Return where an approximation was found wanting, by simulation: `benchmarks.calibration`."""
    learns_adherence = getattr(fit.specification.observation, "learns_adherence", False)
    if learns_adherence:
        return [
            "Where adherences are learned, approximations were found too certain of these, and "
            'ADVI of scores as well: use method="nuts" where that matters.'
        ]
    if fit.method != "advi" or not fit.specification.learns_scale:
        return []
    if fit.specification.likelihood in ("pmop", "pmop-geometric", "davidson-luce"):
        return [
            "In simulations from models of ties as results, ADVI was too certain of the learned "
            'prior scale, and "pmop" of some scores as well: use method="nuts", or give a `scale`.'
        ]
    if not fit.note.startswith("Normal"):  # but mean-field or full-rank
        return [
            "With `full_rank` given, or more than 500 free numbers, this normal cannot follow a "
            "learned prior scale, which was found off and too certain: use "
            'method="nuts", or give a `scale`.'
        ]
    return []
