"""Scores or ranks over time."""

from datetime import datetime

import numpy as np

from bayesrank.plots.labels import shown
from bayesrank.plots.style import open_axes, tidy

__all__ = ["plot_history"]

_MOST = 12
# Dark enough for the names too; the colour-blind tell them apart as well as those of Okabe and Ito
# (2008). Then dashes. The page draws its lines in the same.
_COLOURS = ("#1f5a94", "#c24a05", "#8a3fd1", "#1f2612", "#922a48", "#3b0a66")


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
    shade, edge = (
        (0.15, 0.4) if len(items) <= 3 else (0.08, 0.4) if len(items) <= 6 else (0.04, 0.15)
    )
    ends = []
    for k, item in enumerate(items):
        own = _with_gaps(table[table["item"] == item], fit.specification.data.times)
        if not len(own):
            continue
        colour, dash = _COLOURS[k % len(_COLOURS)], "-" if k < len(_COLOURS) else "--"
        time, line = own.index.to_numpy(), own[middle].to_numpy(float)
        if not ranks and not fit.kind.is_point:
            edges = own[low].to_numpy(float), own[high].to_numpy(float)
            drawn = {"facecolor": (colour, shade), "edgecolor": (colour, edge), "linewidth": 0.7}
            ax.fill_between(time, *edges, **drawn)
        marked = np.arange(len(own)) if len(own) <= 40 else _alone(line)
        marks = {"marker": "o", "markersize": 3.5, "markevery": marked.tolist()}
        ax.plot(time, line, dash, color=colour, linewidth=1.8, **marks)
        ends.append((float(ax.convert_xunits(time[-1])), line[-1], shown(item, 24), colour))
    if ranks:
        _rank_axis(ax, table[middle].max())
    else:
        low, high = ax.get_ylim()
        if low < 0.0 < high:
            ax.axhline(0.0, color="0.6", linewidth=0.8, zorder=0)
        ax.set_ylabel("score, relative to the mean")
        if not fit.kind.is_point:
            ax.set_title(f"bands hold {prob:.0%}", loc="left", fontsize=9, color="0.35")
    _time_axis(ax, fit.specification.data.times)
    _name_lines(ax, ends)
    tidy(ax, "y")
    return ax


def _with_gaps(own, times):
    """Return the rows of an item by time, empty ones between where it was not ranked."""
    own = own.set_index("time")
    if not len(own):
        return own
    first, last = (times.index(own.index[k]) for k in (0, -1))
    return own.reindex(times[first : last + 1])


def _alone(line):
    """Return where a line has a value but none before nor after, so that only a mark shows it."""
    there = np.isfinite(np.concatenate([[np.nan], line, [np.nan]]))
    return np.flatnonzero(there[1:-1] & ~there[:-2] & ~there[2:])


def _rank_axis(ax, last):
    """Put rank 1 at the top, and write only whole ranks."""
    last = max(int(last), 3)
    step = next(step for step in (1, 5, 10, 20, 50, 100, 200, 500, last) if last / step <= 18)
    ax.set_ylim(last + 0.5, 0.5)
    ax.set_yticks(sorted({1, *range(step, last + 1, step)}))
    ax.set_ylabel("rank")


def _time_axis(ax, times):
    """Write few enough times that they find room beside the names."""
    if not isinstance(times[0], datetime):
        ax.set_xlabel("time")
        return
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    locator = AutoDateLocator(maxticks=8)
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))


def _name_lines(ax, ends):
    """Write the names right of the axes, no two over each other, and lead lines to them."""
    if not ends:
        return
    from scipy.optimize import isotonic_regression

    ax.autoscale(False)
    low, high = sorted(ax.get_ylim())
    left, right = ax.get_xlim()
    points = ax.get_window_extent().height * 72.0 / ax.figure.dpi
    apart = min(12.0 / points, 1.0 / len(ends)) * (high - low)
    ends = sorted(ends, key=lambda end: end[1])
    wanted, steps = np.array([end[1] for end in ends]), apart * np.arange(len(ends))
    room = (low + apart / 2, high - apart / 2 - steps[-1])
    places = np.clip(isotonic_regression(wanted - steps).x, *room) + steps
    edge = left + 1.008 * (right - left)
    for place, (time, value, name, colour) in zip(places, ends, strict=True):
        if abs(place - value) > apart / 2 or right - time > 0.1 * (right - left):
            ax.plot([time, edge], [value, place], ":", color=colour, linewidth=0.8, clip_on=False)
        ax.annotate(
            name, (1.015, place), xycoords=("axes fraction", "data"), color=colour, va="center",
            fontsize=9, annotation_clip=False,
        )  # fmt: skip
