"""The model in PyMC, the paper's fits and those of its rivals."""

from functools import partial

import numpy as np
from scipy import optimize

import bayesrank as br
from bayesrank.baselines import fit_list_mle, fit_pair_loss, fit_sampled_pmop, pairs_within

__all__ = ["BASE", "by_likelihood", "by_pairs_with_ties", "methods", "model", "stopped"]

BASE = "ListMLE"


def model(data, likelihood="pmop"):
    """Return the model of graded documents in PyMC, for rankings that hold features.

    "pmop" has the additive potential, "pmop-geometric" the geometric one; "plackett-luce" is for
    rankings without ties.
    """
    distribution = br.PlackettLuce if likelihood == "plackett-luce" else br.PMOP
    import pymc as pm  # after our own distributions, which import it without its notices

    about = {} if distribution is br.PlackettLuce else {"potential": "additive"}
    if likelihood == "pmop-geometric":
        about["potential"] = "geometric"
    # One row per document, and slots point to rows: a padded table would be several times as large.
    x = np.ascontiguousarray(data.features[data.offered])
    slot = np.zeros(data.entries.shape, dtype=np.int64)
    slot[data.offered] = np.arange(len(x))
    with pm.Model(coords=data.coords) as made:
        beta = pm.Normal("beta", 0.0, np.float64(1.0), dims="feature")
        score = pm.math.dot(x, beta)
        distribution("ranks", score[slot], data.offered, observed=data.ranks, **about)
    return made


def by_likelihood(train, name):
    """Return the fit of a ranking likelihood."""
    return br.fit(train.to_graded_rankings(), name, method="map", scale=1.0, progress=False)


def by_sampling(train, iterations, seed, **about):
    """Return the fit after the paper's 1 000 steps of contrastive divergence."""
    return fit_sampled_pmop(
        train.to_graded_rankings(), steps=3, iterations=iterations, scale=1.0, seed=seed, **about
    )


def by_pairs_with_ties(train, name):
    """Return the fit to all pairs of documents of a query, including tied pairs."""
    data = train.to_graded_rankings()
    # The items of a graded ranking are the documents, by query and then in their order.
    order = np.argsort(train.query, kind="stable")
    return br.fit(
        data.to_comparisons(warn=False), name, method="map", scale=1.0, item_effects=False,
        features=train.values[order], progress=False,
    )  # fmt: skip


def by_lists(train, orders, seed):
    """Return ListMLE's fit, with ties in random orders or in the order of the file."""
    return fit_list_mle(train.to_graded_rankings(), orders=orders, scale=1.0, seed=seed)


def by_pairs(train, loss):
    """Return the weights for all pairs of documents that differ."""
    return fit_pair_loss(
        *pairs_within(train.relevance, train.query), train.values, loss=loss, penalty=1.0
    )


def stopped(specification):
    """Return the weights where the paper stops: a relative gain below 1e-5, or 100 steps."""

    def loss(x):
        value, gradient = specification.objective(x)
        return -value, -gradient

    options = {"ftol": 1e-5, "gtol": 0.0, "maxiter": 100}
    start = np.zeros(specification.size)
    report = optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options=options)
    return specification.constrain(report.x)["beta"]


def methods(quick, seed):
    """Return by name functions of the training documents that return a fit or weights."""
    sampled = partial(by_sampling, iterations=100 if quick else 1000, seed=seed)
    return {
        "Rank Regress": partial(by_pairs, loss="squared"),
        "RankNet": partial(by_pairs, loss="logistic"),
        "Ranking SVM": partial(by_pairs, loss="hinge"),
        BASE: partial(by_lists, orders=10, seed=seed),
        "ListMLE, file order": partial(by_lists, orders=None, seed=seed),
        "PairTies-D": partial(by_pairs_with_ties, name="davidson"),
        "PairTies-RK": partial(by_pairs_with_ties, name="rao-kupper"),
        "PMOP-FD": partial(by_likelihood, name="pmop"),
        "PMOP-Gibbs": partial(sampled, sampler="gibbs"),
        "PMOP-MH": partial(sampled, sampler="metropolis", proposal="paper"),
        "PMOP-MH, corrected": partial(sampled, sampler="metropolis"),
        "PMOP geometric, exact": partial(by_likelihood, name="pmop-geometric"),
    }
