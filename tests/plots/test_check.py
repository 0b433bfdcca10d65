"""Posterior predictive checks."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.plots import plot_check
from bayesrank.plots.labels import shown
from bayesrank.plots.replicates import statistics_of
from tests.plots.conftest import pair_fit, preference_fit, ranking_fit
from tests.plots.readable import assert_readable, row_texts


def replicated(fit, statistic, draws, seed):
    statistics, rng = statistics_of(fit.specification), np.random.default_rng(seed)
    return statistics.measure(statistic, statistics.observed), np.array([
        statistics.measure(statistic, statistics.draw(fit.values(draw), rng))
        for draw in fit.spaced_draws(draws)
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("make", "statistic", "items"),
    [
        (pair_fit, "wins", 5),
        (pair_fit, "wins", 150),
        (ranking_fit, "ranks", 5),
        (ranking_fit, "ranks", 150),
        (ranking_fit, "wins", 30),
    ],
)
def test_items_against_their_replicates(make, statistic, items):
    fit = make(items)
    ax = plot_check(fit, statistic, prob=0.2, draws=20, seed=2)
    order = list(fit.ranking().index)
    assert row_texts(ax) == [shown(label) for label in order]
    observed, drawn = replicated(fit, statistic, 20, 2)
    low, high = np.quantile(drawn, [0.4, 0.6], axis=0)
    place = [fit.specification.data.items.index(label) for label in order]
    bars, *dots = ax.collections
    ends = np.array([segment[:, 0] for segment in bars.get_segments()])
    np.testing.assert_allclose(ends, np.stack([low, high], axis=1)[place])
    outside = ((observed < low) | (observed > high))[place]
    assert outside.any()
    kinds = [chosen for chosen in (~outside, outside) if chosen.any()]
    for collection, chosen in zip(dots, kinds, strict=True):
        rows = np.flatnonzero(chosen)
        np.testing.assert_allclose(
            collection.get_offsets(), np.stack([observed[place][rows], rows], axis=1)
        )
    assert f"{outside.sum()} of {items} items are outside" in ax.get_title(loc="left")
    assert_readable(ax)


@pytest.mark.parametrize("make", [pair_fit, ranking_fit])
def test_ties_among_replicated_ones(make):
    fit = make(12)
    ax = plot_check(fit, "ties", draws=80, seed=3)
    observed, drawn = replicated(fit, "ties", 80, 3)
    np.testing.assert_allclose(ax.lines[0].get_xdata(), observed)
    assert sum(bar.get_height() for bar in ax.patches) == 80
    assert f"{np.mean(drawn > observed):.0%}" in ax.get_title(loc="left")
    assert ax.get_legend().get_texts()[1].get_text() == f"observed: {observed:.1%}"
    assert_readable(ax)


def test_a_model_of_too_many_ties_is_found_out():
    """PMOP with prevalence one ties far more than these rankings, which "auto" looks at."""
    ax = plot_check(ranking_fit(12, "pmop"), draws=80, seed=1)
    assert ax.get_title(loc="left") == "100% of replicated data have more ties"


def test_what_is_most_telling():
    assert "won" in plot_check(pair_fit(5), draws=20, seed=1).get_xlabel()
    assert "mean place" in plot_check(ranking_fit(12), draws=20, seed=1).get_xlabel()


def test_items_without_data_are_left_out():
    frame = pd.DataFrame(
        {"left": ["a", "b", "c"], "right": ["b", "a", "d"], "wins": [3, 1, 0], "losses": [1, 2, 0]}
    )
    data = br.Comparisons.from_counts(frame)
    with pytest.warns(UserWarning):  # that they are not connected
        fit = br.fit(data, "bradley-terry", method="laplace", draws=50, chains=1, seed=1)
    ax = plot_check(fit, draws=50, seed=1)
    assert "of 2 items" in ax.get_title(loc="left")
    assert_readable(ax)


def test_on_small_axes_of_many_items():
    ax = plt.subplots(figsize=(6, 4), layout="constrained")[1]
    assert plot_check(pair_fit(150), draws=20, seed=1, ax=ax) is ax
    assert_readable(ax)


def test_counts_of_preferences():
    frame = pd.DataFrame(
        {"left": list("aab"), "right": list("bcc"), "wins": [8, 9, 7], "losses": [3, 2, 4]}
    )
    fit = br.fit(
        br.Comparisons.from_counts(frame), "mpm", method="laplace", draws=50, chains=1, seed=1
    )
    assert "of 3 items" in plot_check(fit, draws=50, seed=1).get_title(loc="left")
    with pytest.raises(ValueError, match='tells nothing of "mpm", which has no ties'):
        plot_check(fit, "ties")


@pytest.mark.parametrize(
    ("make", "arguments", "message"),
    [
        (lambda: pair_fit(5), {"statistic": "elo"}, '`statistic` must be "auto", "wins"'),
        (lambda: pair_fit(5), {"statistic": "ranks"}, "is for rankings"),
        (lambda: pair_fit(5), {"draws": 1}, "`draws` must be a whole number from 2 up, got 1"),
        (lambda: pair_fit(5), {"prob": 1.0}, "`prob` must be"),
        (lambda: pair_fit(5, "map"), {}, "`plot_check` needs posterior draws"),
        (
            lambda: pair_fit(5, likelihood="bradley-terry"),
            {"statistic": "ties"},
            '`statistic="ties"` tells nothing of "bradley-terry", which has no ties',
        ),
        (
            lambda: ranking_fit(12, "partitioned-plackett-luce"),
            {"statistic": "ties"},
            "takes the sizes of ties as given",
        ),
        (lambda: ranking_fit(12, "plackett-luce"), {"statistic": "ties"}, "without ties"),
        (lambda: preference_fit(instances=2), {}, r"fit.instance\('query 0'\).plot_check\(\)"),
        (preference_fit, {}, "there are no replicated rankings"),
    ],
)
def test_refusals(make, arguments, message):
    with pytest.raises(ValueError, match=message):
        plot_check(make(), **arguments)


def test_draws_from_elsewhere_have_no_data():
    with pytest.raises(TypeError, match="`plot_check` is a picture of a model and its data"):
        plot_check(br.consensus.ScoreDraws(pair_fit(5).scores()))
