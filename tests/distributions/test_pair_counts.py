"""Counts of pairs whatever the model: shapes, totals, widths, weights."""

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest
from scipy.special import gammaln

import bayesrank as br
from tests.distributions.densities import logp
from tests.distributions.pair_cases import cases, outcomes
from tests.modes import AS_WRITTEN, FAST


@cases
def test_any_batch_shape(case):
    rng = np.random.default_rng(1)
    left, right = rng.normal(size=(4, 1)), rng.normal(size=3)
    variable = case.dist(left, right, n=np.array([2, 5, 1]))
    draws = pm.draw(variable, random_seed=1, mode=FAST)
    assert draws.shape == (4, 3, 3)
    assert np.all(draws.sum(axis=-1) == [2, 5, 1])
    together = logp(variable, draws, FAST)  # rewrites ask the graph for its shapes
    a, b, counts = pt.scalar("a"), pt.scalar("b"), pt.lvector("counts")
    one = pm.logp(case.dist(a, b, n=counts.sum()), counts)
    alone = pytensor.function([a, b, counts], one, mode=AS_WRITTEN)
    apart = [alone(left[i, 0], right[j], draws[i, j]) for i, j in np.ndindex(4, 3)]
    np.testing.assert_allclose(together, np.reshape(apart, (4, 3)), rtol=1e-12)
    assert pm.draw(case.dist(0.0, 1.0, size=(2, 5)), mode=FAST).shape == (2, 5, 3)
    # One set of scores, many rows of counts, and the other way round.
    assert logp(case.dist(0.2, 0.0, n=1), outcomes(1), FAST).shape == (3,)
    assert logp(case.dist(left, right), [1, 0, 0], FAST).shape == (4, 3)
    assert logp(case.dist(right, 0.0), [[1, 0, 0]], FAST).shape == (3,)


@cases
def test_support_point_is_possible(case):
    variable = case.dist([0.0, 3.0, -9.0], 0.0, n=[1, 7, 4])
    point = pm.distributions.distribution.support_point(variable).eval(mode=FAST)
    assert np.array_equal(point.sum(axis=-1), [1, 7, 4])
    assert np.isfinite(logp(variable, point)).all()


@cases
def test_impossible_counts_have_probability_zero(case):
    variable = case.dist(0.5, 0.0, n=2)
    assert logp(variable, [[-1, 2, 1], [1, 0, 0], [3, 0, 0]]).tolist() == [-np.inf] * 3
    ties = logp(variable, [1, 0, 1])
    assert np.isfinite(ties) == (case.reference(0.5)[2] > 0)


def test_one_row_with_one_tie_parameter_each():
    """Length one is a length, not a missing axis."""
    tie = pt.vector("tie")
    variable = br.Davidson.dist(np.array([0.4]), np.array([0.0]), tie, n=np.array([3]))
    value = pm.logp(variable, np.array([[1, 1, 1]])).eval({tie: [0.5]}, mode=AS_WRITTEN)
    assert value.tolist() == [pytest.approx(logp(br.Davidson.dist(0.4, 0.0, 0.5, n=3), [1, 1, 1]))]


def test_n_comes_from_the_observed_counts():
    counts = np.array([[2, 1, 0], [0, 3, 4]])
    with pm.Model() as model:
        score = pm.ZeroSumNormal("score", shape=2)
        observed = pm.Data("observed", counts)
        br.Davidson("y", score[[0, 1]], score[[1, 0]], 0.5, observed=observed)
    assert np.isfinite(model.compile_logp(mode=AS_WRITTEN)(model.initial_point()))
    with model:
        drawn = pm.sample_prior_predictive(draws=3, random_seed=1, compile_kwargs={"mode": FAST})[
            "prior_predictive"
        ]["y"]
    assert np.all(drawn.sum(axis=-1) == [3, 7])


