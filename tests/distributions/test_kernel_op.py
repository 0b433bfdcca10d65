"""The Ops of kernels: second derivatives, and lengths that do not fit."""

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest

import bayesrank as br
from tests.modes import AS_WRITTEN

RANKS = np.array([[1, 2, 3, -1], [1, 1, 2, 0], [2, 1, 2, 3]])
WITH = {
    "Davidson": lambda x: br.Davidson.dist(x[:2], x[2:4], x[4] ** 2, n=np.array([4, 1])),
    "RaoKupper": lambda x: br.RaoKupper.dist(x[:2], x[2:4], 1.0 + x[3:5] ** 2, n=np.array([4, 1])),
    "ThurstonePairs": lambda x: br.ThurstonePairs.dist(
        x[:2], x[2:4], noise="logistic", scale=1.0 + x[4] ** 2, threshold=0.3, n=np.array([4, 1])
    ),
    "PartitionedPlackettLuce": lambda x: br.PartitionedPlackettLuce.dist(
        pt.stack([x[:4], x[1:], x[:4] ** 2]), RANKS >= 0
    ),
    "PMOP": lambda x: br.PMOP.dist(pt.stack([x[:4], x[1:], x[:4] ** 2]), RANKS >= 0, tie=x[4] ** 2),
}
POINT = np.array([0.3, -0.8, 1.1, 0.4, 0.9])


@pytest.mark.parametrize("name", WITH)
def test_second_derivatives_are_those_of_the_gradient(name):
    """Also with parameters that rows share, and behind other functions."""
    x = pt.vector("x", shape=(5,))
    value = RANKS if "P" in name and "Pairs" not in name and "Rao" not in name else None
    value = np.array([[2, 1, 1], [0, 0, 1]]) if value is None else value
    gradient = pytensor.grad(pm.logp(WITH[name](x), value).sum(), x)
    along = np.array([0.5, -1.0, 0.2, 0.7, 1.0])
    turned = pytensor.grad((gradient * along).sum(), x)
    evaluate = pytensor.function([x], [gradient, turned], mode=AS_WRITTEN)
    step = 1e-5
    up, down = (evaluate(POINT + s * along)[0] for s in (step, -step))
    # Errors of the integrals and of finite differences.
    assert evaluate(POINT)[1] == pytest.approx((up - down) / (2 * step), rel=1e-6, abs=1e-6)


def test_third_derivatives_are_refused():
    x = pt.scalar("x")
    logp = pm.logp(br.BradleyTerry.dist(x, [0.0]), np.array([[1, 0, 0]])).sum()
    second = pytensor.grad(pytensor.grad(logp, x), x)
    with pytest.raises(pytensor.gradient.NullTypeGradError, match="no third derivatives"):
        pytensor.grad(second, x)


WITHOUT = {
    "Thurstone": lambda x: pm.logp(br.Thurstone.dist(x[None]), np.array([[1, 2, 3]])),
    "geometric": lambda x: pm.logp(
        br.PMOP.dist(x[None], potential="geometric"), np.array([[1, 2, 2]])
    ),
    "MPM": lambda x: pm.logp(br.MPM.dist(x, 0.5, 1.0, [0], [1]), np.array([[1, 0, 0]])),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_second_derivatives_that_are_missing_are_refused_not_wrong(name):
    """Also where another term of the model has second derivatives of its own."""
    x = pt.vector("x", shape=(3,))
    total = WITHOUT[name](x).sum() - (x**2).sum()
    with pytest.raises(pytensor.gradient.NullTypeGradError, match=r"no second .*laplace"):
        pytensor.grad(pytensor.grad(total, x)[0], x)


def test_hessians_of_a_model_are_those_of_its_gradient():
    games = br.load_dataset("pudding")
    with pm.Model(coords=games.coords) as model:
        score = pm.Normal("score", 0.0, 1.0, dims="item")
        br.Davidson("y", score[games.left], score[games.right], 0.7, observed=games.counts)
    point = np.linspace(-0.5, 0.5, 6)
    found = pm.find_hessian({"score": point}, model=model, negate_output=False)
    slope = model.compile_dlogp(mode=AS_WRITTEN)
    steps = 1e-5 * np.eye(6)
    up, down = ([slope({"score": point + s * step}) for step in steps] for s in (1.0, -1.0))
    assert found == pytest.approx((np.array(up) - down) / 2e-5, rel=1e-6, abs=1e-6)


def test_parameters_of_the_wrong_length_are_refused():
    counts = np.ones((5, 3), dtype=int)
    tie, left = pt.vector("tie"), pt.vector("left")
    variable = br.Davidson.dist(left, np.zeros(5), tie, n=counts.sum(axis=1))
    evaluate = pytensor.function([left, tie], pm.logp(variable, counts), mode=AS_WRITTEN)
    assert evaluate(np.zeros(5), np.ones(5)).shape == (5,)
    for lengths in ((5, 3), (4, 5), (7, 7)):
        # By PyTensor where it broadcasts, by the kernel where it does not.
        with pytest.raises((AssertionError, ValueError)):
            evaluate(np.zeros(lengths[0]), np.ones(lengths[1]))
