"""Adherences and variances that are given, in any form."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from tests.model.preference_data import ranked


@pytest.mark.parametrize("kind", [list, np.array, tuple, pd.Series, dict])
def test_adherences_are_given_in_any_form(kind):
    """Also as `agreement` returns them."""
    data = ranked("one")
    given = {"x": 0.9, "y": 0.2, "z": 0.6}
    adherence = kind(given) if kind in (pd.Series, dict) else kind(list(given.values()))
    fit = br.fit(data, "mpm", method="map", adherence=adherence)
    assert fit.agents()["adherence"].to_dict() == given


def test_variances_are_given_in_any_form():
    data = ranked("one")
    given = {"a": 0.9, "b": 0.2, "c": 0.6, "d": 1.0}
    values = list(given.values())
    for variances in (given, values, np.array(values), pd.Series(given)):
        fit = br.fit(data, "mpm", method="map", adherence=1.0, variances=variances)
        assert fit.items()["variance"].to_dict() == given
    fit = br.fit(data, "mpm", method="map", adherence=1.0, variances=0.5)
    plain = br.fit(data, "mpm", method="map", adherence=1.0, variances=False)
    np.testing.assert_allclose(fit.scores(), plain.scores(), atol=1e-6)
