"""Scores or ranks over time."""

from datetime import datetime

import numpy as np

from bayesrank.plots.style import open_axes, tidy

__all__ = ["plot_history"]

_MOST = 12
# Colours that colour-blind readers tell apart (Okabe and Ito 2008), then dashes.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def plot_history(fit, items=None, *, ranks=False, prob=0.8, window=1.0, ax=None):
    """Draw how scores or ranks moved, each item with its name at the end of its line.

    Parameters
    ----------
    fit : Fit
        Of scores that move.
    items : list, optional
        At most 12; by default the five best at the time that the fit is about.
    ranks : bool
        Whether ranks are drawn, the best at the top, instead of scores.
    prob : float
        Probability of the bands.
    window : float
        Years in which an item must have been seen.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    if items is None:
        items = fit.ranking().index[:5].tolist()
    items = list(items)
    if len(items) > _MOST:
        raise ValueError(f"At most {_MOST} lines can be told apart, got {len(items)} `items`.")
    table = fit.history(items, prob=prob, window=window)
    ax = open_axes(8.0, 4.5) if ax is None else ax
    middle, low, high = ("rank", "rank_low", "rank_high") if ranks else ("score", "low", "high")
    ends = []
    for k, item in enumerate(items):
        own = table[table["item"] == item]
        colour, dash = _COLOURS[k % len(_COLOURS)], "-" if k < len(_COLOURS) else "--"
        time = own["time"].to_numpy()
        if not ranks and own[low].notna().all():
            edges = own[low].to_numpy(float), own[high].to_numpy(float)
            ax.fill_between(time, *edges, color=colour, alpha=0.14, linewidth=0.0)
        mark = {"marker": "o", "markersize": 3.5} if len(own) <= 40 else {}
        ax.plot(time, own[middle].to_numpy(float), dash, color=colour, linewidth=1.8, **mark)
        if len(own):
            ends.append((float(own[middle].iloc[-1]), str(item), colour))
    _name_lines(ax, ends, ranks)
    if ranks:
        ax.invert_yaxis()
        ax.yaxis.get_major_locator().set_params(integer=True)
        ax.set_ylabel("rank")
    else:
        ax.axhline(0.0, color="0.6", linewidth=0.8, zorder=0)
        ax.set_ylabel("score, relative to the mean")
        if not fit.kind.is_point:
            ax.set_title(f"bands hold {prob:.0%}", loc="left", fontsize=9, color="0.35")
    if not isinstance(fit.specification.data.times[0], datetime):
        ax.set_xlabel("time")
    tidy(ax, "y")
    return ax


def _name_lines(ax, ends, ranks):
    """Write the names right of the axes, no two over each other."""
    if not ends:
        return
    ends = sorted(ends, reverse=not ranks)
    low, high = ax.get_ylim()
    apart = abs(high - low) / 18.0
    places = np.array([end[0] for end in ends])
    sign = 1.0 if ranks else -1.0
    for k in range(1, len(places)):
        if sign * (places[k] - places[k - 1]) < apart:
            places[k] = places[k - 1] + sign * apart
    for place, (_, name, colour) in zip(places, ends, strict=True):
        ax.annotate(
            name, (1.01, place), xycoords=("axes fraction", "data"), color=colour, va="center",
            fontsize=9, annotation_clip=False,
        )  # fmt: skip
