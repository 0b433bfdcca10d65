"""Whether true values are where posteriors say, by simulation, for each term and all together."""

from itertools import product

import numpy as np
import pandas as pd

import bayesrank as br
from benchmarks.calibration import verdict

__all__ = ["METHODS", "TERMS", "design", "ranks"]

METHODS = ("nuts", "laplace", "advi")
ITEMS, AGENTS, CATEGORIES = 5, 4, 3
TERMS = {
    "discrimination by agent": {"discrimination": "by-agent"},
    "order effect by agent": {"order_effect": "by-agent"},
    "order effect by item": {"order_effect": "by-item"},
    "ties by agent": {"ties": "by-agent"},
    "ties by item": {"ties": "by-item"},
    "scores by category": {"scores": "by-category"},
    "features of rows": {},
    "all together": {
        "discrimination": "by-agent", "order_effect": ("by-agent", "by-item"),
        "ties": ("by-agent", "by-item"), "scores": "by-category",
    },
}  # fmt: skip
WITH_FEATURES = ("features of rows", "all together")


def design(features=False):
    """Return data whose design is used: each agent sees each pair once in each category."""
    left, right = np.triu_indices(ITEMS, 1)
    rng = np.random.default_rng(1)
    rows = pd.DataFrame(
        [
            (agent, category, i, j)
            for agent in range(AGENTS)
            for category in range(CATEGORIES)
            for i, j in zip(left, right, strict=True)
        ],
        columns=["agent", "category", "one", "two"],
    )
    turned = rng.random(len(rows)) < 0.5
    rows["left"] = np.where(turned, rows["two"], rows["one"])
    rows["right"] = np.where(turned, rows["one"], rows["two"])
    rows["length"] = rng.normal(size=len(rows))
    rows["outcome"] = "left"
    about = {"features": ["length"]} if features else {}
    return br.Comparisons.from_frame(rows, agent="agent", category="category", **about)


def ranks(n, processes=None, terms=TERMS, methods=METHODS):
    """Return a verdict for each term and method, from the ranks of true values."""
    rows = []
    for method, name in product(methods, terms):
        model = br.Specification(design(name in WITH_FEATURES), "davidson", **TERMS[name])
        found = br.calibrate(model, n, method=method, seed=2026, processes=processes)
        table = found.table()
        rows.append(
            {
                "term": name, "method": method, "replicates": len(found.ranks),
                "failed": len(found.failures), "quantities": len(found.names),
                "least uniform": table.index[0], "p, for all": table["p_adjusted"].iloc[0],
                "verdict": verdict(table),
            }
        )  # fmt: skip
        print(pd.DataFrame(rows[-1:]).to_string(index=False, header=len(rows) == 1), flush=True)
    return pd.DataFrame(rows)
