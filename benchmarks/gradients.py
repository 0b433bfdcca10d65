"""Value and gradient of the log posterior at a point: ours against the same model in other words.

Ours is `Specification.objective`, called from Python. Our PyMC distribution, compiled by PyTensor,
has lines of its own, against the plain graph whose place it takes; and so has the C function that
NUTS calls, against the peer's loop that is compiled as well.
"""

import ctypes
from functools import partial
from importlib.util import find_spec

import numpy as np

from bayesrank.inference.coordinates import Coordinates
from bayesrank.kernels.posterior.function import posterior_function
from bayesrank.progress import progress_bar
from benchmarks.lines import compare, take_turns, versions
from benchmarks.peers import numpyro_models, plain_graph, stan_models
from benchmarks.problems import PROBLEMS

__all__ = ["run"]

PART = "gradients"
# How many times faster the reference should be than each peer.
ASKED = {"plain graph": 4.0, "NumPyro": 2.0, "Stan": 10.0}
# Calls in a row, as a sampler makes them: the first has to wake up after the other tasks.
CALLS = 20
LOOP = "NumPyro, in a compiled loop"
# What stands behind the problem's name in the lines of our other ways.
OTHER_WAYS = {"distribution": "PyMC distribution", "sampler": "what NUTS calls"}
# Of values and gradients that are the same but for the order of sums and a quadrature's error.
AGREEMENT = 1e-8


def run(quick):
    """Return the lines of all reference problems."""
    lines = []
    with stan_models.worker() as stan, progress_bar(PART, len(PROBLEMS)) as advance:
        for make in PROBLEMS:
            problem = make(quick)
            lines += against_functions(problem, 5 if quick else 50)
            if stan and problem.likelihood in stan_models.PROGRAMS:
                lines += against_stan(problem, stan, quick)
            advance()
    return lines


def two_points(problem):
    """Return a random point, and one close by to see how values change."""
    rng = np.random.default_rng(1)
    x = 0.5 * rng.normal(size=problem.specification.size)
    return x, x + 0.005 * rng.normal(size=x.size)


def functions(problem, x):
    """Return by name our functions and the peers' that run in this process."""
    specification = problem.specification

    def objective(x):
        return lambda: specification.objective(x, jacobian=True)

    more = {}
    if problem.likelihood == "partitioned-plackett-luce":
        more["nodes"] = plain_graph.nodes_around(problem, x)
    found = {"ours": objective, "distribution": plain_graph.compiled(specification.pymc())}
    for form in plain_graph.FORMS[problem.likelihood]:
        built = plain_graph.model(problem, form, **more)
        found[f"plain graph, {form}"] = plain_graph.compiled(built)
    if find_spec("numpyro"):
        found["NumPyro"] = numpyro_models.compiled(problem, **more)
        found[LOOP] = numpyro_models.compiled(problem, evaluations=CALLS, **more)
    return found


def as_sampled(problem):
    """Return a call of the C function that NUTS calls."""
    coordinates = Coordinates(problem.specification)
    table = coordinates.table
    z = np.random.default_rng(1).normal(size=coordinates.size)
    gradient, value = np.empty_like(z), np.empty(1)
    compiled = posterior_function().ctypes
    numbers = [
        array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in (z, gradient, value)
    ]
    where = table.ctypes.data_as(ctypes.POINTER(ctypes.c_int64))
    arguments = z.size, *numbers, where
    arrays = z, gradient, value, coordinates  # which the pointers do not keep alive

    def call():
        compiled(*arguments)
        return arrays[2][0], arrays[1]

    require_agreement("the C function", [call()] * 2, [coordinates.objective(z)] * 2)
    return call


def require_agreement(name, theirs, ours):
    """Refuse to time a peer whose values, up to a constant, or gradients are not ours.

    Both are pairs of (value, gradient) at two points; values are off by a constant of the data.
    """
    change, expected = (float(pair[0][0]) - float(pair[1][0]) for pair in (theirs, ours))
    by_value = abs(change - expected) / max(1.0, abs(float(ours[0][0])))
    by_gradient = max(
        np.abs(np.asarray(their) - our).max() / np.abs(our).max()
        for (_, their), (_, our) in zip(theirs, ours, strict=True)
    )
    assert max(by_value, by_gradient) < AGREEMENT, (
        f"{name} differs from ours by {by_value:.1e} in its value and {by_gradient:.1e} in its "
        "gradient, relative to their sizes"
    )


