"""Pictures with a row for each item or agent: their height, and names that do not touch."""

import numpy as np

from bayesrank.plots.labels import shown

__all__ = [
    "legend_above",
    "mark_points",
    "name_rows",
    "row_axes",
    "row_points",
    "write_both_ends",
]

_TALLEST = 40.0  # inches, beyond which rows get lower and only some of them are named
_SMALLEST = 6.0  # points, below which letters cannot be read
_MARGIN = 1.2  # inches for a title and the labels of the other axis
_TALL = 60  # rows, from which on the numbers are written at both ends


def row_axes(n, width=7.0, more=0.0):
    """Return axes for rows that keep a readable height, from five to hundreds.

    ``more`` is for what is below them: inches beyond a line of numbers and a label.
    """
    import matplotlib.pyplot as plt

    row = np.interp(n, [10, 80, 200], [0.30, 0.155, 0.14])
    height = min(_MARGIN + more + n * row, _TALLEST)
    # The layout is only settled when the figure is drawn; until then this is what it will be.
    room = {"top": 1.0 - 0.5 * _MARGIN / height, "bottom": (0.5 * _MARGIN + more) / height}
    return plt.subplots(figsize=(width, height), layout="constrained", gridspec_kw=room)[1]


def row_points(ax, n):
    """Return the height of one of n rows in points."""
    return ax.get_position().height * ax.figure.get_figheight() * 72.0 / n


def mark_points(ax, n):
    """Return the size of marks that leave some room between n rows."""
    return float(np.clip(0.75 * row_points(ax, n), 3.0, 10.0))


def name_rows(ax, labels):
    """Write a label on each row, the first one at the top, or on some where rows are too low.

    Returns
    -------
    tuple
        The size of the letters, and the number of rows from one name to the next.
    """
    n = len(labels)
    points = row_points(ax, n)
    size = float(np.clip(0.75 * points, _SMALLEST, 10.0))
    step = int(np.ceil(1.15 * size / points)) if 1.15 * size > points else 1
    named = np.arange(0, n, step)
    ax.set_yticks(named, [shown(labels[k]) for k in named], fontsize=size)
    if step > 1:
        ax.set_ylabel(f"{n:,} in all, every {_ordinal(step)} is named")
    ax.set_ylim(n - 0.4, -0.6)
    return size, step


def write_both_ends(ax, n):
    """Write the numbers of the other axis at the top as well where the bottom is far away."""
    if n > _TALL:
        ax.tick_params(axis="x", top=True, labeltop=True)


def legend_above(ax, title):
    """Write a title and below it what the marks mean, where no row is in the way."""
    from matplotlib.transforms import ScaledTranslation

    points = 20.0 if ax.xaxis.get_tick_params().get("labeltop", False) else 3.0
    up = ScaledTranslation(0.0, points / 72.0, ax.figure.dpi_scale_trans)
    ax.legend(
        loc="lower left", bbox_to_anchor=(0.0, 1.0), bbox_transform=ax.transAxes + up, ncols=3,
        frameon=False, fontsize=8, borderpad=0.0, borderaxespad=0.0, columnspacing=1.4,
        handletextpad=0.5, handlelength=1.4,
    )  # fmt: skip
    ax.set_title(title, fontsize=11, loc="left", pad=points + 18.0)


def _ordinal(k):
    return f"{k}{ {2: 'nd', 3: 'rd'}.get(k, 'th') }"
