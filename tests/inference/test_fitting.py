"""Fits by every method: agreement with each other, seeds, effects that are recovered, refusals."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS
from tests.random_tables import random_table

TIE_MODELS = [name for name, family in PAIR_LIKELIHOODS.items() if family.tie is not None]


@pytest.mark.parametrize("likelihood", TIE_MODELS)
def test_swapping_changes_no_prediction(pudding, likelihood):
    """The approximation is fitted to the same function, so even its draws are the same."""
    one, other = (
        br.fit(data, likelihood, method="laplace", draws=200, chains=2, seed=1)
        for data in (pudding, pudding.swapped())
    )
    np.testing.assert_allclose(other.scores(), one.scores(), atol=1e-5)
    for outcome in ("win", "loss", "tie"):
        np.testing.assert_allclose(
            other.win_probabilities(outcome), one.win_probabilities(outcome), atol=1e-6
        )
    predicted, swapped = (
        fit.posterior_predictive(seed=2).mean(("chain", "draw", "pair")).values
        for fit in (one, other)
    )
    # 400 draws of 15 pairs with about 50 tastings each: a standard error of 0.05.
    np.testing.assert_allclose(swapped[[1, 0, 2]], predicted, atol=0.25)


def test_nuts_agrees_with_laplace_and_advi_where_data_are_plenty():
    data = random_table(21, items=5, per_pair=200)
    nuts = br.fit(data, "davidson", scale=1.0, seed=1, progress=False)
    assert nuts.diagnostics().ok, nuts.diagnostics()
    cases = (("laplace", {}), *(("advi", {"full_rank": kind}) for kind in (None, False, True)))
    for method, options in cases:
        other = br.fit(
            data, "davidson", scale=1.0, method=method, seed=1, progress=False, **options
        )
        sd = nuts.scores().std(axis=0)
        shift = (other.scores().mean(axis=0) - nuts.scores().mean(axis=0)) / sd
        assert np.all(np.abs(shift) < 0.12), method
        ratio = other.scores().std(axis=0) / sd
        # A diagonal covariance of correlated coordinates is too narrow, by construction, and so
        # too wide for sums of these, such as the last item's score. The standard deviations of 4000
        # draws are themselves off by 2 %.
        low, high = (0.6, 1.2) if options.get("full_rank") is False else (0.9, 1.1)
        assert np.all((ratio > low) & (ratio < high)), (method, ratio)
        nu = other.parameters().loc["nu", "mean"]
        assert nu == pytest.approx(nuts.parameters().loc["nu", "mean"], rel=0.02)


def test_positions_beyond_the_items_are_refused():
    counts = np.ones((2, 3), dtype=int)
    for right in ([1, 7], [1, -4]):
        with pytest.raises(ValueError, match="must be positions in `items`, from 0 to 2"):
            br.Comparisons(np.array([0, 1]), np.array(right), counts, list("abc"))


@pytest.mark.parametrize("method", ["advi", "laplace"])
def test_seeds_reproduce(pudding, method):
    options = {"steps": 50} if method == "advi" else {}

    def draw(seed):
        return br.fit(
            pudding, "davidson", method=method, draws=50, chains=2, seed=seed, progress=False,
            **options,
        ).scores()  # fmt: skip

    first, again, other = draw(1), draw(1), draw(2)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_an_order_effect_is_recovered():
    rng = np.random.default_rng(8)
    score = rng.normal(size=8) - 0.0
    left, right = np.where(~np.eye(8, dtype=bool))
    p = 1 / (1 + np.exp(-(score[left] - score[right] + 0.6)))
    wins = rng.binomial(100, p)
    counts = np.stack([wins, 100 - wins, 0 * wins], axis=1)
    data = br.Comparisons(left, right, counts, list("abcdefgh"))
    fit = br.fit(data, order_effect=True, method="laplace", seed=1)
    row = fit.parameters().loc["order_effect"]
    assert row["low"] < 0.6 < row["high"]
    neutral, home = fit.win_probabilities(neutral=True), fit.win_probabilities()
    assert np.nanmean(home - neutral) > 0.05


def test_features_are_recovered_without_item_effects():
    rng = np.random.default_rng(9)
    features = pd.DataFrame(rng.normal(size=(12, 2)), columns=["size", "age"], index=range(12))
    score = features.to_numpy() @ [1.0, -0.5]
    left, right = np.where(~np.eye(12, dtype=bool))
    p = 1 / (1 + np.exp(-(score[left] - score[right])))
    wins = rng.binomial(60, p)
    data = br.Comparisons(left, right, np.stack([wins, 60 - wins, 0 * wins], 1), list(range(12)))
    options = {"method": "map", "features": features, "item_effects": False}
    fit = br.fit(data, scale=float("inf"), **options)
    estimate = fit.parameters()["mean"]
    assert estimate["beta[size]"] == pytest.approx(1.0, abs=0.06)
    assert estimate["beta[age]"] == pytest.approx(-0.5, abs=0.06)
    with pytest.raises(ValueError, match="cannot be told apart"):
        br.fit(data, method="map", scale=float("inf"), features=features)
    twice = features.assign(twin=2 * features["size"])
    with pytest.warns(UserWarning, match="follow from the columns before them: twin"):
        same = br.fit(data, scale=float("inf"), **(options | {"features": twice}))
    assert same.scores() == pytest.approx(fit.scores(), abs=1e-6)


@pytest.mark.parametrize("unit", [1e-8, 1e6, 1e9])
@pytest.mark.parametrize("method", ["map", "laplace", "advi"])
def test_the_unit_of_a_feature_does_not_matter(method, unit):
    data = random_table(31, items=8, ties=False)
    features = np.random.default_rng(1).normal(size=(8, 2))
    options = {"method": method, "seed": 1, "draws": 100, "chains": 1}
    if method == "advi":
        # The draws of others change with the signs of eigenvectors.
        options |= {"steps": 200, "full_rank": False}
    one = br.fit(data, features=features, **options)
    other = br.fit(data, features=features * unit, **options)
    np.testing.assert_allclose(other.scores(), one.scores(), atol=1e-5)
    np.testing.assert_allclose(
        other.posterior["beta"] * unit, one.posterior["beta"], rtol=1e-4, atol=1e-6
    )
    assert list(one.parameters().index) == ["scale", "beta[x1]", "beta[x2]"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"full_rank": "full"}, "`full_rank` must be True, False or None, got 'full'"),
        ({"method": "mcmc"}, "`method` must be one of nuts, advi, map, laplace, got 'mcmc'"),
        ({"groups": ("prior",)}, "`groups` may hold"),
        ({"groups": "log_likelihood"}, "`groups` may hold"),
        ({"store": "run", "method": "laplace"}, '`store` is for method="nuts"'),
        ({"sampler": "stan"}, '`sampler` must be "nutpie" or "pymc"'),
        ({"draws": 0}, "`draws` must be a whole number from 1 up, got 0"),
        ({"chains": 1.5}, "`chains` must be a whole number"),
        ({"seed": -1}, "`seed` must be a whole number from 0 up"),
    ],
)
def test_refusals(pudding, options, message):
    with pytest.raises(ValueError, match=message):
        br.fit(pudding, **options)


def test_the_model_is_chosen_by_the_ties(pudding):
    assert br.fit(pudding, method="map").specification.likelihood == "davidson"
    baseball = br.load_dataset("baseball")
    assert br.fit(baseball, method="map").specification.likelihood == "bradley-terry"


def test_weighted_rows_count_as_often_as_their_weight():
    rows = pd.DataFrame(
        {"left": list("abca"), "right": list("bcac"), "outcome": list("abcc"), "w": [2, 1, 3, 1]}
    )
    weighted = br.Comparisons.from_frame(rows, weight="w")
    repeated = br.Comparisons.from_frame(rows.loc[rows.index.repeat(rows["w"])])
    assert weighted.same_as(repeated)
    half = br.Comparisons.from_frame(rows.assign(w=rows["w"] / 2), weight="w")
    fit = br.fit(half, method="map", scale=float("inf"))
    full = br.fit(weighted, method="map", scale=float("inf"))
    np.testing.assert_allclose(fit.scores(), full.scores(), atol=1e-6)
    with pytest.raises(ValueError, match="fractional"):
        fit.posterior_predictive()


def test_importing_and_optimising_needs_no_pymc():
    code = (
        "import sys, bayesrank as br\n"
        "assert 'numpy' not in sys.modules\n"
        "br.fit(br.load_dataset('pudding'), method='map').ranking()\n"
        "assert not {'pymc', 'pytensor', 'arviz'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_approximations_agree_with_nuts(davidson_luce):
    """Within half a posterior standard deviation, on weak data."""
    data = davidson_luce.specification.data
    sd = davidson_luce.scores().std(axis=0)
    for method in ("advi", "laplace"):
        fit = br.fit(data, "davidson-luce", method=method, scale=1.0, seed=1, progress=False)
        shift = fit.scores().mean(axis=0) - davidson_luce.scores().mean(axis=0)
        assert np.all(np.abs(shift) < 0.5 * sd)


def test_groups_that_never_meet():
    apart = br.Rankings.from_lists([["a", "b"], ["b", "a"], ["c", "d"], ["d", "c"]])
    with pytest.warns(UserWarning, match="do not link all items: 2 groups never meet"):
        br.fit(apart, method="map")
