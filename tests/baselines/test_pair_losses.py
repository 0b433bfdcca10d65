"""Losses of pairs against other solvers of the same problem, written out plainly."""

import numpy as np
import pytest
from scipy import optimize, sparse

import bayesrank as br
from bayesrank.baselines import pair_losses
from bayesrank.baselines.pair_losses import LOSSES, fit_pair_loss, pair_loss, pairs_within

PLAIN = {
    "logistic": lambda m: np.log1p(np.exp(-m)),
    "hinge": lambda m: np.where(m < 1.0, 1.0 - m, 0.0),
    "exponential": lambda m: np.exp(-m),
    "squared": lambda m: (1.0 - m) ** 2,
}


@pytest.fixture(scope="module")
def problem():
    """Ten queries of six entries, four features in different units, 150 pairs with weights."""
    rng = np.random.default_rng(5)
    features = rng.normal(size=(60, 4)) * [1.0, 10.0, 0.1, 1.0]
    seen = features @ [1.0, -0.05, 5.0, 0.0] + rng.logistic(size=60)
    better, worse = pairs_within(seen, np.repeat(np.arange(10), 6))
    return better, worse, features, rng.integers(1, 4, size=better.size).astype(float)


def total(loss, beta, better, worse, features, weights, penalty):
    margin = (features[better] - features[worse]) @ beta
    return weights @ PLAIN[loss](margin) + 0.5 * penalty * beta @ beta


def test_losses_are_what_they_say():
    margin = np.linspace(-8.0, 8.0, 33) + 0.1
    for loss in LOSSES:
        value, slope = pair_loss(loss, margin)
        np.testing.assert_allclose(value, PLAIN[loss](margin), rtol=1e-12)
        # Central differences of step 1e-6 are right to about 1e-9 of the value.
        ahead, behind = (pair_loss(loss, margin + way * 1e-6)[0] for way in (1.0, -1.0))
        np.testing.assert_allclose(slope, (ahead - behind) / 2e-6, rtol=1e-6, atol=1e-6)


def test_losses_stay_finite():
    margin = np.array([-800.0, -50.0, 0.0, 50.0, 800.0])
    for loss in LOSSES:
        value, slope = pair_loss(loss, margin)
        assert np.isfinite(value).all() and np.isfinite(slope).all()
        if loss != "squared":
            assert (np.diff(value) <= 0.0).all() and (np.diff(slope) >= 0.0).all()


@pytest.mark.parametrize("penalty", [0.0, 2.0])
@pytest.mark.parametrize("loss", ["logistic", "exponential", "squared"])
def test_smooth_minimum(problem, loss, penalty):
    """Where the gradient, by differences of the plain total, is zero: convex, so the minimum."""
    better, worse, features, weights = problem
    beta = fit_pair_loss(better, worse, features, loss=loss, penalty=penalty, weights=weights)

    def plain(b):
        return total(loss, b, better, worse, features, weights, penalty)

    # Newton's step from differences; both have errors of 1e-6 or so of the coefficients.
    size = 1e-4 / features.std(axis=0)
    steps = np.diag(size)
    up, down = (np.array([plain(beta + way * s) for s in steps]) for way in (1.0, -1.0))
    slope, curvature = (up - down) / (2.0 * size), (up - 2.0 * plain(beta) + down) / size**2
    assert np.all(np.abs(slope / curvature) < 1e-5 / features.std(axis=0))


def test_squared_is_least_squares(problem):
    better, worse, features, weights = problem
    root = np.sqrt(weights)
    design = (features[better] - features[worse]) * root[:, None]
    expected = np.linalg.lstsq(design, root, rcond=None)[0]
    beta = fit_pair_loss(better, worse, features, loss="squared", weights=weights)
    np.testing.assert_allclose(beta, expected, rtol=1e-5)


def in_steps():
    """Features of whole numbers: many pairs at the kink at once, and several minima."""
    rng = np.random.default_rng(4)
    features = rng.integers(-2, 3, size=(50, 3)).astype(float)
    better, worse = pairs_within(features @ [1.0, 0.5, -1.0] + rng.normal(size=50))
    return better, worse, features, np.ones(better.size)


def nearly_parallel():
    """Two features that hardly differ: their coefficients are large and opposed."""
    rng = np.random.default_rng(6)
    features = rng.normal(size=(40, 2))
    features[:, 1] = features[:, 0] + 1e-3 * features[:, 1]
    better, worse = pairs_within(features[:, 0] + rng.normal(size=40))
    return better, worse, features, np.ones(better.size)


