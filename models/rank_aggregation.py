r"""Joining the lists of search engines: the part of `models.multinomial_preference` on LETOR.

MQ2007-agg and MQ2008-agg, five folds, LETOR's own measures. LETOR's official numbers take a larger
value for the better place; by the labels it is the smaller one. Every method is therefore run in
both directions, and with both readings of the documents that a list does not have: nothing is
known of them, or they are below all that it has.

The paper's fits are 100 steps along the gradient of a likelihood that takes differences of ranks
for independent draws (weight 1, no prior). Without variances the scores are in the order of net
counts from the first step to the last. Fits with variances, or with learned theta, are posterior
modes with the package's prior and its weight for rankings, unless they say "100 steps".
"""

import time

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.metrics import average_precision, kendall_tau, ndcg, precision
from bayesrank.progress import progress_bar
from models.list_methods import METHODS, Case, adherences, early_scores, read
from models.study import few_links, keep, markdown, with_error

__all__ = ["measures", "run"]

MEASURES = [f"NDCG@{k}" for k in range(1, 6)] + [f"P@{k}" for k in range(1, 6)] + ["MAP"]
SHOWN = [0, 4, 10]  # of which most tables show these
# LETOR 4.0's test averages, in the order of MEASURES; of CPS the best of its three distances.
OFFICIAL = {
    "mq2008-agg": {
        "Borda": "2368 2806 3080 3432 3713 2972 3042 2938 2975 2903 3945",
        "CPS": "2652 3138 3459 3763 4004 - - - - - 4102",
    },
    "mq2007-agg": {"Borda": "1902 2014 2081 2128 2188 2488 2524 2569 2580 2597 3252"},
}
CASES = [(best, absent) for best in ("largest", "smallest") for absent in ("below", "ignored")]
NAMES = {"largest": "official direction", "smallest": "right direction"}


def measures(case, score):
    """Return LETOR's measures, queries by `MEASURES`; equal scores keep the order of the file."""
    # Equal scores should be equal also after an optimiser.
    judged = np.round(score, 8), case.documents.relevance, case.documents.query
    cutoffs = range(1, 6)
    return np.column_stack(
        [
            ndcg(*judged, k=cutoffs, convention="letor-script"),
            precision(*judged, k=cutoffs),
            average_precision(*judged),
        ]
    )


def over_folds(values, part):
    """Return the mean over five folds of the means over their test queries."""
    return np.mean([values[part == k].mean(axis=0) for k in range(5)], axis=0)


def paired(difference):
    """Return the mean over queries and its standard error."""
    return difference.mean(), difference.std(ddof=1) / np.sqrt(difference.size)


def study(name, documents, part):
    """Return measures by (direction, absent, method), and seconds of processor time a query."""
    found, seconds = {}, {}
    with progress_bar(name, len(CASES) * len(METHODS)) as advance:
        for reading in CASES:
            case = Case(documents, part, *reading)
            # Read once, and not on any method's account.
            _ = case.counts, [(train.counts, test.counts) for train, test, _ in case.folds]
            for method, score in METHODS.items():
                started = time.process_time()
                found[*reading, method] = measures(case, score(case))
                seconds[*reading, method] = (time.process_time() - started) / len(part)
                advance()
    return found, seconds


# Posterior beside early stopping and optimum -----------------------------------------------------


def fits_by_query(case, theta, draws, seed):
    """Return, for each query of a case, scores by four fits of the same model, and a summary.

    With given adherences queries have nothing in common, so each is fitted by itself: the paper's
    steps, the maximum of the same likelihood (but for a prior that it outweighs), the mode with
    our weight and prior, and the posterior there by Laplace's approximation.
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
        # A query of documents that nobody compares has no fit.
        scores[name] = pd.concat(series).reindex(index).fillna(0.0).to_numpy()
    columns = ["documents", "width of 95 % of ranks", "neighbours told apart", "P(first is best)"]
    return scores, pd.DataFrame(rows, columns=columns)


def _pairs(label, data):
    return pd.MultiIndex.from_product([[label], data.items])


def posteriors(documents, part, chosen):
    """Print fits of the first fold's test queries side by side; returns their tables."""
    tables = []
    for absent in ("below", "ignored"):
        train, test, _ = Case(documents, part, "smallest", absent).folds[4]
        theta = adherences(train)
        table = print_fits(test, *fits_by_query(test, theta, 400, chosen.seed))
        tables.append(table.assign(absent=absent))
        if absent == "below" and not chosen.quick:  # compiling takes longer than all the rest
            one_by_nuts(test, theta, chosen.seed)
    return pd.concat(tables)


