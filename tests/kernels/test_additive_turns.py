"""Second derivatives of kernels of rankings, against differences of the first."""

import numpy as np
import pytest

from bayesrank.kernels import KERNELS
from bayesrank.kernels.partitions import partition

# Strict, tied, padded, with unranked slots, in one block, with nobody.
RANKS = np.array(
    [[1, 2, 3, 4, 5], [1, 1, 2, 0, 0], [2, 1, 2, -1, 3], [1] * 5, [0, 1, 0, 0, 0], [-1] * 5]
)
ORDER, SIZES, _ = partition(RANKS, RANKS >= 0)
NODES = np.array([64.0])


def numeric(function, x, along, step):
    return (function(x + step * along)[1] - function(x - step * along)[1]) / (2.0 * step)


@pytest.mark.parametrize("kernel", ["shares", "partitioned"])
@pytest.mark.parametrize("spread", [0.1, 2.0, 30.0, 400.0])
def test_scores(kernel, spread):
    rng = np.random.default_rng(1)
    score, along = spread * rng.normal(size=RANKS.shape), rng.normal(size=RANKS.shape)
    structure = (ORDER, SIZES, *([NODES] if kernel == "partitioned" else []))
    function, turn = KERNELS[kernel].function, KERNELS[kernel].turn
    expected = numeric(lambda x: function(x, *structure), score, along, 1e-5)
    found = turn(score, *structure, along)
    # Differences of numbers up to the slots, that are right to 1e-11, over the step.
    assert found == pytest.approx(expected, abs=1e-6 if kernel == "partitioned" else 1e-9)
    assert (found[RANKS < 0] == 0.0).all()


@pytest.mark.parametrize("kernel", ["shares", "partitioned"])
def test_scores_that_are_infinite(kernel):
    score = np.zeros(RANKS.shape)
    score[0, 0], score[1, 4] = np.inf, -np.inf
    structure = (ORDER, SIZES, *([NODES] if kernel == "partitioned" else []))
    found = KERNELS[kernel].turn(score, *structure, np.arange(30.0).reshape(6, 5))
    assert np.isfinite(found).all()
    assert not found[:2].any() and found[2].any()


@pytest.mark.parametrize("tie", [1e-3, 0.03, 0.5, 40.0])
def test_prevalences_of_one_number(tie):
    prevalences = KERNELS["prevalences"]
    tie, along, powers = np.full((6, 1), tie), np.ones((6, 1)), np.ones(1)
    expected = numeric(lambda x: prevalences.function(x, SIZES, powers), tie, along, 1e-4 * tie)
    found = prevalences.turn(tie, SIZES, powers, along)
    # First derivatives are right to 1e-13, and a step may be 1e-7.
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-5)


def test_prevalences_by_size():
    prevalences, rng = KERNELS["prevalences"], np.random.default_rng(1)
    tie, along = rng.uniform(0.2, 1.0, size=(6, 4)), rng.normal(size=(6, 4))
    powers = np.zeros(1)
    expected = numeric(lambda x: prevalences.function(x, SIZES, powers), tie, along, 1e-5)
    found = prevalences.turn(tie, SIZES, powers, along)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-8)
