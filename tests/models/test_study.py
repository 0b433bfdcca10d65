"""What the studies share."""

import pytest

from models.study import gradient_steps


def test_gradient_steps_by_hand():
    """Each step of a parabola leaves a fixed share of the way."""
    steps = gradient_steps(lambda x: (-0.5 * (x - 3) ** 2, 3 - x), [0.0], 0.1, 7)
    assert steps == pytest.approx([3 * (1 - 0.9**7)])
