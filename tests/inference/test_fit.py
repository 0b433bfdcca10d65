"""Fits by every method: agreement with each other, seeds, refusals."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.inference.curvature import hessian
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.random_tables import random_table

FEW = pytest.mark.filterwarnings("ignore:Do not trust this fit yet")

TIE_MODELS = [name for name, family in PAIR_LIKELIHOODS.items() if family.tie is not None]


def monte_carlo_error(fit):
    """Return the standard error of the posterior mean of each score."""
    ess = fit.diagnostics().min_ess_bulk
    return fit.scores().std(axis=0) / np.sqrt(ess)


@pytest.mark.parametrize("likelihood", PAIR_LIKELIHOODS)
def test_swapping_changes_no_mode(likelihood):
    for seed in (11, 12):
        data = random_table(seed, ties=PAIR_LIKELIHOODS[likelihood].tie is not None)
        one = br.fit(data, likelihood, method="map")
        other = br.fit(data.swapped(), likelihood, method="map")
        pd.testing.assert_frame_equal(one.ranking(), other.ranking(), rtol=1e-6, atol=1e-7)
        pd.testing.assert_frame_equal(one.parameters(), other.parameters(), rtol=1e-6)


def test_swapping_changes_no_posterior_draws_beyond_monte_carlo_error(nuts_fit, pudding):
    swapped = br.fit(pudding.swapped(), "davidson", seed=4, progress=False)
    error = np.hypot(monte_carlo_error(nuts_fit), monte_carlo_error(swapped))
    difference = nuts_fit.scores().mean(axis=0) - swapped.scores().mean(axis=0)
    assert np.all(np.abs(difference) < 4.5 * error)
    p, q = nuts_fit.win_probabilities(), swapped.win_probabilities()
    np.testing.assert_allclose(p, q, atol=0.02)
    ties = nuts_fit.posterior_predictive(seed=1).sel(outcome="tie").mean()
    other = swapped.posterior_predictive(seed=1).sel(outcome="tie").mean()
    assert float(ties) == pytest.approx(float(other), abs=0.1)


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


def bound(fit):
    """Return the evidence lower bound that ADVI reports."""
    return float(fit.note.rstrip(".").split()[-1])


def test_advi_follows_a_learned_scale(nuts_fit, pudding):
    """Where all scores shrink together, as no normal in the model's own coordinates does."""
    by_default, independent, full = (
        br.fit(pudding, "davidson", method="advi", full_rank=kind, seed=1, progress=False)
        for kind in (None, False, True)
    )
    assert bound(by_default) > max(bound(independent), bound(full)) + 0.2
    right, ours, theirs = (
        fit.parameters().loc["scale", "high"] for fit in (nuts_fit, by_default, full)
    )
    assert abs(np.log(ours / right)) < 0.4 < np.log(right / theirs) + 0.2
    shift = by_default.scores().mean(axis=0) - nuts_fit.scores().mean(axis=0)
    assert np.all(np.abs(shift) < 0.15 * nuts_fit.scores().std(axis=0))


def test_the_bound_is_below_the_evidence_and_near_it():
    """One game between two items, whose evidence is known: one half, by symmetry."""
    game = br.Comparisons([0], [1], [[1, 0, 0]], ["a", "b"])
    for kind in (None, False, True):
        fit = br.fit(
            game, "bradley-terry", method="advi", scale=1.0, full_rank=kind, seed=1, progress=False
        )
        # Of two decimals; a normal comes near this posterior.
        assert np.log(0.5) - 0.02 < bound(fit) <= np.log(0.5) + 0.005


def test_pymc_s_own_sampler_agrees_with_nutpie(nuts_fit, pudding):
    own = br.fit(
        pudding, "davidson", sampler="pymc", chains=2, draws=500, tune=500, seed=5, progress=False
    )
    error = np.hypot(monte_carlo_error(nuts_fit), monte_carlo_error(own))
    difference = nuts_fit.scores().mean(axis=0) - own.scores().mean(axis=0)
    assert np.all(np.abs(difference) < 4.5 * error)


