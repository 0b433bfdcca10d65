"""Problems are simulated where their data are absent."""

import numpy as np
import pytest

from benchmarks.problems import PROBLEMS


@pytest.mark.parametrize("make", PROBLEMS)
def test_problems_are_simulated_where_data_are_absent(make, monkeypatch, tmp_path):
    monkeypatch.setattr("benchmarks.problems.data_folder", lambda name: None)
    problem = make(True)
    assert np.isfinite(problem.specification.objective(np.zeros(problem.specification.size))[0])
    shipped = problem.name in ("davidson", "nascar", "one_large_block")
    assert shipped != problem.note.startswith("simulated")
