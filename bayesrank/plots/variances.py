"""On which items agents agree."""

from bayesrank.plots.labels import shown
from bayesrank.plots.refusals import require_model, require_one_instance
from bayesrank.plots.style import BLUE, GREY, log_ticks, open_axes, room_for, tidy
from bayesrank.text import level

__all__ = ["plot_variances"]

_MOST_INTERVALS = 60  # items up to which intervals are drawn


def plot_variances(fit, prob=0.95, ax=None):
    """Draw the items' variances against their ranks, darker the more ballots they are on.

    Parameters
    ----------
    fit : Fit
        Of "mpm".
    prob : float
        Probability of the intervals, which are drawn for up to 60 items.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    require_model(fit, "plot_variances")
    require_one_instance(fit, "plot_variances")
    if not fit.specification.has_adherences:
        raise ValueError('Only "mpm" has variances of items.')
    table = fit.items(prob)
    few = len(table) <= _MOST_INTERVALS
    ax = open_axes(8.0, 4.5) if ax is None else ax
    if few and table["variance_low"].notna().any():
        ax.vlines(
            table["rank"], table["variance_low"], table["variance_high"], color=GREY,
            linewidth=1.5, zorder=1,
        )  # fmt: skip
    ax.axhline(0.5, color=GREY, linewidth=0.8, zorder=0)
    size = 26 if few else 8
    if table["ballots"].nunique() > 1:
        dots = ax.scatter(
            table["rank"], table["variance"], c=table["ballots"], cmap="viridis_r", s=size,
            zorder=2, norm="log" if table["ballots"].min() > 0 else None,
        )  # fmt: skip
        _add_bar(ax, dots, table["ballots"])
    else:
        ax.scatter(table["rank"], table["variance"], color=BLUE, s=size, zorder=2)
    ax.set_yscale("log")
    log_ticks(ax.yaxis, 12)
    ax.set_xlim(1 - 0.02 * len(table) - 0.2, 1.02 * len(table) + 0.2)
    ax.set_xlabel("rank")
    if len(table) <= room_for(ax, 0.15):
        names = [shown(label, 20) for label in table.index]
        ax.set_xticks(table["rank"], names, rotation=90, fontsize=8)
        ax.set_xlabel("items, the best first")
    ax.set_ylabel("variance (log scale, one half on average)")
    what = "posterior mode" if fit.kind.is_point else "posterior mean"
    what += f" and {level(prob)} interval" if few and not fit.kind.is_point else ""
    what = what if fit.specification.observation.learns_variances else "as given"
    ax.set_title(f"Items: {what}", fontsize=11, loc="left")
    tidy(ax, "y")
    return ax


def _add_bar(ax, dots, ballots):
    """Add a bar that explains the colours, in whole numbers of ballots."""
    from matplotlib.ticker import MaxNLocator, NullFormatter

    bar = ax.figure.colorbar(dots, ax=ax, label="ballots that the item is on")
    bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    bar.ax.yaxis.set_minor_formatter(NullFormatter())
    if ballots.max() < 10 * max(ballots.min(), 1):
        low, high = bar.mappable.get_clim()
        ticks = MaxNLocator(4, integer=True).tick_values(low, high)
        bar.set_ticks([tick for tick in ticks if low <= tick <= high])
