"""Who beats whom."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import bayesrank as br
from bayesrank.plots import plot_wins
from bayesrank.plots.labels import shown
from tests.plots.conftest import pair_fit, preference_fit, ranking_fit
from tests.plots.readable import assert_readable, row_texts


def by_rank(fit, outcome):
    """Return the matrix in the order of the ranking, entry by entry."""
    matrix, order = fit.win_probabilities(outcome), list(fit.ranking().index)
    return [[matrix.at[row, column] for column in order] for row in order]


@pytest.mark.parametrize("outcome", ["win", "loss", "tie"])
def test_cells_are_the_matrix_by_rank(outcome):
    fit = pair_fit(5)
    ax = plot_wins(fit, outcome)
    shares = np.array(by_rank(fit, outcome))
    shade = shares
    if outcome != "tie":
        shade = shares - np.array(by_rank(fit, "loss" if outcome == "win" else "win"))
    np.testing.assert_array_equal(ax.images[0].get_array().filled(np.nan), shade)
    written = {
        (text.get_position()[1], text.get_position()[0]): text.get_text() for text in ax.texts
    }
    assert len(written) == 20
    for (row, column), text in written.items():
        assert float(text) == pytest.approx(shares[row, column], abs=0.005 + 1e-9)
    low, high = ax.images[0].get_clim()
    bounds = (np.nanmin(shares), np.nanmax(shares)) if outcome == "tie" else (-1.0, 1.0)
    assert (low, high) == pytest.approx(bounds)
    names = [shown(label, 18) for label in fit.ranking().index]
    assert [text.get_text() for text in ax.get_xticklabels()] == names
    assert_readable(ax)


@pytest.mark.parametrize("items", [30, 150])
def test_many_items(items):
    fit = pair_fit(items)
    ax = plot_wins(fit)
    assert not ax.texts
    labels = [shown(label) for label in fit.ranking().index]
    if items == 150:
        labels = [f"{label}  {k + 1}" for k, label in enumerate(labels)]
        columns = [int(tick.label1.get_text()) for tick in ax.xaxis.get_major_ticks()]
        assert columns[0] == 1 and columns[-1] == 150
        np.testing.assert_array_equal(ax.get_xticks(), np.array(columns) - 1)
    assert row_texts(ax) == labels
    assert_readable(ax)


def test_on_small_axes_of_many_items():
    ax = plot_wins(pair_fit(150), ax=plt.subplots(figsize=(5, 4), layout="constrained")[1])
    assert len(row_texts(ax)) < 60
    assert_readable(ax)


def test_equal_chances_are_white():
    """Also where equals often tie, so that neither wins half of the time."""
    image = plot_wins(pair_fit(5)).images[0]
    np.testing.assert_allclose(image.cmap(image.norm(0.0))[:3], 1.0, atol=0.02)
    assert image.cmap(image.norm(0.8))[2] > image.cmap(image.norm(-0.8))[2]  # blue is for wins


def test_what_is_said_of_the_model():
    assert plot_wins(pair_fit(5)).get_xlabel() == ""
    left = plot_wins(pair_fit(5, order_effect=True))
    assert left.get_xlabel() == "the row is the left item"
    mode = plot_wins(pair_fit(5, "map"))
    assert mode.get_title(loc="left") == "Probability that the row beats the column"
    preferred = plot_wins(preference_fit(), "loss")
    assert preferred.get_title(loc="left") == "Probability of preferring the column to the row"
    assert_readable(preferred)
    assert_readable(plot_wins(ranking_fit(6)))


def test_refusals():
    with pytest.raises(ValueError, match='"bradley-terry" has no ties to draw'):
        plot_wins(pair_fit(5, likelihood="bradley-terry"), "tie")
    with pytest.raises(ValueError, match="`outcome` must be"):
        plot_wins(pair_fit(5), "draw")
    with pytest.raises(TypeError, match="needs a fit, got ScoreDraws"):
        plot_wins(br.consensus.ScoreDraws(pair_fit(5).scores()))
    with pytest.raises(ValueError, match=r"fit.instance\('query 0'\)"):
        plot_wins(preference_fit(instances=2))
