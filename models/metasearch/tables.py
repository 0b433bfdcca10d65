"""Tables and a picture of the fused lists, and the paper's claims about them."""

import pandas as pd

from models.study import with_error

__all__ = ["claims", "picture", "summary"]


def summary(table):
    """Return means with standard errors: one row per method and variant, one column per size."""
    groups = table.groupby(["variant", "method", "inputs"], sort=False)["map"]
    mean, error = groups.mean(), groups.sem().fillna(0.0)
    cells = pd.Series(
        [with_error(m, e) for m, e in zip(mean, error, strict=True)], index=mean.index, name="map"
    )
    wide = cells.unstack("inputs")
    return wide.reset_index().rename(columns=lambda name: str(name))


def claims(table):
    """Return the paper's claims, each with the difference that decides it and its error."""
    wide = table.pivot_table(
        index=["inputs", "draw"], columns=["variant", "method"], values="map"
    ).loc[lambda t: t.index.get_level_values("inputs") > 2]
    best, average = wide["", "best input"], wide["", "average input"]
    rows = []
    for variant in ("pairs of listed", "absent below"):
        own = wide[variant]
        rows += [
            _verdict("SVM at least probit", variant, own["SVM"] - own["probit"]),
            _verdict("probit above Borda", variant, own["probit"] - own["Borda"]),
            _verdict("probit above the average input", variant, own["probit"] - average),
            _verdict("SVM above the average input", variant, own["SVM"] - average),
            _verdict("SVM near or above the best input", variant, own["SVM"] - best),
        ]
    fewer = wide["pairs of listed, 25 %", "SVM"] - wide["pairs of listed", "SVM"]
    rows.append(_verdict("SVM as good with 25 % of the pairs", "pairs of listed", fewer))
    weighted = wide["absent below, weighted", "SVM"] - wide["absent below", "SVM"]
    rows.append(_verdict("SVM better with weighted systems", "absent below", weighted))
    return pd.DataFrame(rows)


def _verdict(claim, variant, difference):
    """Return one row; differences below 0.005 or two standard errors count as none."""
    mean, error = difference.mean(), difference.sem()
    none = abs(mean) < max(2.0 * error, 0.005)
    found = "no difference" if none else "above" if mean > 0 else "below"
    return {
        "claim": claim, "preferences": variant, "difference": with_error(mean, error),
        "here": found,
    }  # fmt: skip


def picture(tables):
    """Draw mean average precision by number of inputs, one panel per depth and variant."""
    import matplotlib.pyplot as plt

    panels = [
        (f"top {depth}, {variant}", table, variant)
        for depth, table in tables.items()
        for variant in ("pairs of listed", "absent below")
        if (table["variant"] == variant).any()
    ]
    figure, axes = plt.subplots(
        1, len(panels), figsize=(4.2 * len(panels), 3.6), layout="constrained", squeeze=False
    )
    styles = {
        "best input": "k:", "average input": "k--", "Borda": "o-", "SVM": "s-", "probit": "^-",
    }  # fmt: skip
    for ax, (title, table, variant) in zip(axes[0], panels, strict=True):
        shown = table[table["variant"].isin(["", variant])]
        for method, style in styles.items():
            mean = shown[shown["method"] == method].groupby("inputs")["map"].mean()
            ax.plot(mean.index, mean, style, label=method, markersize=4)
        ax.set_title(title, fontsize=10, loc="left")
        ax.set_xlabel("number of inputs")
        ax.spines[["top", "right"]].set_visible(False)
    axes[0, 0].set_ylabel("mean average precision")
    axes[0, 0].legend(frameon=False, fontsize=8)
    return figure
