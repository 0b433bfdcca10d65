"""Pictures of categories: ranks as written, colours as sure as the draws are."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from bayesrank.plots import plot_categories
from bayesrank.plots.labels import shown
from tests.judged_votes import fit_of_votes, votes_by_judges
from tests.plots.conftest import pair_fit
from tests.plots.readable import assert_readable, names_of, row_texts


def by_topic(items=6, topics=3, method="laplace", votes=60):
    frame = votes_by_judges(items=items, topics=topics, votes=votes, names=names_of(items))
    return fit_of_votes(method=method, frame=frame, scores="by-category")


def written(ax, shape):
    texts = sorted(ax.texts, key=lambda text: (text.get_position()[1], text.get_position()[0]))
    return np.array([int(text.get_text()) for text in texts]).reshape(shape)


@pytest.mark.parametrize(("items", "topics"), [(6, 3), (59, 13), (129, 10)])
def test_names_can_be_read_and_numbers_are_ranks(items, topics):
    fit = by_topic(items, topics, votes=150)
    ax, table = plot_categories(fit), fit.categories()
    rank = table.xs("rank", axis=1, level=1)
    assert row_texts(ax) == [f"{shown(item)}  {k}" for k, item in enumerate(table.index, 1)]
    assert [text.get_text() for text in ax.get_xticklabels()[:topics]] == list(rank.columns[1:])
    assert (written(ax, (items, topics)) == rank.iloc[:, 1:].to_numpy()).all()
    assert_readable(ax)


def test_uncertain_cells_are_pale_and_clear_ones_bold():
    fit = by_topic(votes=2000)
    ax = fit.plot_categories(0.9)
    over_all, order = fit.scores(), fit._index().get_indexer(fit.ranking().index)
    colours = ax.images[0].get_array()
    bold = [[False] * 3 for _ in range(6)]
    for text in ax.texts:
        column, row = text.get_position()
        bold[row][column] = text.get_fontweight() == "bold"
    for column, topic in enumerate(fit.specification.data.categories):
        difference = (fit.in_category(topic).scores() - over_all)[:, order]
        low, high = np.quantile(difference, [0.05, 0.95], axis=0)
        for row in range(6):
            assert bold[row][column] == (low[row] > 0 or high[row] < 0)
            # Blue is better and orange is worse, as far as that can be seen at all.
            red, _, blue = colours[row, column]
            assert (blue - red) * difference[:, row].mean() >= 0.0
            if 0.4 < (difference[:, row] > 0).mean() < 0.6:
                assert colours[row, column].min() > 0.85
    assert np.any(bold) and not np.all(bold)


def test_a_picture_of_one_category_is_of_all_of_them():
    fit = by_topic()
    one, other = fit.plot_categories(), fit.in_category("topic 1").plot_categories()
    assert row_texts(one) == row_texts(other)
    assert (written(one, (6, 3)) == written(other, (6, 3))).all()


def test_a_mode_and_given_axes():
    fit, given = by_topic(method="map"), plt.subplots()[1]
    assert fit.plot_categories(ax=given) is given
    assert given.get_title(loc="left").endswith("at the posterior mode")
    assert {text.get_fontweight() for text in given.texts} == {"normal"}


def test_many_categories_have_no_numbers():
    ax = by_topic(12, 150, votes=500).plot_categories()
    assert not ax.texts and ax.get_xlabel() == "150 categories, some of them are named"
    assert_readable(ax)


def test_refusals():
    with pytest.raises(
        ValueError, match=r'plot_categories\(\)` is for scores .*scores="by-category"'
    ):
        plot_categories(pair_fit(5))
