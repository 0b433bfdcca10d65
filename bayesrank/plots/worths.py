"""How the worths of items are spread."""

import numpy as np
from scipy.special import logsumexp

from bayesrank.plots.densities import density
from bayesrank.plots.refusals import require_draws, require_one_instance
from bayesrank.plots.rows import mark_points, name_rows, row_axes, write_both_ends
from bayesrank.plots.style import BLUE, GREY, log_ticks, room_for, tidy

__all__ = ["plot_worths"]

_HEIGHT = 1.2  # of a ridge, in rows: neighbours overlap a little


def plot_worths(fit, ax=None):
    """Draw the posterior density of each item's worth as a ridge, best at the top.

    Worths are exp(score), divided by their sum. The axis is logarithmic, and so are the
    densities; ridges all have one height, so that wide and narrow ones can be seen together. The
    light line in a ridge is the median.

    Parameters
    ----------
    fit : Fit, or anything else with a ``ranking`` and ``scores``
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    require_draws(fit, "plot_worths")
    require_one_instance(fit, "plot_worths")
    table = fit.ranking()
    scores = fit.scores()
    # The columns of the draws, best first, as `ranking` sorts them.
    scores = scores[:, np.argsort(-scores.mean(axis=0), kind="stable")]
    log_worth = scores - logsumexp(scores, axis=1, keepdims=True)
    n = len(table)
    ax = row_axes(n) if ax is None else ax
    name_rows(ax, table.index)
    mark = mark_points(ax, n)
    for row, draws in enumerate(log_worth.T):
        grid, height = density(draws)
        worth, top = np.exp(grid), row - _HEIGHT * height
        kept = height > 1e-3
        # Later rows lie over earlier ones, with a light edge between them.
        ax.fill_between(
            worth[kept], row, top[kept], facecolor=BLUE, alpha=0.75, linewidth=0.0, zorder=2 + row
        )
        ax.plot(worth[kept], top[kept], color="white", linewidth=0.09 * mark, zorder=2 + row)
        median = np.median(draws)
        peak = row - _HEIGHT * np.interp(median, grid, height)
        ax.plot(
            [np.exp(median)] * 2, [row, peak], color="white", linewidth=0.12 * mark, zorder=2 + row
        )
    ax.axvline(1.0 / n, color=GREY, linewidth=0.8, zorder=0)
    ax.set_xscale("log")
    log_ticks(ax.xaxis, room_for(ax, 0.5), lambda value: f"{100.0 * value:g}%")
    ax.set_ylim(n - 0.6, -_HEIGHT - 0.2)
    ax.set_xlabel("worth (share of the total; the line is an equal share)")
    ax.set_title("Worths: posterior densities, each to its own height", fontsize=11, loc="left")
    write_both_ends(ax, n)
    tidy(ax, "x")
    return ax
