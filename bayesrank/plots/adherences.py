"""How far agents follow the ranking."""

import numpy as np

from bayesrank.plots.refusals import require_model
from bayesrank.plots.rows import name_rows, row_axes
from bayesrank.plots.style import BLUE, ORANGE, tidy
from bayesrank.text import level

__all__ = ["plot_adherences"]

_MOST_NAMES = 60  # agents up to which rows are named


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
    require_model(fit, "plot_adherences")
    if not fit.specification.has_adherences:
        raise ValueError(
            'Only "mpm" has adherences; of other models, `plot_agents()` draws what differs '
            "between agents."
        )
    table = fit.agents(prob)
    n, named = len(table), len(table) <= _MOST_NAMES
    ax = row_axes(n if named else 15) if ax is None else ax
    position = np.arange(n)
    if table["low"].notna().any():
        ax.hlines(
            position, table["low"], table["high"], color=BLUE,
            linewidth=2.0 if named else 0.6, alpha=0.8 if named else 0.35,
        )  # fmt: skip
    ax.scatter(table["adherence"], position, color=BLUE, s=22 if named else 3, zorder=3)
    learned = fit.specification.observation.learns_adherence
    silent = (table["preferences"] == 0).to_numpy()
    if silent.any() and learned:
        ax.scatter(
            table["adherence"][silent], position[silent], s=30, facecolor="white",
            edgecolor=ORANGE, zorder=4, label="no preferences: the prior",
        )  # fmt: skip
        ax.legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), borderpad=0.0)
    if named:
        name_rows(ax, table.index)
    else:
        ax.set_ylabel(f"{n:,} agents, the most faithful first")
        ax.set_ylim(n - 0.4, -0.6)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("adherence (0 prefers at random, 1 follows the scores)")
    what = "posterior mode" if fit.kind.is_point else f"mean and {level(prob)} interval"
    ax.set_title(f"Agents: {what if learned else 'as given'}", fontsize=11, loc="left")
    tidy(ax, "x")
    return ax
