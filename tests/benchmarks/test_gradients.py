"""Gradients that are timed: another model is refused, and calls are counted."""

import numpy as np
import pytest

from benchmarks import gradients
from benchmarks.lines import take_turns


def test_another_model_is_refused():
    """A gradient that is off by a thousandth, or a value that changes otherwise, is not timed."""
    ours = [(1.0, np.array([2.0, 1.0])), (3.0, np.array([1.0, 2.0]))]
    moved = [(value + 5.0, gradient) for value, gradient in ours]
    gradients.require_agreement("constant", moved, ours)
    with pytest.raises(AssertionError, match=r"1\.0e-03 in its gradient"):
        gradients.require_agreement("x", [(v, 1.001 * g) for v, g in ours], ours)
    with pytest.raises(AssertionError, match=r"2\.0e\+00 in its value"):
        gradients.require_agreement("x", [(2.0 * v, g) for v, g in ours], ours)


def test_calls_are_counted_one_by_one():
    calls = []
    gradients.seconds_per_call({"a": lambda: calls.append(1)}, 3)
    turns = []
    take_turns({"a": lambda: turns.append(1)}, 3)
    assert len(calls) == gradients.CALLS * len(turns)
