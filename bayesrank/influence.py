"""How much a consensus owes to each agent: what it would be without one of them.

Without an agent the posterior is proportional to the full one divided by the agent's likelihood.
So draws are weighted by its inverse, and the weights smoothed (Pareto smoothed importance
sampling, Vehtari and others 2024).
"""

import numpy as np

from bayesrank import _compat, consensus
from bayesrank.data import Rankings

__all__ = ["influence"]


def influence(fit, loss):
    """Return the table of `bayesrank.Fit.influence`."""
    import pandas as pd

    scores, index = fit._labelled("influence")
    consensus.require_loss(loss)
    agents, agent_of_row = _agents(fit)
    if "log_likelihood" not in _compat.group_names(fit.idata):
        fit.log_likelihood()
    rows = fit.idata["log_likelihood"][fit.specification.observation.name].values
    rows = rows.reshape(len(scores), -1)
    of_agent = np.zeros((len(agents), len(scores)))
    np.add.at(of_agent, agent_of_row, rows.T)
    log_weights, pareto_k = _compat.pareto_smoothed(-of_agent)

    ranks = consensus.rank_draws(scores)
    expected = ranks.mean(axis=0)
    place = _places(scores, loss)
    table = []
    for log_weight in log_weights:
        weight = np.exp(log_weight - log_weight.max())
        weight /= weight.sum()
        moved = weight @ ranks - expected
        without = _places(scores[_resample(weight)], loss)
        most = np.argmax(np.abs(moved))
        table.append(
            {
                "mean_shift": np.sqrt(np.mean(moved**2)),
                "reversals": _reversals(place, without),
                "item": index[most],
                "shift": moved[most],
                "first": index[np.argmin(without)],
            }
        )
    table = pd.DataFrame(table, pd.Index(agents, name="agent", tupleize_cols=False))
    table["pareto_k"] = pareto_k
    return table.sort_values("mean_shift", ascending=False, kind="stable")


def _agents(fit):
    """Return the labels of the agents and, for each row of the likelihood, whose it is."""
    data, observation = fit.specification.data, fit.specification.observation
    if fit.specification.likelihood == "mpm":
        labels, rows = observation.agents, observation.ballots.agent
    elif data.agents is not None:
        labels, rows = data.agents, data.agent
    elif isinstance(data, Rankings):
        labels, rows = data.names, np.arange(len(data.names))
    else:
        raise ValueError("These comparisons have no agents: give their column as `agent`.")
    if len(labels) < 2:
        raise ValueError("There is only one agent: without it there is nothing to rank by.")
    return list(labels), np.asarray(rows)


def _places(scores, loss):
    """Return the place of each item in the consensus."""
    return np.argsort(consensus.best_order(scores, loss).order)


def _resample(weight):
    """Return draws in proportion to their weights, at even steps: equal weights keep all."""
    steps = (np.arange(len(weight)) + 0.5) / len(weight)
    return np.searchsorted(np.cumsum(weight), steps).clip(max=len(weight) - 1)


def _reversals(a, b):
    """Return the number of pairs that two sets of places have in a different order."""
    return int(np.triu((a[:, None] < a) != (b[:, None] < b), 1).sum())
