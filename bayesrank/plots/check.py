"""The data against what the fitted model would have drawn."""

import numpy as np

from bayesrank.consensus import interval
from bayesrank.data.checks import whole_number
from bayesrank.plots.labels import places_of
from bayesrank.plots.refusals import require_draws, require_model, require_one_instance
from bayesrank.plots.replicates import statistics_of
from bayesrank.plots.rows import legend_above, mark_points, name_rows, row_axes, write_both_ends
from bayesrank.plots.style import BLUE, ORANGE, open_axes, tidy
from bayesrank.text import level

__all__ = ["plot_check"]

_STATISTICS = ("wins", "ranks", "ties")


def plot_check(fit, statistic="auto", prob=0.95, draws=200, seed=None, ax=None):
    """Draw a posterior predictive check: a statistic of the data, and of replicated data.

    Parameters
    ----------
    fit : Fit
    statistic : "auto", "wins", "ranks" or "ties"
        "wins": the share of its comparisons that each item wins, or in rankings the share of
        the others that are below it. "ranks": the mean place of each item, for rankings. "ties":
        how much is tied. By default the one that tells most: "ties" of models with a fixed
        prevalence of ties, otherwise "ranks" of rankings and "wins" of comparisons.
    prob : float
        Probability of the replicated intervals.
    draws : int
        Replicated data sets, each from a posterior draw, evenly spaced.
    seed : int, optional
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes

    Notes
    -----
    A replicated ranking has the items of the observed one, and as many unranked as the model
    draws; a ranking of weight w is drawn w times.
    """
    require_model(fit, "plot_check")
    require_draws(fit, "plot_check")
    require_one_instance(fit, "plot_check")
    if statistic not in ("auto", *_STATISTICS):
        raise ValueError(
            f'`statistic` must be "auto", "wins", "ranks" or "ties", got {statistic!r}.'
        )
    whole_number("draws", draws, 2)
    statistics = statistics_of(fit.specification)
    statistic = statistics.most_telling if statistic == "auto" else statistic
    refusal = statistics.refusal(statistic)
    if refusal:
        raise ValueError(f'`statistic="{statistic}"` {refusal}.')
    rng = np.random.default_rng(seed)
    observed = statistics.measure(statistic, statistics.observed)
    replicated = np.array([
        statistics.measure(statistic, statistics.draw(fit.values(draw), rng))
        for draw in fit.spaced_draws(draws)
    ])  # fmt: skip
    if statistic == "ties":
        ax = _draw_number(observed, replicated, ax)
    else:
        ax = _draw_items(fit, statistic, observed, replicated, prob, ax)
    ax.set_xlabel(statistics.words[statistic])
    return ax


def _draw_number(observed, replicated, ax):
    """Draw one observed number among replicated ones."""
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    ax = open_axes(6.5, 3.6) if ax is None else ax
    # Shares come in steps, and bins that hold now one step and now two would look like combs.
    values = np.unique(replicated.round(9))
    step = np.diff(values).min() if values.size > 1 else 0.01
    step *= max(np.ceil(np.ptp(values) / step / 25.0), 1.0)
    bins = np.arange(values[0] - 0.5 * step, values[-1] + step, step)
    ax.hist(replicated, bins, color=BLUE, alpha=0.75, label=f"{len(replicated):,} replicated")
    ax.axvline(observed, color=ORANGE, linewidth=2.5, label=f"observed: {observed:.1%}")
    above = np.mean(replicated > observed)
    low, high = min(observed, replicated.min()), max(observed, replicated.max())
    margin = 0.08 * (high - low) or 0.01
    ax.set_xlim(max(low - margin, -0.01), min(high + margin, 1.01))
    ax.xaxis.set_major_locator(MaxNLocator(7))
    ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    ax.set_yticks([])
    legend_above(ax, f"{above:.0%} of replicated data have more ties")
    tidy(ax, "x")
    ax.spines["left"].set_visible(False)
    return ax


def _draw_items(fit, statistic, observed, replicated, prob, ax):
    """Draw each item's observed number on the interval of its replicated ones."""
    from matplotlib.ticker import PercentFormatter

    labels = fit.ranking().index
    rows = places_of(labels, fit.specification.data.items)
    observed, (low, high) = observed[rows], interval(replicated[:, rows], prob)
    n, position = len(labels), np.arange(len(labels))
    ax = row_axes(n) if ax is None else ax
    name_rows(ax, labels)
    mark = mark_points(ax, n)
    ax.hlines(
        position, low, high, color=BLUE, alpha=0.35, linewidth=0.6 * mark,
        label=f"replicated: {level(prob)} interval",
    )  # fmt: skip
    outside = (observed < low) | (observed > high)
    for chosen, color, marker, words in (
        (~outside, BLUE, "o", "observed"),
        (outside, ORANGE, "D", "observed, outside"),
    ):
        if chosen.any():
            ax.scatter(
                observed[chosen], position[chosen], color=color, marker=marker, zorder=3,
                s=(0.5 * mark) ** 2, label=words,
            )  # fmt: skip
    seen = np.isfinite(observed).sum()
    if statistic == "wins":
        ax.xaxis.set_major_formatter(PercentFormatter(1.0))
    write_both_ends(ax, n)
    name = fit.specification.likelihood
    legend_above(ax, f"{name}: {outside.sum()} of {seen} items are outside")
    tidy(ax, "x")
    return ax
