"""The specification: what it is made of, and what it refuses."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pymc as pm
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.calibration.designs import design

FEATURES = np.random.default_rng(0).normal(size=(6, 2))


def test_scores_sum_to_zero_with_and_without_features(pudding):
    for options in ({}, {"features": FEATURES}, {"features": FEATURES, "item_effects": False}):
        specification = Specification(pudding, "davidson", **options)
        values = specification.constrain(np.ones(specification.size))
        assert values["score"].sum() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"likelihood": "elo"}, ValueError, '`likelihood` must be one of "bradley-terry"'),
        ({"scale": 0}, ValueError, "`scale` must be a positive number, got 0"),
        ({"scale": float("nan")}, ValueError, "`scale` must be a positive number"),
        ({"scale": "1"}, ValueError, "`scale` must be a positive number, got '1'"),
        ({"item_effects": False}, ValueError, "needs `features`"),
        ({"features": np.ones((5, 1))}, ValueError, "a row for each of the 6 items"),
        ({"features": np.ones((6, 1))}, ValueError, "same value for every item in x1"),
        ({"features": np.full((6, 1), np.nan)}, ValueError, "missing or infinite values in x1"),
        ({"features": np.full((6, 1), "a")}, ValueError, "must hold numbers only"),
        ({"features": pd.DataFrame({"x": [1.0, 2.0]}, index=["1", "2"])}, ValueError, "no row for"),
        ({"features": pl.DataFrame({"x": range(6)})}, ValueError, 'must have a column "item"'),
        (
            {"features": pl.DataFrame({"item": list("1234566"), "x": range(7)})},
            ValueError,
            "more than one row for 6",
        ),
        (
            {"features": pl.DataFrame({"item": list("123456"), "x": list("abcdef")})},
            ValueError,
            "must hold numbers only, but x does not",
        ),
        ({"likelihood": "bradley-terry"}, ValueError, "hold 202 ties .* has none"),
        ({"likelihood": "thurstone-pairs"}, ValueError, "hold 202 ties .* has none"),
    ],
)
def test_refusals(pudding, arguments, error, message):
    with pytest.raises(error, match=message):
        Specification(pudding, **({"likelihood": "davidson"} | arguments))


def test_the_model_has_named_coordinates(pudding):
    model = Specification(pudding, "davidson", features=FEATURES, order_effect=True).pymc()
    assert model.named_vars_to_dims["score"] == ("item",)
    assert model.named_vars_to_dims["counts"] == ("pair", "outcome")
    assert list(model.coords["item"]) == pudding.items
    assert isinstance(model, pm.Model)


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_specifications_can_be_sent(likelihood):
    model = br.Specification(design(likelihood), likelihood, scale=2.0)
    again = pickle.loads(pickle.dumps(model))
    point = np.linspace(-0.5, 0.5, model.size)
    assert again.objective(point)[0] == model.objective(point)[0]
