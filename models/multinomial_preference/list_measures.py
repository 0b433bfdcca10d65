"""LETOR's measures of a ranking of judged documents, and LETOR's own numbers."""

import numpy as np

from bayesrank.metrics import average_precision, ndcg, precision

__all__ = ["CASES", "MEASURES", "NAMES", "SHOWN", "measures", "official", "over_folds", "paired"]

MEASURES = [f"NDCG@{k}" for k in range(1, 6)] + [f"P@{k}" for k in range(1, 6)] + ["MAP"]
SHOWN = [0, 4, 10]  # the places of the measures that most tables show
# LETOR 4.0's test averages, in the order of MEASURES; for CPS the best of its three distances.
OFFICIAL = {
    "mq2008-agg": {
        "Borda": "2368 2806 3080 3432 3713 2972 3042 2938 2975 2903 3945",
        "CPS": "2652 3138 3459 3763 4004 - - - - - 4102",
    },
    "mq2007-agg": {"Borda": "1902 2014 2081 2128 2188 2488 2524 2569 2580 2597 3252"},
}
CASES = [(best, absent) for best in ("largest", "smallest") for absent in ("below", "ignored")]
NAMES = {"largest": "official direction", "smallest": "right direction"}


def measures(case, score):
    """Return LETOR's measures, queries by `MEASURES`; equal scores keep the order of the file."""
    # Scores are rounded so that equal ones stay equal after an optimiser.
    judged = np.round(score, 8), case.documents.relevance, case.documents.query
    cutoffs = range(1, 6)
    return np.column_stack(
        [
            ndcg(*judged, k=cutoffs, convention="letor-script"),
            precision(*judged, k=cutoffs),
            average_precision(*judged),
        ]
    )


def over_folds(values, part):
    """Return the mean over five folds of the mean over each fold's test queries."""
    return np.mean([values[part == k].mean(axis=0) for k in range(5)], axis=0)


def paired(difference):
    """Return the mean over queries and its standard error."""
    return difference.mean(), difference.std(ddof=1) / np.sqrt(difference.size)


def official(name, method):
    """Return LETOR's numbers in the order of `MEASURES`, or an empty list."""
    found = OFFICIAL.get(name, {}).get(method, "").split()
    return [np.nan if cell == "-" else int(cell) / 1e4 for cell in found]
