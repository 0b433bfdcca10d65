"""The coordinates that NUTS moves in: the same posterior, and nearly standard normal."""

import ctypes

import numpy as np
import pytest

import bayesrank as br
from bayesrank.inference import normal
from bayesrank.inference.coordinates import Coordinates
from bayesrank.kernels.posterior.function import posterior_function
from bayesrank.model.likelihoods import RANKING_LIKELIHOODS
from bayesrank.model.specification import Specification
from tests.random_tables import random_table

FEW = pytest.mark.filterwarnings("ignore:Do not trust this fit yet")

FEATURES = np.random.default_rng(0).normal(size=(6, 2))
TABLE = random_table(11)


def specifications():
    yield "learned scale", Specification(TABLE, "davidson", order_effect=True)
    yield "given scale", Specification(TABLE, "davidson", scale=0.7)
    yield "features", Specification(TABLE, "rao-kupper", features=FEATURES)
    yield "no effects", Specification(TABLE, "davidson", features=FEATURES, item_effects=False)
    # Sums of worths: a density with more than one peak.
    yield "ties", Specification(br.load_dataset("fruits"), "pmop")
    yield "variances", Specification(br.load_dataset("citations"), "mpm")


CASES = dict(specifications())
P = ctypes.POINTER(ctypes.c_double)


def compiled_cases():
    """Return what chains call without Python, with every kind of likelihood and parameter."""
    untied = random_table(13, ties=False)
    yield from CASES.values()
    yield Specification(untied, "bradley-terry", features=FEATURES, order_effect=True)
    # Rankings of different lengths, with weights.
    lists = [["a", "b", "c", "d"], ["c", "b"], ["d", "a", "c"]]
    data = br.Rankings.from_lists(lists, weights=[1.0, 2.5, 0.5])
    features = np.random.default_rng(5).normal(size=(4, 2))
    yield Specification(data, "plackett-luce", features=features)
    for likelihood in RANKING_LIKELIHOODS:
        yield Specification(data, likelihood)
    yield Specification(untied, "thurstone-pairs")
    yield Specification(TABLE, "glenn-david")


@pytest.fixture(params=[500, 0], ids=["dense", "diagonal"])
def dense(request, monkeypatch):
    monkeypatch.setattr(normal, "DENSE", request.param)


@pytest.mark.parametrize("case", CASES)
def test_the_density_is_the_posterior_s(case, dense):
    """Differences of log-density are those of the posterior and of the map's own volume."""
    coordinates = Coordinates(CASES[case])
    rng = np.random.default_rng(1)
    n = coordinates.size

    def expected(z):
        steps = np.eye(n) * 1e-5
        turned = np.array([coordinates.point(z + s) - coordinates.point(z - s) for s in steps])
        volume = np.linalg.slogdet(turned / 2e-5)[1]
        return coordinates.specification.objective(coordinates.point(z), jacobian=True)[0] + volume

    first, second = rng.normal(size=(2, n))
    difference = coordinates.objective(first)[0] - coordinates.objective(second)[0]
    assert difference == pytest.approx(expected(first) - expected(second), rel=1e-6, abs=1e-5)


@pytest.mark.parametrize("case", CASES)
def test_the_gradient_is_right(case, dense):
    coordinates = Coordinates(CASES[case])
    z = np.random.default_rng(2).normal(size=coordinates.size)
    gradient = coordinates.objective(z)[1]
    for k, step in enumerate(np.eye(coordinates.size) * 1e-5):
        ahead, behind = (coordinates.objective(z + way * step)[0] for way in (1, -1))
        assert gradient[k] == pytest.approx((ahead - behind) / 2e-5, rel=1e-5, abs=1e-5)