def seconds_per_call(tasks, rounds, calls=CALLS):
    """Return the times of one call of each task, by round."""

    def in_a_row(task):
        for _ in range(calls):
            task()

    times = take_turns({name: partial(in_a_row, task) for name, task in tasks.items()}, rounds)
    return {name: values / calls for name, values in times.items()}


def against_functions(problem, rounds):
    """Return the lines of a problem against the peers that run in this process."""
    points = two_points(problem)
    found = functions(problem, points[0])
    answers = {name: [at(x)() for x in points] for name, at in found.items()}
    for name, answer in answers.items():
        require_agreement(name, answer, answers["ours"])
    tasks = {name: at(points[0]) for name, at in found.items()}
    tasks["sampler"] = as_sampled(problem)
    times = seconds_per_call(tasks, rounds)
    if LOOP in times:
        times[LOOP] = times[LOOP] / CALLS
    lines = []
    for name in list(found)[2:]:
        peer = name.partition(", ")[0]
        plain = peer == "plain graph"
        label = f"{name}, {versions('pytensor')}" if plain else versions("numpyro", "jax")
        notes = [problem.note, "compilation left out"]
        if name == LOOP:
            label += ", in a compiled loop"
            notes.append("the peer's without its calls from Python, the objective with")
        if problem.likelihood == "partitioned-plackett-luce":
            notes.append("the peer has its nodes beforehand, for this point")
        note = "; ".join(filter(None, notes))
        # Of the plain graphs, of the one that is written first.
        held = problem.reference and name != LOOP and not name.endswith("log1p")
        asked = ASKED[peer] if held else None
        lines.append(
            compare(PART, problem.what, label, times["ours"], times[name], asked=asked, note=note)
        )
        for way, title in OTHER_WAYS.items():
            if way not in times or not (plain or (way == "sampler" and name == LOOP)):
                continue
            what = f"{problem.what}: {title}"
            lines.append(compare(PART, what, label, times[way], times[name], note=note))
    return lines


def against_stan(problem, worker, quick):
    """Return the lines of a problem against Stan, by the time of its leapfrog steps."""
    points, specification = two_points(problem), problem.specification
    arguments = problem.likelihood, problem.arrays
    ours = [specification.objective(x, jacobian=True) for x in points]
    named = [stan_models.named(specification.split(x)) for x in points]
    theirs = worker.submit(stan_models.density, *arguments, named).result()
    # Lengths of gradients instead of gradients: coordinates differ by a rotation.
    lengths = [(value, np.linalg.norm(gradient, keepdims=True)) for value, gradient in ours]
    require_agreement("Stan", theirs, lengths)
    sizes = {"draws": 50, "tune": 100} if quick else {"draws": 200, "tune": 300}
    tasks = {"": lambda: specification.objective(points[0], jacobian=True)}
    tasks[f": {OTHER_WAYS['sampler']}"] = as_sampled(problem)
    mine, other = {way: [] for way in tasks}, []
    for _ in range(2 if quick else 7):
        # As many in a row as there are steps in a run, which has them in a loop as well.
        for way, times in seconds_per_call(tasks, 1, 200 if quick else 5000).items():
            mine[way] += times.tolist()
        run_once = worker.submit(stan_models.seconds_per_gradient, *arguments, **sizes)
        other.append(run_once.result())
    note = "a leapfrog step of a sampling run, by Stan's clock; compilation left out"
    return [
        compare(
            PART, f"{problem.what}{way}", f"Stan, {versions('pystan', 'httpstan')}", times, other,
            asked=ASKED["Stan"] if problem.reference and not way else None,
            note="; ".join(filter(None, [problem.note, note])),
        )
        for way, times in mine.items()
    ]  # fmt: skip
