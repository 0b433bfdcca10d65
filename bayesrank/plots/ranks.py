"""How probable each rank of each item is."""

import numpy as np

from bayesrank.plots.labels import places_of
from bayesrank.plots.refusals import require_draws, require_one_instance
from bayesrank.plots.rows import (
    legend_above,
    mark_points,
    name_rows,
    row_axes,
    row_points,
    write_both_ends,
)
from bayesrank.plots.style import ORANGE, room_for, sequential
from bayesrank.text import level

__all__ = ["plot_ranks"]


def plot_ranks(fit, prob=0.95, ax=None):
    """Draw the probability of each rank (column) of each item (row), best at the top.

    Dots are expected ranks, lines the interval of each item's rank. Shades are of the root of the
    probability, so that the many small ones of many items can be seen.

    Parameters
    ----------
    fit : Fit, or anything else with a ``ranking`` and ``rank_probabilities``
    prob : float
        Probability of the intervals.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    from matplotlib.colors import PowerNorm
    from matplotlib.ticker import MaxNLocator

    require_draws(fit, "plot_ranks")
    require_one_instance(fit, "plot_ranks")
    table = fit.ranking(prob)
    shares = fit.rank_probabilities()
    shares = shares.to_numpy()[places_of(table.index, shares.index)]
    n = len(table)
    if ax is None:
        ax = row_axes(n, width=float(np.interp(n, [5, 30, 150], [6.5, 8.5, 10.0])))
    image = ax.imshow(
        shares, cmap=sequential(), norm=PowerNorm(0.5, 0.0, shares.max()), aspect="auto",
        interpolation="nearest", extent=(0.5, n + 0.5, n - 0.5, -0.5),
    )  # fmt: skip
    position = np.arange(n)
    name_rows(ax, table.index)
    ax.set_ylim(n - 0.5, -0.5)
    mark = mark_points(ax, n)
    # From edge to edge of the cells, which all belong to the interval.
    low, high = table["rank_low"] - 0.5, table["rank_high"] + 0.5
    ax.hlines(
        position, low, high, color=ORANGE, alpha=0.6, linewidth=0.1 * mark,
        label=f"{level(prob)} interval",
    )  # fmt: skip
    for end in (low, high):
        ax.scatter(
            end, position, marker="|", s=(0.8 * mark) ** 2, color=ORANGE,
            linewidth=0.15 * mark, zorder=3, clip_on=False,
        )  # fmt: skip
    ax.scatter(
        shares @ np.arange(1, n + 1), position, s=(0.55 * mark) ** 2, color=ORANGE,
        edgecolor="white", linewidth=0.06 * mark, zorder=4, label="expected rank",
    )  # fmt: skip
    height = row_points(ax, n) * n / 72.0
    ax.figure.colorbar(
        image, ax=ax, label="probability", shrink=min(1.0, 3.0 / height),
        aspect=min(20.0, 20.0 * height / 3.0), anchor=(0.0, 1.0), pad=0.02,
    )  # fmt: skip
    most = min(room_for(ax, 0.45), 15)
    ax.xaxis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10], integer=True, min_n_ticks=2))
    ax.set_xlim(0.5, n + 0.5)
    ax.set_xlabel("rank (1 is best)")
    write_both_ends(ax, n)
    legend_above(ax, "Probability of each rank")
    return ax
