"""How well a fit predicts what it has not seen, and which of several predicts better."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.special import logsumexp

from bayesrank import _compat
from bayesrank.results.row_groups import agents_of_rows, instances_of_rows
from bayesrank.text import listing

if TYPE_CHECKING:
    from bayesrank.results.parts import FitPart

__all__ = ["LeaveOneOut", "compare", "leave_one_out"]


@dataclass(frozen=True, repr=False)
class LeaveOneOut:
    """Approximate leave-one-out cross-validation of a fit, by Pareto smoothed importance sampling.

    Attributes
    ----------
    unit : str
        What was left out, one at a time.
    terms : pandas.DataFrame
        One row for each unit that differs from others: count (how many there are of it), elpd
        (expected log predictive density of one), p and pareto_k.
    good_k : float
        Pareto k up to which a term can be trusted.

    Examples
    --------
    >>> fit = br.fit(br.load_dataset("baseball"), "bradley-terry", method="laplace", seed=1)
    >>> found = fit.loo()
    >>> found.unit, found.terms["count"].sum()
    ('comparison', np.float64(273.0))
    """

    unit: str
    terms: pd.DataFrame
    good_k: float

    @property
    def elpd(self) -> float:
        """Sum over all units."""
        return float(self.terms["count"] @ self.terms["elpd"])

    @property
    def se(self) -> float:
        """Standard error of the sum."""
        return se_of_sum(self.terms["elpd"].to_numpy(), self.terms["count"].to_numpy())

    @property
    def p(self) -> float:
        """Effective number of parameters."""
        return float(self.terms["count"] @ self.terms["p"])

    @property
    def bad_k(self) -> int:
        """Number of units whose term is doubtful."""
        bad = self.terms["pareto_k"] > self.good_k
        return int(np.ceil(self.terms["count"][bad].sum()))

    def __repr__(self) -> str:
        units = f"{self.terms['count'].sum():,.10g} {self.unit}s left out one by one"
        k = f"Pareto k above {self.good_k:.2g} for {self.bad_k:,} of them"
        return f"elpd {self.elpd:.2f} (se {self.se:.2f}), p {self.p:.2f}; {units}; {k}"


def leave_one_out(fit: "FitPart", unit: str | None = None, *, level: int = 3) -> LeaveOneOut:
    """Return the `LeaveOneOut` of a fit; see `bayesrank.Fit.loo`.

    ``level`` is the number of calls up to the caller that a warning is addressed to.
    """
    fit._require_draws("loo")
    unit = checked_unit(fit, unit)
    labels, counts, values = _log_likelihoods(fit, unit)
    chains, draws = fit.shape
    efficiency = 1.0
    if fit.kind.has_chains:
        effective: Any = fit.diagnostics().min_ess_bulk
        efficiency = float(np.clip(effective / len(values), 0.01, 1.0)) if effective > 0 else 1.0
    elpd, k, good_k = _compat.loo(values.reshape(chains, draws, -1), efficiency)
    for place in np.flatnonzero(counts < 1.0):
        # Of a result that counts less than once, no more than that can be left out.
        weights, k[place] = _compat.pareto_smoothed(-counts[place] * values[:, place])
        elpd[place] = logsumexp(weights + values[:, place]) - logsumexp(weights)
    lppd = logsumexp(values, axis=0) - np.log(len(values))
    terms = pd.DataFrame({"count": counts, "elpd": elpd, "p": lppd - elpd, "pareto_k": k}, labels)
    found = LeaveOneOut(unit, terms, good_k)
    if found.bad_k:
        where = terms.index[k > found.good_k].astype(str).tolist()
        single = () if _only_unit(fit) else fit.specification.observation.single_units
        smaller = f' unit="{single[0]}" leaves out less.' if single and unit not in single else ""
        warnings.warn(
            f"Leaving out one {unit} at a time is doubtful for {found.bad_k:,} of "
            f"{counts.sum():,.10g} (Pareto k above {found.good_k:.2g}): {listing(where)}. Their "
            "terms are in the sum all the same; where they matter, fit again without them."
            f"{smaller}",
            stacklevel=level,
        )
    return found


def checked_unit(fit: "FitPart", unit: str | None) -> str:
    """Return what is left out at a time, by default the smallest that the model knows."""
    data, observation = fit.specification.data, fit.specification.observation
    only = _only_unit(fit)
    units = [*observation.single_units, "row"]
    units += ["agent"] * (data.agents is not None)
    units += ["instance"] * (data.instances is not None)
    units = units if only is None else [only]
    if unit is None:
        return units[0]
    if unit not in units:
        allowed = listing([f'"{name}"' for name in units], 9)
        raise ValueError(f"`unit` must be one of {allowed} for these data, got {unit!r}.")
    return unit


def _only_unit(fit: Any) -> str | None:
    """Return the only thing that can be left out of a model of clusters; None of others."""
    return getattr(fit.specification, "unit_name", None)


def _log_likelihoods(fit: Any, unit: str) -> tuple[pd.Index, np.ndarray, np.ndarray]:
    """Return the units' labels, how many there are of each, and log-likelihoods, draws by units."""
    if _only_unit(fit) is not None:
        return fit.units()
    observation = fit.specification.observation
    total = fit.shape[0] * fit.shape[1]
    if unit in observation.single_units:
        labels, counts = observation.singles
        values = [observation.single_log_likelihood(fit.values(draw)) for draw in range(total)]
        return labels, counts, np.array(values)
    if "log_likelihood" not in _compat.group_names(fit.idata):
        fit.log_likelihood()
    rows = fit.idata["log_likelihood"][observation.name].values.reshape(total, -1)
    labels = list(fit.specification.coords[observation.row])
    if unit != "row":
        group_rows: Callable[..., Any] = {"agent": agents_of_rows, "instance": instances_of_rows}[
            unit
        ]
        labels, group = group_rows(fit.specification)
        summed = np.zeros((len(labels), total))
        np.add.at(summed, group, rows.T)
        seen = np.bincount(group, minlength=len(labels)) > 0
        labels = [label for label, there in zip(labels, seen, strict=True) if there]
        rows = summed[seen].T
    return pd.Index(labels, name=unit, tupleize_cols=False), np.ones(len(labels)), rows


