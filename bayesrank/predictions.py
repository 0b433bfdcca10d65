"""A new ranking under a fitted model: its true order, and its outcome."""

from numbers import Integral

import numpy as np
from scipy.stats import rankdata

from bayesrank.consensus import ranking_table
from bayesrank.data import Rankings
from bayesrank.data.connectivity import listing

__all__ = ["predict"]


def predict(fit, features, items, prob, draws, seed):
    """Return the table of `bayesrank.Fit.predict`."""
    import pandas as pd

    if not isinstance(fit.specification.data, Rankings):
        raise TypeError("`predict` is for rankings; use win_probabilities for comparisons.")
    if fit.specification.likelihood == "mpm":
        raise ValueError(
            '"mpm" says which items agents prefer to which, not how they rank, so that there is '
            "nothing to predict: use ranking() or win_probabilities()."
        )
    if not isinstance(draws, Integral) or draws < 1:
        raise ValueError(f"`draws` must be a whole number from 1 up, got {draws!r}.")
    scores, labels = _entries(fit, features, items)
    table = ranking_table(scores, labels, prob, point=fit.method == "map")
    # A single point stands for all draws.
    chosen = np.zeros(draws, dtype=int) if fit.method == "map" else fit.spaced_draws(draws)
    rng = np.random.default_rng(seed)
    offered = np.ones((1, len(labels)), dtype=bool)
    observation = fit.specification.observation
    places = np.array(
        [observation.draw_slots(fit.values(d), scores[d][None], offered, rng)[0] for d in chosen]
    )
    index = pd.Index(labels, name="item")
    table["p_first"] = pd.Series((places == 1).mean(axis=0), index)
    # Tied entries share the mean of the places that they take up.
    taken = rankdata(places, method="average", axis=1)
    table["mean_place"] = pd.Series(taken.mean(axis=0), index)
    return table


def _entries(fit, features, items):
    """Return draws of the scores of the new ranking's entries, and their labels."""
    if isinstance(items, str):
        raise TypeError(f"`items` must be a list of labels, got the text {items!r}.")
    known = {label: k for k, label in enumerate(fit.specification.data.items)}
    if features is not None:
        scores = fit.scores(features)
        if items is None:
            named = hasattr(features, "columns") and hasattr(features, "index")
            labels = list(features.index if named else range(scores.shape[1]))
        else:
            labels = list(items)
    else:
        labels = list(fit.specification.data.items) if items is None else list(items)
        unknown = [label for label in labels if label not in known]
        if unknown:
            raise ValueError(f"`items` has labels that do not occur: {listing(unknown)}.")
        scores = fit.scores()[:, [known[label] for label in labels]]
    if len(labels) != scores.shape[1] or len(set(labels)) < len(labels):
        raise ValueError(f"`items` must hold {scores.shape[1]} different labels.")
    if len(labels) < 2:
        raise ValueError("A ranking needs at least two entries.")
    if features is not None and items is not None and fit.specification.has_own_scores:
        # Known items bring what is known of them besides the features of their entries.
        own = fit.scores()
        for k, label in enumerate(labels):
            if label in known:
                scores[:, k] += own[:, known[label]]
    return scores, labels
