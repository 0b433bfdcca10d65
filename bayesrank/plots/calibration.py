"""Histograms of ranks and their distribution, for simulation-based calibration."""

import numpy as np

from bayesrank.calibration.uniformity import ecdf_band

__all__ = ["plot_calibration"]

_BINS = 20


def plot_calibration(calibration, names=None, *, prob=0.95, axes=None):
    """Draw ranks of some quantities; see `bayesrank.calibration.simulation.Calibration.plot`."""
    import matplotlib.pyplot as plt
    from scipy import stats

    names = calibration.table().index[:6].tolist() if names is None else list(names)
    unknown = [name for name in names if name not in calibration.names]
    if unknown:
        raise ValueError(f"`names` has {unknown[0]!r}, which is not a quantity of the model.")
    if axes is None:
        size = (1.0 + 2.3 * len(names), 4.2)
        _, axes = plt.subplots(
            2, len(names), figsize=size, sharey="row", squeeze=False, layout="constrained"
        )
    n, draws = len(calibration.ranks), calibration.draws
    share, low, high = ecdf_band(n, draws, prob)
    bins = min(_BINS, draws + 1)
    expected = stats.binom.ppf([0.5 - prob / 2, 0.5, 0.5 + prob / 2], n, 1.0 / bins)
    for name, upper, lower in zip(names, *axes, strict=True):
        ranks = calibration.ranks[:, calibration.names.index(name)]
        place = (ranks + 0.5) / (draws + 1.0)
        upper.axhspan(expected[0], expected[2], color="tab:grey", alpha=0.25, linewidth=0)
        upper.hist(place, bins=np.linspace(0.0, 1.0, bins + 1), color="tab:blue", alpha=0.75)
        upper.set_title(name, fontsize=9)
        below = np.mean(place[:, None] < share, axis=0)
        lower.fill_between(
            share, low - share, high - share, color="tab:grey", alpha=0.25, linewidth=0
        )
        lower.plot(share, below - share, color="tab:blue")
        lower.axhline(0.0, color="black", linewidth=0.6)
        lower.set_xlabel("rank of the true value", fontsize=9)
        for ax in (upper, lower):
            ax.set_xticks([0.0, 0.5, 1.0])
            ax.spines[["top", "right"]].set_visible(False)
    axes[0, 0].set_ylabel("data sets")
    axes[1, 0].set_ylabel("departure from uniform")
    return axes
