"""Tables and a picture of the ways to join lists, and the claims about them."""

import numpy as np
import pandas as pd

from models.multinomial_preference.list_measures import (
    CASES,
    MEASURES,
    NAMES,
    SHOWN,
    official,
    over_folds,
    paired,
)
from models.multinomial_preference.list_methods import METHODS
from models.study import markdown, with_error

__all__ = [
    "claims",
    "long_table",
    "picture",
    "print_adherences",
    "print_claims",
    "print_methods",
]


def long_table(name, found, seconds, part):
    """Return one number per line: means over folds with the paired difference from Borda."""
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


def print_methods(name, found, seconds, part, is_official=True):
    """Print tables of all methods; with LETOR's own lines if these are its data."""
    print_readings(name, found, seconds, part, is_official)
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


def print_readings(name, found, seconds, part, is_official):
    """Print three measures of all methods in all four readings."""
    print(f"\n{name}: NDCG@1, NDCG@5 and MAP, means over five folds\n")
    rows = []
    for method in ("Borda", "CPS"):
        numbers = official(name, method)
        if is_official and numbers:
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
    if is_official:
        off = over_folds(found["largest", "below", "Borda"], part) - official(name, "Borda")
        print(f"\nBorda's 11 measures are within {np.abs(off).max():.5f} of LETOR's.")


def claims(name, found):
    """Return the claims, each with the difference in NDCG@5 that decides it."""
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
        # Each comparison changes one thing: the weight, then variances at that weight.
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
            if official(name, method):
                ax.axvline(official(name, method)[4], color="0.4", ls=style, lw=0.9,
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
