"""Posteriors of the weights, and their NDCG@5 on test queries."""

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.baselines import break_ties
from bayesrank.metrics import ndcg
from models.ordered_partitions.fits import model
from models.study import progress_bar, sample

__all__ = ["posterior_table"]


def nuts(data, likelihood, draws, seed):
    """Return draws of the weights by NUTS, from the study's own model in PyMC."""
    found = sample(model(data, likelihood), draws=draws, tune=draws, seed=seed + 1)
    beta = found["beta"].values
    return beta.reshape(-1, beta.shape[-1])


def advi(data, likelihood, draws, seed, full_rank, steps):
    """Return draws of the weights by ADVI, of the same model."""
    fit = br.fit(
        data, likelihood, method="advi", scale=1.0, full_rank=full_rank, steps=steps,
        draws=draws, chains=1, seed=seed, progress=False,
    )  # fmt: skip
    return fit.posterior["beta"].reshape(-1, fit.posterior["beta"].shape[-1])


def posterior_table(train, test, fits, draws, steps, seed=0, progress=True):
    """Return the posterior of NDCG@5 on the test queries, with one row per fit.

    ``fits`` holds numbers of training queries, likelihoods and methods ("nuts", "advi", which has
    independent weights, or "advi, full rank"). The rival is Plackett-Luce with ties in one random
    order, by the same method; the two posteriors are independent.
    """
    rows, found = [], {}
    with progress_bar("Posterior", len(fits), progress) as advance:
        # With one seed for all, the draws of two normal approximations would move together.
        for own_seed, (queries, likelihood, method) in enumerate(fits, seed):
            data = train.of_queries(train.queries[:queries]).to_graded_rankings()
            if likelihood == "plackett-luce":
                data = break_ties(data, seed=seed)
            if method == "nuts":
                beta = nuts(data, likelihood, draws, own_seed)
            else:
                # NUTS has two chains.
                beta = advi(data, likelihood, 2 * draws, own_seed, "full" in method, steps)
            shown = beta[:: max(1, len(beta) // 400)]
            value = np.array([
                ndcg(test.values @ b, test.relevance, test.query, k=5, convention="pmop")
                for b in shown
            ])  # fmt: skip
            found[queries, likelihood, method] = value
            rows.append({
                "queries": queries, "likelihood": likelihood, "method": method,
                "sd of weights": beta.std(axis=0, ddof=1).mean(),
                "mean": value.mean(), "sd": value.mean(axis=1).std(ddof=1),
            })  # fmt: skip
            advance()
    for row in rows:
        rival = found.get((row["queries"], "plackett-luce", row["method"]))
        if rival is not None and row["likelihood"] != "plackett-luce":
            row |= _compared(found[row["queries"], row["likelihood"], row["method"]], rival)
    return pd.DataFrame(rows)


def _compared(own, rival):
    """Return the difference of two posteriors of NDCG@5, both draws by test queries."""
    number = min(len(own), len(rival))
    apart = own[:number] - rival[:number]
    low, high = np.quantile(apart.mean(axis=1), [0.025, 0.975])
    return {
        "difference": apart.mean(), "low": low, "high": high,
        "better": (apart.mean(axis=1) > 0).mean(),
        # How much the same difference changes with other test queries.
        "se over queries": pd.Series(apart.mean(axis=0)).sem(),
    }  # fmt: skip
