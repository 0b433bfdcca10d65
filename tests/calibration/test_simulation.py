"""Simulation-based calibration: ranks, and what is done with failures."""

import numpy as np
import pytest

import bayesrank as br
from bayesrank.calibration.simulation import Calibration, with_new_data
from bayesrank.model.likelihoods import LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.calibration.designs import design, league
from tests.random_tables import random_table


@pytest.fixture(scope="module")
def found():
    model = br.Specification(league(), "bradley-terry", scale=1.0)
    return br.calibrate(model, 120, seed=3, processes=1, progress=False, chains=1, draws=49)


def test_nuts_passes(found):
    assert found.ranks.shape == (120, 6)
    assert found.names[-1] == "log_likelihood"
    assert found.ranks.min() >= 0
    assert found.ranks.max() <= 49
    assert found.passes()
    assert not found.failures
    assert "120 replicates" in str(found)


def test_table_and_picture(found):
    table = found.table()
    assert table["p"].is_monotonic_increasing
    assert (table["p_adjusted"] >= table["p"]).all()
    axes = found.plot()
    assert axes.shape == (2, 6)
    assert [ax.get_title() for ax in axes[0]] == table.index[:6].tolist()
    with pytest.raises(ValueError, match=r"`names` has 'nothing'"):
        found.plot(["nothing"])


def test_a_wrong_posterior_fails(found):
    """Intervals half as wide as they should be."""
    middle = (found.draws + 1) / 2
    wide = middle + 2.0 * (found.ranks - middle)
    ranks = np.clip(np.round(wide), 0, found.draws).astype(int)
    wrong = Calibration(ranks, found.names, found.draws, "nuts", "bradley-terry")
    assert not wrong.passes()
    assert (wrong.table()["spread"] > 1.2).all()


def test_the_wrong_model_fails():
    """Ties are simulated but dropped before the fit, so that nobody learns of them."""
    model = br.Specification(league(games=30), "davidson", scale=1.0)

    def without_ties(self, data):
        counts = data.counts * [1, 1, 0]
        return type(self)(
            br.Comparisons(data.left, data.right, counts, data.items), self.likelihood, self.kind
        )

    kind = type(model.observation)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "with_data", without_ties)
        found = br.calibrate(model, 60, method="laplace", seed=1, processes=1, progress=False)
    assert found.table().loc["tie_rate", "shift"] > 0.2
    assert not found.passes()


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_every_likelihood_can_be_calibrated(likelihood):
    model = br.Specification(design(likelihood), likelihood, scale=1.0)
    found = br.calibrate(model, 3, method="laplace", seed=1, processes=1, progress=False)
    assert found.ranks.shape[0] == 3
    assert found.failures == []


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_new_data_have_the_design_of_the_old(likelihood):
    model = br.Specification(design(likelihood), likelihood)
    values = {name: value[0] for name, value in model.prior(1, seed=2).items()}
    new = with_new_data(model, values, np.random.default_rng(1))
    assert new.size == model.size
    assert new.names == model.names
    assert not np.array_equal(new.observation.observed, model.observation.observed)
    assert np.isfinite(new.objective(np.zeros(new.size), jacobian=True)[0])
    again = new.replace(centered=False)
    assert again.observation is new.observation


def test_the_same_in_other_processes(found):
    model = br.Specification(league(), "bradley-terry", scale=1.0)
    options = {"method": "laplace", "seed": 5, "progress": False}
    here = br.calibrate(model, 6, processes=1, **options)
    there = br.calibrate(model, 6, processes=2, **options)
    np.testing.assert_array_equal(np.sort(here.ranks, axis=0), np.sort(there.ranks, axis=0))


def test_failures_are_told(monkeypatch):
    import bayesrank.inference as inference

    model, calls = br.Specification(league(), "bradley-terry", scale=1.0), []
    right = inference.fit_specification

    def sometimes(*arguments, **options):
        calls.append(1)
        if len(calls) % 2:
            raise ValueError("no luck")
        return right(*arguments, **options)

    monkeypatch.setattr(inference, "fit_specification", sometimes)
    found = br.calibrate(model, 6, method="laplace", seed=1, processes=1, progress=False)
    assert len(found.ranks) == 3
    assert found.failures == ["ValueError: no luck"] * 3
    assert "3 fits failed: ValueError: no luck" in str(found)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"method": "map"}, "`method` must be one of"),
        ({"n": 1}, "`n` must be a whole number from 2 up, got 1"),
        ({"draws": 0}, "`draws` must be"),
    ],
)
def test_refusals(changes, message):
    model = br.Specification(league(), "bradley-terry")
    with pytest.raises(ValueError, match=message):
        br.calibrate(model, **({"n": 5, "progress": False} | changes))


def test_flat_priors_are_refused():
    model = br.Specification(league(), "bradley-terry", scale=np.inf)
    with pytest.raises(ValueError, match="flat prior"):
        br.calibrate(model, 5)


def test_a_calibration_of_the_learned_scale():
    model = Specification(random_table(2, items=4, per_pair=4), "davidson")
    found = br.calibrate(model, 30, method="laplace", seed=1, processes=1, progress=False)
    assert "scale" in found.names and found.passes()
