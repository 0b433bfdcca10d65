"""Pictures of items' variances."""

import pytest

from bayesrank.plots import plot_variances
from bayesrank.plots.labels import shown
from tests.plots.conftest import preference_fit
from tests.plots.readable import assert_readable


@pytest.mark.parametrize("items", [5, 30, 150])
def test_variances(items):
    fit = preference_fit(items=items)
    ax = plot_variances(fit)
    if items <= 30:
        names = [text.get_text() for text in ax.get_xticklabels()]
        assert names == [shown(label, 20) for label in fit.items().index]
    assert len(ax.get_yticks()) >= 2
    assert_readable(ax)
