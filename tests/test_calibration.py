"""Simulation-based calibration: ranks, whether they are uniform, and what is done with failures."""

import pickle

import numpy as np
import pytest

import bayesrank as br
from bayesrank.calibration.simulation import Calibration, with_new_data
from bayesrank.calibration.uniformity import ecdf_band, p_value
from bayesrank.model.likelihoods import LIKELIHOODS, PAIR_LIKELIHOODS


def league(items=5, games=6):
    left, right = np.triu_indices(items, 1)
    counts = np.tile([games // 2, games - games // 2, 0], (len(left), 1))
    return br.Comparisons(left, right, counts, [f"i{k}" for k in range(items)])


def design(likelihood):
    """Return data for a likelihood: only who is compared with whom matters."""
    if likelihood in PAIR_LIKELIHOODS:
        return league()
    if likelihood == "mpm":
        left, right = np.triu_indices(4, 1)
        agent = np.repeat([0, 1], len(left))
        counts = np.tile([3, 3, 0], (len(agent), 1))
        pairs = np.tile(left, 2), np.tile(right, 2)
        return br.Comparisons(*pairs, counts, list("abcd"), agent=agent, agents=["x", "y"])
    tied = likelihood not in ("plackett-luce",)
    lists = [["a", ["b", "c"], "d"] if tied else ["a", "b", "c", "d"], ["d", "a", "b", "c"]] * 8
    return br.Rankings.from_lists(lists)


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
            br.Comparisons(data.left, data.right, counts, data.items), self.likelihood, self.family
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


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_specifications_can_be_sent(likelihood):
    model = br.Specification(design(likelihood), likelihood, scale=2.0)
    again = pickle.loads(pickle.dumps(model))
    point = np.linspace(-0.5, 0.5, model.size)
    assert again.objective(point)[0] == model.objective(point)[0]


def test_p_values_are_uniform_where_ranks_are():
    rng = np.random.default_rng(1)
    p = np.array([p_value(rng.integers(0, 100, 150), 99) for _ in range(400)])
    # Kolmogorov-Smirnov at a level of 0.001; the statistic is discrete, but hardly so.
    place = np.sort(p)
    distance = np.abs(place - (np.arange(400) + 0.5) / 400).max()
    assert distance < 1.95 / np.sqrt(400)


def test_the_band_holds_as_often_as_it_says():
    rng = np.random.default_rng(2)
    share, low, high = ecdf_band(150, 99, 0.9)
    inside = 0
    for _ in range(400):
        below = np.mean((rng.integers(0, 100, 150)[:, None] + 0.5) / 100 < share, axis=0)
        inside += bool(np.all((below >= low) & (below <= high)))
    assert abs(inside / 400 - 0.9) < 4 * np.sqrt(0.09 / 400)
