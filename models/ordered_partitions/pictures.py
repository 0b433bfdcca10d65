"""A picture of the differences to ListMLE, of their posterior and of the cost."""

import numpy as np

from models.ordered_partitions.fits import BASE
from models.ordered_partitions.gradient_cost import exponents
from models.ordered_partitions.tables import PAPER

__all__ = ["picture"]

BLUE, ORANGE, GREEN, GREY = "#1f5a94", "#d1741f", "#3b8a5a", "0.4"


def picture(found, cost, posterior):
    """Return a figure of the differences in `numbers`, of their posterior, and of the cost."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        1, 3, figsize=(16, 4.8), layout="constrained", width_ratios=[1.2, 1.0, 1.0]
    )
    draw_differences(axes[0], found)
    draw_posterior(axes[1], posterior)
    draw_cost(axes[2], cost)
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(colors=GREY)
    return figure


def draw_differences(ax, found):
    """Draw each method's NDCG@5 minus ListMLE's on the first data set, and the paper's."""
    left_out = (BASE, "ListMLE, file order", "ListMLE, stopped")
    names = [name for name in found["method"].unique() if name not in left_out]
    place = np.arange(len(names))[::-1]
    shown = found[found["data"] == found["data"].iloc[0]]
    for (order, part), colour, shift in zip(
        shown.groupby("features"), (BLUE, ORANGE), (0.13, -0.13), strict=False
    ):
        mean, error = part.set_index("method").loc[names, ["difference", "difference se"]].T.values
        ax.errorbar(
            mean, place + shift, xerr=2 * error, fmt="o", ms=4, color=colour,
            label=f"{order}-order features",
        )  # fmt: skip
        paper = [PAPER[n][2 if order == "first" else 5] if n in PAPER else np.nan for n in names]
        apart = np.array(paper) - PAPER[BASE][2 if order == "first" else 5]
        ax.plot(apart, place + shift, "x", ms=5, color=colour)
        # A method that is far off would leave no room for the others, so its number is written.
        edge = max(0.03, 4.0 * np.median(error))
        for k in np.flatnonzero(np.abs(mean) > edge):
            ax.annotate(
                f"{mean[k]:+.3f}", (0.98 * np.sign(mean[k]) * edge, place[k] + shift), fontsize=8,
                color=colour, ha="left" if mean[k] < 0 else "right", va="center",
            )  # fmt: skip
        ax.set(xlim=(-edge, edge), ylim=(-0.6, len(names) + 0.9))
    ax.axvline(0.0, color="0.75", lw=1)
    ax.set_yticks(place, names, fontsize=9)
    ax.set_xlabel("NDCG@5 minus ListMLE's (± 2 se); crosses: the paper, on Yahoo")
    ax.set_title(shown["data"].iloc[0], fontsize=10)
    ax.legend(fontsize=8)


def draw_posterior(ax, posterior):
    """Draw the posterior of the difference to Plackett-Luce, with one row per fit."""
    compared = posterior.dropna(subset=["difference"]).reset_index()
    rows = np.arange(len(compared))[::-1]
    off = [compared["difference"] - compared["low"], compared["high"] - compared["difference"]]
    ax.errorbar(compared["difference"], rows, xerr=off, fmt="o", ms=4, color=BLUE)
    labels = [
        f"{row['likelihood']}\n{row['method']}, {row['queries']} queries"
        for row in compared.to_dict("records")
    ]
    ax.axvline(0.0, color="0.75", lw=1)
    ax.set_yticks(rows, labels, fontsize=8)
    ax.set(xlabel="NDCG@5 minus Plackett-Luce's", ylim=(-0.6, len(rows) - 0.4))
    ax.set_title("Posterior of the difference (95 %), test queries of fold 1", fontsize=10)


def draw_cost(ax, cost):
    """Draw the time of one value and gradient by the number of documents."""
    slope = exponents(cost)
    linear = dict.fromkeys(("PMOP-FD", BASE, "PMOP-Gibbs, one sweep"), BLUE)
    colours = linear | dict.fromkeys(("RankNet", "Ranking SVM", "PairTies-D"), ORANGE)
    styles = iter(["o-", "s--", "^:", "D-", "o-", "s--", "^:"])
    for name, part in cost.groupby("method", sort=False):
        ax.plot(
            part["documents"], 1e6 * part["seconds"], next(styles), ms=4,
            color=colours.get(name, GREEN), label=f"{name}: {slope[name]:.2f}",
        )  # fmt: skip
    ax.set(xscale="log", yscale="log", xlabel="documents of a query", ylabel="microseconds")
    ax.set_ylim(top=3e3 * ax.get_ylim()[1])  # room for the legend
    ax.set_title("One value and gradient of a query, and exponents", fontsize=10)
    ax.legend(fontsize=8)
