"""Votes by judges who differ, on items whose scores differ between topics."""

import numpy as np
import pandas as pd

import bayesrank as br

__all__ = ["EVERYTHING", "fit_of_votes", "votes_by_judges"]

# All that may differ between judges and categories.
EVERYTHING = {
    "discrimination": "by-agent", "order_effect": "by-agent", "ties": "by-agent",
    "scores": "by-category",
}  # fmt: skip


def votes_by_judges(items=6, judges=5, topics=3, votes=40, names=None):
    """Return votes as a frame; of five judges one does not look and one turns the scores round."""
    rng = np.random.default_rng(1)
    score = np.linspace(1.5, -1.5, items)
    own = rng.normal(0.0, 0.8, (topics, items))
    names = [f"item {k}" for k in range(items)] if names is None else names
    rows = []
    for judge in range(judges):
        sign = {3: 0.0, 4: -1.0}.get(judge % 5, 1.0)
        for _ in range(votes):
            a, b = rng.choice(items, 2, replace=False)
            topic = rng.integers(topics)
            ahead = sign * (score[a] + own[topic, a] - score[b] - own[topic, b])
            won = "left" if rng.random() < 1.0 / (1.0 + np.exp(-2.0 * ahead)) else "right"
            outcome = "tie" if rng.random() < 0.2 else won
            rows.append((names[a], names[b], outcome, f"judge {judge}", f"topic {topic}"))
    return pd.DataFrame(rows, columns=["left", "right", "outcome", "judge", "topic"])


def fit_of_votes(method="laplace", frame=None, **options):
    """Return a fit of such votes."""
    frame = votes_by_judges() if frame is None else frame
    data = br.Comparisons.from_frame(frame, agent="judge", category="topic")
    few = {} if method == "map" else {"draws": 200, "chains": 1}
    return br.fit(data, "davidson", method=method, seed=1, progress=False, **few, **options)
