"""Fits to draw, made once, and figures closed after each test."""

from functools import lru_cache

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from tests.plots.readable import names_of
from tests.random_tables import random_table


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@lru_cache
def pair_fit(items, method="laplace", likelihood="davidson", order_effect=False):
    table = random_table(items, items=items, ties=likelihood != "bradley-terry")
    data = br.Comparisons(table.left, table.right, table.counts, names_of(items))
    options = {} if method == "map" else {"draws": 150, "chains": 1}
    return br.fit(data, likelihood, method=method, scale=1.0, order_effect=order_effect, seed=1,
                  **options)  # fmt: skip


@lru_cache
def ranking_fit(items, likelihood="davidson-luce"):
    rng, names = np.random.default_rng(items), names_of(items)
    rows = []
    for k in range(40):
        offered = rng.permutation(items)[: max(4, items // 4)]
        rank = np.arange(1, offered.size + 1)
        if likelihood != "plackett-luce":
            rank[1:] -= np.cumsum(rng.random(offered.size - 1) < 0.2)
        last = rank.max() if k % 4 else 2  # some say which are their first, and no more
        rows += [
            (k, names[i], r if r <= last else None, 1 + k % 3)
            for i, r in zip(offered, rank, strict=True)
        ]
    frame = pd.DataFrame(rows, columns=["ranking", "item", "rank", "weight"])
    data = br.Rankings.from_frame(frame, "ranking", weight="weight", unranked="rows below")
    return br.fit(data, likelihood, method="laplace", scale=1.0, draws=150, chains=1, seed=1)


@lru_cache
def preference_fit(agents=6, items=8, instances=1):
    rng = np.random.default_rng(agents)
    rows = [
        (f"query {q}", f"agent_{a} $x$ $y$", f"film^{i} $x$ $y$", rng.integers(1, 6))
        for q in range(instances)
        for a in range(agents)
        for i in range(items)
    ]
    frame = pd.DataFrame(rows, columns=["query", "user", "film", "stars"])
    where = {"instance": "query"} if instances > 1 else {}
    data = br.Rankings.from_ratings(frame, "user", "film", "stars", **where)
    return br.fit(data, "mpm", method="laplace", scale=1.0, draws=100, chains=1, seed=1)
