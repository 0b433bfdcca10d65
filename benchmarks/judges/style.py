"""Whether the effect of a feature, such as length, is found, beside arena-rank.

Longer answers win more often at equal quality, and better models write longer ones. Votes have no
ties: arena-rank takes a tie for half a win, which would be another difference.
"""

import warnings
from contextlib import closing
from importlib.util import find_spec

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.inference.process_pool import on_processes
from bayesrank.progress import progress_bar

__all__ = ["TRUE", "arena_rank", "found", "run", "simulated"]

TRUE = 0.3  # log-odds by unit of length
ITEMS, VOTES = 15, 1500
FEATURES = {"length": ("length_left", "length_right")}


def simulated(seed, votes=VOTES):
    """Return votes with the lengths of both answers."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=ITEMS)
    usual = 0.5 * score + 0.5 * rng.normal(size=ITEMS)
    left = rng.integers(0, ITEMS, votes)
    right = (left + rng.integers(1, ITEMS, votes)) % ITEMS
    long = [usual[side] + rng.normal(size=votes) for side in (left, right)]
    lead = score[left] - score[right] + TRUE * (long[0] - long[1])
    outcome = np.where(rng.logistic(size=votes) < lead, "left", "right")
    return pd.DataFrame(
        {
            "left": [f"item {k:02d}" for k in left], "right": [f"item {k:02d}" for k in right],
            "outcome": outcome, "length_left": long[0], "length_right": long[1],
        }
    )  # fmt: skip


def found(table, method, seed):
    """Return our mean and 95 % interval of the effect."""
    data = br.Comparisons.from_frame(table, features=FEATURES)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The data do not link")
        fit = br.fit(data, "bradley-terry", method=method, seed=seed, progress=False)
    beta = np.ravel(fit.posterior["beta"])
    return beta.mean(), *np.quantile(beta, [0.025, 0.975])


def arena_rank(table, reg=None):
    """Return the effect that arena-rank estimates, by unit of length, and its 95 % interval.

    Parameters
    ----------
    table : DataFrame
    reg : float, optional
        Its penalty on the mean log-likelihood, by default its own.
    """
    from arena_rank.models.contextual_bradley_terry import ContextualBradleyTerry
    from arena_rank.utils.data_utils import ContextualPairDataset

    frame = table.assign(
        model_a=table["left"], model_b=table["right"],
        winner=table["outcome"].map({"left": "model_a", "right": "model_b"}),
        length=table["length_left"] - table["length_right"],
    )  # fmt: skip
    data = ContextualPairDataset.from_pandas(frame, feature_cols=["length"])
    options = {} if reg is None else {"reg": reg}
    model = ContextualBradleyTerry(len(data.competitors), 1, **options)
    model.fit(data)
    unit = frame["length"].std(ddof=0)
    mean, spread = float(model.params["coeffs"][0]) / unit, _spread(model, data) / unit
    return mean, mean - 1.96 * spread, mean + 1.96 * spread


def _spread(model, data):
    """Return the standard error of the coefficient, as arena-rank computes those of ratings."""
    bend, scatter = model.compute_hessian_and_covariance(
        model.params["ratings"], model.params["coeffs"], data.pairs, data.features, data.outcomes,
        data.weights, model.reg, model.hessian_reg, model.n_competitors, model.n_features,
        len(data.outcomes),
    )  # fmt: skip
    inverse = np.linalg.inv(np.asarray(bend))
    return np.sqrt((inverse @ np.asarray(scatter) @ inverse)[-1, -1] / len(data.outcomes))


def _one(seed):
    table = simulated(seed)
    rows = {f"ours, {method}": found(table, method, seed) for method in ("laplace", "nuts")}
    if find_spec("arena_rank"):
        rows["arena-rank, its default"] = arena_rank(table)
        rows["arena-rank, penalty by votes"] = arena_rank(table, 1.0 / len(table))
    return rows


def run(n, processes=None):
    """Return for each method what share of the effect it finds, and how often it is held."""
    found_of = {}
    with (
        progress_bar("style", n) as advance,
        closing(on_processes(_one, {k: (k,) for k in range(n)}, processes)) as results,
    ):
        for _, one in results:
            for name, values in one.items():
                found_of.setdefault(name, []).append(values)
            advance()
    rows = []
    for name, values in found_of.items():
        mean, low, high = np.array(values).T
        held = (low <= TRUE) & (high >= TRUE)
        rows.append(
            {
                "method": name, "data sets": n, "estimate / true": mean.mean() / TRUE,
                "error of that": mean.std(ddof=1) / np.sqrt(n) / TRUE,
                "95 % intervals that hold it": held.mean(),
                "error": np.sqrt(held.mean() * (1.0 - held.mean()) / n),
                "mean width": (high - low).mean(),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
