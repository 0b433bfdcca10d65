"""Pictures of agents, and what they refuse, together with those of items' variances."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import bayesrank as br
from bayesrank.plots import plot_adherences, plot_variances
from bayesrank.plots.labels import shown
from tests.model.preference_data import stars
from tests.plots.conftest import pair_fit, preference_fit
from tests.plots.readable import assert_readable, row_texts


@pytest.mark.parametrize("agents", [5, 40, 150])
def test_agents(agents):
    fit = preference_fit(agents)
    ax = plot_adherences(fit)
    if agents < 150:
        assert row_texts(ax) == [shown(label) for label in fit.agents().index]
    assert_readable(ax)


def test_refusals():
    with pytest.raises(ValueError, match='Only "mpm" has adherences'):
        plot_adherences(pair_fit(5))
    with pytest.raises(ValueError, match='Only "mpm" has variances'):
        plot_variances(pair_fit(5))
    with pytest.raises(ValueError, match=r"fit.instance\('query 0'\).plot_variances\(\)"):
        plot_variances(preference_fit(instances=2))


@pytest.fixture(scope="module")
def films():
    return br.Rankings.from_ratings(stars(), "user", "film", "stars")


@pytest.fixture(scope="module")
def film_fit(films):
    return br.fit(films, "mpm", method="laplace", seed=1, draws=100, chains=1)


def test_pictures(film_fit):
    ax = film_fit.plot_adherences()
    assert [label.get_text() for label in ax.get_yticklabels()] == list(film_fit.agents().index)
    np.testing.assert_allclose(
        ax.collections[-1].get_offsets()[:, 0], film_fit.agents()["adherence"]
    )
    ax = film_fit.plot_variances()
    table = film_fit.items()
    np.testing.assert_allclose(
        ax.collections[-1].get_offsets(), table[["rank", "variance"]].to_numpy()
    )
    many = br.Rankings.from_ratings(stars(70, 40), "user", "film", "stars")
    fit = br.fit(many, "mpm", method="map")
    assert fit.plot_adherences().get_ylabel() == "70 agents, the most faithful first"
    assert not fit.plot_variances().texts
    plt.close("all")
