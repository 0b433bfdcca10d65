"""Pictures of a fit. Each function draws on one pair of axes and returns it."""

import numpy as np

__all__ = ["plot_adherences", "plot_ranking", "plot_variances"]

# Alternate shades tell neighbouring tiers apart, also in print and for colour-blind readers.
_TIERS = ("#1f5a94", "#d1741f")
_MOST_NAMES = 60  # rows that are named, and intervals that are drawn, in pictures of many


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
    table = fit.ranking(prob)
    n = len(table)
    ax = _rows(n) if ax is None else ax
    position = np.arange(n)
    if fit.method == "map":
        ax.plot(table["score"], position, "o", color=_TIERS[0], markersize=5)
    else:
        colors = [_TIERS[(tier - 1) % 2] for tier in table["tier"]]
        ax.hlines(position, table["low"], table["high"], color=colors, linewidth=2.0, alpha=0.8)
        ax.scatter(table["score"], position, color=colors, s=22, zorder=3)
        _mark_tiers(ax, table)
    ax.axvline(0.0, color="0.75", linewidth=0.8, zorder=0)
    _name_rows(ax, table.index)
    ax.set_xlabel("score (log scale, zero is the average item)")
    title = f"{fit.specification.likelihood}: {_what(fit, prob)}"
    ax.set_title(title, fontsize=11, loc="left")
    _tidy(ax, "x")
    return ax


def plot_adherences(fit, prob=0.95, ax=None):
    """Draw how far each agent follows the ranking, the most faithful at the top.

    Parameters
    ----------
    fit : Fit
        Of "mpm".
    prob : float
        Probability of the intervals.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    table = fit.agents(prob)
    n, named = len(table), len(table) <= _MOST_NAMES
    ax = _rows(n if named else 12) if ax is None else ax
    position = np.arange(n)
    if table["low"].notna().any():
        ax.hlines(
            position, table["low"], table["high"], color=_TIERS[0],
            linewidth=2.0 if named else 0.6, alpha=0.8 if named else 0.35,
        )  # fmt: skip
    ax.scatter(table["adherence"], position, color=_TIERS[0], s=22 if named else 3, zorder=3)
    learned = fit.specification.observation.learns_adherence
    silent = (table["preferences"] == 0).to_numpy()
    if silent.any() and learned:
        ax.scatter(
            table["adherence"][silent], position[silent], s=30, facecolor="white",
            edgecolor=_TIERS[1], zorder=4, label="no preferences: the prior",
        )  # fmt: skip
        ax.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), borderpad=0.0)
    if named:
        _name_rows(ax, table.index)
    else:
        ax.set_ylabel(f"{n:,} agents, the most faithful first")
        ax.set_ylim(n - 0.4, -0.6)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("adherence (0 prefers at random, 1 follows the scores)")
    title = f"Agents: {_what(fit, prob) if learned else 'as given'}"
    ax.set_title(title, fontsize=11, loc="left")
    _tidy(ax, "x")
    return ax


def plot_variances(fit, prob=0.95, ax=None):
    """Draw the items' variances against their ranks, darker the more ballots they are on.

    Parameters
    ----------
    fit : Fit
        Of "mpm".
    prob : float
        Probability of the intervals, which are drawn for up to 60 items.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

    fit._require_one_instance("plot_variances()")
    if fit.specification.likelihood != "mpm":
        raise ValueError('Only "mpm" has variances of items.')
    table = fit.items(prob)
    named = len(table) <= _MOST_NAMES
    if ax is None:
        _, ax = plt.subplots(figsize=(8.0, 4.5), layout="constrained")
    if named and table["variance_low"].notna().any():
        ax.vlines(
            table["rank"], table["variance_low"], table["variance_high"], color="0.75",
            linewidth=1.5, zorder=1,
        )  # fmt: skip
    ax.axhline(0.5, color="0.75", linewidth=0.8, zorder=0)
    size = 26 if named else 8
    if table["ballots"].nunique() > 1:
        dots = ax.scatter(
            table["rank"], table["variance"], c=table["ballots"], cmap="viridis_r", s=size,
            zorder=2, norm="log" if table["ballots"].min() > 0 else None,
        )  # fmt: skip
        bar = ax.figure.colorbar(dots, ax=ax, label="ballots that the item is on")
        bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        bar.ax.yaxis.set_minor_formatter(NullFormatter())
        if table["ballots"].max() < 10 * max(table["ballots"].min(), 1):
            low, high = bar.mappable.get_clim()
            ticks = MaxNLocator(4, integer=True).tick_values(low, high)
            bar.set_ticks([tick for tick in ticks if low <= tick <= high])
    else:
        ax.scatter(table["rank"], table["variance"], color=_TIERS[0], s=size, zorder=2)
    for item, row in table.iloc[: len(table) if len(table) <= 30 else 0].iterrows():
        ax.annotate(
            _short(item, 20), (row["rank"], row["variance"]), xytext=(3, 4),
            textcoords="offset points", fontsize=7.5, color="0.25",
        )  # fmt: skip
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_xlim(1 - 0.02 * len(table) - 0.2, 1.02 * len(table) + 0.2)
    ax.set_xlabel("rank")
    ax.set_ylabel("variance (log scale, one half on average)")
    what = "posterior mode" if fit.method == "map" else "posterior mean"
    what += f" and {prob:.0%} interval" if named and fit.method != "map" else ""
    what = what if fit.specification.observation.learns_variances else "as given"
    ax.set_title(f"Items: {what}", fontsize=11, loc="left")
    _tidy(ax, "y")
    return ax


def _rows(n):
    """Return axes for rows that keep a readable height, from five to hundreds."""
    import matplotlib.pyplot as plt

    height = 1.3 + n * (0.32 if n <= 30 else 0.17)
    return plt.subplots(figsize=(7.0, height), layout="constrained")[1]


def _font(n):
    """Return the size of letters, a little smaller for many rows."""
    return float(np.clip(12.0 - n / 25.0, 6.5, 10.0))


def _name_rows(ax, labels):
    """Write a label on each row, the first one at the top."""
    n = len(labels)
    ax.set_yticks(np.arange(n), [_short(label) for label in labels], fontsize=_font(n))
    ax.set_ylim(n - 0.4, -0.6)


def _what(fit, prob):
    return "posterior mode" if fit.method == "map" else f"mean and {prob:.0%} interval"


def _tidy(ax, axis):
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis=axis, color="0.92")
    ax.set_axisbelow(True)


def _mark_tiers(ax, table):
    """Separate the tiers by lines and number them at the right edge."""
    tier = table["tier"].to_numpy()
    for row in np.flatnonzero(np.diff(tier)):
        ax.axhline(row + 0.5, color="0.8", linewidth=0.8, linestyle=":")
    for number in np.unique(tier):
        first = np.flatnonzero(tier == number)[0]
        ax.annotate(
            f"tier {number}", (1.01, first), xycoords=("axes fraction", "data"),
            fontsize=_font(len(table)), ha="left", va="center", color=_TIERS[(number - 1) % 2],
        )  # fmt: skip


def _short(label, longest=32):
    text = str(label)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
