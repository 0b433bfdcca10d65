"""Which of several fits predicts better."""

import numpy as np
import pandas as pd

from bayesrank import _compat

__all__ = ["compare"]


def compare(fits):
    """Compare fits of the same data by approximate leave-one-out cross-validation.

    Each row of the data is left out in turn: an ordered pair, with all its comparisons by one
    agent, or a ranking, with its weight; for "mpm" a ballot, which is all that an agent says in
    an instance. Models in which equal ranks are results predict who ties, and those in which the
    order was only not seen do not: where there are ties, fits of the two kinds cannot be compared.

    Parameters
    ----------
    fits : dict of str to Fit

    Returns
    -------
    pandas.DataFrame
        Best first: elpd (expected log predictive density) and its standard error se, p
        (effective number of parameters), elpd_diff from the best with its standard error
        diff_se, the stacking weight, and bad_k, the number of rows for which the
        approximation is doubtful (Pareto k above ArviZ's limit).

    Examples
    --------
    >>> games = br.load_dataset("baseball")
    >>> fits = {
    ...     name: br.fit(games, "bradley-terry", order_effect=effect, method="laplace", seed=1)
    ...     for name, effect in (("neutral", False), ("home", True))
    ... }
    >>> br.compare(fits)[["elpd", "elpd_diff"]].round(0)
             elpd  elpd_diff
    home    -68.0        0.0
    neutral -70.0       -2.0
    """
    if not isinstance(fits, dict) or len(fits) < 2:
        raise ValueError("`fits` must be a dict of at least two fits, by name.")
    first = next(iter(fits.values())).specification.data
    for name, one in fits.items():
        one._require_draws("compare")
        if not one.specification.data.same_as(first):
            raise ValueError(f"`{name}` was fitted to other data than the first fit.")
    _require_same_outcomes(fits)
    results, pointwise, rows = {}, {}, {}
    for name, one in fits.items():
        if "log_likelihood" not in _compat.group_names(one.idata):
            one.log_likelihood()
        results[name], pointwise[name], p, k = _compat.loo(one.idata)
        rows[name] = {
            "elpd": pointwise[name].sum(),
            "se": _se_of_sum(pointwise[name]),
            "p": float(p),
            "bad_k": int((k > results[name].good_k).sum()),
        }
    table = pd.DataFrame(rows).T.sort_values("elpd", ascending=False)
    best = table.index[0]
    table["elpd_diff"] = table["elpd"] - table.loc[best, "elpd"]
    table["diff_se"] = [_se_of_sum(pointwise[name] - pointwise[best]) for name in table.index]
    table["weight"] = pd.Series(_compat.stacking_weights(results))
    table["bad_k"] = table["bad_k"].astype(int)
    return table[["elpd", "se", "p", "elpd_diff", "diff_se", "weight", "bad_k"]]


def _require_same_outcomes(fits):
    """Refuse models whose probabilities differ in kind.

    Such are those of ties and those of unseen order, and those of preferences and of rankings.
    """
    unseen, results, kinds = [], [], {}
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
        ties = getattr(one.specification.family, "ties", None)
        if ties is not None and one.specification.data.has_ties:
            (unseen if ties == "unseen" else results).append(name)
    if unseen and results:
        raise ValueError(
            f"Equal ranks are results in {', '.join(results)}, and an order that was not seen in "
            f"{', '.join(unseen)}: probabilities of different outcomes cannot be compared."
        )


def _se_of_sum(terms):
    return float(np.sqrt(len(terms) * np.var(terms, ddof=1)))
