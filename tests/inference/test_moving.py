"""How far scores move: learned by evidence, integrated over, and sampled."""

import numpy as np
import pytest
from scipy.stats import halfnorm

import bayesrank as br
from bayesrank.inference.moving import likeliest_normal
from bayesrank.inference.moving_normal import MovingNormal
from bayesrank.model.specification import Specification
from tests.model.moving_data import games_over_time, often, races_over_time

DATA = games_over_time(rows=120, items=4, times=8, seed=2)


def test_the_likeliest_hyperparameters_are_those_of_a_grid():
    specification = Specification(DATA, "davidson", scores="walk")
    best, _ = likeliest_normal(specification)
    moves = [np.array([x, y]) for x in (-0.1, 0.0, 0.1) for y in (-0.1, 0.0, 0.1) if x or y]
    around = [MovingNormal(specification, best.hyper + move, best.mode) for move in moves]
    assert all(normal.log_evidence < best.log_evidence + 1e-3 for normal in around)


@pytest.mark.parametrize("scores", ["walk", "mean-reverting"])
@pytest.mark.parametrize(
    ("data", "likelihood"),
    [(DATA, "davidson"), (races_over_time(rows=40), "plackett-luce")],
    ids=["davidson", "plackett-luce"],
)
def test_laplace_and_nuts_agree(scores, data, likelihood):
    options = {"scores": scores, "seed": 1, "progress": False}
    nuts = br.fit(data, likelihood, draws=1500, **options)
    normal = br.fit(data, likelihood, method="laplace", **options)
    found, other = nuts.ranking(), normal.ranking().loc[nuts.ranking().index]
    assert (np.abs(found["score"] - other["score"]) / found["sd"]).max() < 0.2
    assert np.abs(np.log(other["sd"] / found["sd"])).max() < 0.2
    assert np.abs(found["p_best"] - other["p_best"]).max() < 0.08
    for name in ("scale", nuts.specification.moves.name):
        spread = nuts.posterior[name].std()
        assert abs(nuts.posterior[name].mean() - normal.posterior[name].mean()) < 0.5 * spread


def test_nuts_mixes_however_many_results_there_are():
    """No result says how high all items are at a time, so that this is known less than the rest."""
    data = often(games_over_time(rows=200, items=3, times=8, seed=2), 1000)
    fit = br.fit(data, "davidson", scores="walk", draws=500, chains=2, seed=1, progress=False)
    found = fit.diagnostics()
    assert found.divergences == 0
    assert found.max_rhat < 1.05
    assert found.min_ess_bulk > 100


def test_where_nothing_is_known_of_the_drift_its_draws_are_those_of_the_prior():
    """A half-normal density, times the drift, falls off slowly towards drifts of nothing."""
    data = br.Comparisons.from_counts(DATA.to_frame().assign(time=2.0), time="time")
    fit = br.fit(data, scores="walk", scale=1.0, method="laplace", seed=1, draws=5000)
    shares = (0.025, 0.1, 0.5, 0.9, 0.975)
    found = np.quantile(fit.posterior["drift"], shares)
    assert halfnorm.cdf(found) == pytest.approx(shares, abs=0.02)


def test_at_one_time_the_scale_is_that_of_constant_scores():
    options = {"method": "laplace", "seed": 1, "draws": 5000}
    data = br.Comparisons.from_counts(DATA.to_frame().assign(time=2.0), time="time")
    constant = br.fit(DATA, "davidson", **options)
    moving = br.fit(data, "davidson", scores="mean-reverting", **options)
    shares = (0.05, 0.25, 0.5, 0.75, 0.95)
    wanted, found = (np.quantile(fit.posterior["scale"], shares) for fit in (constant, moving))
    assert np.log(found) == pytest.approx(np.log(wanted), abs=0.15)


@pytest.mark.parametrize("scores", ["walk", "mean-reverting"])
def test_advi_and_laplace_agree(scores):
    options = {"scores": scores, "seed": 1, "progress": False}
    advi, normal = (br.fit(DATA, "davidson", method=m, **options) for m in ("advi", "laplace"))
    found, other = advi.ranking(), normal.ranking().loc[advi.ranking().index]
    assert (np.abs(found["score"] - other["score"]) / found["sd"]).max() < 0.3
    assert np.abs(np.log(other["sd"] / found["sd"])).max() < 0.25


def test_what_is_given_is_not_learned():
    fit = br.fit(DATA, scores="walk", scale=1.0, drift=0.3, method="laplace", seed=1)
    assert not {"scale", "drift"} & set(fit.posterior)
    assert fit.scores().std(axis=0).min() > 0.0


def test_the_same_seed_gives_the_same_draws():
    fits = [br.fit(DATA, scores="walk", method="laplace", seed=5, draws=50) for _ in range(2)]
    assert np.array_equal(fits[0].posterior["score"], fits[1].posterior["score"])


def test_too_many_numbers_are_refused_before_the_work():
    with pytest.raises(ValueError, match=r"GB.*every=1.0"):
        br.fit(DATA, scores="walk", method="laplace", draws=100_000_000)
