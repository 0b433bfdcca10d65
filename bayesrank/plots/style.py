"""Colours and lines that all pictures share."""

import numpy as np

__all__ = [
    "BLUE",
    "GREY",
    "ORANGE",
    "diverging",
    "log_ticks",
    "open_axes",
    "room_for",
    "sequential",
    "tidy",
]

# A pair that stays apart in print and for colour-blind readers.
BLUE, ORANGE, GREY = "#1f5a94", "#d1741f", "0.75"


def sequential():
    """Return colours from nothing (white) to much (dark blue)."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("much", ["white", "#9dc0e3", BLUE, "#0d2a4a"])


def diverging():
    """Return colours from orange by white to blue, with light grey for what has no value."""
    from matplotlib.colors import LinearSegmentedColormap

    stops = ["#8a4308", ORANGE, "#f0c9a3", "white", "#a9c8e8", BLUE, "#0d2a4a"]
    return LinearSegmentedColormap.from_list("either", stops).with_extremes(bad="0.9")


def open_axes(width, height):
    """Return axes of a new figure that makes room for its labels."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def tidy(ax, axis):
    """Leave out what is not data: the upper and the right edge, and a strong grid."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis=axis, color="0.92")
    ax.set_axisbelow(True)


def room_for(ax, inches):
    """Return how many texts of a width find room below axes."""
    return max(2, int(ax.get_position().width * ax.figure.get_figwidth() / inches))


def log_ticks(axis, most, written="{:g}".format):
    """Write round numbers on a log axis, as many as find room."""
    from matplotlib.ticker import FixedLocator, NullFormatter

    low, high = axis.get_view_interval()
    powers = np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    nearest = 0.8 * np.log(high / low) / most
    fine = (np.arange(1.0, 10.0, 0.5), np.arange(1.0, 10.0))
    for steps in (*fine, (1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        ticks = np.outer(10.0**powers, steps).ravel()
        ticks = ticks[(ticks >= low) & (ticks <= high)]
        if np.diff(np.log(ticks)).min(initial=np.inf) >= nearest:
            break
    else:
        ticks = 10.0 ** powers[:: -(-powers.size // most)]
        ticks = ticks[(ticks >= low) & (ticks <= high)]
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(lambda value, _: written(value))
    axis.set_minor_formatter(NullFormatter())
