"""Pictures of a fit. Each function draws on one pair of axes and returns it."""

import numpy as np

__all__ = ["plot_ranking"]

# Alternate shades tell neighbouring tiers apart, also in print and for colour-blind readers.
_TIERS = ("#1f5a94", "#d1741f")


def plot_ranking(fit, prob=0.95, ax=None):
    """Draw scores with intervals, best at the top, tiers by colour.

    Parameters
    ----------
    fit : Fit
    prob : float
        Probability of the intervals.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    import matplotlib.pyplot as plt

    table = fit.ranking(prob)
    n = len(table)
    # From five items to hundreds: rows keep a readable height, letters shrink a little.
    font = float(np.clip(12.0 - n / 25.0, 6.5, 10.0))
    if ax is None:
        height = 1.3 + n * (0.32 if n <= 30 else 0.17)
        _, ax = plt.subplots(figsize=(7.0, height), layout="constrained")
    position = np.arange(n)
    if fit.method == "map":
        ax.plot(table["score"], position, "o", color=_TIERS[0], markersize=5)
    else:
        colors = [_TIERS[(tier - 1) % 2] for tier in table["tier"]]
        ax.hlines(position, table["low"], table["high"], color=colors, linewidth=2.0, alpha=0.8)
        ax.scatter(table["score"], position, color=colors, s=22, zorder=3)
        _mark_tiers(ax, table, font)
    ax.axvline(0.0, color="0.75", linewidth=0.8, zorder=0)
    ax.set_yticks(position, [_short(item) for item in table.index], fontsize=font)
    ax.set_ylim(n - 0.4, -0.6)
    ax.set_xlabel("score (log scale, zero is the average item)")
    what = "posterior mode" if fit.method == "map" else f"mean and {prob:.0%} interval"
    ax.set_title(f"{fit.specification.likelihood}: {what}", fontsize=11, loc="left")
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="x", color="0.92")
    ax.set_axisbelow(True)
    return ax


def _mark_tiers(ax, table, font):
    """Separate the tiers by lines and number them at the right edge."""
    tier = table["tier"].to_numpy()
    for row in np.flatnonzero(np.diff(tier)):
        ax.axhline(row + 0.5, color="0.8", linewidth=0.8, linestyle=":")
    for number in np.unique(tier):
        first = np.flatnonzero(tier == number)[0]
        ax.annotate(
            f"tier {number}", (1.01, first), xycoords=("axes fraction", "data"), fontsize=font,
            ha="left", va="center", color=_TIERS[(number - 1) % 2],
        )  # fmt: skip


def _short(label, longest=32):
    text = str(label)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
