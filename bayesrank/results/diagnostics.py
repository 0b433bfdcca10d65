"""Whether draws can be trusted, in words."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import _compat
from bayesrank.results.separation import left_to_the_prior
from bayesrank.text import in_terminal, option

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["DIMS", "Diagnostics", "Finding", "diagnose", "some_at_a_time"]

_ENOUGH = 400  # effective draws
# What makes draws unusable rather than rough. From 100 draws a probability has a standard error of
# up to 0.05, and two or three draws lie beyond each end of a 95% interval. Of short chains, or of
# very many parameters, the largest R-hat may be well above 1.01 by chance.
_FEW, _LOOSE, _APART = 100, 1.03, 1.1
_TOGETHER = 2000  # quantities whose chains are compared together
DIMS = ("chain", "draw", "number")


@dataclass(frozen=True)
class Finding:
    """What is wrong with draws, or what the data leave open, and what to do about it.

    Attributes
    ----------
    problem : str
        One sentence.
    remedy : str
        What to do, in words that hold for every interface, without a full stop.
    options : dict
        The arguments of `bayesrank.fit`, or flags of the command line, that do it.
    failed : bool
        Whether the draws cannot be used as they are, so that `bayesrank.fit` warns by itself.
    of_data : bool
        Whether it is about the data, and the draws may be as good as they can be.
    """

    problem: str
    remedy: str
    options: dict[str, Any] = field(default_factory=dict)
    failed: bool = True
    of_data: bool = False

    @property
    def plain(self) -> str:
        """Problem and remedy for a reader who may not be the one who fits."""
        return f"{self.problem} {self.remedy}."

    def __str__(self) -> str:
        said = [option(name, value) for name, value in self.options.items()]
        how = f": {(' ' if in_terminal() else ', ').join(said)}" if said else ""
        return f"{self.problem} {self.remedy}{how}."


@dataclass(frozen=True)
class Diagnostics:
    """Numbers about the draws, and sentences about the numbers.

    Attributes
    ----------
    ok : bool
        Whether nothing is wrong with the draws. What the data leave to the prior is among the
        messages all the same.
    messages : list of str
        What was found and what to do about it.
    divergences : int, optional
    max_rhat, min_ess_bulk, min_ess_tail : float, optional
        Over all scores and parameters; only NUTS has them.
    summary : str
        One line.
    findings : list of Finding
        The messages in parts.
    """

    summary: str
    findings: list[Any] = field(default_factory=list)
    divergences: int | None = None
    max_rhat: float | None = None
    min_ess_bulk: float | None = None
    min_ess_tail: float | None = None

    @property
    def messages(self) -> list[str]:
        return [str(finding) for finding in self.findings]

    @property
    def ok(self) -> bool:
        return all(finding.of_data for finding in self.findings)

    def __str__(self) -> str:
        return "\n".join([self.summary, *(f"- {message}" for message in self.messages)])


def diagnose(fit: Any) -> Diagnostics:
    """Return the `Diagnostics` of a fit."""
    found = _of_draws(fit) if fit._weighted is None else _of_weighted(fit)
    if fit.updated is not None and fit._weighted is None:
        found = replace(found, summary=f"{found.summary} {fit.updated}")
    return replace(found, findings=[*found.findings, *_left_open(fit)])


def _of_weighted(fit: Any) -> Diagnostics:
    """Return whether draws of the last fit can be trusted that new results have weighted since.

    R-hat and divergences are those of the chains as they were sampled; effective sample sizes are
    those of the weighted draws.
    """
    last = fit._weighted.base.diagnostics()
    findings = [finding for finding in last.findings if not finding.of_data]
    bulk, tail = fit._weighted.sizes
    if min(bulk, tail) < _ENOUGH <= fit.shape[0] * fit.shape[1]:
        findings.append(
            Finding(
                f"With these weights the effective sample size is down to {min(bulk, tail):.0f} "
                f"(should be {_ENOUGH} or more): intervals are rough.",
                "Fit all data again",
                failed=False,
            )
        )
    now = f"Now the effective sample size is {min(bulk, tail):.0f} at least."
    summary = f"{last.summary} {fit.updated} {now}"
    return replace(last, summary=summary, findings=findings, min_ess_bulk=bulk, min_ess_tail=tail)


def _of_draws(fit: Any) -> Diagnostics:
    """Return whether the draws of a method can be trusted."""
    scale = fit.specification.scale
    given = ""
    if scale is not None and np.isfinite(scale) and fit.specification.item_effects:
        given = f" Prior scale {scale:g}, as given and not learned."
    if fit.kind.is_point:
        summary = f"{fit.note}{given} A single point: no uncertainty."
        return Diagnostics(summary, _of_products(fit))
    if fit.kind.is_approximate:
        certain = fit.kind.narrow_scale and fit.specification.learns_scale
        too_certain = ", too certain of the prior scale" if certain else ""
        approximate = f"An approximation{too_certain}: check intervals that matter with NUTS."
        findings = [*_few_independent(fit), *_of_products(fit), *_known_departures(fit)]
        return Diagnostics(f"{fit.note}{given} {approximate}", findings)
    if not fit.kind.has_chains and "sample_stats" not in _compat.group_names(fit.idata):
        draws = f"{fit.shape[0] * fit.shape[1]:,} draws, made elsewhere and not checked."
        return Diagnostics(f"{fit.note} {draws}{given}".strip(), _few_independent(fit))
    return _of_chains(fit)


def _of_chains(fit: Any) -> Diagnostics:
    """Return whether Markov chains have mixed, and whether their draws are enough."""
    rhat, bulk, tail = _mixing(fit)
    divergences = int(fit.idata["sample_stats"]["diverging"].sum())
    chains, draws = fit.shape
    effective = min(bulk, tail)
    found = (
        _missed(divergences, chains * draws),
        _apart(fit, rhat, effective),
        _few(fit, bool(np.isnan([bulk, tail]).any()), effective),
    )
    summary = (
        f"{chains} chains of {draws} draws: {divergences} divergences, R-hat up to {rhat:.3f}, "
        f"effective sample size at least {effective:.0f}."
    )
    findings = [finding for finding in found if finding is not None]
    return Diagnostics(summary, findings, divergences, rhat, bulk, tail)


def _mixing(fit: Any) -> tuple[float, float, float]:
    """Return the largest R-hat, and the smallest bulk and tail effective sample sizes."""
    az = _compat.arviz()
    found = []
    with np.errstate(all="ignore"):  # of draws that do not vary, which are NaN
        for part in some_at_a_time(fit):
            of_each = (az.rhat(part), az.ess(part, method="bulk"), az.ess(part, method="tail"))
            found.append([values["quantity"].values for values in of_each])
    rhat, bulk, tail = (np.concatenate(values) for values in zip(*found, strict=True))
    return float(np.max(rhat)), float(np.min(bulk)), float(np.min(tail))


def some_at_a_time(fit: Any) -> Iterator["xr.Dataset"]:
    """Yield draws of some quantities after the other: to look at all at once takes much memory."""
    import xarray as xr

    parts: list[np.ndarray] = []
    draws = _compat.to_dataset(fit.idata, "posterior")
    for name in (name for name in fit.posterior if name != "effect"):
        values = draws[name].values
        columns = values.reshape(*values.shape[:2], -1)
        for start in range(0, columns.shape[2], _TOGETHER):
            parts.append(columns[:, :, start : start + _TOGETHER])
            if sum(part.shape[2] for part in parts) >= _TOGETHER:
                yield xr.Dataset({"quantity": (DIMS, np.concatenate(parts, axis=2))})
                parts = []
    if parts:
        yield xr.Dataset({"quantity": (DIMS, np.concatenate(parts, axis=2))})


def _missed(divergences: int, total: int) -> Finding | None:
    """Return what divergences mean, if there are any."""
    if not divergences:
        return None
    return Finding(
        f"{divergences} of {total} draws diverged: the sampler missed a part of the posterior.",
        "Take smaller steps, by a higher acceptance rate, or fix the prior scale",
        {"target_accept": 0.99},
    )


def _apart(fit: Any, rhat: float, effective: float) -> Finding | None:
    """Return whether the chains disagree, or cannot because there is one."""
    chains, draws = fit.shape
    if chains == 1:
        return Finding(
            "One chain cannot show whether chains agree.", "Run four", {"chains": 4}, failed=False
        )
    if not rhat > 1.01:
        return None
    return Finding(
        f"R-hat is up to {rhat:.3f} (should be below 1.01): the chains do not agree yet.",
        "Double the warm-up and the draws",
        {"tune": 2 * (fit.tune or 400), "draws": 2 * draws},
        failed=rhat > _APART or (rhat > _LOOSE and effective < _FEW),
    )


def _few(fit: Any, unknown: bool, effective: float) -> Finding | None:
    """Return whether there are too few draws, or too few to tell."""
    chains, draws = fit.shape
    more = {"draws": max(1000, 2 * draws)}
    if unknown:
        return Finding(
            "There are too few draws to tell whether they can be trusted.",
            "Make more of them",
            more,
            failed=False,
        )
    if not effective < _ENOUGH:
        return None
    return Finding(
        f"The effective sample size is down to {effective:.0f} (should be {_ENOUGH} or more): "
        "intervals are rough.",
        "Make more draws",
        more,
        failed=effective < _FEW and chains * draws >= _ENOUGH,
    )


def _few_independent(fit: Any) -> list[Finding]:
    """Return whether there are too few draws even if none depends on another."""
    chains, draws = fit.shape
    total = chains * draws
    if total >= _FEW:
        return []
    return [
        Finding(
            f"There are only {total} draws (should be {_FEW} or more): probabilities may be off by "
            f"{1.0 / np.sqrt(total):.2g}, and ends of intervals are chance.",
            "Make more draws",
            {"draws": max(1000, 2 * draws)},
            failed=False,
        )
    ]


def _left_open(fit: Any) -> list[Finding]:
    """Return which distances come from the prior, and what the method makes of them.

    Where all results went one way, Laplace and ADVI were found down to half as wide as NUTS,
    mostly on the side away from the other items, and the mode up to a standard deviation nearer
    to these. Orders and probabilities of being best agreed to a few hundredths.
    """
    apart, one_way = left_to_the_prior(fit.specification)
    about: dict[str, Any] = {"failed": False, "of_data": True}
    found = []
    if apart:
        found.append(Finding(apart, "Rank these groups one by one, or let them meet", **about))
    if one_way and (fit.kind.is_point or fit.kind.is_approximate):
        leaning = "a normal approximation may be half as wide as it should be"
        if fit.kind.is_point:
            leaning = "the mode is nearer to the other items than most of the posterior"
        one_way += f" There the posterior leans to one side, and {leaning}."
        remedy, options = "Sample by NUTS where that matters", {"method": "nuts"}
        found.append(Finding(one_way, remedy, options, **about))
    elif one_way and fit.specification.learns_scale:
        remedy = "Do not read much into these distances, or fix the prior scale"
        found.append(Finding(one_way, remedy, {"scale": 1.0}, **about))
    elif one_way:
        found.append(Finding(one_way, "Do not read much into these distances", **about))
    return found


def _of_products(fit: Any) -> list[Finding]:
    """Return whether a mode is far from the posterior: where discriminations multiply scores."""
    model = fit.specification
    if "discrimination" not in fit.posterior or not fit.kind.at_mode:
        return []
    about: dict[str, Any] = {"failed": False}
    if fit.kind.is_point:
        return [
            Finding(
                "The mode is not typical where agents differ in discrimination: some of them come "
                "out far too sharp, and scores too close together.",
                "Take an approximation of the posterior instead",
                {"method": "laplace"},
                **about,
            )
        ]
    if model.moves is None:
        return []
    return [
        Finding(
            "With scores that move, this approximation was found too certain of how far agents "
            "differ in discrimination.",
            "Sample by NUTS where that matters",
            {"method": "nuts"},
            **about,
        )
    ]


def _known_departures(fit: Any) -> list[Finding]:
    """Return where an approximation was found wanting, by simulation: `benchmarks.calibration`."""
    if getattr(fit.specification.observation, "learns_adherence", False):
        return [
            Finding(
                "Where adherences are learned, approximations were found too certain of these, and "
                "of scores as well.",
                "Sample by NUTS where that matters",
                {"method": "nuts"},
                failed=False,
            )
        ]
    if fit.specification.learns_spreads and fit.specification.moves is None:
        return [
            Finding(
                "In simulations, approximations were too certain of how far agents, items or "
                "categories differ.",
                "Sample by NUTS where that matters",
                {"method": "nuts"},
                failed=False,
            )
        ]
    if not (fit.kind.narrow_scale and fit.specification.learns_scale):
        return []
    if fit.specification.draws_rankings and fit.specification.has_ties:
        return [
            Finding(
                "In simulations from models of ties as results, ADVI was too certain of the "
                'learned prior scale, and "pmop" of some scores as well.',
                "Sample by NUTS, or fix the prior scale",
                {"method": "nuts"},
                failed=False,
            )
        ]
    if not fit.note.startswith("Normal"):  # but mean-field or full-rank
        return [
            Finding(
                "Independent normals, or any one normal, of more than 500 free numbers or where "
                "`full_rank` is given, cannot follow a learned prior scale, which was found off "
                "and too certain.",
                "Sample by NUTS, or fix the prior scale",
                {"method": "nuts"},
                failed=False,
            )
        ]
    return []
