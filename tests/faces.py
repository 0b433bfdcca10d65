"""The two faces of a specification, side by side."""

import numpy as np
import pytest
from pymc.pytensorf import gradient as gradient_of

from tests.modes import AS_WRITTEN


def assert_faces_agree(specification, x, *, jacobian):
    """Compare value and gradient of the PyMC model with those of the objective."""
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
    own_value, own_gradient = specification.objective(x, jacobian=jacobian)
    assert own_value == pytest.approx(value, rel=1e-10)
    # Entries may cancel to zero; what counts is the gradient's size.
    np.testing.assert_allclose(
        own_gradient, gradient, rtol=1e-10, atol=1e-10 * np.abs(gradient).max()
    )
