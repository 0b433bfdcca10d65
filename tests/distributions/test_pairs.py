"""Every pair distribution against plain references, and against itself."""

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest
from pymc.logprob.utils import ParameterValueError
from pymc.pytensorf import gradient as gradient_of
from scipy import stats

import bayesrank as br
from tests.distributions.densities import logp
from tests.distributions.pair_cases import CASES, cases, outcomes
from tests.modes import AS_WRITTEN, FAST

# Compilation takes most of the time: what differs by kernel only is looked at once a kernel.
ONE_OF_EACH_KERNEL = ("davidson", "rao-kupper", "glenn-david", "student")


@cases
def test_logp_matches_the_reference(case):
    difference = np.array([-3.0, -0.4, 0.0, 0.9, 2.5])
    counts = np.array([[1, 4, 0], [3, 2, 0], [0, 1, 0], [2, 2, 0], [5, 0, 0]])
    p = case.probabilities(difference)
    if p[0, 2] > 0:
        counts[:, 2] = [0, 2, 3, 1, 4]
    expected = stats.multinomial.logpmf(counts, counts.sum(axis=1), p / p.sum(axis=1)[:, None])
    variable = case.dist(difference + 0.3, 0.3, n=counts.sum(axis=1))
    np.testing.assert_allclose(logp(variable, counts), expected, rtol=1e-10, atol=1e-10)


@cases
@pytest.mark.parametrize("n", [1, 4])
def test_probabilities_of_all_outcomes_sum_to_one(case, n):
    difference = np.array([[-6.0], [0.0], [1.1], [40.0]])
    p = np.exp(logp(case.dist(difference, 0.0, n=n), outcomes(n)))
    np.testing.assert_allclose(p.sum(axis=1), np.ones(4), rtol=0, atol=1e-12)


@cases
def test_sampler_matches_logp(case):
    values = outcomes(3)
    variable = case.dist(0.8, 0.0, n=3)
    draws = pm.draw(variable, draws=20_000, random_seed=5, mode=FAST)
    observed = np.array([np.all(draws == value, axis=1).sum() for value in values])
    assert observed.sum() == len(draws)
    expected = len(draws) * np.exp(logp(variable, values))
    possible = expected > 0
    assert not observed[~possible].any()
    # One chi-square at a fixed seed; a right sampler fails it once in ten thousand seeds.
    result = stats.chisquare(observed[possible], expected[possible])
    assert result.pvalue > 1e-4


@pytest.mark.parametrize(
    ("distribution", "parameters", "rule"),
    [
        ("Davidson", {"nu": -0.1}, "nu >= 0"),
        ("RaoKupper", {"theta": 0.9}, "theta >= 1"),
        ("ThurstonePairs", {"threshold": -0.1}, "threshold >= 0"),
        ("ThurstonePairs", {"scale": -1.0}, "scale > 0"),
        ("ThurstonePairs", {"scale": 0.0, "noise": "gumbel"}, "scale > 0"),
        ("ThurstonePairs", {"threshold": -0.2, "noise": "gumbel"}, "threshold >= 0"),
    ],
)
def test_parameters_outside_their_range_are_refused(distribution, parameters, rule):
    variable = getattr(br, distribution).dist(0.0, 1.0, **parameters)
    with pytest.raises(ParameterValueError, match=rule):
        logp(variable, [1, 0, 0])


@pytest.mark.parametrize("noise", ["cauchy", ("t", -1), ("t", 0.1), ("t",), ("gamma", 2)])
def test_unknown_noise_is_refused(noise):
    with pytest.raises(ValueError, match="`noise` must be"):
        br.ThurstonePairs.dist(0.0, 1.0, noise=noise)


def model_of(case, left, right, counts, items):
    with pm.Model() as model:
        score = pm.Normal("score", shape=items)
        getattr(br, case.distribution)(
            "y", score[left], score[right], **case.parameters, observed=counts
        )
    return model


