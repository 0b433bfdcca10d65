"""Scores with intervals, and tiers."""

import numpy as np

from bayesrank.plots.refusals import require_one_instance
from bayesrank.plots.rows import mark_points, name_rows, row_axes, write_both_ends
from bayesrank.plots.style import BLUE, GREY, ORANGE, tidy
from bayesrank.text import level

__all__ = ["plot_ranking"]

# Alternate colours tell neighbouring tiers apart.
_TIERS = (BLUE, ORANGE)


def plot_ranking(fit, prob=0.95, ax=None, *, tiers="expected"):
    """Draw scores with intervals, best at the top, tiers by colour.

    Parameters
    ----------
    fit : Fit, or anything else with a ``ranking``
    prob : float
        Probability of the intervals, and what the tiers promise.
    ax : matplotlib axes, optional
    tiers : "expected" or "certain"
        The rule of ``fit.tiers``.

    Returns
    -------
    matplotlib axes
    """
    require_one_instance(fit, "plot_ranking")
    table = fit.ranking(prob, tiers=tiers)
    n = len(table)
    ax = row_axes(n) if ax is None else ax
    position = np.arange(n)
    size, step = name_rows(ax, table.index)
    mark = mark_points(ax, n)
    what = "posterior mode"
    if table["low"].isna().all():
        ax.plot(table["score"], position, "o", color=BLUE, markersize=0.5 * mark)
    else:
        what = f"mean and {level(prob)} interval"
        colors = [_TIERS[(tier - 1) % 2] for tier in table["tier"]]
        ax.hlines(
            position, table["low"], table["high"], color=colors, linewidth=0.2 * mark, alpha=0.8
        )
        ax.scatter(table["score"], position, color=colors, s=(0.5 * mark) ** 2, zorder=3)
        _mark_tiers(ax, table["tier"].to_numpy(), size, step)
    ax.axvline(0.0, color=GREY, linewidth=0.8, zorder=0)
    ax.set_xlabel("score (zero is the average item)")
    model = getattr(fit, "specification", None)
    heading = "Scores" if model is None else model.likelihood
    ax.set_title(f"{heading}: {what}", fontsize=11, loc="left")
    write_both_ends(ax, n)
    tidy(ax, "x")
    return ax


def _mark_tiers(ax, tier, size, step):
    """Separate the tiers by lines and number them at the right edge."""
    first = np.flatnonzero(np.diff(tier, prepend=tier[0] - 1))
    if len(first) == 1:
        return  # a number beside the first row would look as if it were its own
    for row in first[1:]:
        ax.axhline(row - 0.5, color="0.8", linewidth=0.8, linestyle=":")
    last = -step
    for row in first:
        if row - last < step:
            continue  # its number would touch the one above
        last = row
        ax.annotate(
            f"tier {tier[row]}", (1.01, row), xycoords=("axes fraction", "data"), fontsize=size,
            ha="left", va="center", color=_TIERS[(tier[row] - 1) % 2],
        )  # fmt: skip
