"""Models of Stan are ours, before anybody times them."""

import numpy as np
import pytest

from benchmarks import gradients
from benchmarks.peers import stan_models
from benchmarks.problems import Problem
from tests.benchmarks.peers.small_problems import CASES


@pytest.mark.filterwarnings("ignore:Stan is left out")  # as the test is then
@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("likelihood", stan_models.PROGRAMS)
def test_the_models_of_stan_are_ours(likelihood, centered):
    pytest.importorskip("stan")
    problem = Problem(likelihood, likelihood, CASES[likelihood], likelihood)
    specification = problem.specification.replace(centered=centered)
    points = gradients.two_points(problem)
    named = [stan_models.named(specification.split(x)) for x in points]
    with stan_models.worker() as worker:
        if worker is None:
            pytest.skip("pystan builds no model here")
        arguments = likelihood, problem.arrays, named, centered
        found = worker.submit(stan_models.density, *arguments).result()
    ours = [specification.objective(x, jacobian=True) for x in points]
    lengths = [(value, np.linalg.norm(gradient, keepdims=True)) for value, gradient in ours]
    gradients.require_agreement("Stan", found, lengths)
