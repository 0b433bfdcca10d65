"""A picture of the ratios, of Figure 4.1 and of the coverage."""

import numpy as np

from models.misspecified_bradley_terry.ratios import PAPER

__all__ = ["picture"]


def picture(ratios, found, coverage):
    """Return a figure of the ratios, Figure 4.1 and the coverage."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(15, 4.2), layout="constrained")
    blue, orange, grey = "#1f5a94", "#d1741f", "0.4"
    shown = [row for row in ratios if row["design"] == ratios[0]["design"]]
    for loss, colour in zip(PAPER, (blue, orange, grey), strict=True):
        rows = [row for row in shown if row["method"] == loss]
        n = np.array([row["n"] for row in rows])[:, None] * [0.88, 1.0, 1.14]
        mean, sd, paper = (
            np.array([row[name] for row in rows])
            for name in ("beta*/beta-hat", "beta*/beta-hat sd", "paper")
        )
        axes[0].errorbar(
            n.ravel(), mean.ravel(), sd.ravel(), fmt="o", ms=4, color=colour, label=loss
        )
        axes[0].plot(n.ravel(), paper.ravel(), "x", color=colour, ms=5)
        axes[0].axhline(1.0 / rows[0]["limit"], color=colour, lw=0.8, ls=":")
    axes[0].set(xscale="log", xlabel="rankings", ylabel="β*/β̂, mean ± sd", ylim=(0.3, 1.7))
    axes[0].set_title("Ratios (dots), limits (lines), the paper's (crosses)", fontsize=10)
    axes[0].legend(fontsize=8, ncols=3, loc="upper center")
    axes[1].axhline(0.0, color="0.75", lw=1)
    styles = {"thurstone": (blue, "o"), "bradley-terry": (orange, "o")}
    for name, (colour, style) in (styles | {"bradley-terry, limit": (grey, "x")}).items():
        off = found[name] - found["true"]
        axes[1].plot(found["true"], off, style, ms=4, color=colour, label=name)
    axes[1].set(xlabel="true probability of a pair", ylabel="fitted - true")
    axes[1].set_title("Figure 4.1: nine items without features", fontsize=10)
    axes[1].legend(fontsize=8)
    labels = [f"{row['method']}, n = {row['n']:,}" for row in coverage]
    place = np.arange(len(coverage))[::-1]
    for label, colour, shift in (("coefficients", blue, 0.1), ("directions", orange, -0.1)):
        share = [row[label] for row in coverage]
        error = [2.0 * row[f"{label} se"] for row in coverage]
        axes[2].errorbar(share, place + shift, xerr=error, fmt="o", ms=4, color=colour, label=label)
    axes[2].axvline(0.95, color="0.75", lw=1)
    axes[2].set_yticks(place, labels, fontsize=8)
    axes[2].set(xlabel="share (± 2 se)", ylim=(-0.6, len(coverage) + 0.4))
    axes[2].set_title("95 % intervals that hold the truth", fontsize=10)
    axes[2].legend(fontsize=8, ncols=2, loc="upper center")
    return figure
