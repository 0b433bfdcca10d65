"""The table of a ranking: what follows from draws of scores for labelled items."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.consensus.intervals import interval, rank_intervals
from bayesrank.consensus.ranks import rank_draws
from bayesrank.consensus.tiers import tiers

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["best_first", "ranking_table"]


def ranking_table(
    scores: np.ndarray,
    labels: Any,
    prob: float,
    *,
    point: bool = False,
    rule: str | None = "expected",
) -> "pd.DataFrame":
    """Return a frame by item, best first: score, its interval, rank, its interval, and so on.

    Parameters
    ----------
    scores : ndarray, draws by items
    labels : list or pandas index
    prob : float
        Probability of the intervals, and what `tiers` promise.
    point : bool
        Whether the scores are a single point, which has no uncertainty: those columns are empty.
    rule : "expected", "certain" or None
        Of the tiers; without a rule there are none.
    """
    import pandas as pd

    mean = scores.mean(axis=0)
    index = labels
    if not isinstance(labels, pd.Index):
        index = pd.Index(labels, name="item", tupleize_cols=False)
    table = pd.DataFrame({"score": mean}, index=index)
    table["rank"] = rank_draws(mean[None])[0]
    columns = ["sd", "low", "high", "rank_low", "rank_high", "p_best", "p_top3"]
    columns += [] if rule is None else ["tier"]
    if point:
        table[columns] = np.nan
    else:
        ranks = rank_draws(scores)
        table["sd"] = scores.std(axis=0, ddof=1)
        table["low"], table["high"] = interval(scores, prob)
        low, high = rank_intervals(scores, prob, simultaneous=False)
        table["rank_low"], table["rank_high"] = low, high
        table["p_best"] = (ranks == 1).mean(axis=0)
        table["p_top3"] = (ranks <= 3).mean(axis=0)
        if rule is not None:
            table["tier"] = tiers(scores, prob, rule)
    order = ["score", "sd", "low", "high", "rank", *columns[3:]]
    return table[order].sort_values("rank")


def best_first(columns: dict[str, Any], scores: np.ndarray, index: "pd.Index") -> "pd.DataFrame":
    """Return columns by item as a frame, in order of the mean scores."""
    import pandas as pd

    order = np.argsort(-scores.mean(axis=0), kind="stable")
    return pd.DataFrame(columns, index).iloc[order]
