"""Tables of the results, printed beside the paper's, and all numbers as one long table."""

import numpy as np
import pandas as pd

from models.misspecified_bradley_terry.designs import FEATURES
from models.misspecified_bradley_terry.marginals import WORTHS
from models.study import markdown, with_error

__all__ = [
    "long_table",
    "print_coverage",
    "print_marginals",
    "print_nuts",
    "print_ratios",
    "print_verdict",
]


def _three(mean, sd):
    return ", ".join(f"{m:.3f} ({s:.3f})" for m, s in zip(mean, sd, strict=True))


def print_ratios(rows):
    """Print both ratios beside the paper's."""
    print(f"\n{rows[0]['design']}: mean (sd) of the three coefficients\n")
    shown = [
        {
            "loss": row["method"], "n": row["n"], "paper": _three(row["paper"], row["paper sd"]),
            "β*/β̂": _three(row["beta*/beta-hat"], row["beta*/beta-hat sd"]),
            "limit of β*/β̂": f"{1.0 / row['limit']:.3f}",
            "β̂/β*": _three(row["beta-hat/beta*"], row["beta-hat/beta* sd"]),
            "limit of β̂/β*": f"{row['limit']:.3f}",
        }
        for row in rows
    ]  # fmt: skip
    print(markdown(pd.DataFrame(shown)))


def print_verdict(ratios):
    """Print the claims beside the results with the most observations."""
    most = max(row["n"] for row in ratios)
    print(f"\nn = {most:,}: β*/β̂, mean of the three coefficients; how far these are apart\n")
    shown = []
    for row in ratios:
        if row["n"] == most:
            ours, paper = row["beta*/beta-hat"].mean(), np.mean(row["paper"])
            shown.append({
                "design": row["design"], "loss": row["method"], "paper": f"{paper:.3f}",
                "ours": with_error(ours, row["se"], 4), "minus paper": f"{ours - paper:+.4f}",
                "limit": f"{1.0 / row['limit']:.4f}", "apart, in se": f"{row['apart']:.1f}",
            })  # fmt: skip
    print(markdown(pd.DataFrame(shown)))


def print_marginals(found):
    """Print how far fitted probabilities are from the true ones."""
    print("\nFigure 4.1: fitted minus true probability that the better item of a pair wins\n")
    shown = []
    for name in list(found)[1:]:
        off = found[name] - found["true"]
        parts = {"mean": off.mean(), "smallest": off.min(), "largest": off.max()}
        for low, high in ((0.5, 0.6), (0.6, 0.9), (0.9, 0.97), (0.97, 1.0)):
            inside = (found["true"] > low) & (found["true"] <= high)
            parts[f"true {low:g} to {high:g}"] = off[inside].mean()
        shown.append({"model": name} | {key: f"{value:+.4f}" for key, value in parts.items()})
    print(markdown(pd.DataFrame(shown)))


def print_coverage(rows):
    """Print the share of 95 % intervals that hold the truth."""
    print("\nShare of 95 % intervals that hold the truth, Laplace\n")
    shown = [
        {
            "n": row["n"], "model": row["method"],
            "coefficients": with_error(row["coefficients"], row["coefficients se"]),
            "directions": with_error(row["directions"], row["directions se"]),
            "rms error of directions": f"{row['rms error of directions']:.4f}",
        }
        for row in rows
    ]  # fmt: skip
    print(markdown(pd.DataFrame(shown)))


def print_nuts(rows, chosen):
    """Print NUTS beside Laplace."""
    print(f"\n{rows[0]['design']}, one data set: posterior mean (sd) of three coefficients\n")
    shown = [{"model": row["method"], "β": _three(row["mean"], row["sd"])} for row in rows]
    print(markdown(pd.DataFrame(shown), chosen))


def long_table(rows, found):
    """Return all results as a table with one number per line."""
    lines = []
    for row in rows:
        where = [row["design"], row["method"], row["n"]]
        for name in [key for key in row if key not in ("design", "method", "n")]:
            labels = FEATURES if np.ndim(row[name]) else [""]
            for label, number in zip(labels, np.atleast_1d(row[name]), strict=True):
                lines.append([*where, name, label, round(float(number), 5)])
    for name, values in found.items():
        for i, j, p in zip(*np.triu_indices(WORTHS.size, 1), values, strict=True):
            lines.append(
                ["figure 4.1", name, "", "probability", f"{i + 1} > {j + 1}", round(float(p), 5)]
            )
    columns = ["design", "method", "n", "quantity", "coefficient", "value"]
    return pd.DataFrame(lines, columns=columns)