def test_a_posterior_needs_no_graph():
    """NUTS runs on the kernels: neither PyMC nor PyTensor has to be imported, let alone compile."""
    code = (
        "import sys; import bayesrank as br\n"
        "fit = br.fit(br.load_dataset('pudding'), draws=20, tune=20, chains=2, progress=False)\n"
        "fit.ranking(), fit.win_probabilities(), str(fit.diagnostics())\n"
        "print([name for name in ('pymc', 'pytensor') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"


def test_seeds_reproduce_nuts(nuts_fit, pudding):
    again, other = (br.fit(pudding, "davidson", seed=seed, progress=False) for seed in (3, 4))
    np.testing.assert_array_equal(again.scores(), nuts_fit.scores())
    assert not np.array_equal(other.scores(), nuts_fit.scores())


@FEW
def test_nuts_takes_any_seed_and_any_warm_up(pudding):
    for seed, tune in ((2**70, 30), (1, 0), (1, 1)):
        fit = br.fit(pudding, "davidson", draws=20, tune=tune, chains=2, seed=seed, progress=False)
        assert fit.shape == (2, 20) and np.isfinite(fit.scores()).all()


@pytest.mark.parametrize("likelihood", ["davidson", "glenn-david"])
def test_an_interruption_is_one(likelihood):
    """With and without Python between the sampler and the likelihood."""
    code = (
        "import os, signal, threading; import bayesrank as br\n"
        "data = br.load_dataset('pudding')\n"
        f"br.fit(data, '{likelihood}', draws=5, progress=False)\n"
        "threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        f"br.fit(data, '{likelihood}', draws=10_000_000, progress=False)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode != 0 and "KeyboardInterrupt" in result.stderr, result.stderr


def test_positions_beyond_the_items_are_refused():
    counts = np.ones((2, 3), dtype=int)
    for right in ([1, 7], [1, -4]):
        data = br.Comparisons(np.array([0, 1]), np.array(right), counts, list("abc"))
        with pytest.raises(ValueError, match="must be positions in `items`, from 0 to 2"):
            br.fit(data, "davidson", method="map")


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


def test_curvature_is_the_derivative_of_the_gradient(pudding):
    specification = Specification(pudding, "davidson", scale=1.0)
    x = np.random.default_rng(0).normal(size=specification.size) * 0.3
    matrix = hessian(specification, x)
    direction = np.random.default_rng(1).normal(size=specification.size)
    up = specification.objective(x + 1e-5 * direction, jacobian=True)[1]
    down = specification.objective(x - 1e-5 * direction, jacobian=True)[1]
    np.testing.assert_allclose(matrix @ direction, (up - down) / 2e-5, rtol=1e-6, atol=1e-5)


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
    ("counts", "options"),
    [
        ([[0, 1, 3, 2]], {"order_effect": True}),
        (
            [[0, 1, 3, 2], [2, 3, 4, 1]],
            {"features": np.array([[0.0], [0], [1], [1]]), "item_effects": False},
        ),
        (
            [[0, 1, 3, 2], [2, 1, 4, 1]],
            {
                "features": np.array([[1.0], [0], [1]]),
                "item_effects": False,
                "order_effect": True,
            },
        ),
    ],
)
def test_an_estimate_that_is_not_unique_is_refused(counts, options):
    left, right, wins, losses = np.array(counts).T
    items = list("abcd")[: max(left.max(), right.max()) + 1]
    data = br.Comparisons(left, right, np.stack([wins, losses, 0 * wins], axis=1), items)
    with pytest.raises(ValueError, match="not unique"):
        br.fit(data, "bradley-terry", method="map", scale=float("inf"), **options)


def games(*rows):
    frame = pd.DataFrame(rows, columns=["left", "right", "outcome"])
    return br.Comparisons.from_frame(frame)


def test_maximum_likelihood_is_refused_where_it_does_not_exist():
    unbeaten = games(("ann", "bob", "ann"), ("bob", "cyd", "bob"), ("cyd", "bob", "cyd"))
    with pytest.raises(ValueError, match="does not exist: never beaten: ann"):
        br.fit(unbeaten, method="map", scale=float("inf"))
    assert br.fit(unbeaten, method="map").ranking().index[0] == "ann"
    apart = games(("a", "b", "tie"), ("c", "d", "tie"), ("a", "b", "a"))
    with pytest.raises(ValueError, match="2 groups never meet"):
        br.fit(apart, method="map", scale=float("inf"))
    with pytest.warns(UserWarning, match="from the prior alone"):
        br.fit(apart, method="map")
    home = games(("a", "b", "a"), ("b", "a", "b"), ("a", "c", "a"), ("c", "a", "c"))
    with pytest.raises(ValueError, match="does not exist: moving the order effect on and on"):
        br.fit(home, method="map", scale=float("inf"), order_effect=True)
    br.fit(home, method="map", scale=float("inf"))


@pytest.mark.parametrize("likelihood", TIE_MODELS)
def test_scores_and_tie_parameter_may_run_off_together(likelihood):
    """Ties link all items here, and yet: a far above c, d between them, everything else a tie."""
    chain = games(("a", "d", "tie"), ("d", "c", "tie"), ("a", "c", "a"))
    assert chain.connectivity().strong
    with pytest.raises(ValueError, match="does not exist: moving a, c, the tie parameter"):
        br.fit(chain, likelihood, method="map", scale=float("inf"))
    held = games(("a", "d", "tie"), ("d", "c", "tie"), ("a", "c", "a"), ("a", "c", "c"))
    fit = br.fit(held, likelihood, method="map", scale=float("inf"))
    assert np.abs(fit.scores()).max() < 5


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
    import subprocess
    import sys

    code = (
        "import sys, bayesrank as br\n"
        "assert 'numpy' not in sys.modules\n"
        "br.fit(br.load_dataset('pudding'), method='map').ranking()\n"
        "assert not {'pymc', 'pytensor', 'arviz'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
