"""Scores with intervals and tiers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import bayesrank as br
from bayesrank.plots import plot_ranking
from bayesrank.plots.labels import shown
from tests.plots.conftest import pair_fit, preference_fit
from tests.plots.readable import assert_readable, row_texts
from tests.random_tables import random_table


@pytest.mark.parametrize("items", [2, 5, 30, 150])
def test_rows_are_the_table(items):
    fit = pair_fit(items)
    table, ax = fit.ranking(0.8), plot_ranking(fit, 0.8)
    assert row_texts(ax) == [shown(label) for label in table.index]
    lines, dots = ax.collections
    ends = np.array([segment[:, 0] for segment in lines.get_segments()])
    np.testing.assert_allclose(ends, table[["low", "high"]])
    np.testing.assert_allclose(dots.get_offsets()[:, 0], table["score"])
    assert ax.get_title(loc="left") == "davidson: mean and 80% interval"
    assert_readable(ax)


def test_tiers_are_numbered_at_their_first_rows():
    fit = pair_fit(30)
    tier = fit.ranking(0.5)["tier"].to_numpy()
    assert tier.max() > 2
    texts = {text.get_text(): text.xy[1] for text in plot_ranking(fit, 0.5).texts}
    assert texts == {f"tier {k}": np.flatnonzero(tier == k)[0] for k in np.unique(tier)}


def test_a_mode_has_no_intervals():
    fit = pair_fit(5, "map")
    ax = plot_ranking(fit)
    assert ax.get_title(loc="left") == "davidson: posterior mode"
    assert not ax.collections
    np.testing.assert_allclose(ax.lines[0].get_xdata(), fit.ranking()["score"])


def test_low_rows_are_named_in_part():
    """On axes that are given, letters keep their size, and only as many names as fit stay."""
    ax = plot_ranking(pair_fit(150), ax=plt.subplots(figsize=(6, 4), layout="constrained")[1])
    assert 15 < len(row_texts(ax)) < 60
    assert "150 in all, every" in ax.get_ylabel()
    assert row_texts(ax)[0] == shown(pair_fit(150).ranking().index[0])
    assert len(ax.collections[0].get_segments()) == 150
    assert_readable(ax)


def test_draws_from_elsewhere_have_the_same_picture():
    fit = pair_fit(5)
    other = br.consensus.ScoreDraws(fit.scores(), fit.specification.data.items)
    ax = plot_ranking(other)
    assert ax.get_title(loc="left") == "Scores: mean and 95% interval"
    assert row_texts(ax) == row_texts(plot_ranking(fit))


def test_several_instances_are_refused():
    with pytest.raises(ValueError, match=r"fit.instance\('query 0'\).plot_ranking\(\)"):
        plot_ranking(preference_fit(instances=2))


@pytest.fixture(scope="module")
def map_fit(pudding):
    return br.fit(pudding, "davidson", method="map")


@pytest.mark.parametrize("items", [5, 150])
def test_ranking_picture(items):
    data = random_table(5, items=items)
    fit = br.fit(data, method="laplace", draws=100, chains=1, seed=1)
    ax = fit.plot_ranking()
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == [str(item) for item in fit.ranking().index]
    assert len(ax.collections[0].get_segments()) == items
    ax.figure.clear()


def test_ranking_picture_of_a_mode(map_fit):
    ax = map_fit.plot_ranking()
    assert "posterior mode" in ax.get_title(loc="left")
    ax.figure.clear()
