"""What was believed of the parameters before the data, and after."""

import numpy as np

from bayesrank.model.quantities import Quantity
from bayesrank.plots.densities import density
from bayesrank.plots.labels import shown
from bayesrank.plots.refusals import require_draws, require_model
from bayesrank.plots.style import BLUE, GREY, log_ticks, room_for
from bayesrank.text import listing

__all__ = ["plot_prior"]

_DRAWS = 5000  # of the prior
_MOST_PANELS = 24
_SPREAD = Quantity("score_spread", low=0.0)
_POOLED = {"item": "all items", "agent": "all agents", "place": "all agents and instances",
           "state": "all states", "cell": "all items and categories"}  # fmt: skip


def plot_prior(fit, names=None, ax=None):
    """Draw the prior and the posterior of each parameter, each density to its own height.

    Parameters
    ----------
    fit : Fit
    names : str or list of str, optional
        Parameters by their names in ``fit.parameters()``, such as "nu" or "beta[age]";
        "score_spread", the standard deviation of the scores; and "variance" and "adherence", the
        draws of all items or agents together, or one of them, such as "adherence[ann]". By
        default all of these, but none of a single item or agent.
    ax : matplotlib axes or array of them, optional
        As many as there are names.

    Returns
    -------
    ndarray of matplotlib axes
    """
    require_model(fit, "plot_prior")
    require_draws(fit, "plot_prior")
    specification = fit.specification
    posterior = _named(specification, {name: fit._flat(name) for name in specification.names})
    if isinstance(names, str):
        names = [names]
    wanted = list(posterior["shown"]) if names is None else list(names)
    every = posterior["shown"] | posterior["single"]
    unknown = [name for name in wanted if name not in every]
    if unknown or not wanted:
        known = listing([f'"{name}"' for name in posterior["shown"]], 12)
        raise ValueError(f"`names` must be of {known}, got {listing(unknown) or 'none'}.")
    prior = _named(specification, specification.prior(_DRAWS, seed=0))
    before = prior["shown"] | prior["single"]
    total = len(wanted)
    wanted = wanted[:_MOST_PANELS] if ax is None else wanted
    axes = _panels(len(wanted), ax)
    for panel, name in zip(axes, wanted, strict=True):
        base = name.split("[")[0]
        quantity = specification.quantities.get(base, _SPREAD)
        _draw(panel, name, quantity, before[name], every[name])
    if ax is None:
        told = "" if len(wanted) == total else f"The first {len(wanted)} of {total} parameters"
        axes[0].figure.legend(
            *axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=2, frameon=False,
            fontsize=9, title=told or None, alignment="left",
        )  # fmt: skip
    else:
        axes[0].legend(frameon=False, fontsize=8)
    return axes


def _named(specification, draws):
    """Return draws by the names of panels: those shown by default, and those of one item."""
    shown_draws, single = {}, {}
    for name in specification.names:
        values = draws[name]
        if name == "score":
            shown_draws["score_spread"] = values.std(axis=1)
        elif values.ndim == 1:
            shown_draws[name] = values
            continue
        (dim,) = specification.dims(name)
        whole = dim in _POOLED
        if whole and name != "score":
            shown_draws[name] = values.ravel()
        for k, label in enumerate(specification.coords[dim]):
            (single if whole else shown_draws)[f"{name}[{label}]"] = values[:, k]
    return {"shown": shown_draws, "single": single}


def _panels(n, ax):
    """Return an array of axes, new ones or those that were given."""
    import matplotlib.pyplot as plt

    if ax is not None:
        axes = np.atleast_1d(np.asarray(ax, dtype=object)).ravel()
        if len(axes) != n:
            raise ValueError(f"`ax` must hold {n} axes, one for each parameter, got {len(axes)}.")
        return axes
    columns = min(n, 3 if n != 4 else 2)
    rows = -(-n // columns)
    size = (max(3.1 * columns, 4.0), 2.1 * rows + 0.3)
    axes = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)[1].ravel()
    for empty in axes[n:]:
        empty.remove()
    return axes[:n]


def _draw(ax, name, quantity, before, after):
    """Draw one parameter."""
    log, low, high = quantity.ratio, quantity.low, quantity.high
    layers = ((before, "0.6", 0.45, "prior"), (after, BLUE, 0.7, "posterior"))
    for draws, color, alpha, words in layers:
        grid, height = density(np.log(draws) if log else draws, low, high)
        x = np.exp(grid) if log else grid
        ax.fill_between(x, 0.0, height, color=color, alpha=alpha, linewidth=0.0, label=words)
        ax.plot(x, height, color=color, linewidth=1.2)
    start, stop = np.quantile(before, [0.01, 0.99])
    if log:
        ax.set_xscale("log")
    ax.set_xlim(_limits(start, stop, after, low, high, log))
    if log:
        log_ticks(ax.xaxis, room_for(ax, 0.4))
    ax.set_ylim(0.0, 1.2)
    ax.set_yticks([])
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.axhline(0.0, color=GREY, linewidth=0.8)
    pooled = _POOLED.get(quantity.dims[0]) if quantity.dims and quantity.name == name else None
    ax.set_title(shown(f"{name} ({pooled})" if pooled else name, 34), fontsize=10, loc="left")


def _limits(start, stop, after, low, high, log):
    """Return ends of the axis: nearly all of the prior and all of the posterior."""
    first, last = min(start, after.min()), max(stop, after.max())
    if log:
        return first, last
    margin = 0.05 * (last - first)
    return (first - margin if low is None else low - 0.2 * margin,
            last + margin if high is None else high + 0.2 * margin)  # fmt: skip
