"""The effective sample size that counts is the least."""

import numpy as np
import pytest

from benchmarks import sampling


def test_least_effective_sample_size_is_that_of_the_worst():
    rng = np.random.default_rng(0)
    steps = rng.normal(size=(2, 500, 3))
    steps[:, :, 1] = np.cumsum(steps[:, :, 1], axis=1)  # a random walk, which hardly mixes
    posterior = {"score": steps, "scale": steps[:, :, 0]}
    least, means, errors = sampling.summary(posterior, ["score", "scale"])
    assert least < 20
    assert means == pytest.approx(np.append(steps.mean(axis=(0, 1)), steps[:, :, 0].mean()))
    assert errors[1] > 10 * errors[0]
