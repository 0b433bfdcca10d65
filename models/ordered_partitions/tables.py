"""Tables of the results beside the paper's numbers."""

import numpy as np
import pandas as pd

from models.ordered_partitions.evaluation import MEASURES, numbers, rival, verdict
from models.ordered_partitions.fits import BASE
from models.ordered_partitions.gradient_cost import exponents
from models.study import markdown, with_error

__all__ = ["PAPER", "print_cost", "print_posterior", "print_scores", "summary"]

# Table 1: ERR, NDCG@1 and NDCG@5 with first-order features, then with second-order ones.
PAPER = {
    "Rank Regress": (0.4882, 0.6830, 0.6672, 0.4971, 0.7021, 0.6752),
    "RankNet": (0.4919, 0.6903, 0.6698, 0.5049, 0.7183, 0.6836),
    "Ranking SVM": (0.4868, 0.6797, 0.6662, 0.4970, 0.7009, 0.6733),
    "ListMLE": (0.4955, 0.6993, 0.6705, 0.5030, 0.7172, 0.6810),
    "PairTies-D": (0.4941, 0.6944, 0.6725, 0.5013, 0.7131, 0.6786),
    "PairTies-RK": (0.4946, 0.6970, 0.6716, 0.5030, 0.7136, 0.6793),
    "PMOP-FD": (0.5038, 0.7137, 0.6762, 0.5086, 0.7272, 0.6858),
    "PMOP-Gibbs": (0.5037, 0.7105, 0.6792, 0.5040, 0.7124, 0.6706),
    "PMOP-MH": (0.5045, 0.7139, 0.6790, 0.5053, 0.7122, 0.6713),
}
# LETOR's published test averages on MQ2008, by its own convention.
LETOR = {"RankSVM-Struct": (0.3627, 0.4695), "RankBoost": (0.3856, 0.4666)}


def summary(table):
    """Return the measures with their errors beside the paper's, and differences to ListMLE."""
    rows = []
    for row in numbers(table).to_dict("records"):
        first = 0 if row["features"] == "first" else 3
        name = row["method"]
        paper = PAPER.get(name.removesuffix(", stopped"), (np.nan,) * 6)[first : first + 3]
        shown = {"method": name}
        for measure, value in zip(MEASURES, paper, strict=True):
            shown[measure] = with_error(row[measure], row[f"{measure} se"], 4)
            shown[measure] += "" if np.isnan(value) else f" ({value:.4f})"
        shown["LETOR NDCG@1, @5"] = f"{row['LETOR NDCG@1']:.4f}, {row['LETOR NDCG@5']:.4f}"
        mean, error = row["difference"], row["difference se"]
        if name != rival(name):
            shown["NDCG@5 minus ListMLE"] = f"{mean:+.4f} ± {error:.4f}"
            shown["here"] = verdict(mean, error)
        if name != rival(name) and not np.isnan(paper[2]):
            shown["in the paper"] = f"{paper[2] - PAPER[BASE][first + 2]:+.4f}"
        shown["seconds a fit"] = f"{row['seconds']:.1f}"
        rows.append(shown)
    return pd.DataFrame(rows).fillna("")


def print_scores(table):
    """Print a table for each data set and kind of features."""
    for (data, order), part in table.groupby(["data", "features"], sort=False):
        columns, queries = part["columns"].unique(), len(part) // part["method"].nunique()
        empty = (part.loc[part["method"] == BASE, "LETOR NDCG@5"] == 0).sum()
        print(
            f"\n{data}, {order}-order features ({columns.min()} to {columns.max()} columns), "
            f"{queries} test queries; the paper's numbers, on other data, in brackets\n"
        )
        print(markdown(summary(part)))
        print(f"\nQueries of LETOR NDCG@5 zero, such as those without a relevant document: {empty}")
    published = "; ".join(f"{name} {a:.4f}, {b:.4f}" for name, (a, b) in LETOR.items())
    print(f"\nLETOR's published NDCG@1 and @5 on MQ2008: {published}")


def print_cost(cost, whole, documents):
    """Print times by size of the query, their exponents, and times of one pass at Yahoo's size."""
    slope = exponents(cost)
    wide = cost.pivot(index="method", columns="documents", values="seconds")
    rows = []
    for name in slope:
        row = {"microseconds a query of": name}
        row |= {f"{size:,}": _micro(value) for size, value in wide.loc[name].items()}
        row |= {
            "exponent": f"{slope[name]:.2f}",
            f"{documents:,} documents, ms": f"{1e3 * whole[name]:,.1f}",
        }
        rows.append(row)
    print("\nProcessor time of one value and gradient by the scores\n")
    print(markdown(pd.DataFrame(rows)))
    print(f"\nThe features add to the whole, for every method: {1e3 * whole['features']:,.1f} ms")


def _micro(value):
    return "" if np.isnan(value) else f"{1e6 * value:,.1f}"


def print_posterior(table, chosen):
    """Print the posteriors of NDCG@5."""
    rows = []
    for row in table.to_dict("records"):
        compared = not np.isnan(row.get("difference", np.nan))
        rows.append({
            "queries": row["queries"], "likelihood": row["likelihood"], "method": row["method"],
            "sd of weights": f"{row['sd of weights']:.3f}",
            "test NDCG@5 (posterior sd)": f"{row['mean']:.4f} ({row['sd']:.4f})",
            "minus Plackett-Luce (95 %)": f"{row['difference']:+.4f} ({row['low']:+.4f} to "
            f"{row['high']:+.4f})" if compared else "",
            "P(better)": f"{row['better']:.2f}" if compared else "",
            "se over queries": f"{row['se over queries']:.4f}" if compared else "",
        })  # fmt: skip
    print("\nPosterior of the weights, fold 1, first-order features\n")
    print(markdown(pd.DataFrame(rows), chosen))
