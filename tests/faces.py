"""The three faces of a specification, side by side."""

import ctypes

import numpy as np
import pytest
from pymc.pytensorf import gradient as gradient_of

from bayesrank.inference.blocks import Blocks
from bayesrank.kernels.posterior.function import posterior_function
from tests.modes import AS_WRITTEN

_REALS, _WHOLES = (ctypes.POINTER(kind) for kind in (ctypes.c_double, ctypes.c_int64))


def native_face(specification, x):
    """Return value and gradient by the C function that samplers call, in x itself."""
    x, gradient, value = np.array(x, dtype=float), np.empty(len(x)), np.empty(1)
    blocks, everywhere = Blocks(), np.arange(len(x))
    blocks.whitened(everywhere, np.ones(len(x)), np.zeros(len(x)))  # the flat vector itself
    table = blocks.table(specification.program)
    numbers = [array.ctypes.data_as(_REALS) for array in (x, gradient, value)]
    failed = posterior_function().ctypes(len(x), *numbers, table.ctypes.data_as(_WHOLES))
    assert not failed
    return value[0], gradient


def assert_faces_agree(specification, x, *, jacobian):
    """Compare value and gradient of the PyMC model, of the objective and of the C function.

    The C function has the Jacobian always.
    """
    model = specification.pymc()
    start = model.initial_point()
    parts, used = [], 0
    for variable in model.value_vars:
        shape = np.shape(start[variable.name])
        parts.append(np.reshape(x[used : used + int(np.prod(shape))], shape))
        used += int(np.prod(shape))
    assert used == specification.size
    # One graph of the density for both, where `dlogp` would make another.
    logp = model.logp(jacobian=jacobian)
    outputs = [logp, gradient_of(logp, model.value_vars)]
    compiled = model.compile_fn(outputs, inputs=model.value_vars, point_fn=False, mode=AS_WRITTEN)
    value, gradient = compiled(*parts)
    assert_same(specification.objective(x, jacobian=jacobian), (value, gradient))
    assert_same(native_face(specification, x), specification.objective(x, jacobian=True))


def assert_same(found, expected):
    """Compare pairs of value and gradient."""
    assert found[0] == pytest.approx(expected[0], rel=1e-10)
    # Entries may cancel to zero; what counts is the gradient's size.
    size = np.abs(expected[1]).max()
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-10, atol=1e-10 * size)
