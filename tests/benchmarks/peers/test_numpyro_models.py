"""Models of NumPyro are ours, before anybody times them."""

import pytest

from benchmarks import gradients
from benchmarks.peers import numpyro_models
from tests.benchmarks.peers.small_problems import answers, nodes, our_answers


def test_the_models_of_numpyro_are_ours(problem):
    pytest.importorskip("numpyro")
    points = gradients.two_points(problem)
    ours = our_answers(problem, points)
    for evaluations in (1, 3):
        more = nodes(problem, points[0]) | {"evaluations": evaluations}
        found = answers(numpyro_models.compiled(problem, **more), points)
        gradients.require_agreement("NumPyro", found, ours)
