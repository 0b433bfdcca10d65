"""Small data with times."""

import numpy as np
import pandas as pd

import bayesrank as br

__all__ = ["games_over_time", "often", "races_over_time"]


def games_over_time(rows=40, items=3, times=6, seed=0, ties=True):
    """Return random games of a few items at a few uneven times, in years."""
    rng = np.random.default_rng(seed)
    years = np.sort(rng.uniform(0.0, 4.0, size=times))
    pairs = np.array([rng.choice(items, 2, replace=False) for _ in range(rows)])
    frame = pd.DataFrame(
        {
            "left": np.array(list("abcdefgh"))[pairs[:, 0]],
            "right": np.array(list("abcdefgh"))[pairs[:, 1]],
            "outcome": rng.choice([1, 0, -1] if ties else [1, -1], size=rows),
            "year": years[rng.integers(times, size=rows)],
        }
    )
    return br.Comparisons.from_frame(frame, time="year")


def races_over_time(rows=12, items=4, times=5, seed=0, ties=False):
    """Return random rankings of some of the items at a few uneven times, in years."""
    rng = np.random.default_rng(seed)
    years = np.sort(rng.uniform(0.0, 4.0, size=times))
    lists = []
    for _ in range(rows):
        order = rng.permutation(np.array(list("abcdefgh"))[:items])[: rng.integers(2, items + 1)]
        first = [set(order[:2])] if ties and rng.random() < 0.4 else list(order[:2])
        lists.append([*first, *order[2:]])
    lists = [entry for entry in lists if len(entry) > 1]
    when = years[rng.integers(times, size=len(lists))]
    return br.Rankings.from_lists(lists, times=when.tolist(), unranked="not offered")


def often(games, times):
    """Return the same games, each as often as this."""
    return games.with_outcomes(times * games.counts)
