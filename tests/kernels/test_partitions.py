"""Ranks as blocks of slots, and the shapes that every ranking kernel refuses."""

import numpy as np
import pytest

from bayesrank.kernels import KERNELS
from bayesrank.kernels.partitions import partition
from bayesrank.kernels.thurstone.noise_laws import noise_law

shares = KERNELS["shares"].function
geometric = KERNELS["geometric"].function
partitioned = KERNELS["partitioned"].function
thurstone = KERNELS["thurstone"].function


def test_partition():
    ranks = np.array([[2, 1, 2, -1], [0, 1, 0, 2], [1, 3, -1, -1], [1, 2, 3, 4], [-1, -1, -1, -1]])
    order, sizes, possible = partition(ranks, ranks >= 0)
    assert possible.tolist() == [True, True, False, True, True]
    assert order[0, :3].tolist() == [1, 0, 2] and sizes[0].tolist() == [1, 2, 0, 0]
    assert order[1].tolist() == [1, 3, 0, 2] and sizes[1].tolist() == [1, 1, -2, 0]
    assert sizes[2].tolist() == [0, 0, 0, 0] and sizes[4].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("kernel", "before", "after"),
    [
        (shares, (), ()),
        (partitioned, (), (np.array([64.0]),)),
        (geometric, (np.ones((1, 1)),), (np.ones(1),)),
        (thurstone, (), noise_law("normal")),
    ],
)
def test_every_kernel_refuses_shapes_that_do_not_fit(kernel, before, after):
    """It would read past the end of an array otherwise."""
    order, sizes, _ = partition(np.array([[1, 2, 3], [3, 2, 1]]), np.ones((2, 3), dtype=bool))
    assert np.isfinite(kernel(np.zeros((2, 3)), *before, order, sizes, *after)[0]).all()
    for shape in ((1, 3), (3, 3), (2, 2), (2, 4)):
        with pytest.raises(ValueError, match="same rankings and slots"):
            kernel(np.zeros(shape), *before, order, sizes, *after)
