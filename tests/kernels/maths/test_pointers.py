"""Pointers see contiguous memory only, so other arrays are made contiguous before."""

import numpy as np
import pytest

from bayesrank.kernels import KERNELS

RNG = np.random.default_rng(0)
D, NU, COUNTS = RNG.normal(size=8), np.array([0.7]), RNG.integers(0, 4, (3, 4)).astype(float)
X, SIZES, START = RNG.normal(size=20), np.ones(20, dtype=np.int64), np.array([0, 4, 10])


@pytest.mark.parametrize("kernel", ["davidson", "rao_kupper"])
def test_pairs_in_any_layout(kernel):
    function = KERNELS[kernel].function
    expected = function(D[::2].copy(), NU, COUNTS)
    turned = D[::2][::-1].copy()[::-1]
    for difference, counts in (
        (D[::2], COUNTS),
        (turned, COUNTS),
        (D[::2], np.asfortranarray(COUNTS)),
    ):
        for one, other in zip(function(difference, NU, counts), expected, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("kernel", "structure"), [("shares", ()), ("partitioned", (np.array([64.0]),))]
)
def test_rankings_in_any_layout(kernel, structure):
    function = KERNELS[kernel].ragged
    expected = function(X[::2].copy(), SIZES[::2].copy(), START, *structure)
    for one, other in zip(function(X[::2], SIZES[::2], START, *structure), expected, strict=True):
        np.testing.assert_array_equal(one, other)
