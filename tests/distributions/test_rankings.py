"""Every ranking distribution against plain references, and against itself."""

from collections import Counter
from itertools import permutations

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
from tests.distributions.ranking_cases import CASES, cases, ordered_partitions, outcomes
from tests.modes import AS_WRITTEN, FAST

# Compilation takes most of the time: what differs by kernel only is looked at once a kernel.
ONE_OF_EACH_KERNEL = ("plackett-luce", "partitioned", "pmop", "pmop-geometric", "thurstone")


@cases
@pytest.mark.parametrize("spread", [1.0, 30.0, 300.0])
def test_probabilities_match_enumeration_and_sum_to_one(case, spread):
    score = np.random.default_rng(1).uniform(-spread, spread, size=5)
    ranks = np.concatenate(outcomes(case, 5))
    assert len(ranks) == 541
    p = np.exp(logp(case.dist(score), ranks))
    expected = np.array([case.reference(score, row) for row in ranks])
    np.testing.assert_allclose(p, expected, rtol=0, atol=1e-9)
    start = 0
    for part in outcomes(case, 5):
        assert p[start : start + len(part)].sum() == pytest.approx(1.0, abs=1e-10)
        start += len(part)


@cases
def test_logp_matches_the_reference(case):
    """In relative terms, for probable and improbable outcomes alike."""
    score = np.array([0.4, -1.2, 2.5, 0.0])
    ranks = ordered_partitions(4)
    expected = np.array([case.reference(score, row) for row in ranks])
    p = np.exp(logp(case.dist(score), ranks))
    np.testing.assert_allclose(p, expected, rtol=1e-8)


@cases
def test_sampler_matches_logp(case):
    score = np.array([0.8, 0.0, -0.5, 0.3])
    options = {"blocks": [1, 2, 1, 0]} if case.sizes else {}
    ranks = ordered_partitions(4)
    if case.sizes:
        ranks = np.array([row for row in ranks if tuple(np.bincount(row)[1:]) == (1, 2, 1)])
    variable = case.dist(score, **options)
    draws = pm.draw(variable, draws=10_000, random_seed=5, mode=FAST)
    count = Counter(map(tuple, draws.tolist()))
    observed = np.array([count[tuple(row)] for row in ranks.tolist()])
    assert observed.sum() == len(draws)
    expected = len(draws) * np.exp(logp(variable, ranks))
    possible = expected > 0
    assert not observed[~possible].any()
    # One chi-square at a fixed seed; a right sampler fails it once in ten thousand seeds.
    assert stats.chisquare(observed[possible], expected[possible]).pvalue > 1e-4


RANKS = np.array([[1, 2, 3, 4], [2, 1, 2, -1], [1, 2, 0, 0], [3, 1, 2, 1], [1, 2, -1, -1]])
ENTRIES = np.array([[0, 1, 2, 3], [4, 2, 0, -1], [3, 4, 1, 0], [1, 2, 3, 4], [2, 0, -1, -1]])


def suitable(case):
    """Return ranks and entries that are within the support of a case."""
    keep = np.ones(len(RANKS), dtype=bool)
    for row, ranks in enumerate(RANKS):
        tied = len(set(ranks[ranks > 0])) < (ranks > 0).sum()
        keep[row] = not (tied and case.name == "plackett-luce")
        keep[row] &= not ((ranks == 0).any() and "backward" in case.name)
    return RANKS[keep], ENTRIES[keep]


