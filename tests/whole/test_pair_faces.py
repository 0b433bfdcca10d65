"""The three faces of every pair model: PyMC's graph and the kernels' objective."""

import numpy as np
import pytest

from bayesrank.model.likelihoods import PAIR_LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.faces import assert_faces_agree
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
def test_the_three_faces_agree(likelihood):
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
