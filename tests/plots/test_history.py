"""Scores and ranks over time, as pictures."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.plots import history, plot_history
from tests.model.moving_data import games_over_time


@pytest.fixture(scope="module")
def fit():
    data = games_over_time(rows=200, items=8, times=10, seed=2)
    return br.fit(data, scores="walk", method="laplace", seed=1, draws=500)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.mark.parametrize("ranks", [False, True])
@pytest.mark.parametrize("count", [1, 3, 8])
def test_lines_are_the_tables(fit, count, ranks):
    items = fit.ranking().index[:count].tolist()
    ax = plot_history(fit, items, ranks=ranks)
    table = fit.history(items, prob=0.8)
    for line, item in zip(ax.get_lines(), items, strict=False):
        own = table[table["item"] == item]
        np.testing.assert_allclose(line.get_xdata(), own["time"].to_numpy())
        np.testing.assert_allclose(line.get_ydata(), own["rank" if ranks else "score"].to_numpy())
    assert sorted(text.get_text() for text in ax.texts) == sorted(items)
    assert len(ax.collections) == (0 if ranks else count)
    assert ax.yaxis_inverted() == ranks
    assert ax.get_ylabel() == ("rank" if ranks else "score, relative to the mean")


def test_names_are_not_over_each_other(fit):
    ax = plot_history(fit, fit.ranking().index.tolist())
    ax.figure.canvas.draw()
    boxes = sorted((text.get_window_extent() for text in ax.texts), key=lambda box: box.y0)
    middles = [0.5 * (box.y0 + box.y1) for box in boxes]
    assert np.diff(middles).min() > 0.8 * boxes[0].height


def test_the_best_are_shown_if_nothing_is_said_and_too_many_are_refused(fit):
    shown = [text.get_text() for text in fit.plot_history().texts]
    assert sorted(shown) == sorted(fit.ranking().index[:5])
    with pytest.raises(ValueError, match="At most 12"):
        fit.plot_history(["a"] * 13)


def test_a_mode_has_no_bands():
    mode = br.fit(games_over_time(), scores="walk", method="map")
    ax = mode.plot_history(["a", "b"])
    assert not ax.collections
    assert ax.get_title(loc="left") == ""


def test_a_line_is_broken_where_the_item_was_not_ranked():
    games = br.load_dataset("bundesliga")
    fit = br.fit(games, scores="walk", method="map")
    ax = plot_history(fit, ["Stuttgart", "Heidenheim", "Hamburg"])
    line, single, gone = ax.get_lines()[:3]
    table = fit.history(["Stuttgart"]).set_index("time")["score"]
    assert line.get_xdata().astype("datetime64[Y]").astype(str).tolist() == [
        str(year) for year in range(2015, 2025)
    ]
    heights = dict(zip(line.get_xdata().astype("datetime64[ns]"), line.get_ydata(), strict=True))
    relegated = [np.datetime64(f"{year}-01-01") for year in (2017, 2020)]
    assert [time for time, y in heights.items() if np.isnan(y)] == relegated
    assert all(heights[time] == table[time] for time in table.index.to_numpy())
    # One value alone is a mark, and the name of a line that ended is led to its end.
    assert len(single.get_xdata()) == 1 and single.get_marker() == "o"
    last = ax.convert_xunits(gone.get_xdata()[-1])
    leaders = [line for line in ax.get_lines() if line.get_linestyle() == ":"]
    assert [last, gone.get_ydata()[-1]] in [leader.get_xydata()[0].tolist() for leader in leaders]


def test_ranks_are_whole_and_the_first_is_at_the_top(fit):
    for count in (1, 8):
        ax = plot_history(fit, fit.ranking().index[:count].tolist(), ranks=True)
        assert ax.get_yticks()[0] == 1 and ax.get_ylim()[1] == 0.5
        assert all(tick == int(tick) for tick in ax.get_yticks())


def test_many_values_have_no_marks_but_those_alone():
    assert history._alone(np.array([1.0, np.nan, 2.0, 3.0, np.nan, 4.0])).tolist() == [0, 5]


def test_names_are_drawn_as_they_are_and_stay_beside_the_axes():
    frame = pd.DataFrame(
        [(a, b, 1, year) for year in (2001.0, 2002.0) for a, b in
         [("$x^2$", "two\nlines"), ("two\nlines", "n" * 90), ("n" * 90, "$x^2$")]],
        columns=["left", "right", "outcome", "year"],
    )  # fmt: skip
    fit = br.fit(br.Comparisons.from_frame(frame, time="year"), scores="walk", method="map")
    ax = fit.plot_history()
    ax.figure.canvas.draw()
    texts = sorted(text.get_text() for text in ax.texts)
    assert texts[0] == r"\$x^2\$" and texts[2] == "two lines" and len(texts[1]) == 24
    axes = ax.get_window_extent()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert all(box.x0 >= axes.x1 and box.x1 <= ax.figure.bbox.x1 for box in boxes)
    assert all(axes.y0 - 3 <= box.y0 and box.y1 <= axes.y1 + 3 for box in boxes)
