"""Draws of the prior, by NumPy, against those of the PyMC model."""

import numpy as np
import pandas as pd
import pymc as pm
import pytest
from scipy.stats import ks_2samp

import bayesrank as br
from bayesrank.model.specification import Specification
from tests.data.random_rankings import random_rankings
from tests.modes import FAST
from tests.random_tables import random_table

FEATURES = np.random.default_rng(0).normal(size=(6, 2)) * [1.0, 20.0]
# A correct sampler fails one test in ten thousand; there are some 150 of them.
LEVEL = 1e-4


def searches():
    rng = np.random.default_rng(1)
    rows = [
        (query, engine, f"d{document}", -float(place))
        for query in range(2)
        for engine in "ABC"
        for place, document in enumerate(rng.permutation(4))
    ]
    frame = pd.DataFrame(rows, columns=["query", "engine", "document", "minus"])
    return br.Rankings.from_ratings(frame, "engine", "document", "minus", instance="query")


def specifications():
    pairs, rankings = random_table(1), random_rankings(0)
    slots = np.random.default_rng(2).normal(size=(*rankings.entries.shape, 2))
    yield "learned scale", Specification(pairs, "davidson", order_effect=True)
    yield "given scale", Specification(pairs, "rao-kupper", scale=0.3)
    yield "not centred", Specification(pairs, "glenn-david", centered=False)
    yield "features", Specification(pairs, "davidson", features=FEATURES)
    yield (
        "features alone",
        Specification(pairs, "davidson", features=FEATURES, item_effects=False, order_effect=True),
    )
    yield (
        "features, not centred",
        Specification(pairs, "davidson", features=FEATURES, centered=False),
    )
    yield "rankings", Specification(rankings, "davidson-luce")
    yield "features of entries", Specification(rankings, "davidson-luce", features=slots)
    yield "mpm", Specification(rankings, "mpm")
    yield "instances", Specification(searches(), "mpm", adherence="by-instance", scale=0.7)


@pytest.mark.parametrize("case", list(dict(specifications())))
def test_free_numbers_of_values(case):
    model = dict(specifications())[case]
    x = np.random.default_rng(3).normal(size=model.size)
    assert model.free(model.split(x)) == pytest.approx(x, abs=1e-9)


@pytest.mark.parametrize("case", list(dict(specifications())))
def test_both_priors_are_one(case):
    specification = dict(specifications())[case]
    names = specification.names
    own = specification.prior(1000, seed=1)
    model = specification.pymc()
    theirs = pm.draw([model[name] for name in names], 1000, random_seed=2, mode=FAST)
    for name, drawn in zip(names, theirs, strict=True):
        assert own[name].shape == drawn.shape
        columns = [values.reshape(1000, -1) for values in (own[name], drawn)]
        for one, other in zip(*(c.T for c in columns), strict=True):
            assert ks_2samp(one, other).pvalue > LEVEL, name
        # How the columns hang together: a common scale widens all scores at once.
        spread = [c.std(axis=1) for c in columns]
        assert ks_2samp(*spread).pvalue > LEVEL, name


def test_scores_sum_to_zero_by_instance():
    drawn = Specification(searches(), "mpm").prior(20, seed=1)
    np.testing.assert_allclose(drawn["score"].reshape(20, 2, 4).sum(axis=-1), 0.0, atol=1e-12)
    np.testing.assert_allclose(
        np.log(2.0 * drawn["variance"]).reshape(20, 2, 4).sum(axis=-1), 0.0, atol=1e-12
    )


def test_a_seed_settles_the_draws():
    specification = Specification(random_table(1), "davidson")
    one, same, other = (specification.prior(5, seed=k)["score"] for k in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_refusals():
    flat = Specification(random_table(1), "davidson", scale=np.inf)
    with pytest.raises(ValueError, match=r"A flat prior \(infinite `scale`\) has no draws"):
        flat.prior()
    with pytest.raises(ValueError, match="`draws` must be a whole number from 1 up, got 0"):
        Specification(random_table(1), "davidson").prior(0)
