"""Coordinates of scores that move: exact Jacobian and gradient, and close to standard normal."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.inference.moving_coordinates import MovingCoordinates
from bayesrank.model.specification import Specification
from tests.model.moving_data import games_over_time, often, races_over_time

PAIRS = games_over_time(rows=120, items=4, times=8, seed=2)
CASES = {
    "walk": (PAIRS, "davidson", {"scores": "walk", "order_effect": True}),
    "reverting": (PAIRS, "davidson", {"scores": "mean-reverting"}),
    "given scale": (PAIRS, "davidson", {"scores": "walk", "scale": 0.8}),
    "given drift": (PAIRS, "davidson", {"scores": "walk", "drift": 0.5}),
    "given persistence": (PAIRS, "davidson", {"scores": "mean-reverting", "persistence": 0.5}),
    "given both": (PAIRS, "davidson", {"scores": "walk", "scale": 0.8, "drift": 0.5}),
    "rankings": (races_over_time(), "plackett-luce", {"scores": "walk"}),
    "many results": (often(PAIRS, 100), "davidson", {"scores": "walk"}),
}


@pytest.fixture(scope="module", params=CASES)
def coordinates(request):
    data, likelihood, options = CASES[request.param]
    return MovingCoordinates(Specification(data, likelihood, **options))


def test_gradient_is_that_of_differences(coordinates):
    z = np.random.default_rng(0).normal(size=coordinates.size)
    _, gradient = coordinates.objective(z)
    step = 1e-5
    for k in range(coordinates.size):
        move = step * np.eye(coordinates.size)[k]
        ends = [coordinates.objective(z + sign * move)[0] for sign in (1.0, -1.0)]
        assert gradient[k] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-6)


def test_density_is_that_of_the_flat_vector_times_the_jacobian(coordinates):
    z = np.random.default_rng(1).normal(size=coordinates.size)
    step = 1e-5
    columns = [
        (coordinates.point(z + step * unit) - coordinates.point(z - step * unit)) / (2 * step)
        for unit in np.eye(coordinates.size)
    ]
    volume = np.linalg.slogdet(np.array(columns).T)[1]
    value, _ = coordinates.specification.objective(coordinates.point(z), jacobian=True)
    found = coordinates.objective(z)[0] + coordinates.log_volume
    assert found == pytest.approx(value + volume, abs=1e-6)


def test_close_to_standard_normal_however_many_results_there_are(coordinates):
    """At the mode the states and other parameters bend as a standard normal does."""
    hypers, step = len(coordinates.normal.hyper), 1e-4
    units = np.eye(coordinates.size)[hypers:]
    ends = [[coordinates.objective(side * step * z)[1] for side in (-1, 1)] for z in units]
    bends = np.subtract(*np.transpose(ends, (1, 0, 2)))[:, hypers:] / (2 * step)
    assert np.linalg.eigvalsh(bends) == pytest.approx(np.ones(len(bends)), abs=0.25)


def test_the_mode_given_the_likeliest_hyperparameters_is_at_zero(coordinates):
    _, gradient = coordinates.objective(np.zeros(coordinates.size))
    hypers = len(coordinates.normal.hyper)
    assert np.abs(gradient[hypers:]).max() < 1e-5


def test_gradients_keep_their_digits_where_steps_are_short():
    frame = PAIRS.to_frame()
    frame["time"] *= 1e-10  # all of them are the least apart
    data = br.Comparisons.from_counts(frame, time="time")
    still = Specification(data, "davidson", scores="mean-reverting", persistence=1.0 - 1e-9)
    coordinates = MovingCoordinates(still)
    z = np.random.default_rng(0).normal(size=coordinates.size)
    _, gradient = coordinates.objective(z)
    move = 1e-3 * np.eye(coordinates.size)[0]
    ends = [coordinates.objective(z + sign * move)[0] for sign in (1.0, -1.0)]
    assert gradient[0] == pytest.approx((ends[0] - ends[1]) / 2e-3, abs=1e-2)
