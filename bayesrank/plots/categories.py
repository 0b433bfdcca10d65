"""The ranks of all items in all categories, and how their scores differ from those over all."""

from typing import Any

import numpy as np

from bayesrank.plots.labels import shown
from bayesrank.plots.refusals import require_model
from bayesrank.plots.rows import name_rows, row_axes, row_points
from bayesrank.plots.style import diverging
from bayesrank.text import level

__all__ = ["plot_categories"]

_NARROW, _WIDE = 0.42, 0.95  # inches of a column
_WIDEST = 16.0
_PALEST = 0.12  # what is left of a colour where nothing is known


def plot_categories(fit: Any, prob: float = 0.95, ax: Any = None) -> Any:
    """Draw where items rank in each category, the best over all at the top.

    Numbers are ranks. Colours say how an item's score in a category differs from its score over
    all: the paler a cell, the less is known of the direction. A number is bold where the interval
    of the difference leaves out zero.

    Parameters
    ----------
    fit : Fit
        Of scores by category.
    prob : float
        Probability of these intervals.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    require_model(fit, "plot_categories")
    fit._require_categories("plot_categories()")
    overall = fit._overall()
    ranking = overall.ranking(prob)
    order = overall._index().get_indexer(ranking.index)
    categories = fit.specification.data.categories
    ranks, shade, sure, clear = _cells(overall, categories, order, prob)
    n = len(ranks)
    ax = row_axes(n, _width(categories), more=1.0) if ax is None else ax
    most = float(np.abs(shade).max()) or 1.0
    colors, norm = _colors(shade, sure, most)
    ax.imshow(colors, aspect="auto", interpolation="nearest")
    _name(ax, ranking.index, categories)
    _write(ax, ranks, clear, colors)
    height = ax.figure.get_figheight()
    bar = ax.figure.colorbar(
        norm, ax=ax, shrink=float(np.clip(3.0 / height, 0.2, 0.8)), anchor=(0.0, 1.0), pad=0.02,
        aspect=20.0 * min(1.0, height / 3.0),
    )  # fmt: skip
    bar.set_label("score, less overall")
    about = "at the posterior mode" if fit.kind.is_point else (
        f"pale: uncertain; bold: {level(prob)} interval without 0"
    )  # fmt: skip
    ax.set_title(f"Ranks by category\n{about}", fontsize=11, loc="left")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def _cells(fit: Any, categories: list[Any], order: np.ndarray, prob: float) -> Any:
    """Return of each item and category the rank, the difference, how sure its sign is, and all.

    The last is whether the interval of the difference leaves out zero; at a single point all
    signs are as good as sure.
    """
    over_all, point, tail = fit.scores(), fit.kind.is_point, (1.0 - prob) / 2.0
    ranks, shade, sure, clear = (np.empty((len(order), len(categories))) for _ in range(4))
    for k, category in enumerate(categories):
        own = fit.in_category(category).scores()
        places = np.argsort(-own.mean(axis=0), kind="stable")
        rank = np.empty(len(places))
        rank[places] = np.arange(1, len(places) + 1)
        difference = own - over_all
        low, high = np.quantile(difference, [tail, 1.0 - tail], axis=0)
        certain = np.abs((difference > 0).mean(axis=0) - (difference < 0).mean(axis=0))
        known = ((low > 0) | (high < 0)) & (not point)
        for made, values in zip(
            (ranks, shade, sure, clear), (rank, difference.mean(axis=0), certain, known),
            strict=True,
        ):  # fmt: skip
            made[:, k] = values[order]
    return ranks.astype(int), shade, np.ones_like(sure) if point else sure, clear.astype(bool)


def _colors(shade: np.ndarray, sure: np.ndarray, most: float) -> tuple[np.ndarray, Any]:
    """Return the colours of cells, paler where little is known, and what a colour bar needs."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    norm = ScalarMappable(Normalize(-most, most), diverging())
    colors = norm.to_rgba(shade)[..., :3]
    strength = np.maximum(sure**2, _PALEST)[..., None]
    return 1.0 - strength * (1.0 - colors), norm


def _width(categories: list[Any]) -> float:
    """Return the width of a figure in inches, with room for names and numbers."""
    upright = _upright(categories)
    column = _NARROW if upright else _WIDE
    return float(np.clip(3.4 + column * len(categories), 6.5, _WIDEST))


def _upright(categories: list[Any]) -> bool:
    return max(len(shown(label, 18)) for label in categories) > 9


def _name(ax: Any, items: Any, categories: list[Any]) -> None:
    """Name rows and columns, at both ends where the bottom is far away."""
    n, m = len(items), len(categories)
    size, _ = name_rows(ax, items)
    ax.set_ylim(n - 0.5, -0.5)
    named, texts = ax.get_yticks().astype(int), [text.get_text() for text in ax.get_yticklabels()]
    ax.set_yticks(named, [f"{text}  {k + 1}" for k, text in zip(named, texts, strict=True)])
    wide = ax.get_position().width * ax.figure.get_figwidth() / m
    upright = _upright(categories) or wide < 0.1 * max(len(shown(c, 18)) for c in categories)
    step = max(1, int(np.ceil(0.13 / wide)))
    ax.set_xticks(
        np.arange(0, m, step), [shown(label, 18) for label in categories[::step]],
        fontsize=max(size, 8.0), rotation=90 if upright else 0,
    )  # fmt: skip
    if step > 1:
        ax.set_xlabel(f"{m:,} categories, some of them are named")
    if n > 40:
        ax.tick_params(axis="x", top=True, labeltop=True, labelrotation=90 if upright else 0)


def _write(ax: Any, ranks: np.ndarray, clear: np.ndarray, colors: np.ndarray) -> None:
    """Write the ranks into the cells where they find room."""
    n, m = ranks.shape
    wide = ax.get_position().width * ax.figure.get_figwidth() * 72.0 / m
    digits = len(str(n))
    size = min(0.72 * row_points(ax, n), wide / (0.62 * digits + 0.5), 10.0)
    if size < 5.0:
        return
    bright = colors @ np.array([0.299, 0.587, 0.114])
    for row in range(n):
        for column in range(m):
            ax.text(
                column, row, f"{ranks[row, column]}", ha="center", va="center", fontsize=size,
                color="white" if bright[row, column] < 0.55 else "0.15",
                fontweight="bold" if clear[row, column] else "normal",
            )  # fmt: skip
