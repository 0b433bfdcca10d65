"""How times grow with sizes."""

import numpy as np
import pytest

from benchmarks import growth


def test_the_exponent_of_a_known_function():
    sizes = growth.sizes_of(1000)
    assert sizes[[0, 3, 6]].tolist() == [1000, 10_000, 100_000] and len(sizes) == 7
    rounds = np.array([[2.0], [3.0], [5.0]]) * sizes**1.3
    assert growth.exponent(sizes, rounds) == pytest.approx([1.3] * 3)
    assert growth.resampled(sizes, rounds) == pytest.approx(np.full(200, 1.3))
    assert growth.resampled(sizes, 1.0 / rounds).max() == 0.01


def test_growth_runs(monkeypatch):
    monkeypatch.setattr(growth, "CASES", [growth.CASES[0], growth.CASES[5]])
    found = growth.run(quick=True)
    assert len(found) == 2 and all(line.theirs == 1.1 for line in found)
    assert all(line.ratio == pytest.approx(1.1 / line.ours) for line in found)
