"""How much each strategy has to ask until it is right, with standard errors."""

import numpy as np
import pandas as pd
from scipy.optimize import isotonic_regression

__all__ = [
    "ASKED_OF_US",
    "GOALS",
    "crossing",
    "curve_of",
    "mean_curve",
    "needed",
    "summary",
    "table_of",
]

# What each goal is measured by, which truths it is asked of, and the values that are to be reached.
GOALS = {
    "order": ("distance", ("prior", "even"), (0.1, 0.05)),
    "best": ("found", ("prior", "even", "leader"), (0.9,)),
}
ASKED_OF_US = {"order": 2 / 3, "best": 1 / 2}  # of what random questions need
_RESAMPLED = 400


def table_of(runs, measure):
    """Return a measure of the runs of one strategy, replicates by numbers of questions."""
    return runs.pivot(index="replicate", columns="asked", values=measure)


def mean_curve(values, rising):
    """Return the mean over replicates, made to fall (or rise) all the way."""
    return isotonic_regression(np.mean(values, axis=0), increasing=rising).x


def curve_of(runs, measure):
    """Return how much was asked, and the mean curve of a measure."""
    table = table_of(runs, measure)
    return table.columns.to_numpy(), mean_curve(table, measure == "found")


def crossing(asked, curve, value, rising):
    """Return how much was asked when a curve first reached a value; infinity if it never did."""
    there = curve >= value if rising else curve <= value
    if not there.any():
        return np.inf
    k = int(np.argmax(there))
    if k == 0 or curve[k] == curve[k - 1]:
        return float(asked[k])
    share = (value - curve[k - 1]) / (curve[k] - curve[k - 1])
    return float(asked[k - 1] + share * (asked[k] - asked[k - 1]))


def needed(runs, base, measure, value, rng):
    """Return what a strategy needs, the ratio to another, and the standard errors of both.

    Parameters
    ----------
    runs, base : data frame
        Of the strategy, and of the one that it is compared with: the same truths.
    measure : str
    value : float
    rng : Generator
        For replicates that are drawn again.
    """
    rising = measure == "found"
    tables = [table_of(one, measure) for one in (runs, base)]
    shared = tables[0].index.intersection(tables[1].index)
    grids = [table.columns.to_numpy(dtype=float) for table in tables]

    values = [table.loc[shared].to_numpy() for table in tables]

    def of(replicates):
        return [
            crossing(grid, mean_curve(each[replicates], rising), value, rising)
            for grid, each in zip(grids, values, strict=True)
        ]

    mine, other = of(slice(None))
    again = rng.integers(0, len(shared), size=(_RESAMPLED, len(shared)))
    again = np.array([of(replicates) for replicates in again])
    # Where the other never gets there, the ratio is less than that to all it asked.
    least = np.isinf(other)
    other = grids[1][-1] if least else other
    ratios = again[:, 0] / np.minimum(again[:, 1], grids[1][-1])
    return {
        "needed": mine, "se": _spread(again[:, 0]),
        "ratio": mine / other if np.isfinite(mine) else np.nan,
        "ratio_se": np.nan if least else _spread(ratios), "less_than": least,
    }  # fmt: skip


def _spread(values):
    """Return a standard error; there is none where some sample never gets there."""
    return float(np.std(values, ddof=1)) if np.isfinite(values).all() else np.nan


def summary(runs, rng=None):
    """Return what each strategy needs in each setting for each goal, one row each."""
    rng = np.random.default_rng(0) if rng is None else rng
    rows = []
    about = ["part", "likelihood", "items", "size", "truth"]
    for setting, group in runs.groupby(about, sort=False):
        named = dict(zip(about, setting, strict=True))
        random = group[group["strategy"] == "random"]
        for goal, (measure, truths, values) in GOALS.items():
            if named["truth"] not in truths:
                continue
            for strategy, own in group.groupby("strategy", sort=False):
                if strategy.startswith("suggest") and strategy != f"suggest {goal}":
                    continue
                for value in values:
                    found = needed(own, random, measure, value, rng)
                    rows.append(
                        {
                            **named, "goal": goal, "value": value, "strategy": strategy, **found,
                            "replicates": own["replicate"].nunique(), "budget": own["asked"].max(),
                        }
                    )  # fmt: skip
    return pd.DataFrame(rows)
