"""The Ops of preference kernels: linkers, derivatives, and lengths that do not fit."""

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest

import bayesrank as br
from tests.distributions.mpm_cases import (
    LEFT,
    RIGHT,
    ROWS,
    SCORE,
    SEVERAL,
    VARIANCE,
    outcomes,
    variances,
)
from tests.modes import AS_WRITTEN


def test_one_variance_is_the_same_for_every_item():
    """Two kernels, one model, and the gradient by the variance is the sum of those by item."""
    one, each, score = pt.vector("one", shape=(1,)), pt.vector("each", shape=(3,)), pt.vector()
    value, n = np.array([[2, 1, 0], [0, 4, 0], [3, 0, 0]]), 10
    results = []
    for variance, at in ((one, [0.7]), (each, [0.7] * 3)):
        term = pm.logp(br.MPM.dist(score, variance, 0.8, LEFT, RIGHT, n=n), value).sum()
        gradients = pytensor.grad(term, [score, variance])
        f = pytensor.function([score, variance], [term, *gradients], mode=AS_WRITTEN)
        results.append(f(SCORE, at))
    assert results[0][0] == pytest.approx(results[1][0], rel=1e-13)
    np.testing.assert_allclose(results[0][1], results[1][1], rtol=1e-12, atol=1e-13)
    assert results[0][2] == pytest.approx(results[1][2].sum(), rel=1e-12)


def test_linkers_agree_and_match_finite_differences():
    """One variance and several in the same graph, so that there is one to compile."""
    rng = np.random.default_rng(3)
    counts = np.insert(rng.integers(0, 5, size=(7, 2)), 2, 0, axis=1)
    sizes = {"score": 5, "one": 1, "each": 5, "adherence": 5}
    inputs = [pt.vector(name, shape=(size,)) for name, size in sizes.items()]
    score, one, each, adherence = inputs
    n = [counts[rows].sum() for rows in ROWS]
    terms = [
        pm.logp(br.MPM.dist(score, variance, adherence, **SEVERAL, weight=weight, n=n), counts)
        for variance, weight in ((one, 0.3), (each, [0.5, 2.0, 0.1]))
    ]
    total = terms[0].sum() + terms[1].sum()
    outputs = [total, *pytensor.grad(total, inputs)]
    x = [rng.normal(size=5), np.array([0.4]), rng.uniform(0.2, 2.0, 5), rng.uniform(0.1, 0.9, 5)]
    plain = pytensor.function(inputs, outputs, mode=AS_WRITTEN)
    value, *gradients = plain(*x)
    compiled = pytensor.function(inputs, outputs, mode="NUMBA")(*x)
    assert compiled[0] == pytest.approx(value, rel=1e-12)
    for k, gradient in enumerate(gradients):
        np.testing.assert_allclose(compiled[k + 1], gradient, rtol=1e-10, atol=1e-12)
        for place, step in enumerate(np.eye(gradient.size) * 1e-5):
            up = plain(*x[:k], x[k] + step, *x[k + 1 :])[0]
            down = plain(*x[:k], x[k] - step, *x[k + 1 :])[0]
            assert gradient[place] == pytest.approx((up - down) / 2e-5, rel=1e-6, abs=1e-7)


@variances
def test_second_derivatives_are_refused_not_wrong(variance):
    score, adherence = pt.vector("score", shape=(3,)), pt.vector("adherence", shape=(1,))
    variable = br.MPM.dist(score, variance, adherence, LEFT, RIGHT, n=2)
    total = pm.logp(variable, outcomes(2)[0]).sum() - (score**2).sum() - (adherence**2).sum()
    for first in (score, adherence):
        for second in (score, adherence):
            slope = pytensor.grad(total, first)[0]
            with pytest.raises(pytensor.gradient.NullTypeGradError, match="no second derivatives"):
                pytensor.grad(slope, second)


def test_parameters_of_the_wrong_length_are_refused():
    score, variance, adherence = pt.vector("s"), pt.vector("v"), pt.vector("a")
    agent = np.array([0, 1, 1])
    variable = br.MPM.dist(score, variance, adherence, LEFT, RIGHT, agent, n=1)
    value = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0]])
    f = pytensor.function([score, variance, adherence], pm.logp(variable, value), mode=AS_WRITTEN)
    assert f(SCORE, VARIANCE, np.ones(2)).shape == (2,)
    assert f(np.ones(4), np.ones(4), np.ones(2)) == pytest.approx(-np.log([12, 12]))
    for lengths in ((2, 2, 2), (2, 3, 2), (3, 2, 2), (3, 4, 2), (4, 3, 2), (3, 3, 1)):
        # By PyTensor where it broadcasts or indexes, by the kernel where it does not.
        with pytest.raises((AssertionError, ValueError, IndexError)):
            f(*(np.ones(length) for length in lengths))
