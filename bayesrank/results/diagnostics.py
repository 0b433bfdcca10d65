"""Whether draws can be trusted, said in words."""

from dataclasses import dataclass, field

import numpy as np

from bayesrank.text import in_terminal, option

__all__ = ["Diagnostics", "Finding", "diagnose"]

_ENOUGH = 400  # effective draws
# What makes draws unusable rather than rough. Of short chains, or of very many parameters, the
# largest R-hat may be well above 1.01 by chance.
_FEW, _LOOSE, _APART = 100, 1.03, 1.1


@dataclass(frozen=True)
class Finding:
    """What is wrong with draws, and what to do about it.

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
    """

    problem: str
    remedy: str
    options: dict = field(default_factory=dict)
    failed: bool = True

    @property
    def plain(self):
        """Problem and remedy for a reader who may not be the one who fits."""
        return f"{self.problem} {self.remedy}."

    def __str__(self):
        said = [option(name, value) for name, value in self.options.items()]
        how = f": {(' ' if in_terminal() else ', ').join(said)}" if said else ""
        return f"{self.problem} {self.remedy}{how}."


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
    findings : list of Finding
        The messages in parts.
    """

    summary: str
    findings: list = field(default_factory=list)
    divergences: int | None = None
    max_rhat: float | None = None
    min_ess_bulk: float | None = None
    min_ess_tail: float | None = None

    @property
    def messages(self):
        return [str(finding) for finding in self.findings]

    @property
    def ok(self):
        return not self.findings

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
    findings = []
    if divergences:
        findings.append(
            Finding(
                f"{divergences} of {total} draws diverged: the sampler missed a part of the "
                "posterior.",
                "Take smaller steps, by a higher acceptance rate, or fix the prior scale",
                {"target_accept": 0.99},
            )
        )
    more = {"tune": 2 * (fit.tune or 400), "draws": 2 * draws}
    if chains == 1:
        findings.append(
            Finding(
                "One chain cannot show whether chains agree.",
                "Run four",
                {"chains": 4},
                failed=False,
            )
        )
    elif rhat > 1.01:
        findings.append(
            Finding(
                f"R-hat is up to {rhat:.3f} (should be below 1.01): the chains do not agree yet.",
                "Double the warm-up and the draws",
                more,
                failed=rhat > _APART or (rhat > _LOOSE and min(bulk, tail) < _FEW),
            )
        )
    if np.isnan([bulk, tail]).any():
        findings.append(
            Finding(
                "There are too few draws to tell whether they can be trusted.",
                "Make more of them",
                {"draws": max(1000, 2 * draws)},
                failed=False,
            )
        )
    elif min(bulk, tail) < _ENOUGH:
        findings.append(
            Finding(
                f"The effective sample size is down to {min(bulk, tail):.0f} (should be {_ENOUGH} "
                "or more): intervals are rough.",
                "Make more draws",
                {"draws": max(1000, 2 * draws)},
                failed=min(bulk, tail) < _FEW and total >= _ENOUGH,
            )
        )
    summary = (
        f"{chains} chains of {draws} draws: {divergences} divergences, R-hat up to {rhat:.3f}, "
        f"effective sample size at least {min(bulk, tail):.0f}."
    )
    return Diagnostics(summary, findings, divergences, rhat, bulk, tail)


def _known_departures(fit):
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
    if fit.method != "advi" or not fit.specification.learns_scale:
        return []
    if fit.specification.likelihood in ("pmop", "pmop-geometric", "davidson-luce"):
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
