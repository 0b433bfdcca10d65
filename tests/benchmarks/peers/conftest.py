"""A small problem for each model of the peers."""

import numpy as np
import pytest

import bayesrank as br
from benchmarks.problems import Problem
from tests.benchmarks.peers.small_problems import CASES


@pytest.fixture(params=CASES)
def problem(request):
    data = CASES[request.param]
    if request.param == "pmop":
        rng = np.random.default_rng(3)
        data = br.Rankings(data.entries, data.ranks, data.items, features=rng.normal(
            size=(*data.entries.shape, 2)
        ), feature_names=["x", "y"])  # fmt: skip
    return Problem(request.param, request.param, data, request.param)
