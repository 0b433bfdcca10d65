"""Scores and ranks over time, as pictures."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import bayesrank as br
from bayesrank.plots import plot_history
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
