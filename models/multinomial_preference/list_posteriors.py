"""The posterior beside early stopping and the optimum, for LETOR's queries one by one."""

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.metrics import kendall_tau
from models.multinomial_preference.list_measures import MEASURES, SHOWN, measures, paired
from models.multinomial_preference.list_methods import Case, adherences, early_scores
from models.study import few_links, markdown, progress_bar, with_error

__all__ = ["posteriors"]


def fits_by_query(case, theta, draws, seed):
    """Return scores by four fits of the same model for each query of a case, and a summary.

    With given adherences queries have nothing in common, so each query is fitted by itself. The
    fits are the paper's steps, the maximum of the same likelihood (with a prior that hardly
    matters), the mode with our weight and prior, and Laplace's approximation of that posterior.
    """
    about = {"scale": 1.0, "variances": True, "adherence": theta, "progress": False}
    scores, rows = {"100 steps": early_scores(case, theta)}, []
    index = case.documents.index
    parts = {"optimum, weight 1": [], "posterior mode": [], "posterior mean rank": []}
    with progress_bar("posteriors", len(case.rankings.instances)) as advance:
        for label in case.rankings.instances:
            one = case.rankings.subset(instances=[label])
            with few_links():
                found = {
                    "optimum, weight 1": br.fit(one, "mpm", method="map", weight=1.0, **about),
                    "posterior mode": br.fit(one, "mpm", method="map", **about),
                }
                sample = br.fit(one, "mpm", method="laplace", draws=draws, chains=1, seed=seed,
                                **about)  # fmt: skip
            for name, fit in found.items():
                parts[name].append(pd.Series(fit.scores()[0], index=_pairs(label, one)))
            drawn = sample.scores()
            ranks = np.argsort(np.argsort(-drawn, axis=1), axis=1) + 1.0
            parts["posterior mean rank"].append(
                pd.Series(-ranks.mean(axis=0), index=_pairs(label, one))
            )
            order = np.argsort(ranks.mean(axis=0))
            ahead = (np.diff(drawn[:, order], axis=1) < 0).mean(axis=0)
            width = np.diff(np.quantile(ranks, [0.025, 0.975], axis=0), axis=0)
            rows.append((len(order), width.mean(), (ahead > 0.95).mean(),
                         (ranks[:, order[0]] == 1).mean()))  # fmt: skip
            advance()
    for name, series in parts.items():
        # A query whose documents nobody compares has no fit.
        scores[name] = pd.concat(series).reindex(index).fillna(0.0).to_numpy()
    columns = ["documents", "width of 95 % of ranks", "neighbours told apart", "P(first is best)"]
    return scores, pd.DataFrame(rows, columns=columns)


def _pairs(label, data):
    return pd.MultiIndex.from_product([[label], data.items])


def posteriors(documents, part, chosen):
    """Print fits of the first fold's test queries side by side, and return their tables."""
    tables = []
    for absent in ("below", "ignored"):
        train, test, _ = Case(documents, part, "smallest", absent).folds[4]
        theta = adherences(train)
        table = print_fits(test, *fits_by_query(test, theta, 400, chosen.seed))
        tables.append(table.assign(absent=absent))
        if absent == "below" and not chosen.quick:  # compiling is slow
            one_by_nuts(test, theta, chosen.seed)
    return pd.concat(tables)


def print_fits(case, scores, summary):
    """Print the results of early stopping, the optimum and the posterior for the same queries.

    Where absent documents are below, every list ranks all documents. The likelihood of differences
    of ranks then depends on a document only through its sum of ranks times theta. So the scores are
    in the order of these sums, after few steps or many, with variances or without.
    """
    values = {name: measures(case, score) for name, score in scores.items()}
    base, rows, query = "posterior mean rank", [], case.documents.query
    for name, table in values.items():
        score = scores[name]
        mean, error = paired(table[:, 4] - values[base][:, 4])
        rows.append({
            "fit": name,
            **{MEASURES[k]: f"{table[:, k].mean():.4f}" for k in SHOWN},
            "NDCG@5 minus posterior's": "" if name == base else with_error(mean, error, 4),
            **{
                f"tau with {other}": f"{np.nanmean(kendall_tau(score, scores[other], query)):.3f}"
                for other in ("100 steps", base)
            },
        })  # fmt: skip
    print(
        f"\nθ-MPM with variances, absent {case.absent}, {len(summary)} test queries of fold 1: "
        "four fits\n"
    )
    print(markdown(pd.DataFrame(rows)))
    print("\nWhat only the posterior says, means over these queries\n")
    print(markdown(summary.mean().round(3).to_frame("mean").reset_index(names="quantity")))
    return pd.DataFrame(rows)


def one_by_nuts(case, theta, seed, draws=1000):
    """Print Laplace beside NUTS for the first query of ten documents or more."""
    data = case.rankings
    place = np.flatnonzero(np.bincount(data.instance) >= 10)
    one = data.subset(instances=[data.instances[place[0]]])
    about = {
        "scale": 1.0, "variances": True, "adherence": theta, "chains": 2, "seed": seed,
        "progress": False,
    }  # fmt: skip
    with few_links():
        nuts = br.fit(one, "mpm", method="nuts", draws=draws, tune=500, **about).scores()
        normal = br.fit(one, "mpm", method="laplace", draws=1000, **about).scores()
    order = np.argsort(-nuts.mean(axis=0))
    table = pd.DataFrame({
        "document": [one.items[k] for k in order],
        **{f"{name}: mean (sd)": [f"{m:.3f} ({s:.3f})" for m, s in
                                  zip(own.mean(axis=0)[order], own.std(axis=0)[order], strict=True)]
           for name, own in (("NUTS", nuts), ("Laplace", normal))},
    })  # fmt: skip
    print(f"\nOne query of {len(order)} documents by NUTS and by Laplace: scores, the best first\n")
    print(markdown(table.head(8)))
    return nuts[:, order], normal[:, order]
