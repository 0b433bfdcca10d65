"""Ranks of slots whatever the model: shapes, empty and unranked slots, observed ranks."""

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest

import bayesrank as br
from tests.distributions.densities import logp
from tests.distributions.ranking_cases import CASES, cases
from tests.modes import AS_WRITTEN, FAST


def one_by_one(case):
    """Return a function of scores and ranks: the log-probability of one ranking of any length."""
    score, ranks = pt.vector("score"), pt.lvector("ranks")
    return pytensor.function([score, ranks], pm.logp(case.dist(score), ranks), mode=AS_WRITTEN)


@cases
def test_any_batch_shape(case):
    rng = np.random.default_rng(1)
    score = rng.normal(size=(2, 3, 4))
    variable = case.dist(score)
    draws = pm.draw(variable, random_seed=1, mode=FAST)
    assert draws.shape == (2, 3, 4) and draws.min() == 1
    together = logp(variable, draws, FAST)  # rewrites ask the graph for its shapes
    alone = one_by_one(case)
    apart = [alone(score[i], draws[i]) for i in np.ndindex(2, 3)]
    np.testing.assert_allclose(together, np.reshape(apart, (2, 3)), rtol=1e-12)
    assert pm.draw(case.dist(score[0, 0], size=(5, 2)), mode=FAST).shape == (5, 2, 4)
    # One set of scores and many rows of ranks, and the other way round.
    assert logp(case.dist(score[0, 0]), draws[0], FAST).shape == (3,)
    assert logp(case.dist(score), [1, 2, 3, 4], FAST).shape == (2, 3)


@cases
def test_empty_slots_change_nothing(case):
    rng = np.random.default_rng(2)
    score = rng.normal(size=(3, 6))
    offered = np.array([[1, 0, 1, 1, 0, 1], [0, 0, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1]], dtype=bool)
    draws = pm.draw(case.dist(score, offered), random_seed=3, mode=FAST)
    assert np.array_equal(draws >= 1, offered) and np.all(draws[~offered] == -1)
    together = logp(case.dist(score, offered), draws)
    alone = one_by_one(case)
    apart = [alone(score[n, offered[n]], draws[n, offered[n]]) for n in range(3)]
    np.testing.assert_allclose(together, apart, rtol=1e-12)


@cases
def test_impossible_ranks_have_probability_zero(case):
    variable = case.dist(np.zeros(3), np.array([True, True, True]))
    impossible = [[1, 2, -1], [1, 3, 4], [2, 3, 4], [1, 2, 5], [-2, 1, 2], [1, 1, 3]]
    assert logp(variable, impossible).tolist() == [-np.inf] * len(impossible)
    padded = case.dist(np.zeros(3), np.array([True, True, False]))
    *wrong, right = logp(padded, [[1, 2, 3], [1, -1, 2], [1, 2, -1]])
    assert wrong == [-np.inf] * 2 and np.isfinite(right)


@cases
def test_unranked_slots_stand_for_all_orders_below(case):
    """A top-k row has the probability of all outcomes that agree with it."""
    score = np.array([0.2, -0.7, 1.1, 0.4])
    top = [0, 2, 1, 0]
    value = logp(case.dist(score), top)
    if "backward" in case.name:
        assert value == -np.inf  # the eliminated ones would have to be known
        return
    rest = [(3, 4), (4, 3)] if case.sizes else [(3, 4), (4, 3), (3, 3)]
    completions = [[a, 2, 1, b] for a, b in rest]
    total = sum(case.reference(score, row) for row in completions)
    assert np.exp(value) == pytest.approx(total, rel=1e-9)


@cases
def test_support_point_is_possible(case):
    variable = case.dist(np.array([[0.0, 3.0, -9.0], [1.0, 1.0, 1.0]]))
    point = pm.distributions.distribution.support_point(variable).eval(mode=FAST)
    assert point.shape == (2, 3) and point[0].tolist() == [2, 1, 3]
    assert np.isfinite(logp(variable, point)).all()


def test_weights_multiply():
    score, ranks = np.array([[0.3, 1.0, -0.2]] * 2), np.array([[1, 2, 3], [2, 1, 3]])
    plain = logp(br.PlackettLuce.dist(score), ranks)
    weighted = logp(br.PlackettLuce.dist(score, weight=[3.0, 0.5]), ranks)
    np.testing.assert_allclose(weighted, plain * [3.0, 0.5], rtol=1e-14)


@pytest.mark.parametrize(
    ("observed", "error", "message"),
    [
        ([[1.0, np.nan]], ValueError, r"whole ranks, got nan at \(0, 1\)"),
        ([[1.0, 1.5]], ValueError, r"whole ranks, got 1.5 at \(0, 1\)"),
        (np.ma.masked_equal([[1, 2]], 2), ValueError, "masked ranks"),
        ([["first", "second"]], TypeError, "must hold ranks"),
    ],
)
def test_observed_ranks_are_checked_and_never_imputed(observed, error, message):
    for distribution in (br.PlackettLuce, br.PartitionedPlackettLuce, br.PMOP):
        with pm.Model(), pytest.raises(error, match=message):
            distribution("y", np.zeros((1, 2)), observed=observed)


