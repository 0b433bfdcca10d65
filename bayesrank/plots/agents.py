"""What differs between agents: discrimination, order effect and tie rate."""

from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.plots.labels import shown
from bayesrank.plots.refusals import require_model
from bayesrank.plots.rows import legend_above, mark_points, name_rows, row_axes, row_points
from bayesrank.plots.style import BLUE, ORANGE, log_ticks, room_for, tidy
from bayesrank.results.agent_words import CONTRARIAN, RANDOM, TIES
from bayesrank.text import either, level, option

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["plot_agents"]

_WIDTH = 3.0  # inches of a panel
_FEWEST_POINTS = 6.0  # of a row, for words beside it
# What was fitted by agent: label, and the value of somebody who does not differ.
_PANELS = {
    "discrimination": ("discrimination (1 is average)", 1.0),
    "order_effect": ("order effect (0 favours no side)", 0.0),
    "tie_rate": ("tie rate of equal items", None),
}
# Who stands out, in colours and marks that can be told apart in print.
_MARKS = {RANDOM: (ORANGE, "s"), CONTRARIAN: ("#a3123f", "D"), TIES: ("#5b3a8c", "^")}


def plot_agents(fit: Any, prob: float = 0.95, ax: Any = None) -> Any:
    """Draw what was fitted by agent, a panel for each, the most votes at the top.

    Agents whose votes look random, go against the ranking or are nearly always ties have a colour
    and a mark of their own.

    Parameters
    ----------
    fit : Fit
        With discrimination, order effects or ties by agent.
    prob : float
        Probability of the intervals.
    ax : matplotlib axes or array of them, optional
        As many as there are panels.

    Returns
    -------
    ndarray of matplotlib axes
    """
    require_model(fit, "plot_agents")
    _require_effects(fit)
    table = fit.agents(prob)
    names = [name for name in _PANELS if name in table]
    n, axes = len(table), _axes(len(names), table.index, ax)
    for panel, name in zip(axes, names, strict=True):
        _draw(panel, table, name)
    first, last = axes[0], axes[-1]
    name_rows(first, table.index)
    for other in axes[1:]:
        other.set_ylim(first.get_ylim())
        other.set_yticks(first.get_yticks(), [])
        other.tick_params(axis="y", length=0)
    if row_points(last, n) >= _FEWEST_POINTS:
        _write_words(last, table["words"], first.get_yticklabels()[0].get_fontsize())
    mean = "posterior mode" if fit.kind.is_point else f"mean and {level(prob)} interval"
    title = f"Agents, the most votes first: {mean}"
    if first.get_legend_handles_labels()[0]:
        legend_above(first, title)
    else:
        first.set_title(title, fontsize=11, loc="left")
    return axes


def _require_effects(fit: Any) -> None:
    """Refuse fits in which nothing differs between agents."""
    if fit.specification.has_adherences:
        raise ValueError(
            "`plot_agents()` is for models other than mpm, whose agents have adherences: "
            "`plot_adherences()` draws them."
        )
    made = ("discrimination", "order_effect_by_agent", "ties_by_agent")
    if not any(name in fit.posterior for name in made):
        choices = [option(name, "by-agent") for name in ("discrimination", "order_effect", "ties")]
        raise ValueError(
            f"`plot_agents()` needs something that differs between agents: fit with "
            f"{either(choices)}."
        )


def _axes(panels: int, labels: Any, given: Any) -> Any:
    """Return axes for so many panels, new ones or those that were given."""
    import matplotlib.pyplot as plt

    if given is not None:
        axes = np.atleast_1d(np.asarray(given, dtype=object)).ravel()
        if len(axes) != panels:
            raise ValueError(f"`ax` must hold {panels} axes, one for each panel, got {len(axes)}.")
        return axes
    names = 0.4 + 0.08 * max(len(shown(label)) for label in labels)
    first = row_axes(len(labels), names + _WIDTH * panels + 1.2, more=0.2)
    figure, room = first.figure, first.get_position()
    plt.delaxes(first)
    grid = figure.add_gridspec(1, panels, bottom=room.y0, top=room.y1)
    return np.array([figure.add_subplot(grid[0, k]) for k in range(panels)], dtype=object)


def _draw(ax: Any, table: "pd.DataFrame", name: str) -> None:
    """Draw one panel."""
    position, words = np.arange(len(table)), table["words"].to_numpy()
    label, neutral = _PANELS[name]
    if neutral is not None:
        ax.axvline(neutral, color="0.45", linewidth=1.0, zorder=1)
    size = mark_points(ax, len(table))
    groups = {"": (BLUE, "o"), **_MARKS}
    for said, (color, mark) in groups.items():
        here = ~np.isin(words, list(_MARKS)) if said == "" else words == said
        if not here.any():
            continue
        mine, at = table[here], position[here]
        if mine[f"{name}_low"].notna().any():
            ax.hlines(
                at, mine[f"{name}_low"], mine[f"{name}_high"], color=color,
                linewidth=max(0.8, size / 4.0), alpha=0.6,
            )  # fmt: skip
        ax.scatter(
            mine[name], at, color=color, marker=mark, s=(0.75 * size) ** 2, zorder=3, linewidth=0.0,
            label=f"{said} ({here.sum():,})" if said else None,
        )  # fmt: skip
    tidy(ax, "x")
    ax.set_xlabel(label)
    if name == "discrimination":
        ax.set_xscale("log")
        ax.autoscale_view()
        log_ticks(ax.xaxis, room_for(ax, 0.4), "{:.3g}".format)
    elif name == "tie_rate":
        ax.set_xlim(-0.02, 1.02)
    if len(table) > 60:
        ax.tick_params(axis="x", top=True, labeltop=True)


def _write_words(ax: Any, words: Any, size: float) -> None:
    """Write beside the rows of those who stand out what is said of them."""
    for k, said in enumerate(words):
        if said in _MARKS:
            ax.annotate(
                said, (1.0, k), xycoords=("axes fraction", "data"), xytext=(4.0, 0.0),
                textcoords="offset points", va="center", fontsize=size, color=_MARKS[said][0],
                annotation_clip=False,
            )  # fmt: skip