@cases
def test_linkers_agree_and_match_finite_differences(case):
    ranks, entries = suitable(case)
    with pm.Model() as model:
        score = pm.Normal("score", shape=5)
        getattr(br, case.distribution)(
            "y", score[entries], entries >= 0, **case.parameters, observed=ranks
        )

    total = model.logp()
    outputs = [total, gradient_of(total, model.value_vars)]

    def compile_with(mode):
        return model.compile_fn(outputs, inputs=model.value_vars, point_fn=False, mode=mode)

    x = np.random.default_rng(3).normal(size=5)
    plain = compile_with(AS_WRITTEN)
    value, gradient = plain(x)
    for linker in ("NUMBA", "cvm") if case.name in ONE_OF_EACH_KERNEL else ():
        other = compile_with(linker)(x)
        np.testing.assert_allclose(other[0], value, rtol=1e-12)
        np.testing.assert_allclose(other[1], gradient, rtol=1e-10, atol=1e-12)
    for scale, tolerance in ((1.0, 1e-6), (30.0, 1e-6), (300.0, 1e-5)):
        gradient = plain(scale * x)[1]
        assert np.isfinite(gradient).all()
        for k in range(5):
            step = np.eye(5)[k] * 1e-5 * scale**0.5
            slope = (plain(scale * x + step)[0] - plain(scale * x - step)[0]) / (2 * step[k])
            assert gradient[k] == pytest.approx(slope, rel=tolerance, abs=tolerance * scale)