@cases
def test_linkers_agree_and_match_finite_differences(case):
    rng = np.random.default_rng(2)
    left, right = np.array([0, 1, 2, 0, 3]), np.array([1, 2, 0, 3, 1])
    counts = rng.integers(0, 5, size=(5, 3))
    if case.reference(0.0)[2] == 0:
        counts[:, 2] = 0
    model = model_of(case, left, right, counts, 4)
    x = rng.normal(size=4)

    total = model.logp()
    outputs = [total, gradient_of(total, model.value_vars)]

    def compile_with(mode):
        return model.compile_fn(outputs, inputs=model.value_vars, point_fn=False, mode=mode)

    plain = compile_with(AS_WRITTEN)
    value, gradient = plain(x)
    for linker in ("NUMBA", "cvm") if case.name in ONE_OF_EACH_KERNEL else ():
        other = compile_with(linker)(x)
        np.testing.assert_allclose(other[0], value, rtol=1e-12)
        np.testing.assert_allclose(other[1], gradient, rtol=1e-10, atol=1e-12)
    for k in range(4):
        step = np.eye(4)[k] * 1e-5
        slope = (plain(x + step)[0] - plain(x - step)[0]) / 2e-5
        assert gradient[k] == pytest.approx(slope, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(
    ("distribution", "name", "values"),
    [
        ("BradleyTerry", None, [None]),
        ("Davidson", "nu", [1e-12, 1e12]),
        ("RaoKupper", "theta", [1.0 + 1e-12, 1e12]),
        ("ThurstonePairs", "threshold", [1e-12, 1e12]),
    ],
)
def test_extremes_stay_finite(distribution, name, values):
    """Value and gradients by scores and tie parameter, at differences of 700 either way."""
    left = pt.vector("left", shape=(4,))
    tie = pt.scalar("tie")
    counts = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 3, 4]])
    if name is None:
        counts = counts[[0, 1, 1, 0]]
    options = {} if name is None else {name: tie}
    variable = getattr(br, distribution).dist(left, 0.0, **options, n=counts.sum(axis=1))
    total = pm.logp(variable, counts).sum()
    by = [left] if name is None else [left, tie]
    compiled = pytensor.function(
        [left, tie], [total, *pytensor.grad(total, by)], mode=AS_WRITTEN, on_unused_input="ignore"
    )
    for value in values:
        for difference in (-700.0, -1.0, 0.0, 1.0, 700.0):
            results = compiled(np.full(4, difference), 0.0 if value is None else value)
            assert all(np.isfinite(result).all() for result in results)


@pytest.mark.parametrize("name", ["davidson", "rao-kupper", "student"])
def test_draws_and_predictions_compile_with_numba(name):
    """Warnings are errors here, and Numba warns when it falls back to object mode."""
    case = next(case for case in CASES if case.name == name)
    draws = pm.draw(case.dist([0.0, 1.0], 0.0, n=5), draws=3, random_seed=1, mode="NUMBA")
    assert draws.shape == (3, 2, 3) and np.all(draws.sum(axis=-1) == 5)


def test_tie_parameters_have_gradients():
    """A shared and a per-row tie parameter, through the Op, against finite differences."""
    counts = np.array([[3, 1, 2], [0, 2, 1], [4, 4, 4]])
    left, right = np.array([0.3, -1.0, 2.0]), np.array([0.0, 0.5, 1.0])
    for size in (1, 3):
        tie = pt.vector("tie", shape=(size,))
        for variable in (
            br.Davidson.dist(left, right, tie, n=counts.sum(axis=1)),
            br.RaoKupper.dist(left, right, 1.0 + tie, n=counts.sum(axis=1)),
            br.ThurstonePairs.dist(left, right, threshold=tie, n=counts.sum(axis=1)),
        ):
            total = pm.logp(variable, counts).sum()
            f = pytensor.function([tie], [total, pytensor.grad(total, tie)], mode=AS_WRITTEN)
            at = np.linspace(0.4, 0.9, size)
            for k in range(size):
                step = np.eye(size)[k] * 1e-6
                slope = (f(at + step)[0] - f(at - step)[0]) / 2e-6
                assert f(at)[1][k] == pytest.approx(slope, rel=1e-6)


def test_special_cases_are_equal():
    left, right = np.array([0.3, -1.0, 2.0]), np.array([0.0, 0.5, 1.0])
    no_ties = np.array([[3, 1, 0], [0, 2, 0], [4, 4, 0]])
    ties = np.array([[3, 1, 2], [0, 2, 1], [4, 4, 4]])

    def same(a, b, counts):
        n = counts.sum(axis=1)
        first, second = (br_dist(n=n) for br_dist in (a, b))
        np.testing.assert_allclose(logp(first, counts), logp(second, counts), rtol=1e-12)

    same(
        lambda n: br.BradleyTerry.dist(left, right, n=n),
        lambda n: br.Davidson.dist(left, right, 0.0, n=n),
        no_ties,
    )
    same(
        lambda n: br.BradleyTerry.dist(left, right, n=n),
        lambda n: br.RaoKupper.dist(left, right, 1.0, n=n),
        no_ties,
    )
    same(
        lambda n: br.RaoKupper.dist(left, right, 1.7, n=n),
        lambda n: br.ThurstonePairs.dist(left, right, noise="gumbel", threshold=np.log(1.7), n=n),
        ties,
    )
    # Student noise with many degrees of freedom is normal noise.
    first = logp(br.ThurstonePairs.dist(left, right, threshold=0.3, n=ties.sum(axis=1)), ties)
    second = logp(
        br.ThurstonePairs.dist(left, right, threshold=0.3, noise=("t", 1000), n=ties.sum(axis=1)),
        ties,
    )
    np.testing.assert_allclose(first, second, rtol=2e-3)


def test_a_certain_tie():
    variable = br.Davidson.dist(0.0, 0.0, np.inf)
    assert logp(variable, [0, 0, 1]) == pytest.approx(0.0, abs=1e-12)
    assert logp(variable, [1, 0, 0]) < -600
