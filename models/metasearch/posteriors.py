"""The paper's model in PyMC, and what a posterior of whole lists adds to a fused ranking."""

from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.stats import rankdata

import bayesrank as br

__all__ = ["model", "posterior", "posterior_tables"]


def model(data):
    """Return the paper's probit model of pairs, with a normal prior for documents, in PyMC.

    Relevance weights have noise of variance one half, so that P(i over j) = Phi(s_i - s_j).
    """
    import pymc as pm

    with pm.Model(coords=data.coords) as probit_model:
        score = pm.ZeroSumNormal("score", 1.0, dims="item")
        left, right = score[data.left], score[data.right]
        br.ThurstonePairs("counts", left, right, scale=np.sqrt(0.5), observed=data.counts)
    return probit_model


def posterior(documents, systems, topic, seed=0):
    """Return a fit of one topic's lists as whole rankings.

    Pairs of one list are not independent results, so a posterior of pairs is far too narrow. Here
    each list is one observation: scores with normal noise, sorted, and the documents that are not
    listed are below in unknown order.
    """
    members = np.flatnonzero(documents.query == topic)
    place = documents.values[np.ix_(members, systems)]
    listed = ~np.isnan(place).all(axis=1)
    names = [documents.documents[k] for k in members[listed]]
    ranks = rankdata(place[listed].T, method="dense", axis=1, nan_policy="omit")
    data = br.Rankings.from_matrix(ranks, names, unranked="below")
    return br.fit(data, "thurstone", method="laplace", scale=1.0, seed=seed, progress=False)


def posterior_tables(documents, systems, topics, seed=0):
    """Return how sure the fused rankings are of their first document, and how often they are right.

    The second table takes all pairs of a relevant document and another one. It tells how often the
    relevant one is above, by the posterior probability of the order in the fused ranking.
    """
    firsts, certain, right = [], [], []
    relevance = pd.Series(documents.relevance > 0, index=documents.index)
    for topic in range(topics):
        fit = posterior(documents, systems, topic, seed)
        table = fit.ranking()
        names = list(table.index)
        good = relevance[documents.queries[topic]].loc[names].to_numpy()
        firsts.append(
            {"topic": documents.queries[topic], "documents": len(table),
             "P(first is best)": table["p_best"].iloc[0],
             "last rank of first": table["rank_high"].iloc[0],
             "first is relevant": good[0]}
        )  # fmt: skip
        above = fit.probability_above().loc[names, names].to_numpy()[good][:, ~good].ravel()
        certain.append(np.maximum(above, 1.0 - above))
        right.append(above > 0.5)
    certain, right = np.concatenate(certain), np.concatenate(right)
    edges = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0])
    bins = np.digitize(certain, edges[1:-1])
    rows = [
        {"probability of the order": f"{low:g} to {high:g}", "pairs": int((bins == k).sum()),
         "relevant above": round(right[bins == k].mean(), 3)}
        for k, (low, high) in enumerate(pairwise(edges))
        if (bins == k).any()
    ]  # fmt: skip
    return pd.DataFrame(firsts), pd.DataFrame(rows)
