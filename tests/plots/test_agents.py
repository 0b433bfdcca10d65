"""Pictures of agents and of items' variances; their content is with the other answers."""

import pytest

from bayesrank.plots import plot_adherences, plot_variances
from bayesrank.plots.labels import shown
from tests.plots.conftest import pair_fit, preference_fit
from tests.plots.readable import assert_readable, row_texts


@pytest.mark.parametrize("agents", [5, 40, 150])
def test_agents(agents):
    fit = preference_fit(agents)
    ax = plot_adherences(fit)
    if agents < 150:
        assert row_texts(ax) == [shown(label) for label in fit.agents().index]
    assert_readable(ax)


@pytest.mark.parametrize("items", [5, 30, 150])
def test_variances(items):
    fit = preference_fit(items=items)
    ax = plot_variances(fit)
    if items <= 30:
        names = [text.get_text() for text in ax.get_xticklabels()]
        assert names == [shown(label, 20) for label in fit.items().index]
    assert len(ax.get_yticks()) >= 2
    assert_readable(ax)


def test_refusals():
    with pytest.raises(ValueError, match='Only "mpm" has adherences'):
        plot_adherences(pair_fit(5))
    with pytest.raises(ValueError, match='Only "mpm" has variances'):
        plot_variances(pair_fit(5))
    with pytest.raises(ValueError, match=r"fit.instance\('query 0'\).plot_variances\(\)"):
        plot_variances(preference_fit(instances=2))
