"""The peers of the speed suite: that their models are ours, before anybody times them."""

import numpy as np
import pytest

import bayesrank as br
from benchmarks import gradients, sampling
from benchmarks.lines import take_turns
from benchmarks.peers import numpyro_models, plain_graph, stan_models
from benchmarks.problems import PROBLEMS, Problem, simulate_pairs
from tests.modes import AS_WRITTEN

# Rankings of different lengths, so that there are empty slots; and one in two blocks.
STRICT = br.Rankings.from_lists([["a", "b", "c", "d"], ["d", "a"], ["b", "d", "c"]])
BLOCKS = br.Rankings.from_lists([[{"a", "d", "e"}, {"b", "c", "f", "g"}]])
GRADES = br.Rankings.from_lists([[{"a", "b"}, "c"], ["d", {"e", "f"}, "g"], ["h", "i"]])
CASES = {
    "davidson": simulate_pairs(5, 12, 4),
    "plackett-luce": STRICT,
    "pmop": GRADES,
    "partitioned-plackett-luce": BLOCKS,
    "mpm": STRICT,
}


@pytest.fixture(params=CASES)
def problem(request):
    data = CASES[request.param]
    if request.param == "pmop":
        rng = np.random.default_rng(3)
        data = br.Rankings(data.entries, data.ranks, data.items, features=rng.normal(
            size=(*data.entries.shape, 2)
        ), feature_names=["x", "y"])  # fmt: skip
    return Problem(request.param, request.param, data, request.param)


def answers(at, points):
    return [at(x)() for x in points]


def our_answers(problem, points):
    return [problem.specification.objective(x, jacobian=True) for x in points]


def nodes(problem, x):
    if problem.likelihood != "partitioned-plackett-luce":
        return {}
    return {"nodes": plain_graph.nodes_around(problem, x)}


def test_the_plain_graphs_are_our_models(problem):
    points = gradients.two_points(problem)
    ours = our_answers(problem, points)
    for form in plain_graph.FORMS[problem.likelihood]:
        built = plain_graph.model(problem, form, **nodes(problem, points[0]))
        # One of them as it is timed; that the others compile shows where they are.
        mode = "NUMBA" if problem.likelihood == "pmop" else AS_WRITTEN
        found = answers(plain_graph.compiled(built, mode), points)
        gradients.require_agreement(form, found, ours)


def test_the_models_of_numpyro_are_ours(problem):
    pytest.importorskip("numpyro")
    points = gradients.two_points(problem)
    ours = our_answers(problem, points)
    for evaluations in (1, 3):
        more = nodes(problem, points[0]) | {"evaluations": evaluations}
        found = answers(numpyro_models.compiled(problem, **more), points)
        gradients.require_agreement("NumPyro", found, ours)


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


def test_another_model_is_refused():
    """A gradient that is off by a thousandth, or a value that changes otherwise, is not timed."""
    ours = [(1.0, np.array([2.0, 1.0])), (3.0, np.array([1.0, 2.0]))]
    moved = [(value + 5.0, gradient) for value, gradient in ours]
    gradients.require_agreement("constant", moved, ours)
    with pytest.raises(AssertionError, match=r"1\.0e-03 in its gradient"):
        gradients.require_agreement("x", [(v, 1.001 * g) for v, g in ours], ours)
    with pytest.raises(AssertionError, match=r"2\.0e\+00 in its value"):
        gradients.require_agreement("x", [(2.0 * v, g) for v, g in ours], ours)


@pytest.mark.parametrize("make", PROBLEMS)
def test_problems_are_simulated_where_data_are_absent(make, monkeypatch, tmp_path):
    monkeypatch.setattr("benchmarks.problems.data_folder", lambda name: None)
    problem = make(True)
    assert np.isfinite(problem.specification.objective(np.zeros(problem.specification.size))[0])
    shipped = problem.name in ("davidson", "nascar", "one_large_block")
    assert shipped != problem.note.startswith("simulated")


def test_least_effective_sample_size_is_that_of_the_worst():
    rng = np.random.default_rng(0)
    steps = rng.normal(size=(2, 500, 3))
    steps[:, :, 1] = np.cumsum(steps[:, :, 1], axis=1)  # a random walk, which hardly mixes
    posterior = {"score": steps, "scale": steps[:, :, 0]}
    least, means, errors = sampling.summary(posterior, ["score", "scale"])
    assert least < 20
    assert means == pytest.approx(np.append(steps.mean(axis=(0, 1)), steps[:, :, 0].mean()))
    assert errors[1] > 10 * errors[0]


def test_calls_are_counted_one_by_one():
    calls = []
    gradients.seconds_per_call({"a": lambda: calls.append(1)}, 3)
    turns = []
    take_turns({"a": lambda: turns.append(1)}, 3)
    assert len(calls) == gradients.CALLS * len(turns)
