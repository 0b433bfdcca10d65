"""Random rankings of some of the items, with ties, unranked items, agents and weights."""

import numpy as np
import pandas as pd

from bayesrank.data import Rankings


def random_rankings(seed, items=7, rankings=12):
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(rankings):
        offered = rng.permutation(items)[: rng.integers(2, items + 1)]
        level = rng.integers(1, 5, offered.size)
        rank = np.unique(level, return_inverse=True)[1] + 1
        last = rng.integers(1, rank.max() + 1)
        agent, weight = f"agent {k % 3}", 1 + k % 4
        rows += [
            (k, f"item {i}", r if r <= last else None, agent, weight)
            for i, r in zip(offered, rank, strict=True)
        ]
    columns = ["ranking", "item", "rank", "agent", "weight"]
    return read_back(pd.DataFrame(rows, columns=columns))


def read_back(frame, **arguments):
    columns = {name: name for name in ("agent", "weight") if name in frame}
    return Rankings.from_frame(frame, "ranking", unranked="rows below", **columns, **arguments)