@pytest.mark.parametrize("potential", ["additive", "geometric"])
@pytest.mark.parametrize("sizes", [(), (1,), (3,), (5, 3)])
def test_tie_prevalences_have_gradients(potential, sizes):
    """One number, one for each block size, and one set a ranking."""
    ranks, entries = RANKS, ENTRIES
    scores = np.random.default_rng(4).normal(size=5)[entries]
    if sizes == (1,):  # only ties of two
        ranks, scores, entries = ranks[[0, 1, 3]], scores[[0, 1, 3]], entries[[0, 1, 3]]
    tie = pt.tensor("tie", shape=sizes, dtype="float64")
    variable = br.PMOP.dist(scores, entries >= 0, tie, potential=potential)
    total = pm.logp(variable, ranks).sum()
    f = pytensor.function([tie], [total, pytensor.grad(total, tie)], mode=AS_WRITTEN)
    at = np.random.default_rng(5).uniform(0.3, 1.5, size=sizes)
    gradient = f(at)[1]
    for k in np.ndindex(*sizes):
        step = np.zeros(sizes)
        step[k] = 1e-6
        slope = (f(at + step)[0] - f(at - step)[0]) / 2e-6
        assert gradient[k] == pytest.approx(slope, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("potential", ["additive", "geometric"])
def test_extreme_tie_prevalences_stay_finite(potential):
    tie = pt.scalar("tie")
    score = np.random.default_rng(6).normal(size=12)
    variable = br.PMOP.dist(score, tie=tie, potential=potential)
    ranks = np.array([np.arange(1, 13), np.ones(12), [1, 1, 2, 2, 2, 3, 4, 4, 5, 6, 6, 6]], int)
    total = pm.logp(variable, ranks).sum()
    f = pytensor.function([tie], [total, pytensor.grad(total, tie)], mode=AS_WRITTEN)
    for value in (1e-12, 1e-3, 1.0, 1e3, 1e12):
        assert all(np.isfinite(result) for result in f(value))


def test_reductions():
    score = np.random.default_rng(7).normal(size=5)
    strict = np.array(list(permutations(range(1, 6))))
    luce = logp(br.PlackettLuce.dist(score), strict)
    for same in (
        br.PMOP.dist(score, tie=0.0),
        br.PMOP.dist(score, tie=0.0, potential="geometric"),
        br.PMOP.dist(score, tie=[0.0], potential="davidson-luce"),
        br.PartitionedPlackettLuce.dist(score),
    ):
        np.testing.assert_allclose(logp(same, strict), luce, rtol=1e-12, atol=1e-12)
    # Without ties the additive PMOP has Plackett-Luce's terms and its own constants.
    constants = sum(np.log((2.0**n - 1.0) / n) for n in range(1, 6))
    pmop = logp(br.PMOP.dist(score), strict)
    np.testing.assert_allclose(pmop, luce - constants, rtol=1e-12)


def test_two_slots_are_pairs():
    score = np.array([[0.3, -0.8], [2.0, 2.5]])
    left, right = score.T
    ranks, wins = np.array([[1, 2], [2, 1]]), np.array([[1, 0, 0], [0, 1, 0]])
    pairs = logp(br.BradleyTerry.dist(left, right), wins)
    np.testing.assert_allclose(logp(br.PlackettLuce.dist(score), ranks), pairs, rtol=1e-12)
    for value, counts in ((ranks, wins), (np.ones((2, 2), int), np.array([[0, 0, 1]] * 2))):
        davidson = logp(br.Davidson.dist(left, right, 0.7), counts)
        luce = logp(br.PMOP.dist(score, tie=0.7, potential="davidson-luce"), value)
        np.testing.assert_allclose(luce, davidson, rtol=1e-12)


def test_additive_constants_do_not_overflow():
    """log(2^N - 1) at a hundred thousand items, and all tied has probability 1 / (2^N - 1)."""
    n = 100_000
    score = np.random.default_rng(8).normal(size=n)
    value = logp(br.PMOP.dist(score), np.ones(n, dtype=int))
    assert value == pytest.approx(-n * np.log(2.0), rel=1e-12)


@pytest.mark.parametrize("name", ["plackett-luce", "partitioned", "pmop", "geometric-backward"])
def test_draws_compile_with_numba(name):
    """Warnings are errors here, and Numba warns when it falls back to object mode."""
    case = next(case for case in CASES if case.name == name)
    offered = np.array([[True, True, True], [True, False, True]])
    draws = pm.draw(case.dist(np.zeros((2, 3)), offered), draws=3, random_seed=1, mode="NUMBA")
    assert draws.shape == (3, 2, 3) and np.all(draws[:, 1, 1] == -1)


def test_predictions_have_the_observed_blocks():
    entries = np.array([[0, 1, 2, 3], [1, 3, 0, -1]])
    with pm.Model():
        score = pm.ZeroSumNormal("score", shape=4)
        observed = pm.Data("observed", np.array([[1, 2, 2, 3], [1, 1, 2, -1]]))
        br.PartitionedPlackettLuce("y", score[entries], entries >= 0, observed=observed)
        drawn = pm.sample_prior_predictive(draws=4, random_seed=1, compile_kwargs={"mode": FAST})
    ranks = drawn["prior_predictive"]["y"].values[0]
    assert all(np.bincount(row)[1:].tolist() == [1, 2, 1] for row in ranks[:, 0])
    assert all(np.bincount(row[row > 0])[1:].tolist() == [2, 1] for row in ranks[:, 1])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: br.PlackettLuce.dist(1.0), ValueError, "`score` must have the slots"),
        (lambda: br.PlackettLuce.dist([1.0, 2.0], [1, 1]), TypeError, "`offered` must hold True"),
        (lambda: br.PlackettLuce.dist([1.0, 2.0], [True]), ValueError, "got 1 slots and 2 scores"),
        (lambda: br.PMOP.dist([0.0, 1.0], potential="x"), ValueError, "`potential` must be"),
        (lambda: br.PMOP.dist([0.0, 1.0], direction="up"), ValueError, "`direction` must be"),
        (
            lambda: br.PartitionedPlackettLuce.dist([0.0, 1.0], nodes=3),
            ValueError,
            "`nodes` must be a whole number from 8 up, got 3",
        ),
    ],
)
def test_arguments_are_checked(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_negative_prevalence_is_refused():
    with pytest.raises(ParameterValueError, match="tie >= 0"):
        logp(br.PMOP.dist([0.0, 1.0], tie=-0.5), [1, 2])


def test_weights_and_scales_must_be_positive():
    for variable, rule in (
        (br.PlackettLuce.dist([0.0, 1.0], weight=-1.0), "weight > 0"),
        (br.Thurstone.dist([0.0, 1.0], scale=0.0), "scale > 0"),
        (br.Thurstone.dist([0.0, 1.0], scale=-1.0, noise="gumbel"), "scale > 0"),
    ):
        with pytest.raises(ParameterValueError, match=rule):
            logp(variable, [1, 2])
