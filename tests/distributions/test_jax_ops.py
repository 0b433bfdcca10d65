"""Log-densities in JAX, with the derivatives that samplers ask JAX for, against the kernels."""

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest

import bayesrank as br
from tests.distributions.in_jax import in_jax
from tests.distributions.mpm_cases import SEVERAL, VARIANCE
from tests.distributions.pair_cases import CASES as PAIRS
from tests.distributions.ranking_cases import CASES as RANKINGS
from tests.modes import AS_WRITTEN

jax = pytest.importorskip("jax")

COUNTS = np.array([[2, 1, 3], [0, 4, 0], [1, 0, 0], [0, 0, 2]])
# Strict, tied, padded, with unranked slots.
RANKS = np.array([[1, 2, 3, 4], [1, 1, 2, 3], [2, 1, -1, 1], [2, 1, 3, 0]])
SIDES = np.array([0, 3, 2, 1]), np.array([1, 0, 1, 2])


def pair_logp(case):
    def logp(x):
        counts = COUNTS if case.reference(0.3)[2] > 1e-9 else COUNTS * [1, 1, 0]
        return pm.logp(case.dist(x[SIDES[0]], x[SIDES[1]], n=counts.sum(axis=1)), counts).sum()

    return logp


def ranking_logp(case):
    def logp(x):
        ranks = RANKS
        if case.name == "plackett-luce":
            ranks = np.array([[1, 2, 3, 4], [2, 1, -1, 3], [2, 1, 0, 0]])
        if "backward" in case.name:
            ranks = RANKS[:3]
        score = pt.stack([x * k for k in (1.0, -0.5, 2.0, 0.1)])[: len(ranks)]
        return pm.logp(case.dist(score, ranks >= 0), ranks).sum()

    return logp


def mpm_logp(variance):
    counts = np.array([[1, 0, 0], [2, 1, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0], [3, 0, 0]])

    def logp(x):
        score = pt.concatenate([x, x[:1] ** 2])
        return pm.logp(br.MPM.dist(score, variance, 0.7, **SEVERAL, n=counts), counts).sum()

    return logp


LOGP = {
    **{case.name: pair_logp(case) for case in PAIRS},
    **{case.name: ranking_logp(case) for case in RANKINGS},
    "mpm": mpm_logp(0.4),
    "mpm by item": mpm_logp(np.append(VARIANCE, [0.5, 0.7])),
}
POINT = np.array([0.9, -0.4, 0.2, -1.3])


@pytest.mark.parametrize("name", LOGP)
def test_values_and_gradients_are_those_of_the_kernels(name):
    x = pt.vector("x", shape=(4,))
    logp = LOGP[name](x)
    gradient = pytensor.grad(logp, x)
    value, slope = pytensor.function([x], [logp, gradient], mode=AS_WRITTEN)(POINT)
    found, slopes = jax.value_and_grad(in_jax([x], logp))(POINT)
    assert np.isfinite(value)
    assert float(found) == pytest.approx(value, rel=1e-12)
    assert np.asarray(slopes) == pytest.approx(slope, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ["davidson", "probit", "partitioned", "pmop-tie"])
def test_second_derivatives_are_those_of_the_kernels(name):
    x = pt.vector("x", shape=(4,))
    logp = LOGP[name](x)
    gradient = pytensor.grad(logp, x)
    along = np.array([0.2, 1.0, -0.7, 0.4])
    turned = pytensor.grad((gradient * along).sum(), x)
    expected = pytensor.function([x], turned, mode=AS_WRITTEN)(POINT)
    slope = jax.grad(in_jax([x], logp))
    _, found = jax.jvp(slope, (POINT,), (along,))
    assert np.asarray(found) == pytest.approx(expected, rel=1e-11, abs=1e-11)
    # And those that PyTensor asks for.
    found = in_jax([x], turned)(POINT)
    assert np.asarray(found) == pytest.approx(expected, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("name", ["davidson", "pmop-sizes", "thurstone", "mpm by item"])
def test_gradients_that_pytensor_takes_run_in_jax_too(name):
    """As nutpie asks for them; chains may be vectorised."""
    x = pt.vector("x", shape=(4,))
    gradient = pytensor.grad(LOGP[name](x), x)
    slope = pytensor.function([x], gradient, mode=AS_WRITTEN)
    points = np.stack([POINT, -0.5 * POINT])
    found = jax.jit(jax.vmap(in_jax([x], gradient)))(points)
    expected = np.stack([slope(point) for point in points])
    assert np.asarray(found) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ["thurstone-logistic", "pmop-geometric", "mpm by item"])
