"""Lists fused in several ways, for random choices of systems: the study itself."""

from functools import partial

import numpy as np
import pandas as pd

from bayesrank.baselines import list_preferences, probit_fusion, svm_fusion
from bayesrank.metrics import average_precision
from models.study import on_all_cores

__all__ = ["TOP_20", "TOP_100", "precisions", "study", "trial"]

METHODS = ("Borda", "SVM", "probit")
TOP_20 = (
    ("pairs of listed", {"absent": "ignored"}),
    ("pairs of listed, 25 %", {"absent": "ignored", "share": 0.25}),
    ("absent below", {"absent": "below"}),
    ("absent below, weighted", {"absent": "below", "weighted": True, "methods": ("Borda", "SVM")}),
)
TOP_100 = (("pairs of listed", {"absent": "ignored"}), ("absent below", {"absent": "below"}))


def precisions(documents, score, depth):
    """Return the average precision of each topic's first documents; NaN means not listed."""
    listed = ~np.isnan(score)
    return average_precision(
        np.where(listed, score, -np.inf),
        np.where(listed, documents.relevance > 0, False),
        documents.query,
        k=depth,
        relevant=documents.relevant,
    )


def fused(documents, method, pairs, depth):
    """Return the mean average precision of the documents in the order of a method.

    As in the paper, Borda counts the documents below each document. A list without the document
    adds nothing to its count, so Borda never ignores absence as the other two methods do.
    """
    if method == "Borda":
        winners, losers, counts = pairs
        score = np.full(documents.query.size, np.nan)
        score[losers] = 0.0
        score[winners] = np.bincount(winners, counts, minlength=score.size)[winners]
    else:
        fuse = svm_fusion if method == "SVM" else probit_fusion
        score = fuse(documents.query, *pairs)
    return precisions(documents, score, depth).mean()


def trial(documents, systems, depth, rng, quality, parts):
    """Return a row for each way of fusing some systems' lists.

    Parameters
    ----------
    quality : ndarray, 2 by systems
        Mean average precision of each system alone, in topics at even and at odd places.
    parts : sequence of (str, dict)
        Variants: a name, and the options of `list_preferences` and of leaving out pairs.
    """
    alone = quality[:, systems].mean(axis=0)
    rows = [
        {"method": "best input", "variant": "", "map": alone.max()},
        {"method": "average input", "variant": "", "map": alone.mean()},
    ]
    for variant, about in parts:
        about = dict(about)
        share, methods = about.pop("share", 1.0), about.pop("methods", METHODS)
        if about.pop("weighted", False):
            # Weights are in fifths of the best system's precision, as the paper duplicates
            # preferences. They are taken from the other half of the topics.
            share_of_best = quality[::-1, systems] / quality.max()
            weight = np.maximum(np.rint(5.0 * share_of_best), 1.0)
            about["weights"] = weight[np.arange(len(documents.queries)) % 2]
        pairs = list_preferences(documents, systems, **about)
        if share < 1.0:
            counts = rng.binomial(pairs[2].astype(int), share)
            pairs = tuple(part[counts > 0] for part in (*pairs[:2], counts))
        for method in methods:
            value = fused(documents, method, pairs, depth)
            rows.append({"method": method, "variant": variant, "map": value})
    return rows


def study(chosen, documents, depth, sizes, draws, parts):
    """Return mean average precision by number of inputs, method and variant, for each draw."""
    alone = np.array([precisions(documents, -place, depth) for place in documents.values.T])
    quality = np.array([alone[:, half::2].mean(axis=1) for half in (0, 1)])
    draw = partial(_draw, documents, depth, sizes, quality, parts, chosen.seed)
    found = on_all_cores(chosen, f"Fusing the first {depth}", draw, range(draws))
    return pd.DataFrame([row for rows in found for row in rows])


def _draw(documents, depth, sizes, quality, parts, seed, number):
    """Return the rows of one draw of systems of each size."""
    rows = []
    for size in sizes:
        rng = np.random.default_rng([seed, depth, size, number])
        systems = rng.choice(quality.shape[1], size, replace=False)
        for row in trial(documents, systems, depth, rng, quality, parts):
            rows.append({"inputs": size, "draw": number, **row})
    return rows