@cases
def test_shapes_that_do_not_fit_are_refused(case):
    """By a sentence where they are known, by the compiled code where they are not."""
    with pytest.raises(ValueError, match="as many slots as scores, got 5 ranks and 4 scores"):
        pm.logp(case.dist(np.zeros((3, 4))), np.array([[1, 2, 3, 4, 5]] * 3))
    score, ranks = pt.matrix("score"), pt.lmatrix("ranks")
    # All models find the blocks first, by one function, so one shows that Numba lets it speak.
    for mode in (AS_WRITTEN, "NUMBA") if case.name == "plackett-luce" else (AS_WRITTEN,):
        evaluate = pytensor.function([score, ranks], pm.logp(case.dist(score), ranks), mode=mode)
        assert evaluate(np.zeros((2, 3)), np.array([[1, 2, 3], [3, 2, 1]])).shape == (2,)
        for rows, slots in ((1, 3), (3, 3), (2, 2), (2, 4)):
            wrong = np.tile(np.arange(1, slots + 1), (rows, 1))
            with pytest.raises(ValueError, match="same rankings and slots"):
                evaluate(np.zeros((2, 3)), wrong)


def test_new_data_of_another_shape_are_refused():
    with pm.Model() as model:
        score = pm.Normal("score", shape=3)
        entries = pm.Data("entries", np.tile([0, 1, 2], (4, 1)))
        ranks = pm.Data("ranks", np.tile([1, 2, 3], (4, 1)))
        br.PlackettLuce("y", score[entries], observed=ranks)
    evaluate = model.compile_logp(mode=AS_WRITTEN)
    assert np.isfinite(evaluate({"score": np.zeros(3)}))
    pm.set_data({"ranks": np.array([[1, 2, 3]])}, model=model)
    with pytest.raises(ValueError, match="same rankings and slots"):
        evaluate({"score": np.zeros(3)})


def test_observed_ranks_of_any_batch_shape():
    """One ranking, and rankings in two dimensions; prevalences that differ between rankings."""
    for distribution in (br.PlackettLuce, br.PartitionedPlackettLuce, br.PMOP, br.Thurstone):
        values = []
        for ranks in (np.array([2, 1, 3]), np.tile([2, 1, 3], (2, 2, 1))):
            with pm.Model() as model:
                distribution("y", np.array([0.0, 1.0, -0.5]), observed=ranks)
            values.append(float(model.compile_logp(mode=FAST)({})))
        assert values[1] == pytest.approx(4 * values[0], rel=1e-12)
    tie = np.array([[0.3, 0.2], [0.9, 0.1]])
    together = logp(br.PMOP.dist(np.zeros(3), tie=tie), [1, 1, 2])
    apart = [logp(br.PMOP.dist(np.zeros(3), tie=row), [1, 1, 2]) for row in tie]
    np.testing.assert_allclose(together, apart, rtol=1e-12)


@pytest.mark.parametrize(
    ("distribution", "observed", "message"),
    [
        (br.PlackettLuce, [[1, 2, 3], [1, 2, 2]], r"ties are outside .* row 1 holds \[1, 2, 2\]"),
        (br.PMOP, [[1, 2, 3], [1, 1, 3]], r"without a gap .* row 1 holds \[1, 1, 3\]"),
        (br.Thurstone, [[1, 2, 4], [1, 1, 2]], r"without a gap .* row 0 holds \[1, 2, 4\]"),
    ],
)
def test_impossible_observed_ranks_are_named(distribution, observed, message):
    with pm.Model(), pytest.raises(ValueError, match=message):
        distribution("y", np.zeros((2, 3)), observed=observed)


@pytest.mark.parametrize("name", ["plackett-luce", "partitioned", "pmop", "thurstone"])
def test_gradient_of_a_mixture(name):
    """Two groups of judges have scores of their own; each ranking is of either."""
    case = next(case for case in CASES if case.name == name)
    ranks = np.array([[1, 2, 3, 4], [4, 2, 1, 3]])
    with pm.Model() as model:
        score = pm.Normal("score", shape=(2, 4))
        by_group = pm.logp(case.dist(score[:, None, :]), ranks) + np.log([[0.7], [0.3]])
        pm.Potential("y", pt.logsumexp(by_group, axis=0).sum())
    at = {"score": np.random.default_rng(1).normal(size=(2, 4))}
    slopes = model.compile_dlogp(mode=FAST)(at).reshape(2, 4)
    value, step = model.compile_logp(mode=FAST), 1e-5
    for place in np.ndindex(2, 4):
        ends = []
        for sign in (1.0, -1.0):
            moved = at["score"].copy()
            moved[place] += sign * step
            ends.append(value({"score": moved}))
        np.testing.assert_allclose(slopes[place], (ends[0] - ends[1]) / (2 * step), atol=1e-7)


@cases
def test_infinite_scores_have_probability_zero(case):
    """Two infinite scores have no order; where there is no item they do not matter."""
    score = pt.dmatrix("score")
    ranks = np.array([[1, 2, 3, -1], [3, 1, 2, -1], [2, 3, 1, -1]])
    rows = pm.logp(case.dist(score, ranks > 0), ranks)
    both = pytensor.function([score], [rows, pytensor.grad(rows[2], score)], mode=AS_WRITTEN)
    inf = np.inf
    found, slopes = both([[inf, 0.0, 0.0, 0.0], [-inf, 0.0, 0.0, 1.0], [0.0, 1.0, 2.0, inf]])
    assert found[:2].tolist() == [-inf, -inf] and np.isfinite(found[2])
    assert np.isfinite(slopes).all() and slopes[2].any()


def test_no_slots_are_refused():
    with pytest.raises(ValueError, match="at least one slot"):
        br.PlackettLuce.dist(np.zeros((2, 0)))
