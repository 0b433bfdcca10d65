"""Comparisons under pair models: sides, swaps, ties and refusals."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import PAIR_LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.modes import AS_WRITTEN
from tests.random_tables import random_table


def test_sides_that_are_not_known_have_no_effect(write, tmp_path):
    data = br.read(write("a.csv", "winner,loser\na,b\nb,a\nb,c\nc,a\n"))
    cross = br.Comparisons.from_matrix([[0, 3], [1, 0]], ["x", "y"])
    for one in (data, cross, data.subset(["a", "b"])):
        with pytest.raises(ValueError, match="`order_effect` needs to know who was on the left"):
            br.fit(one, order_effect=True, method="map")
    fit = br.fit(data, method="map")
    fit.save(tmp_path / "fit.nc")
    assert not br.Fit.load(tmp_path / "fit.nc").specification.data.sided


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
