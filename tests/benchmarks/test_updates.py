"""New results in a fit: the study, at small sizes."""

import numpy as np
import pytest

import bayesrank as br
from benchmarks import updates


def test_a_stream_costs_less_than_fits_of_all_data():
    row = ("6 items", updates.comparisons, "davidson", 6, 200, 3, 5)
    line = updates.stream(*row, method="laplace", progress=False)
    assert "0 fits in 3 updates" in line.note and line.theirs > 0
    line = updates.stream(*row, method="map", progress=False)
    assert "3 fits in 3 updates" in line.note and "eight digits" in line.note


def test_what_is_simulated_follows_the_scores():
    score = np.array([2.0, 0.0, -2.0])
    games = updates.comparisons(np.random.default_rng(1), score, 3000)
    assert games.counts[:, 2].sum() / 3000 == pytest.approx(0.18, abs=0.04)
    races = updates.rankings(np.random.default_rng(1), score, 1000, size=3)
    for data, likelihood in ((games, "davidson"), (races, "plackett-luce")):
        fit = br.fit(data, likelihood, method="map", progress=False)
        assert fit.scores()[0] == pytest.approx(score, abs=0.3)


def test_differences_are_in_units_of_their_error():
    found, largest, again = updates.splits("laplace", 3, 0.05, progress=False)
    assert found.shape == (3, 9) and again == 0 and largest < 0.7
    assert 0.4 < np.sqrt(np.mean(found**2)) < 2.0
    rows = updates.from_nuts(1, 0.1, draws=200, progress=False)
    assert list(rows) == ["updated", "of all data", "NUTS again"]
    assert all(apart < 0.5 and 0.7 < ratio < 1.4 for apart, ratio in rows.values())
