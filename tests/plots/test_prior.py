"""Prior against posterior."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import bayesrank as br
from bayesrank.plots import plot_prior
from tests.plots.conftest import pair_fit, preference_fit, ranking_fit
from tests.plots.readable import assert_readable
from tests.random_tables import random_table


def titles(axes):
    return [ax.get_title(loc="left") for ax in axes]


@pytest.mark.parametrize("items", [5, 150])
def test_every_parameter_has_a_panel(items):
    fit = pair_fit(items, order_effect=True)
    axes = plot_prior(fit)
    assert titles(axes) == ["score_spread", "nu", "tie_rate", "order_effect"]
    posterior = {name: fit.posterior[name].ravel() for name in ("nu", "tie_rate", "order_effect")}
    posterior["score_spread"] = fit.scores().std(axis=1)
    for ax, name in zip(axes, titles(axes), strict=True):
        before, after = (line.get_xydata() for line in ax.lines[:2])
        low, high = np.quantile(posterior[name], [0.1, 0.9])
        assert low < after[after[:, 1].argmax(), 0] < high
        # The prior is wider than what was learned.
        assert np.ptp(before[before[:, 1] > 0.5, 0]) > np.ptp(after[after[:, 1] > 0.5, 0])
    assert_readable(*axes)
    ax = axes[2]
    assert ax.lines[0].get_ydata().min() > 0.8  # the uniform prior of the tie rate


def test_scores_that_move_have_panels_for_how_they_move():
    games = br.load_dataset("bundesliga")
    options = {"method": "laplace", "draws": 50, "seed": 1, "scale": 0.7}
    fit = br.fit(games, scores="walk", drift=0.3, **options)
    assert titles(plot_prior(fit)) == ["score_spread", "nu", "tie_rate"]
    small = games.subset(games.items[:4])
    fit = br.fit(small, scores="mean-reverting", **options)
    assert titles(plot_prior(fit)) == ["score_spread", "persistence", "nu", "tie_rate"]
    name = "score[Bayern / 2016-01-01]"
    assert titles(plot_prior(fit, name)) == [name]


def test_pooled_parameters_and_single_ones():
    fit = preference_fit()
    assert titles(plot_prior(fit)) == ["score_spread", "variance (all items)",
                                       "adherence (all agents)"]  # fmt: skip
    name = f"adherence[{fit.specification.observation.agents[2]}]"
    (ax,) = plot_prior(fit, name)
    assert titles([ax]) == [name.replace("$", r"\$")]
    after, draws = ax.lines[1].get_xydata(), fit.posterior["adherence"][0, :, 2]
    low, high = np.quantile(draws, [0.05, 0.95])
    assert low < after[after[:, 1].argmax(), 0] < high
    assert_readable(ax)


def test_sizes_of_ties_and_features_have_names():
    assert titles(plot_prior(ranking_fit(12)))[:2] == ["score_spread", "tie[2]"]
    data = random_table(1, items=40)
    features = np.random.default_rng(0).normal(size=(40, 30))
    options = {"scale": 1.0, "draws": 50, "chains": 1, "seed": 1}
    fit = br.fit(data, method="laplace", features=features, **options)
    axes = plot_prior(fit)
    assert titles(axes)[:3] == ["score_spread", "beta[x1]", "beta[x2]"] and len(axes) == 24
    (legend,) = axes[0].figure.legends
    assert legend.get_title().get_text() == "The first 24 of 33 parameters"
    assert_readable(*axes)


def test_several_instances_share_their_parameters():
    assert len(plot_prior(preference_fit(instances=2))) == 3


def test_on_given_axes():
    fit = pair_fit(5)
    ax = plt.subplots()[1]
    assert plot_prior(fit, "nu", ax=ax)[0] is ax
    with pytest.raises(ValueError, match="`ax` must hold 2 axes, one for each parameter, got 1"):
        plot_prior(fit, ["nu", "tie_rate"], ax=ax)


def test_refusals():
    with pytest.raises(ValueError, match=r'`names` must be of "score_spread", "nu".* got elo'):
        plot_prior(pair_fit(5), "elo")
    with pytest.raises(ValueError, match="got none"):
        plot_prior(pair_fit(5), [])
    with pytest.raises(ValueError, match="`plot_prior` needs posterior draws"):
        plot_prior(pair_fit(5, "map"))
    flat = br.fit(random_table(1), method="laplace", scale=np.inf, draws=20, chains=1, seed=1)
    with pytest.raises(ValueError, match="A flat prior"):
        plot_prior(flat)
    with pytest.raises(TypeError, match="needs a fit"):
        plot_prior(br.consensus.ScoreDraws(pair_fit(5).scores()))