def test_small_integers_do_not_overflow():
    assert logp(br.BradleyTerry.dist(100, -100), [1, 0, 0]) == pytest.approx(0.0, abs=1e-12)


def test_values_of_another_width_are_refused():
    with pytest.raises(ValueError, match="left wins, right wins, ties"):
        logp(br.BradleyTerry.dist(0.0, 0.0), [1, 0, 0, 0])


def test_single_precision_weights_add_up():
    counts = np.random.default_rng(0).random((50, 3)).astype("float32")
    with pm.Model() as model:
        br.Davidson("y", np.zeros(50), np.zeros(50), 0.5, observed=counts)
    assert np.isfinite(model.compile_logp(mode=AS_WRITTEN)({}))


def test_weighted_counts_are_not_truncated():
    counts = np.array([[2.5, 1.0, 0.25]])
    with pm.Model() as model:
        br.Davidson("y", np.array([0.4]), np.array([0.0]), 0.5, observed=counts)
    weights = np.array([np.exp(0.2), np.exp(-0.2), 0.5])
    expected = counts[0] @ np.log(weights / weights.sum())
    expected += gammaln(counts.sum() + 1) - gammaln(counts + 1).sum()
    assert model.compile_logp(mode=AS_WRITTEN)({}) == pytest.approx(expected, rel=1e-12)


def test_scores_that_are_columns_of_a_matrix():
    """PyTensor hands on a column as it is, with a stride."""
    counts = np.array([[3, 1, 0], [1, 2, 1], [2, 2, 3], [0, 4, 1]])
    d = np.array([0.3, -0.2, 1.0, 0.5])
    expected = pm.logp(br.Davidson.dist(d, 0.0, nu=0.8, n=counts.sum(axis=1)), counts).sum().eval()
    with pm.Model() as model:
        s = pm.Flat("s", shape=(4, 2))
        br.Davidson("y", s[:, 0], 0.0, nu=0.8, observed=counts)
    found = model.compile_logp()({"s": np.column_stack([d, 9.0 + 0.0 * d])})
    assert found == pytest.approx(expected, rel=1e-12)


@cases
def test_infinite_scores_make_one_outcome_certain(case):
    left, right = pt.dvector("left"), pt.dvector("right")
    rows = pm.logp(case.dist(left[:, None], right[:, None], n=1), outcomes(1))
    both = pytensor.function([left, right], [rows, *pytensor.grad(rows[:, 0].sum(), [left, right])],
                             mode=AS_WRITTEN)  # fmt: skip
    inf = np.inf
    found, by_left, by_right = both(
        [inf, 0.0, -inf, inf, 1e300, inf, -inf], [0.0, inf, inf, -inf, 0.0, inf, -inf]
    )
    by_outcome = {tuple(row): place for place, row in enumerate(outcomes(1).tolist())}
    wins, losses, ties = (by_outcome[tuple(row)] for row in np.eye(3, dtype=int).tolist())
    assert found[:, wins].tolist() == [0.0, -inf, -inf, 0.0, 0.0, -inf, -inf]
    assert found[:4, losses].tolist() == [-inf, 0.0, 0.0, -inf]
    assert (found[:, ties] == -inf).all() and (found[5:] == -inf).all()
    assert np.isfinite([by_left, by_right]).all()


@pytest.mark.parametrize(
    "variable",
    [
        br.Davidson.dist(1.0, 0.0, np.inf),
        br.RaoKupper.dist(1.0, 0.0, np.inf),
        br.ThurstonePairs.dist(1.0, 0.0, threshold=np.inf),
        br.ThurstonePairs.dist(1.0, 0.0, noise="logistic", threshold=np.inf),
    ],
    ids=["davidson", "rao-kupper", "normal", "logistic"],
)
def test_infinite_tie_parameters_make_ties_certain(variable):
    assert logp(variable, np.eye(3, dtype=int)).tolist() == [-np.inf, -np.inf, 0.0]
