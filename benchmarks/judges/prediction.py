"""How well votes that were not seen are predicted, with and without what differs between judges.

Five folds, in which all votes on the same two answers are in the same one. Judges and items that
were not seen are average ones. Probabilities are averaged over draws.
"""

import warnings

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.model.specification import Specification
from bayesrank.progress import progress_bar
from benchmarks.judges.votes_data import OUTCOMES, compared, llm_votes

__all__ = ["MODELS", "folds_of", "forecast", "run", "with_error"]

ALL = {"discrimination": "by-agent", "ties": "by-agent", "order_effect": "by-agent"}
MODELS = {
    "Davidson": {},
    "discrimination by agent": {"discrimination": "by-agent"},
    "ties by agent": {"ties": "by-agent"},
    "order effect by agent": {"order_effect": "by-agent"},
    "all three": ALL,
    "all three, and prompts": ALL | {"scores": "by-category"},
}
# What modes with spreads set by hand have on the votes on language models.
KNOWN = dict(zip(MODELS, (1.0190, 0.9979, 0.9602, 1.0109, 0.9235, 0.8913), strict=True))
METHODS = {"laplace": {"draws": 1000, "chains": 1}, "nuts": {"draws": 500, "chains": 2}}
OF_AGENTS = {
    "discrimination": 1.0, "log_discrimination": 0.0, "ties_by_agent": 0.0,
    "order_effect_by_agent": 0.0,
}  # fmt: skip


def folds_of(table, folds=5):
    """Return the fold of each vote; votes on the same two answers share one."""
    ids = np.sort(table["id"].unique())
    fold = np.random.default_rng(0).permutation(len(ids)) % folds
    return fold[np.searchsorted(ids, table["id"])]


def run(quick):
    """Return a row for each model and method, with standard errors over pairs of answers."""
    table, true = llm_votes()
    folds, rows = folds_of(table), []
    models = {name: MODELS[name] for name in ("Davidson", "all three")} if quick else MODELS
    with progress_bar("votes", len(METHODS) * len(models) * 5) as advance:
        for method in METHODS:
            plain = None
            for name, arguments in models.items():
                loss, worst = np.empty(len(table)), 1.0
                for k in range(5):
                    held = folds == k
                    found, fit = forecast(table[~held], table[held], method, **arguments)
                    loss[held] = -np.log(found)
                    worst = max(worst, fit.diagnostics().max_rhat) if method == "nuts" else np.nan
                    advance()
                plain = loss if plain is None else plain
                mean, error = with_error(loss, table["id"])
                less, less_error = with_error(loss - plain, table["id"])
                rows.append(
                    {
                        "model": name, "method": method, "log-loss": mean, "error": error,
                        "more than Davidson": less, "error of that": less_error,
                        "known": KNOWN[name] if true else np.nan, "largest R-hat": worst,
                    }
                )  # fmt: skip
                print(pd.DataFrame(rows[-1:]).round(4).to_string(index=False,
                      header=len(rows) == 1), flush=True)  # fmt: skip
    return pd.DataFrame(rows)


def forecast(past, future, method, **arguments):
    """Return the probabilities of the outcomes of new votes, and the fit of those before."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The data do not link")
        warnings.filterwarnings("ignore", message="Do not trust this fit yet")
        fit = br.fit(compared(past), "davidson", method=method, seed=1, progress=False,
                     **METHODS[method], **arguments)  # fmt: skip
    data = _with_known_labels(future, fit.specification.data)
    observation = Specification(data, "davidson", scale=1.0, **arguments).observation
    mean = np.zeros((len(data), 3))
    draws = fit.shape[0] * fit.shape[1]
    for draw in range(draws):
        values = _with_average_ones(fit.values(draw), fit.specification.data, data)
        mean += observation.outcome_probabilities(values)
    outcome = future["outcome"].map(OUTCOMES.index).to_numpy()
    return mean[np.arange(len(data)), outcome] / draws, fit


def _with_known_labels(future, past):
    """Return new votes, a row each, numbered by the labels of the past and then by new ones."""
    labels = {
        "items": (past.items, pd.unique(future[["left", "right"]].to_numpy().ravel())),
        "agents": (past.agents, future["worker"].unique()),
        "categories": (past.categories, future["prompt"].unique()),
    }
    names = {key: [*old, *(label for label in new if label not in set(old))]
             for key, (old, new) in labels.items()}  # fmt: skip

    def numbers(column, key):
        place = {label: k for k, label in enumerate(names[key])}
        return future[column].map(place).to_numpy()

    counts = np.tile([1, 0, 0], (len(future), 1))  # how they end plays no role
    return br.Comparisons(
        numbers("left", "items"), numbers("right", "items"), counts, names["items"],
        agent=numbers("worker", "agents"), agents=names["agents"],
        category=numbers("prompt", "categories"), categories=names["categories"],
    )  # fmt: skip


def _with_average_ones(values, past, data):
    """Return a draw's values with average ones for labels that are new."""
    items = len(data.items) - len(past.items)
    agents = len(data.agents) - len(past.agents)
    categories = len(data.categories) - len(past.categories)
    more = {"score": np.pad(values["score"], (0, items))}
    for name, average in OF_AGENTS.items():
        if name in values:
            more[name] = np.pad(values[name], (0, agents), constant_values=average)
    if "score_by_category" in values:
        cells = values["score_by_category"].reshape(len(past.categories), -1)
        more["score_by_category"] = np.pad(cells, ((0, categories), (0, items))).ravel()
    return values | more


def with_error(loss, group):
    """Return the mean, and its standard error if what groups have in common is by chance."""
    mean = loss.mean()
    apart = pd.Series(loss - mean).groupby(np.asarray(group)).sum().to_numpy()
    n = len(apart)
    return mean, np.sqrt(n / (n - 1) * (apart**2).sum()) / len(loss)