def test_chains_call_the_same_function(dense):
    for specification in compiled_cases():
        coordinates = Coordinates(specification)
        rng = np.random.default_rng(4)
        for z in rng.normal(size=(3, coordinates.size)) * [[0.1], [1.0], [4.0]]:
            gradient, value = np.empty(z.size), np.empty(1)
            failed = called(coordinates, z, gradient, value)
            expected = coordinates.objective(z)
            assert not failed
            assert value[0] == pytest.approx(expected[0], rel=1e-12)
            size = np.abs(expected[1]).max()
            np.testing.assert_allclose(gradient, expected[1], rtol=1e-11, atol=1e-12 * size)


def called(coordinates, z, gradient, value):
    """Return what the C function that samplers call returns."""
    numbers = [array.ctypes.data_as(P) for array in (z, gradient, value)]
    table = coordinates.table.ctypes.data_as(ctypes.POINTER(ctypes.c_int64))
    return posterior_function().ctypes(z.size, *numbers, table)


def test_the_map_is_that_of_the_scale_it_was_made_for(monkeypatch):
    """Even where the search for the scale does not come to an end."""
    third = np.log(3.0)
    monkeypatch.setattr(
        normal.NormalAtScale, "best_log_scale", lambda self: np.log(self.scale) - third
    )
    coordinates = Coordinates(CASES["learned scale"])
    shares = coordinates.normal.shares
    # What the prior alone would say cannot be more than all there is.
    assert np.all(shares <= coordinates.scale**2 * (1 + 1e-9))
    assert shares.max() > 0.5 * coordinates.scale**2


def test_a_density_that_is_no_number_is_refused():
    coordinates = Coordinates(CASES["learned scale"])
    z = np.full(coordinates.size, np.nan)
    assert called(coordinates, z, np.empty(z.size), np.empty(1)) == 1


@FEW
def test_chains_may_call_python_as_well(monkeypatch):
    """The draws are the same, whichever way nutpie calls."""
    options = {"draws": 50, "tune": 50, "chains": 2, "seed": 3, "progress": False}
    fast = br.fit(TABLE, "davidson", **options)
    monkeypatch.setattr("nutpie._lib.PyMcModel", None)
    slow = br.fit(TABLE, "davidson", **options)
    np.testing.assert_allclose(slow.scores(), fast.scores(), rtol=1e-6, atol=1e-8)


def test_draws_are_nearly_standard_normal_however_little_the_data_say():
    """With a learned scale, few data make a funnel of scores, and many of unit effects."""
    for per_pair in (1, 10, 300):
        data = random_table(12, items=12, per_pair=per_pair)
        coordinates = Coordinates(Specification(data, "davidson"))
        fit = br.fit(data, "davidson", seed=1, progress=False, draws=500, chains=2)
        scale = fit.posterior["scale"].ravel()
        # Where the scale is moderately large or small, scores are as far from what it predicts.
        middle = np.median(scale)
        sizes = []
        for part in (scale < middle, scale >= middle):
            z = _standardised(coordinates, fit, part)
            sizes.append(z[:, 1:].std(axis=0).mean())
            assert np.abs(z[:, 1:].mean(axis=0)).mean() < 0.35
        assert 0.8 < sizes[0] / sizes[1] < 1.25
        assert 0.75 < np.mean(sizes) < 1.35
        assert fit.diagnostics().divergences == 0


def _standardised(coordinates, fit, part):
    """Return z of some draws, by inverting the map."""
    normal, usual = coordinates.normal, np.log(coordinates.scale)
    log_scale = np.log(fit.posterior["scale"].ravel()[part])
    score = fit.scores()[part]
    rate = fit.posterior["tie_rate"].ravel()[part]
    own = coordinates.specification.parameters[1]
    matrix = np.array([own.constrain(unit) for unit in np.eye(own.size)]).T
    x = np.column_stack([score @ matrix, np.log(rate / (1 - rate))])
    w = np.linalg.solve(normal.basis, x.T).T
    c = normal.precisions(log_scale)
    z = (w - normal.start / c) * np.sqrt(c)
    return np.column_stack([(log_scale - usual) / coordinates.spread, z])