def test_second_derivatives_that_are_missing_are_refused_not_wrong(name):
    x = pt.vector("x", shape=(4,))
    logp = LOGP[name](x)
    with pytest.raises(NotImplementedError, match="have no second derivatives"):
        jax.jacrev(jax.grad(in_jax([x], logp)))(POINT)
    with pytest.raises(NotImplementedError, match="have no second derivatives"):
        jax.jacrev(in_jax([x], pytensor.grad(logp, x)))(POINT)


def test_blocks_of_ranks_that_change_are_found_in_jax():
    """As for ranks in `pm.Data`, with rows that are impossible."""
    ranks, x = pt.lmatrix("ranks"), pt.vector("x", shape=(4,))
    score = pt.stack([x * k for k in (1.0, -0.5, 2.0, 0.1)])
    logp = pm.logp(br.PartitionedPlackettLuce.dist(score, ranks >= 0), ranks)
    rows = np.array([[1, 2, 3, 4], [1, 1, 2, 0], [2, 1, -1, 1], [1, 3, 3, 1]])
    expected = pytensor.function([ranks, x], logp, mode=AS_WRITTEN)(rows, POINT)
    found = jax.jit(in_jax([ranks, x], logp))(rows, POINT)
    assert np.asarray(found) == pytest.approx(expected, rel=1e-12)
    assert expected[3] == -np.inf


@pytest.mark.parametrize("name", ["davidson", "probit", "plackett-luce", "partitioned"])
def test_scores_that_are_infinite_have_the_same_limits(name):
    x = pt.vector("x", shape=(4,))
    logp = LOGP[name](x)
    function = in_jax([x], logp)
    for endless in (np.inf, -np.inf):
        point = np.append(POINT[:3], endless)
        expected = pytensor.function([x], logp, mode=AS_WRITTEN)(point)
        found, slopes = jax.value_and_grad(function)(point)
        assert float(found) == pytest.approx(float(expected), rel=1e-12)
        assert not np.isnan(slopes).any()


def test_single_precision_is_refused():
    x = pt.vector("x", shape=(4,))
    function = in_jax([x], LOGP["davidson"](x))
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(TypeError, match="need double precision"):
            function(POINT.astype("float32"))
    finally:
        jax.config.update("jax_enable_x64", True)


def races(likelihood, **options):
    data = br.load_dataset("fruits")
    with pm.Model(coords=data.coords) as model:
        score = pm.ZeroSumNormal("score", 1.0, dims="item")
        likelihood("y", score[data.entries], data.offered, observed=data.ranks, **options)
    return model


@pytest.mark.filterwarnings("ignore")  # of NumPyro and of PyMC's own door to JAX
@pytest.mark.parametrize("likelihood", [br.PMOP, br.Thurstone])
def test_numpyro_samples(likelihood, monkeypatch):
    pytest.importorskip("numpyro")
    monkeypatch.setenv("XLA_FLAGS", "")  # which PyMC changes
    with races(likelihood):
        draws = pm.sample(
            10, tune=10, chains=1, nuts_sampler="numpyro", progressbar=False, random_seed=1,
            compute_convergence_checks=False,
        )  # fmt: skip
    score = draws["posterior"]["score"].values
    assert np.isfinite(score).all() and (score.std(axis=(0, 1)) > 0.0).all()


@pytest.mark.filterwarnings("ignore")  # of nutpie's door to JAX
@pytest.mark.parametrize("gradients", ["pytensor", "jax"])
def test_nutpie_samples(gradients):
    import nutpie

    compiled = nutpie.compile_pymc_model(races(br.PMOP), backend="jax", gradient_backend=gradients)
    draws = nutpie.sample(compiled, draws=10, tune=10, chains=1, seed=1, progress_bar=False)
    score = draws["posterior"]["score"].values
    assert np.isfinite(score).all() and (score.std(axis=(0, 1)) > 0.0).all()
