"""The Op of kernels: no second derivatives, and lengths that do not fit."""

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest

import bayesrank as br
from tests.modes import AS_WRITTEN


def test_second_derivatives_are_refused_not_wrong():
    """Also where another term of the model has second derivatives of its own."""
    score = pt.vector("score", shape=(2,))
    variable = br.Davidson.dist(score[:1], score[1:], 0.5, n=np.array([3]))
    total = pm.logp(variable, np.array([[1, 1, 1]])).sum() - (score**2).sum()
    with pytest.raises(pytensor.gradient.NullTypeGradError, match="no second derivatives"):
        pytensor.grad(pytensor.grad(total, score)[0], score)


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
