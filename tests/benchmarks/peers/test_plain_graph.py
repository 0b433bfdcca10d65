"""Models as plain graphs are ours, before anybody times them."""

from benchmarks import gradients
from benchmarks.peers import plain_graph
from tests.benchmarks.peers.small_problems import answers, nodes, our_answers
from tests.modes import AS_WRITTEN


def test_the_plain_graphs_are_our_models(problem):
    points = gradients.two_points(problem)
    ours = our_answers(problem, points)
    for form in plain_graph.FORMS[problem.likelihood]:
        built = plain_graph.model(problem, form, **nodes(problem, points[0]))
        # One of them as it is timed; that the others compile shows where they are.
        mode = "NUMBA" if problem.likelihood == "pmop" else AS_WRITTEN
        found = answers(plain_graph.compiled(built, mode), points)
        gradients.require_agreement(form, found, ours)
