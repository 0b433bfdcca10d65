"""What makes a picture readable, measured on the drawn figure."""

from itertools import pairwise

__all__ = ["ODD_NAMES", "assert_readable", "names_of", "row_texts"]

ODD_NAMES = [
    "two $dollars$",
    "one $ only",
    r"back\slash \$ \alpha",
    "under_score^hat",
    "{braces} % & # ~",
    "Ωмега Ångström ñ",
    "two\nlines\tand tabs",
    "a very long name " * 6,
]


def names_of(items):
    """Return labels, the first ones odd."""
    return [*ODD_NAMES[:items], *(f"item {k}" for k in range(len(ODD_NAMES), items))]


def row_texts(ax):
    return [text.get_text() for text in ax.get_yticklabels()]


def assert_readable(*several):
    """Check that names neither touch each other nor leave the figure, and neither do titles."""
    several[0].figure.canvas.draw()
    for ax in several:
        _check(ax, ax.figure.bbox.padded(1.0))


def _check(ax, page):
    for axis, low, high in ((ax.yaxis, "y0", "y1"), (ax.xaxis, "x0", "x1")):
        for texts in _tick_labels(axis):
            boxes = [text.get_window_extent() for text in texts]
            boxes.sort(key=lambda box, low=low: getattr(box, low))
            for one, other in pairwise(boxes):
                assert getattr(one, high) <= getattr(other, low) + 0.5
            for box in boxes:
                assert page.contains(box.x0, box.y0) and page.contains(box.x1, box.y1)
    for text in (ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label, *_legend(ax)):
        if text.get_text():
            box = text.get_window_extent()
            assert page.contains(box.x0, box.y0) and page.contains(box.x1, box.y1), text
    if _legend(ax) and ax._left_title.get_text():
        # With a legend above the axes, the title is above the legend.
        legend, title = ax.get_legend().get_window_extent(), ax._left_title.get_window_extent()
        assert not legend.overlaps(title)


def _tick_labels(axis):
    """Return the labels at either side of an axis, of ticks inside the axes."""
    low, high = sorted(axis.get_view_interval())
    ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    for side in ("label1", "label2"):
        labels = [getattr(tick, side) for tick in ticks]
        yield [label for label in labels if label.get_visible() and label.get_text()]


def _legend(ax):
    return [] if ax.get_legend() is None else ax.get_legend().get_texts()
