"""Memory of rankings of different lengths, at small sizes."""

import numpy as np
import pytest

from benchmarks import ragged


def test_different_lengths():
    found = ragged.different_lengths(quick=True, progress=False)
    assert found["entries"] == 12_000
    assert found["correlation with the truth"] > 0.8
    assert found["peak"] > 0


@pytest.mark.parametrize("single", [False, True])
def test_many_features(single):
    found = ragged.many_features(quick=True, single=single, progress=False)
    assert found["features"] == 600 * 40 * 30 * (4 if single else 8)
    assert found["correlation with the truth"] > 0.98
    assert np.isfinite(found["peak in units of the features"])
