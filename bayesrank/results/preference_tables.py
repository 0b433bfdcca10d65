"""Tables of a fit of the multinomial preference model: items and agents."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank import consensus

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["agent_table", "item_variances"]


def agent_table(fit: Any, prob: float) -> "pd.DataFrame":
    """Return adherences with intervals by agent, the largest first."""
    import pandas as pd

    observation = fit.specification.observation
    agents, ballots = len(observation.agents), observation.ballots
    index = pd.Index(observation.agents, name="agent")
    table = pd.DataFrame(index=index)
    if observation.learns_adherence:
        # A mode at 0 or 1 is found only to twelve digits.
        draws = fit._flat("adherence").round(10)
        _add_summary(table, "adherence", draws, prob, fit.kind.is_point)
        table = table.rename(columns=lambda name: name.removeprefix("adherence_"))
    else:
        table["adherence"] = observation.adherence
        table[["sd", "low", "high"]] = np.nan
    table["ballots"] = np.bincount(ballots.agent, minlength=agents)
    table["preferences"] = np.bincount(ballots.agent, ballots.total, minlength=agents)
    return table.sort_values("adherence", ascending=False, kind="stable")


def item_variances(fit: Any, prob: float) -> "pd.DataFrame":
    """Return variances with intervals, and the number of ballots, by item."""
    import pandas as pd

    observation = fit.specification.observation
    table = pd.DataFrame(index=fit._index())
    if observation.learns_variances:
        _add_summary(table, "variance", fit._flat("variance"), prob, fit.kind.is_point)
    else:
        table["variance"] = 0.5 if observation.variance is None else observation.variance
        table[["variance_sd", "variance_low", "variance_high"]] = np.nan
    table["ballots"] = np.bincount(observation.ballots.net_wins[1], minlength=len(table))
    return table


def _add_summary(
    table: "pd.DataFrame", name: str, draws: np.ndarray, prob: float, point: bool
) -> None:
    """Add mean, sd and interval of draws (draws by rows) to a table."""
    table[name] = draws.mean(axis=0)
    columns = [f"{name}_sd", f"{name}_low", f"{name}_high"]
    if point:
        table[columns] = np.nan
    else:
        low, high = consensus.interval(draws, prob)
        table[columns] = np.stack([draws.std(axis=0, ddof=1), low, high], axis=1)
