"""The specification: its two faces, its priors, its refusals."""

import numpy as np
import pandas as pd
import polars as pl
import pymc as pm
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.faces import assert_faces_agree
from tests.modes import AS_WRITTEN
from tests.random_tables import random_table

FEATURES = np.random.default_rng(0).normal(size=(6, 2))


def variants():
    """Return specifications in which every option occurs, alone and with others."""
    yield {}
    yield {"centered": False, "order_effect": True}
    yield {"features": FEATURES, "order_effect": True}
    yield {"features": FEATURES, "centered": False}
    yield {"scale": 0.7, "order_effect": True}
    yield {"scale": 0.7, "features": FEATURES}
    yield {"scale": np.inf, "order_effect": True}
    yield {"scale": np.inf, "features": FEATURES, "item_effects": False}
    yield {"features": FEATURES, "item_effects": False, "order_effect": True}


@pytest.mark.parametrize("likelihood", PAIR_LIKELIHOODS)
def test_the_two_faces_agree(likelihood):
    data = random_table(1, ties=PAIR_LIKELIHOODS[likelihood].tie is not None)
    rng = np.random.default_rng(2)
    for k, options in enumerate(variants()):
        specification = Specification(data, likelihood, **options)
        x = rng.normal(scale=0.6, size=specification.size)
        # Every parameter occurs with and without its Jacobian.
        assert_faces_agree(specification, x, jacobian=k % 2 == 0)


@pytest.mark.parametrize("likelihood", PAIR_LIKELIHOODS)
def test_objective_gradient_matches_finite_differences(likelihood):
    data = random_table(3, ties=PAIR_LIKELIHOODS[likelihood].tie is not None)
    specification = Specification(data, likelihood, order_effect=True, features=FEATURES)
    x = np.random.default_rng(4).normal(scale=0.5, size=specification.size)
    _, gradient = specification.objective(x, jacobian=True)
    for k, step in enumerate(np.eye(specification.size) * 1e-5):
        up = specification.objective(x + step, jacobian=True)[0]
        down = specification.objective(x - step, jacobian=True)[0]
        assert gradient[k] == pytest.approx((up - down) / 2e-5, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("likelihood", PAIR_LIKELIHOODS)
@pytest.mark.parametrize("table", ["real", 5, 6])
def test_swapping_left_and_right_changes_no_posterior(likelihood, table):
    """The log-posterior itself is the same function, so nothing drawn from it can differ."""
    ties = PAIR_LIKELIHOODS[likelihood].tie is not None
    if table == "real":
        data = br.load_dataset("pudding" if ties else "baseball")
    else:
        data = random_table(table, ties=ties)
    one, other = Specification(data, likelihood), Specification(data.swapped(), likelihood)
    for seed in range(5):
        x = np.random.default_rng(seed).normal(size=one.size)
        value, gradient = one.objective(x)
        swapped_value, swapped_gradient = other.objective(x)
        assert swapped_value == pytest.approx(value, rel=1e-13)
        np.testing.assert_allclose(swapped_gradient, gradient, rtol=1e-10, atol=1e-11)
        values = one.split(x)
        p, q = (
            one.observation.outcome_probabilities(values),
            other.observation.outcome_probabilities(values),
        )
        np.testing.assert_allclose(q[:, [1, 0, 2]], p, rtol=1e-12)


def test_swapping_turns_an_order_effect_round():
    data = br.load_dataset("baseball")
    one = Specification(data, "bradley-terry", order_effect=True)
    other = Specification(data.swapped(), "bradley-terry", order_effect=True)
    x = np.random.default_rng(0).normal(size=one.size)
    mirrored = np.append(x[:-1], -x[-1])
    assert other.objective(mirrored)[0] == pytest.approx(one.objective(x)[0], rel=1e-13)


def test_all_tie_models_say_the_same_before_they_see_data(pudding):
    """Two equal items tie with the probability that the prior is uniform on."""
    for likelihood in ("davidson", "rao-kupper", "glenn-david"):
        specification = Specification(pudding, likelihood, scale=1.0)
        for rate in (0.05, 0.5, 0.9):
            values = {"score": np.zeros(6), "tie_rate": rate}
            p = specification.observation.outcome_probabilities(values)
            np.testing.assert_allclose(p[:, 2], rate, rtol=1e-12)


@pytest.mark.parametrize("likelihood", ["davidson", "rao-kupper", "glenn-david"])
def test_tie_rates_near_their_ends_stay_finite_in_both_faces(pudding, likelihood):
    specification = Specification(pudding, likelihood, scale=1.0)
    model = specification.pymc()
    compiled = model.compile_fn(
        [model.logp(), model.dlogp()], inputs=model.value_vars, point_fn=False, mode=AS_WRITTEN
    )
    for logit in (-25.0, 25.0, 45.0):
        x = np.append(np.zeros(5), logit)
        value, gradient = specification.objective(x, jacobian=True)
        assert np.isfinite(value) and np.isfinite(gradient).all()
        value, gradient = compiled(x[:5], np.asarray(logit))
        assert np.isfinite(value) and np.isfinite(gradient).all()


def test_scores_sum_to_zero_with_and_without_features(pudding):
    for options in ({}, {"features": FEATURES}, {"features": FEATURES, "item_effects": False}):
        specification = Specification(pudding, "davidson", **options)
        values = specification.constrain(np.ones(specification.size))
        assert values["score"].sum() == pytest.approx(0.0, abs=1e-12)


def test_features_are_matched_by_label(pudding):
    frame = pd.DataFrame({"sugar": [1.0, 2, 3, 4, 5, 9]}, index=pudding.items)
    shuffled = frame.iloc[::-1]
    one = Specification(pudding, "davidson", features=frame)
    other = Specification(pudding, "davidson", features=shuffled)
    column = Specification(pudding, "davidson", features=shuffled.rename_axis("item").reset_index())
    np.testing.assert_array_equal(one.features, other.features)
    np.testing.assert_array_equal(one.features, column.features)
    assert one.feature_names == ["sugar"]


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


def test_data_that_cannot_rank(pudding):
    with pytest.raises(TypeError, match="needs Comparisons, got DataFrame"):
        Specification(pudding.to_frame(), "davidson")
    with pytest.raises(ValueError, match="at least two items, got 1"):
        Specification(pudding.subset(["1"]), "davidson")
    ties = pudding.to_frame().assign(wins=0, losses=0)
    with pytest.raises(ValueError, match="Every comparison is a tie"):
        Specification(br.Comparisons.from_counts(ties, ties="ties"), "davidson")
    nothing = ties.assign(ties=0)
    with pytest.raises(ValueError, match="All counts are zero"):
        Specification(br.Comparisons.from_counts(nothing, ties="ties"), "davidson")


def test_the_model_has_named_coordinates(pudding):
    model = Specification(pudding, "davidson", features=FEATURES, order_effect=True).pymc()
    assert model.named_vars_to_dims["score"] == ("item",)
    assert model.named_vars_to_dims["counts"] == ("pair", "outcome")
    assert list(model.coords["item"]) == pudding.items
    assert isinstance(model, pm.Model)
