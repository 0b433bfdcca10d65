"""How much a consensus owes to each agent: what it would be without one of them.

Without an agent the posterior is proportional to the full one divided by the agent's likelihood.
So draws are weighted by its inverse, and the weights smoothed (Pareto smoothed importance
sampling, Vehtari and others 2024). Where they are too uneven, the model is fitted again if asked.
"""

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import _compat, consensus
from bayesrank.progress import progress_bar
from bayesrank.results.refits import refitted, with_other_data
from bayesrank.results.row_groups import agents_of_rows
from bayesrank.results.weighted_draws import resampled_places, smoothed_weights

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DOUBTFUL", "influence"]

DOUBTFUL = 0.7  # Pareto k above which weights are too uneven


def influence(fit: Any, loss: str, refit: bool) -> "pd.DataFrame":
    """Return the table of `bayesrank.Fit.influence`."""
    import pandas as pd

    scores, index = fit._labelled("influence")
    consensus.require_loss(loss)
    if fit.part:
        raise ValueError(
            "Agents speak in other instances too, which this part of the fit does not know: fit "
            "this instance alone to see their influence on it."
        )
    agents, agent_of_row = _agents(fit)
    if not isinstance(refit, bool):
        raise TypeError(f"`refit` must be True or False, got {refit!r}.")
    by_agent = _log_likelihoods(fit, agents, agent_of_row)
    found = [smoothed_weights(-of_agent) for of_agent in by_agent]
    pareto_k = np.array([k for _, k in found])
    again = (pareto_k > DOUBTFUL) & refit
    if again.any() and fit.specification.given_entry_features is not None:
        raise ValueError(
            "`refit` needs features that are part of the data: give them to Rankings.from_frame."
        )
    ranks = consensus.rank_draws(scores)
    expected, place = ranks.mean(axis=0), _places(scores, loss)
    rows = []
    with progress_bar("Leaving out agents", len(agents)) as advance:
        for k, (weight, _) in enumerate(found):
            if again[k]:
                without = _scores_without(fit, agents, k)
                moved = consensus.expected_ranks(without) - expected
            else:
                without = scores[resampled_places(weight)]
                moved = weight @ ranks - expected
            rows.append(_row(index, moved, place, _places(without, loss)))
            advance()
    table = pd.DataFrame(rows, pd.Index(agents, name="agent", tupleize_cols=False))
    table["pareto_k"], table["refitted"] = pareto_k, again
    return table.sort_values("mean_shift", ascending=False, kind="stable")


def _row(
    index: "pd.Index", moved: np.ndarray, place: np.ndarray, place_without: np.ndarray
) -> dict[str, Any]:
    most = np.argmax(np.abs(moved))
    return {
        "mean_shift": np.sqrt(np.mean(moved**2)),
        "reversals": _reversals(place, place_without),
        "item": index[most],
        "shift": moved[most],
        "first": index[np.argmin(place_without)],
    }


def _log_likelihoods(fit: Any, agents: list[Any], agent_of_row: np.ndarray) -> np.ndarray:
    """Return the log-likelihood of each agent's data (row) in each draw."""
    if "log_likelihood" not in _compat.group_names(fit.idata):
        fit.log_likelihood()
    rows = fit.idata["log_likelihood"][fit.specification.observation.name].values
    rows = rows.reshape(-1, len(agent_of_row))
    of_agent = np.zeros((len(agents), len(rows)))
    np.add.at(of_agent, agent_of_row, rows.T)
    return of_agent


def _scores_without(fit: Any, agents: list[Any], left_out: int) -> np.ndarray:
    """Return draws of the same items' scores, at the same time, from a fit to all others' data."""
    again = _refit(fit, agents, left_out)
    if fit.specification.moves is None:
        return again.scores()
    return again._moments.of(fit._moment.items, fit._moment.time)


def _refit(fit: Any, agents: list[Any], left_out: int) -> Any:
    """Return the same model, fitted in the same way to the data of all others."""
    specification = fit.specification
    data = specification.data
    others = np.arange(len(agents)) != left_out
    if data.agents is not None:
        data = data.subset(
            agents=[agent for agent, kept in zip(agents, others, strict=True) if kept]
        )
    else:
        data = data.subset(rankings=others)
    with warnings.catch_warnings():
        # Items that only this agent ranked are left to the prior, as they should be here.
        warnings.simplefilter("ignore", UserWarning)
        return refitted(fit, with_other_data(specification, data), seed=0)


def _agents(fit: Any) -> tuple[list[Any], np.ndarray]:
    """Return the labels of the agents and, for each row of the likelihood, whose it is."""
    found = agents_of_rows(fit.specification)
    if found is None:
        raise ValueError("These comparisons have no agents: give their column as `agent`.")
    labels, rows = found
    if len(labels) < 2:
        raise ValueError("There is only one agent: without it there is nothing to rank by.")
    return list(labels), np.asarray(rows)


def _places(scores: np.ndarray, loss: str) -> np.ndarray:
    """Return the place of each item in the consensus."""
    return np.argsort(consensus.best_order(scores, loss).order)


def _reversals(a: np.ndarray, b: np.ndarray) -> int:
    """Return the number of pairs that two sets of places have in a different order."""
    return int(np.triu((a[:, None] < a) != (b[:, None] < b), 1).sum())
