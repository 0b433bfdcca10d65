"""Ridges of worths."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import bayesrank as br
from bayesrank.plots import plot_worths
from bayesrank.plots.labels import shown
from tests.plots.conftest import pair_fit, preference_fit
from tests.plots.readable import assert_readable, row_texts


@pytest.mark.parametrize("items", [2, 5, 30, 150])
def test_ridges_stand_where_the_worths_are(items):
    fit = pair_fit(items)
    table, ax = fit.ranking(), plot_worths(fit)
    assert row_texts(ax) == [shown(label) for label in table.index]
    worth = np.exp(fit.scores())
    worth /= worth.sum(axis=1, keepdims=True)
    worth = dict(zip(fit.specification.data.items, worth.T, strict=True))
    medians = [line.get_xdata()[0] for line in ax.lines[1 : 2 * items : 2]]
    np.testing.assert_allclose(
        medians, [np.exp(np.median(np.log(worth[label]))) for label in table.index]
    )
    for row, (ridge, label) in enumerate(zip(ax.collections, table.index, strict=True)):
        x, y = ridge.get_paths()[0].vertices.T
        assert y.max() == row and row - 1.3 < y.min() < row - 1.1
        # The peak is within the middle half of the draws, up to a step of the grid.
        low, high = np.quantile(worth[label], [0.15, 0.85])
        assert low < x[y.argmin()] < high
        assert x.min() <= worth[label].min() * 1.1 and x.max() >= worth[label].max() / 1.1
    assert ax.get_xscale() == "log"
    assert len(ax.get_xticks()) >= 2
    assert_readable(ax)


def test_on_small_axes_of_many_items():
    ax = plot_worths(pair_fit(150), ax=plt.subplots(figsize=(7, 4), layout="constrained")[1])
    assert len(row_texts(ax)) < 60
    assert_readable(ax)


def test_draws_from_elsewhere():
    fit = pair_fit(5)
    ax = plot_worths(br.consensus.ScoreDraws(fit.scores(), fit.specification.data.items))
    assert row_texts(ax) == row_texts(plot_worths(fit))


def test_refusals():
    with pytest.raises(ValueError, match="`plot_worths` needs posterior draws"):
        plot_worths(pair_fit(5, "map"))
    with pytest.raises(ValueError, match=r"fit.instance\('query 0'\).plot_worths\(\)"):
        plot_worths(preference_fit(instances=2))
