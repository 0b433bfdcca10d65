"""The three faces of every ranking model: PyMC's graph and the kernels' objective."""

import numpy as np
import pytest

from bayesrank.model.specification import Specification
from tests.faces import assert_faces_agree
from tests.model.ranked_lists import likelihoods, rankings_for


@likelihoods
def test_the_three_faces_agree(likelihood):
    data = rankings_for(likelihood)
    rng = np.random.default_rng(2)
    by_entry = rng.normal(size=(*data.entries.shape, 2))
    by_item = rng.normal(size=(5, 2))
    variants = (
        {},
        {"scale": 0.7},
        {"features": by_entry},
        {"features": by_entry, "item_effects": False, "scale": np.inf},
        {"features": by_item, "centered": False},
        {"features": by_item, "item_effects": False, "scale": 1.0},
    )
    for k, options in enumerate(variants):
        specification = Specification(data, likelihood, **options)
        x = rng.normal(scale=0.6, size=specification.size)
        # Every parameter occurs with and without its Jacobian.
        assert_faces_agree(specification, x, jacobian=k % 2 == 0)


@likelihoods
def test_gradients_match_finite_differences(likelihood):
    data = rankings_for(likelihood)
    features = np.random.default_rng(3).normal(size=(*data.entries.shape, 2))
    specification = Specification(data, likelihood, features=features)
    x = np.random.default_rng(4).normal(scale=0.5, size=specification.size)
    _, gradient = specification.objective(x, jacobian=True)
    for k, step in enumerate(np.eye(specification.size) * 1e-5):
        up = specification.objective(x + step, jacobian=True)[0]
        down = specification.objective(x - step, jacobian=True)[0]
        assert gradient[k] == pytest.approx((up - down) / 2e-5, rel=1e-5, abs=1e-6)


def test_columns_of_large_numbers_lose_no_digits():
    """Such as years, or prices in cents: only differences within a ranking count."""
    data = rankings_for("plackett-luce")
    features = np.random.default_rng(5).normal(size=(data.n_slots * len(data), 2))
    features = features.reshape(len(data), data.n_slots, 2)
    plain = Specification(data, "plackett-luce", features=features)
    # A power of two, so that no digit of the features themselves is lost.
    shifted = Specification(data, "plackett-luce", features=features + 2.0**20)
    x = np.random.default_rng(6).normal(size=plain.size)
    assert not plain.observation.features.centre.any()
    assert shifted.observation.features.centre.all()
    assert_faces_agree(shifted, x, jacobian=True)
    value, gradient = shifted.objective(x)
    assert value == pytest.approx(plain.objective(x)[0], rel=1e-9)
    np.testing.assert_allclose(gradient, plain.objective(x)[1], rtol=1e-7, atol=1e-7)


def test_features_in_single_precision():
    data = rankings_for("pmop")
    features = np.random.default_rng(7).normal(size=(len(data), data.n_slots, 2))
    single = Specification(data, "pmop", features=features.astype(np.float32))
    double = Specification(data, "pmop", features=features.astype(np.float32).astype(float))
    x = np.random.default_rng(8).normal(size=single.size)
    assert single.observation.features.matrix.dtype == np.float32
    assert_faces_agree(single, x, jacobian=True)
    assert single.objective(x)[0] == pytest.approx(double.objective(x)[0], rel=1e-12)