def print_fits(case, scores, summary):
    """Print what early stopping, the optimum and the posterior make of the same queries.

    Where absent documents are below, every list ranks all of them, and by differences of ranks
    the likelihood knows a document by its sum of ranks alone, times theta: its scores come out in
    the order of these sums, early or late, with variances or without.
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


# Tables and picture --------------------------------------------------------------------------


def _official(name, method):
    found = OFFICIAL.get(name, {}).get(method, "").split()
    return [np.nan if cell == "-" else int(cell) / 1e4 for cell in found]


def long_table(name, found, seconds, part):
    """Return one number a line: means over folds with the paired difference from Borda."""
    rows = []
    for (best, absent, method), values in found.items():
        means = over_folds(values, part)
        for k, measure in enumerate(MEASURES):
            difference, error = paired(values[:, k] - found[best, absent, "Borda"][:, k])
            rows.append({
                "data": name, "direction": NAMES[best], "absent": absent, "method": method,
                "measure": measure, "value": round(means[k], 5),
                "minus Borda": round(difference, 5), "se": round(error, 5),
                "ms a query": round(1e3 * seconds[best, absent, method], 3),
            })  # fmt: skip
    return pd.DataFrame(rows)


def print_methods(name, found, seconds, part, official=True):
    """Print all methods in all four readings, after the official lines if these are its data."""
    print(f"\n{name}: NDCG@1, NDCG@5 and MAP, means over five folds\n")
    rows = []
    for method in ("Borda", "CPS"):
        numbers = _official(name, method)
        if official and numbers:
            cell = " ".join(f"{numbers[k]:.4f}" for k in SHOWN)
            rows.append({"method": f"LETOR's {method}", "official direction, below": cell})
    for method in METHODS:
        row = {"method": method}
        for best, absent in CASES:
            means = over_folds(found[best, absent, method], part)
            cell = " ".join(f"{means[k]:.4f}" for k in SHOWN)
            row[f"{NAMES[best]}, {absent}"] = cell
        row["ms a query"] = f"{1e3 * np.mean([seconds[*case, method] for case in CASES]):.2f}"
        rows.append(row)
    print(markdown(pd.DataFrame(rows).fillna("")))
    if official:
        off = over_folds(found["largest", "below", "Borda"], part) - _official(name, "Borda")
        print(f"\nBorda's 11 measures are within {np.abs(off).max():.5f} of LETOR's.")
    print(f"\n{name}: right direction, absent below: all measures\n")
    rows = []
    for method in METHODS:
        means = over_folds(found["smallest", "below", method], part)
        cells = {m: f"{v:.4f}" for m, v in zip(MEASURES, means, strict=True)}
        rows.append({"method": method} | cells)
    print(markdown(pd.DataFrame(rows)))
    print(f"\n{name}: NDCG@5 minus Borda's, right direction, paired over queries\n")
    rows = []
    for method in list(METHODS)[1:]:
        row = {"method": method}
        for absent in ("below", "ignored"):
            own, other = (found["smallest", absent, m][:, 4] for m in (method, "Borda"))
            mean, error = paired(own - other)
            row[absent] = f"{with_error(mean, error, 4)}{' *' if abs(mean) > 2 * error else ''}"
        rows.append(row)
    print(markdown(pd.DataFrame(rows)))


def claims(name, found):
    """Return claims, each with the difference in NDCG@5 that decides it."""
    rows = []

    def compare(claim, first, second):
        mean, error = paired(found[first][:, 4] - found[second][:, 4])
        verdict = "no difference" if abs(mean) <= 2 * error else "holds" if mean > 0 else "fails"
        rows.append({
            "data": name, "claim": claim, "absent": first[1],
            "difference": mean, "se": error, "here": verdict,
        })  # fmt: skip

    for absent in ("below", "ignored"):
        right = "smallest", absent
        for rival in ("Borda", "Bradley-Terry", "Plackett-Luce", "SVP", "CPS, Kendall"):
            compare(f"θ-MPM (variances, 100 steps) above {rival}",
                    (*right, "θ-MPM, variances, 100 steps"), (*right, rival))  # fmt: skip
        compare("supervised θ above learned θ", (*right, "θ-MPM, variances"),
                (*right, "MPM, variances, learned θ"))  # fmt: skip
        # Each changes one thing: the weight; then variances, at that weight.
        compare("our weight above weight 1", (*right, "MPM, our weight"), (*right, "MPM"))
        compare("variances help", (*right, "MPM, variances"), (*right, "MPM, our weight"))
        compare("variances help, learned θ", (*right, "MPM, variances, learned θ"),
                (*right, "MPM, learned θ"))  # fmt: skip
        compare("smaller is better: right above official direction",
                (*right, "θ-MPM"), ("largest", absent, "θ-MPM"))  # fmt: skip
    for method in ("Borda", "θ-MPM", "CPS, Kendall"):
        compare(f"{method}: absent below above ignored", ("smallest", "below", method),
                ("smallest", "ignored", method))  # fmt: skip
    return pd.DataFrame(rows)


def print_claims(table):
    """Print the claims."""
    shown = table.assign(difference=[
        with_error(d, e, 4) for d, e in zip(table["difference"], table["se"], strict=True)
    ]).drop(columns="se")  # fmt: skip
    print("\nClaims, right direction: differences of NDCG@5, paired over queries\n")
    print(markdown(shown))


def both_adherences(case):
    """Return the supervised adherences of the first fold and those learned without labels."""
    with few_links():
        fit = br.fit(
            case.folds[4][0].rankings, "mpm", method="map", scale=1.0, variances=False,
            adherence="learned", weight="effective", progress=False,
        )  # fmt: skip
    learned = fit.agents()["adherence"]
    return pd.DataFrame({"supervised": adherences(case.folds[4][0]), "learned": learned})


def print_adherences(name, table):
    """Print both adherences of each list, and how far they agree."""
    together = table["supervised"].corr(table["learned"], method="spearman")
    print(f"\n{name}: θ of each list, training queries of fold 1 (Figure 3); "
          f"rank correlation {together:.2f}\n")  # fmt: skip
    print(markdown(table.round(3).T.reset_index(names="θ")))


def picture(tables, thetas):
    """Draw NDCG@5 of all methods in four readings, and both adherences of all lists."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        2, len(tables), figsize=(6.6 * len(tables), 7.6), layout="constrained", squeeze=False,
        height_ratios=[2.4, 1.0],
    )  # fmt: skip
    styles = {
        ("official direction", "ignored"): ("0.6", "x"),
        ("official direction", "below"): ("0.6", "o"),
        ("right direction", "ignored"): ("#d1741f", "x"),
        ("right direction", "below"): ("#1f5a94", "o"),
    }
    place = np.arange(len(METHODS))[::-1]
    for k, (name, table) in enumerate(tables.items()):
        ax = axes[0, k]
        for (direction, absent), (colour, marker) in styles.items():
            chosen = table[(table["direction"] == direction) & (table["absent"] == absent)]
            value = chosen[chosen["measure"] == "NDCG@5"].set_index("method")["value"]
            ax.plot(value[list(METHODS)], place, marker, color=colour, ms=5,
                    label=f"{direction}, absent {absent}")  # fmt: skip
        for method, style in (("Borda", "--"), ("CPS", ":")):
            if _official(name, method):
                ax.axvline(_official(name, method)[4], color="0.4", ls=style, lw=0.9,
                           label=f"LETOR's {method}")  # fmt: skip
        ax.set_yticks(place, list(METHODS) if k == 0 else [""] * len(METHODS), fontsize=8)
        ax.set_xlabel("NDCG@5")
        ax.set_title(name, fontsize=10, loc="left")
        ax.grid(axis="y", color="0.92")
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax = axes[1, k]
        image = ax.imshow(thetas[name].T.to_numpy(), cmap="gray", vmin=0, vmax=1, aspect="auto")
        ax.set_yticks([0, 1], ["supervised", "learned"], fontsize=8)
        ax.set_xticks(range(len(thetas[name])), thetas[name].index, fontsize=7)
        ax.set_xlabel("list")
        ax.set_title("θ of each list (Figure 3), white is 1", fontsize=10, loc="left")
    figure.colorbar(image, ax=axes[1, -1], pad=0.01)
    axes[0, 0].legend(fontsize=7, loc="lower left")
    return figure


def run(chosen):
    """Run this part; returns the tables by name."""
    rng = np.random.default_rng(chosen.seed)
    tables, thetas, verdicts = {}, {}, []
    for name in ("mq2008-agg", "mq2007-agg"):
        documents, part, official = read(name, chosen.quick, rng)
        found, seconds = study(name, documents, part)
        tables[name] = long_table(name, found, seconds, part)
        print_methods(name, found, seconds, part, official)
        verdicts.append(claims(name, found))
        case = Case(documents, part)
        thetas[name] = both_adherences(case)
        print_adherences(name, thetas[name])
        if name == "mq2008-agg":
            fits = posteriors(documents, part, chosen)
    verdicts = pd.concat(verdicts)
    print_claims(verdicts)
    whole = pd.concat(tables.values())
    keep(chosen, "multinomial_preference_letor", whole, picture(tables, thetas))
    minutes = (time.monotonic() - chosen.started) / 60.0
    print(f"\n{minutes:.1f} minutes")
    return {"measures": whole, "claims": verdicts, "adherences": thetas, "fits": fits}
