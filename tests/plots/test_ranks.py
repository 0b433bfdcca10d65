"""Probabilities of ranks."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import bayesrank as br
from bayesrank.plots import plot_ranks
from bayesrank.plots.labels import shown
from tests.plots.conftest import pair_fit, preference_fit
from tests.plots.readable import assert_readable, row_texts


@pytest.mark.parametrize("items", [2, 5, 30, 150])
def test_cells_and_marks_are_the_tables(items):
    fit = pair_fit(items)
    table, ax = fit.ranking(0.8), plot_ranks(fit, 0.8)
    assert row_texts(ax) == [shown(label) for label in table.index]
    shares = fit.rank_probabilities()
    by_label = dict(zip(shares.index, shares.to_numpy(), strict=True))
    image = ax.images[0].get_array()
    np.testing.assert_array_equal(image, [by_label[label] for label in table.index])
    lines, low, high, dots = ax.collections
    ends = np.array([segment[:, 0] for segment in lines.get_segments()])
    np.testing.assert_allclose(ends, table[["rank_low", "rank_high"]] + [-0.5, 0.5])
    np.testing.assert_allclose(low.get_offsets()[:, 0], ends[:, 0])
    np.testing.assert_allclose(high.get_offsets()[:, 0], ends[:, 1])
    expected = fit.scores().argsort(axis=1)[:, ::-1].argsort(axis=1).mean(axis=0) + 1.0
    expected = dict(zip(fit.specification.data.items, expected, strict=True))
    np.testing.assert_allclose(
        dots.get_offsets()[:, 0], [expected[label] for label in table.index], rtol=1e-12
    )
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "80% interval", "expected rank",
    ]  # fmt: skip
    assert_readable(ax)


def test_on_small_axes_of_many_items():
    ax = plot_ranks(pair_fit(150), ax=plt.subplots(figsize=(5, 4), layout="constrained")[1])
    assert len(row_texts(ax)) < 60 and ax.images[0].get_array().shape == (150, 150)
    assert_readable(ax)


def test_draws_from_elsewhere():
    fit = pair_fit(5)
    ax = plot_ranks(br.consensus.ScoreDraws(fit.scores(), fit.specification.data.items))
    np.testing.assert_array_equal(ax.images[0].get_array(), plot_ranks(fit).images[0].get_array())


def test_refusals():
    with pytest.raises(ValueError, match="`plot_ranks` needs posterior draws"):
        plot_ranks(pair_fit(5, "map"))
    with pytest.raises(ValueError, match=r"fit.instance\('query 0'\).plot_ranks\(\)"):
        plot_ranks(preference_fit(instances=2))
