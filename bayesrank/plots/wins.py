"""Who beats whom how often, under the model."""

import numpy as np

from bayesrank.plots.labels import places_of, shown
from bayesrank.plots.refusals import require_model, require_one_instance
from bayesrank.plots.rows import name_rows, row_axes
from bayesrank.plots.style import diverging, room_for, sequential

__all__ = ["plot_wins"]

_MOST_NUMBERS = 15  # items up to which the probabilities are written
_MOST_NAMES = 40  # columns up to which they are named; they are in the order of the rows
_WORDS = {"win": "beats", "loss": "loses to", "tie": "ties with"}


def plot_wins(fit, outcome="win", ax=None):
    """Draw the probability that the row's item beats the column's, the next time they meet.

    Colours show the probability of winning minus that of losing, so that equals are white also
    where they often tie.

    Parameters
    ----------
    fit : Fit
    outcome : "win", "loss" or "tie"
        From the row's point of view.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    require_model(fit, "plot_wins")
    require_one_instance(fit, "plot_wins")
    matrix = fit.win_probabilities(outcome)
    order = fit.ranking().index
    places = places_of(order, matrix.index)
    shares = matrix.to_numpy()[np.ix_(places, places)]
    if outcome == "tie" and not np.nanmax(shares) > 0.0:
        raise ValueError(f'`outcome="tie"`: "{fit.specification.likelihood}" has no ties to draw.')
    n = len(order)
    if ax is None:
        ax = row_axes(n, float(np.interp(n, [5, 15, 40, 150], [7.0, 9.5, 11.0, 16.0])), more=1.0)
    if outcome == "tie":
        colors, shade = sequential().with_extremes(bad="0.9"), shares
        low, high = float(np.nanmin(shares)), float(np.nanmax(shares))
    else:
        against = fit.win_probabilities("loss" if outcome == "win" else "win")
        shade = shares - against.to_numpy()[np.ix_(places, places)]
        colors, low, high = diverging(), -1.0, 1.0
    image = ax.imshow(
        shade, cmap=colors, vmin=low, vmax=high, aspect="auto", interpolation="nearest"
    )
    _name(ax, order)
    if n <= _MOST_NUMBERS:
        _write(ax, shares, shade, image)
    height = ax.figure.get_figheight()
    bar = ax.figure.colorbar(
        image, ax=ax, shrink=float(np.clip(3.0 / height, 0.2, 0.8)), anchor=(0.0, 1.0), pad=0.02,
        aspect=20.0 * min(1.0, height / 3.0),
    )  # fmt: skip
    if outcome != "tie":
        bar.set_label("win less loss" if outcome == "win" else "loss less win")
    if fit.specification.order_effect:
        label = ax.get_xlabel()
        ax.set_xlabel(f"{label}{'; ' if label else ''}the row is the left item")
    ax.set_title(_title(fit, outcome), fontsize=11, loc="left")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def _title(fit, outcome):
    if fit.specification.of_preferences:
        better, worse = ("row", "column") if outcome == "win" else ("column", "row")
        return f"Probability of preferring the {better} to the {worse}"
    return f"Probability that the row {_WORDS[outcome]} the column"


def _name(ax, order):
    """Name the rows, and the columns too if there are few; otherwise number them by rank."""
    n = len(order)
    size, step = name_rows(ax, order)
    ax.set_ylim(n - 0.5, -0.5)
    if n <= _MOST_NAMES and step == 1:
        names = [shown(label, 18) for label in order]
        upright = max(map(len, names)) > 2
        ax.set_xticks(np.arange(n), names, fontsize=size, rotation=90 if upright else 0)
        return
    # The columns follow the rows, whose ranks lead from one to the other.
    named = ax.get_yticks().astype(int)
    texts = [text.get_text() for text in ax.get_yticklabels()]
    ax.set_yticks(named, [f"{t}  {k + 1}" for k, t in zip(named, texts, strict=True)])
    every = next(k for k in (5, 10, 20, 50, 100, n) if n / k <= room_for(ax, 0.35))
    ranks = np.array([1, *range(every, n + 1, every)])
    ax.set_xticks(ranks - 1, ranks, fontsize=max(size, 8.0))
    ax.tick_params(axis="x", labeltop=True)
    ax.set_xlabel("rank of the column")


def _write(ax, shares, shade, image):
    """Write the numbers into the cells, in white where they are dark."""
    n = len(shares)
    for row, column in zip(*np.nonzero(~np.isnan(shares)), strict=True):
        red, green, blue, _ = image.cmap(image.norm(shade[row, column]))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
        text = f"{shares[row, column]:.2f}".removeprefix("0")
        ax.text(
            column, row, text, ha="center", va="center", fontsize=9.0 if n <= 10 else 7.5,
            color="white" if dark else "0.15",
        )  # fmt: skip