@pytest.mark.parametrize("make", [None, in_steps, nearly_parallel])
def test_hinge_is_the_linear_program(problem, make):
    problem = problem if make is None else make()
    better, worse, features, weights = problem
    design = features[better] - features[worse]
    pairs, columns = design.shape
    answer = optimize.linprog(
        np.concatenate([np.zeros(columns), weights]),
        A_ub=np.hstack([-design, -np.eye(pairs)]),
        b_ub=-np.ones(pairs),
        bounds=[(None, None)] * columns + [(0.0, None)] * pairs,
    )
    beta = fit_pair_loss(better, worse, features, loss="hinge", weights=weights)
    # Both solvers promise about 1e-9 of the total.
    assert total("hinge", beta, *problem, 0.0) == pytest.approx(answer.fun, rel=1e-8)


@pytest.mark.parametrize("penalty", [0.01, 2.0, 300.0])
@pytest.mark.parametrize("dense", [500, 2])
def test_hinge_is_the_support_vector_machine(problem, penalty, dense, monkeypatch):
    """Against its dual, a quadratic function in a box; whether Newton's equations are solved or
    their solution is approached."""
    monkeypatch.setattr(pair_losses, "_DENSE", dense)
    better, worse, features, weights = problem
    features = features / features.std(axis=0)  # for the sake of the plain solver
    design = features[better] - features[worse]

    def dual(a):
        pull = a @ design
        return 0.5 * pull @ pull / penalty - a.sum(), design @ pull / penalty - 1.0

    answer = optimize.minimize(
        dual, 0.5 * weights, jac=True, bounds=[(0.0, w) for w in weights], method="L-BFGS-B",
        options={"maxiter": 50_000, "maxfun": 100_000, "ftol": 0.0, "gtol": 1e-8},
    )  # fmt: skip
    beta = fit_pair_loss(better, worse, features, loss="hinge", weights=weights, penalty=penalty)
    primal = total("hinge", beta, better, worse, features, weights, penalty)
    # The dual is below the minimum wherever the plain solver stopped, the primal above it.
    assert primal >= -answer.fun - 1e-9 * primal
    assert primal == pytest.approx(-answer.fun, rel=1e-5)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_weight_is_a_number_of_pairs(problem, loss):
    better, worse, features, weights = problem
    times = weights.astype(int)
    weighted = fit_pair_loss(
        better, worse, features, loss=loss, weights=weights, penalty=1.0
    )  # fmt: skip
    repeated = fit_pair_loss(
        np.repeat(better, times), np.repeat(worse, times), features, loss=loss, penalty=1.0
    )
    np.testing.assert_allclose(weighted, repeated, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("loss", LOSSES)
def test_sparse_features_and_other_units(problem, loss):
    better, worse, features, _ = problem
    beta = fit_pair_loss(better, worse, features, loss=loss)
    by_sparse = fit_pair_loss(better, worse, sparse.csr_array(features), loss=loss)
    np.testing.assert_allclose(by_sparse, beta, rtol=1e-5, atol=1e-7)
    unit = np.array([1e3, 1.0, 1e-3, 7.0])
    np.testing.assert_allclose(
        fit_pair_loss(better, worse, features * unit, loss=loss) * unit, beta, rtol=1e-5, atol=1e-7
    )


def test_a_feature_that_no_pair_differs_in_is_left_alone(problem):
    better, worse, features, _ = problem
    by_query = np.repeat(np.arange(10.0), 6)[:, None]
    beta = fit_pair_loss(better, worse, features)
    more = fit_pair_loss(better, worse, np.hstack([features, by_query, np.ones((60, 1))]))
    np.testing.assert_allclose(more, [*beta, 0.0, 0.0], rtol=1e-5, atol=1e-8)


@pytest.fixture(scope="module")
def games():
    """Eight items, 200 comparisons."""
    rng = np.random.default_rng(2)
    score = np.linspace(-1.0, 1.0, 8)
    left = rng.integers(0, 8, size=200)
    right = (left + rng.integers(1, 8, size=200)) % 8
    won = score[left] - score[right] + rng.logistic(size=200) > 0
    return np.where(won, left, right), np.where(won, right, left)


def test_logistic_loss_of_items_is_bradley_terry(games):
    better, worse = games
    counts = np.tile([1, 0, 0], (better.size, 1))
    fit = br.fit(
        br.Comparisons(better, worse, counts, list(range(8))),
        "bradley-terry", method="map", scale=np.inf, progress=False,
    )  # fmt: skip
    score = fit_pair_loss(better, worse)
    np.testing.assert_allclose(score, fit.ranking()["score"].sort_index(), atol=1e-6)


@pytest.mark.parametrize("loss", LOSSES)
def test_scores_of_items(games, loss):
    better, worse = games
    score = fit_pair_loss(better, worse, loss=loss, penalty=1.0)
    assert abs(score.sum()) < 1e-9
    plain = fit_pair_loss(better, worse, np.eye(8), loss=loss, penalty=1.0)
    np.testing.assert_allclose(score, plain, atol=1e-6)


def test_pairs_within_queries():
    rng = np.random.default_rng(1)
    relevance, query = rng.integers(0, 3, size=40), rng.integers(0, 5, size=40)
    better, worse = pairs_within(relevance, query)
    expected = {
        (i, j)
        for i in range(40)
        for j in range(40)
        if query[i] == query[j] and relevance[i] > relevance[j]
    }
    assert len(better) == len(expected)
    assert set(zip(better.tolist(), worse.tolist(), strict=True)) == expected
    names = np.array(["a", "b", "c", "d", "e"])[query]
    np.testing.assert_array_equal(pairs_within(relevance, names), (better, worse))
    assert pairs_within([2.0, 2.0])[0].size == 0
    assert pairs_within([1.0, 2.0])[0].tolist() == [1]


@pytest.mark.parametrize("loss", ["logistic", "exponential"])
def test_no_minimum_is_refused(loss):
    rng = np.random.default_rng(3)
    features = rng.normal(size=(40, 2))
    better, worse = pairs_within(features[:, 0])
    with pytest.raises(ValueError, match=r"does not exist.*never larger for the worse"):
        fit_pair_loss(better, worse, features, loss=loss)
    # Half of the pairs differ in the second column only, and contradict each other.
    features = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    with pytest.raises(ValueError, match="does not exist"):
        fit_pair_loss([0, 2, 3, 2], [1, 3, 2, 3], features, loss=loss)
    assert np.isfinite(fit_pair_loss(better, worse, rng.normal(size=(40, 2)), loss=loss)).all()
    with pytest.raises(ValueError, match=r"does not exist: items 3 are never better"):
        fit_pair_loss([0, 1, 2, 0], [1, 2, 0, 3], loss=loss)
    assert fit_pair_loss([0, 1, 2, 0], [1, 2, 0, 3], loss=loss, penalty=1.0)[3] < 0


def test_hinge_and_squared_loss_always_have_a_minimum():
    features = np.random.default_rng(3).normal(size=(40, 2))
    better, worse = pairs_within(features[:, 0])
    beta = fit_pair_loss(better, worse, features, loss="hinge")
    # Every margin can be 1, but for those of pairs that hardly differ they need large coefficients.
    assert total("hinge", beta, better, worse, features, 1.0 + 0.0 * better, 0.0) < 1e-6
    assert np.isfinite(fit_pair_loss(better, worse, features, loss="squared")).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"loss": "huber"}, r'`loss` must be one of "logistic".*got \'huber\''),
        ({"penalty": -1.0}, r"`penalty` must be a number from 0 up, got -1.0"),
        ({"better": [0, 1, 2]}, r"`better` and `worse` must be.*shapes \(3,\) and \(2,\)"),
        ({"better": [0.0, 1.0]}, "`better` must hold whole numbers, got float64"),
        ({"worse": [1, 7]}, "`worse` must be from 0 to 2, got 7"),
        ({"worse": [-1, 2]}, "`worse` must be from 0 to 2, got -1"),
        ({"worse": [1, 1]}, "`better` and `worse` must differ, but are the same in pair 1"),
        ({"weights": [1.0]}, r"`weights` must have one number for each of the 2 pairs"),
        ({"weights": [1.0, 0.0]}, r"`weights` must be positive, got 0.0"),
        ({"features": [[1.0], [np.nan], [2.0]]}, "`features` has missing or infinite values"),
        ({"features": [1.0, 2.0, 3.0]}, "`features` must be rows by columns, got 1 dim"),
    ],
)
def test_what_is_refused(change, message):
    arguments = {"better": [0, 1], "worse": [1, 2], "features": [[1.0], [0.0], [2.0]]} | change
    with pytest.raises(ValueError, match=message):
        fit_pair_loss(**arguments)


def test_lengths_of_relevance_and_query_must_agree():
    with pytest.raises(ValueError, match=r"one length, got shapes \(2,\) and \(3,\)"):
        pairs_within([1, 2], [0, 0, 0])