def compare(fits: Mapping[str, Any], *, unit: str | None = None) -> pd.DataFrame:
    """Compare fits of the same data by approximate leave-one-out cross-validation.

    By default single results are left out one at a time: one comparison of those that a row of
    counts pools, or one ranking of those that its weight stands for; for "mpm" a ballot, which is
    all preferences of an agent in an instance; and where a fit has clusters, an agent. Leaving out
    a whole row, or all data of an agent, asks how well new pairs or new agents are predicted.
    Models in which equal ranks are results predict who ties, and those in which the order was only
    not seen do not: where there are ties, fits of the two kinds cannot be compared.

    Parameters
    ----------
    fits : dict of str to Fit
    unit : {"comparison", "ranking", "row", "agent", "instance"}, optional
        What is left out at a time.

    Returns
    -------
    pandas.DataFrame
        Best first: elpd (expected log predictive density) and its standard error se, p
        (effective number of parameters), elpd_diff from the best with its standard error
        diff_se, the stacking weight, and bad_k, the number of units for which the
        approximation is doubtful (Pareto k above ArviZ's limit), of which a warning tells.

    Examples
    --------
    >>> games = br.load_dataset("baseball")
    >>> fits = {
    ...     name: br.fit(games, "bradley-terry", order_effect=effect, method="laplace", seed=1)
    ...     for name, effect in (("neutral", False), ("home", True))
    ... }
    >>> br.compare(fits)[["elpd", "elpd_diff", "bad_k"]].round(0)
              elpd  elpd_diff  bad_k
    home    -176.0        0.0      0
    neutral -178.0       -2.0      0
    """
    if not isinstance(fits, dict) or len(fits) < 2:
        raise ValueError("`fits` must be a dict of at least two fits, by name.")
    first = next(iter(fits.values())).specification.data
    for name, one in fits.items():
        one._require_draws("compare")
        if not one.specification.data.same_as(first):
            raise ValueError(f"`{name}` was fitted to other data than the first fit.")
    _require_same_outcomes(fits)
    if unit is None:
        unit = next(filter(None, map(_only_unit, fits.values())), None)
    found = {}
    for name, one in fits.items():
        found[name] = leave_one_out(one, unit)
    table = pd.DataFrame(
        {name: {"elpd": one.elpd, "se": one.se, "p": one.p} for name, one in found.items()}
    ).T.sort_values("elpd", ascending=False)
    terms = {name: one.terms["elpd"].to_numpy() for name, one in found.items()}
    counts = next(iter(found.values())).terms["count"].to_numpy()
    best = table.index[0]
    table["elpd_diff"] = table["elpd"] - table.loc[best, "elpd"]
    table["diff_se"] = [se_of_sum(terms[name] - terms[best], counts) for name in table.index]
    weights = stacking_weights(np.array([terms[name] for name in table.index]), counts)
    table["weight"] = weights
    table["bad_k"] = [found[name].bad_k for name in table.index]
    return table[["elpd", "se", "p", "elpd_diff", "diff_se", "weight", "bad_k"]]


def _require_same_outcomes(fits: Mapping[str, Any]) -> None:
    """Refuse models whose probabilities differ in kind.

    Such are those of ties and those of unseen order, and those of preferences and of rankings.
    """
    unseen: list[str] = []
    results: list[str] = []
    kinds = {}
    for name, one in fits.items():
        observation = one.specification.observation
        kinds[name] = observation.row, getattr(observation, "weight_rule", None)
    first = next(iter(kinds.values()))
    others = [name for name, kind in kinds.items() if kind != first]
    if others:
        raise ValueError(
            f"The rows of {', '.join(others)} are other than those of {next(iter(kinds))}: "
            'preferences ("mpm", at one weight) can be compared among themselves only.'
        )
    for name, one in fits.items():
        ties = getattr(one.specification.kind, "ties", None)
        if ties is not None and one.specification.data.has_ties:
            (unseen if ties == "unseen" else results).append(name)
    if unseen and results:
        raise ValueError(
            f"Equal ranks are results in {', '.join(results)}, and an order that was not seen in "
            f"{', '.join(unseen)}: probabilities of different outcomes cannot be compared."
        )


def se_of_sum(terms: np.ndarray, counts: np.ndarray) -> float:
    """Return the standard error of a sum of terms, each of which occurs so many times."""
    total = counts.sum()
    mean = counts @ terms / total
    return float(np.sqrt(total * (counts @ (terms - mean) ** 2) / max(total - 1.0, 1.0)))


def stacking_weights(terms: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the weights under which a mixture of fits predicts best (Yao and others 2018).

    Parameters
    ----------
    terms : ndarray, fits by units
        Log predictive density of each unit.
    counts : ndarray
        How many there are of each.
    """
    density = np.exp(terms - terms.max(axis=0))
    weights = np.full(len(terms), 1.0 / len(terms))
    for _ in range(10_000):
        # Expectation maximisation, which never makes the mixture worse.
        shares = weights[:, None] * density
        ahead = (shares / shares.sum(axis=0)) @ counts / counts.sum()
        if np.abs(ahead - weights).max() < 1e-7:
            break
        weights = ahead
    return ahead
