"""Maximum likelihood reproduces published values and those of other software.

Sources: Davidson (1970) and the R package PlackettLuce (pudding), Stigler (1994), Agresti (2002)
and the R package BradleyTerry2 (citations, baseball), the R package psychotools (German
parties); the remaining figures were recomputed independently from the same tables. Log-worths
are relative to the first item unless said otherwise.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import special

import bayesrank as br
from bayesrank.inference.curvature import hessian
from bayesrank.inference.mode import find_mode

INFINITE = float("inf")


def maximum_likelihood(data, likelihood, reference, **options):
    fit = br.fit(data, likelihood, method="map", scale=INFINITE, **options)
    score = fit.ranking()["score"]
    return score - score[reference], fit.parameters()["mean"], fit


def log_likelihood(fit):
    """Return the log-likelihood without multinomial constants, as the sources print it."""
    specification = fit.specification
    return (fit.log_likelihood().values[0, 0] - specification.observation.log_coefficient).sum()


@pytest.mark.parametrize(
    ("likelihood", "worths", "name", "tie", "loss"),
    [
        (
            "davidson",
            [0.0, 0.2202419, 0.1529777, 0.1751449, 0.1338652, 0.3771349],
            "nu",
            0.7468230,
            809.709510,
        ),
        (
            "rao-kupper",
            [0.0, 0.1737181, 0.1200492, 0.1398787, 0.1049691, 0.2980093],
            "theta",
            np.exp(0.5587338304),
            809.697133,
        ),
        (
            "glenn-david",
            [0.0, 0.1067574, 0.0739527, 0.0853215, 0.0646458, 0.1829449],
            "threshold",
            0.3478715027,
            809.704894,
        ),
    ],
)
def test_pudding(pudding, likelihood, worths, name, tie, loss):
    score, parameters, fit = maximum_likelihood(pudding, likelihood, "1")
    np.testing.assert_allclose(score[pudding.items], worths, atol=2e-7)
    assert parameters[name] == pytest.approx(tie, rel=1e-6)
    assert -log_likelihood(fit) == pytest.approx(loss, abs=1e-5)


def standard_errors(data, likelihood):
    """Return standard errors of the log-worths relative to the first item, and of the rest."""
    specification = br.Specification(data, likelihood, scale=INFINITE)
    mode, _ = find_mode(specification)
    covariance = np.linalg.inv(-hessian(specification, mode, jacobian=False))
    # Scores are a linear function of their n - 1 free coordinates.
    n = len(data.items)
    basis = np.array([specification.parameters[0].constrain(unit) for unit in np.eye(n - 1)]).T
    contrast = (basis - basis[:1])[1:]
    relative = contrast @ covariance[: n - 1, : n - 1] @ contrast.T
    return np.sqrt(np.diag(relative)), np.sqrt(np.diag(covariance)[n - 1 :])


def test_standard_errors(pudding):
    worths, tie = standard_errors(pudding, "davidson")
    published = [0.1872169, 0.1935185, 0.1882109, 0.1927046, 0.1924062]
    np.testing.assert_allclose(worths, published, atol=1e-6)
    # The flat vector holds the logit of the tie rate, nu = 2 exp(logit): the same as log nu.
    assert tie == pytest.approx([0.0824987], abs=1e-6)
    worths, _ = standard_errors(br.load_dataset("citations"), "bradley-terry")
    np.testing.assert_allclose(worths, [0.102545, 0.060589, 0.07083], atol=1e-6)


def test_pudding_worths_of_davidson(pudding):
    """The printed worths, to the four digits that had settled when the iteration was stopped."""
    score, _, _ = maximum_likelihood(pudding, "davidson", "1")
    worth = np.exp(score[pudding.items])
    printed = [0.1388005, 0.1729985, 0.161742, 0.165393, 0.1586805, 0.2023855]
    np.testing.assert_allclose(worth / worth.sum(), printed, atol=5e-5)


def test_citations():
    data = br.load_dataset("citations")
    order = ["Biometrika", "Comm Statist", "JASA", "JRSS-B"]
    score, _, fit = maximum_likelihood(data, "bradley-terry", "Biometrika")
    wins, losses, _ = data.counts.T
    saturated = (special.xlogy(wins, wins) + special.xlogy(losses, losses)).sum()
    saturated -= special.xlogy(wins + losses, wins + losses).sum()
    deviance = 2 * (saturated - log_likelihood(fit))
    assert deviance == pytest.approx(4.2933839699, abs=1e-6)
    np.testing.assert_allclose(score[order], [0, -2.949072, -0.479570, 0.268954], atol=1e-6)
    score, _, _ = maximum_likelihood(data, "thurstone-pairs", "Biometrika")
    np.testing.assert_allclose(score[order], [0, -1.674694, -0.289913, 0.159117], atol=1e-6)


def test_german_parties():
    data = br.load_dataset("german_parties")
    order = ["none", "Linke", "Gruene", "SPD", "CDU/CSU", "FDP"]
    score, _, fit = maximum_likelihood(data, "bradley-terry", "FDP")
    expected = [-0.3755616, -0.61607, 1.1857554, 0.8130987, 0.1756203, 0.0]
    np.testing.assert_allclose(score[order], expected, atol=1e-6)
    assert log_likelihood(fit) == pytest.approx(-1716.807322, abs=1e-5)


def test_baseball_with_and_without_home_advantage():
    """Agresti (2002), table 10.11."""
    data = br.load_dataset("baseball")
    score, _, _ = maximum_likelihood(data, "bradley-terry", "Baltimore")
    assert sorted(score.round(2)) == [0.0, 0.68, 1.11, 1.25, 1.29, 1.44, 1.58]
    score, parameters, _ = maximum_likelihood(data, "bradley-terry", "Baltimore", order_effect=True)
    worth = np.exp(score) / np.exp(score).sum()
    assert sorted(worth.round(3)) == [0.044, 0.088, 0.137, 0.157, 0.164, 0.19, 0.22]
    assert parameters["order_effect"] == pytest.approx(0.302, abs=5e-4)


def test_choix():
    """The pairwise test case of the Python package choix."""
    games = pd.DataFrame([(0, 1), (0, 1), (1, 2), (2, 0)], columns=["left", "right"])
    data = br.Comparisons.from_frame(games.assign(outcome="left"))
    fit = br.fit(data, "bradley-terry", method="map", scale=INFINITE)
    expected = [0.419617624, -0.419617624, 0.0]
    np.testing.assert_allclose(fit.ranking()["score"][[0, 1, 2]], expected, atol=1e-7)


def scores_of(lists, likelihood, reference, **options):
    rankings = br.Rankings.from_lists(lists, unranked="not offered", **options)
    fit = br.fit(rankings, likelihood, method="map", scale=INFINITE)
    score = fit.ranking()["score"]
    return score - score[reference], fit


def with_ghost(lists, items, weight=0.5):
    """Add the pseudo-rankings of the R package PlackettLuce: each item against a ghost."""
    extra = [[pair, pair[::-1]] for pair in ([item, "ghost"] for item in items)]
    weights = [1.0] * len(lists) + [weight] * 2 * len(items)
    return lists + [pair for pairs in extra for pair in pairs], weights


def test_nascar():
    """Hunter (2004) and the R package PlackettLuce: 83 drivers without the four who only lost."""
    data = br.load_dataset("nascar")
    assert len(data) == 36 and len(data.items) == 87
    loses = data.connectivity().never_win
    assert len(loses) == 4
    data = data.subset([item for item in data.items if item not in loses])
    score, _, fit = maximum_likelihood(data, "plackett-luce", "Austin Cameron")
    assert fit.log_likelihood().sum() == pytest.approx(-4191.097284597, abs=1e-6)
    some = ["Bill Elliott", "Bobby Hamilton", "Dale Earnhardt Jr.", "Dale Jarrett", "Carl Long"]
    expected = [1.518854729, 1.120762724, 1.543707368, 1.603361074, -0.319615282]
    np.testing.assert_allclose(score[some], expected, atol=3e-6)


def test_nascar_with_pseudo_rankings():
    data = br.load_dataset("nascar")
    lists = [[data.items[e] for e in row] for row in data.entries]
    lists, weights = with_ghost(lists, data.items)
    score, fit = scores_of(lists, "plackett-luce", "Austin Cameron", weights=weights)
    assert fit.log_likelihood()[0, 0, :36].sum() == pytest.approx(-4193.592341411, abs=1e-5)
    some = ["Bill Elliott", "Bobby Hamilton", "Dale Earnhardt Jr.", "Dale Jarrett", "Carl Long"]
    expected = [1.360177778, 0.964623976, 1.382841559, 1.442855992, -0.320014753]
    np.testing.assert_allclose(score[some], expected, atol=5e-6)


def test_netflix_against_hunters_iteration():
    """No estimate is printed for these votes: the maximum by Hunter's MM steps, written plainly."""
    data = br.load_dataset("netflix")
    assert data.weights.sum() == 588 and len(data) == 24
    worth = np.ones(4)
    votes = list(zip(data.entries, data.weights, strict=True))
    wins = sum(weight * np.bincount(row[:-1], minlength=4) for row, weight in votes)
    for _ in range(300):
        share = np.zeros(4)
        for row, weight in votes:
            for place in range(3):
                share[row[place:]] += weight / worth[row[place:]].sum()
        worth = wins / share
    score, _, _ = maximum_likelihood(data, "plackett-luce", "Mean Girls")
    expected = np.log(worth / worth[data.items.index("Mean Girls")])
    np.testing.assert_allclose(score[data.items], expected, atol=1e-7)


def test_german_voters():
    """Four political goals in order of importance for 2 262 Germans (Croon 1989)."""
    orders = {
        "1234": 137, "1243": 29, "1324": 309, "1342": 52, "1423": 255, "1432": 93,
        "2134": 48, "2143": 23, "2314": 330, "2341": 21, "2413": 294, "2431": 30,
        "3124": 61, "3142": 33, "3214": 117, "3241": 29, "3412": 70, "3421": 35,
        "4123": 55, "4132": 59, "4213": 69, "4231": 52, "4312": 34, "4321": 27,
    }  # fmt: skip
    lists, weights = [list(order) for order in orders], list(orders.values())
    score, fit = scores_of(lists, "plackett-luce", "1", weights=weights)
    worth = np.exp(score[["1", "2", "3", "4"]])
    printed = [0.3340503, 0.2934840, 0.2087854, 0.1636803]
    np.testing.assert_allclose(worth / worth.sum(), printed, atol=1e-7)
    assert fit.log_likelihood().sum() == pytest.approx(-6957.623197033, abs=1e-6)


def test_choix_rankings():
    """The ranking and top-1 test cases of the Python package choix."""
    score, fit = scores_of([[0, 1, 2], [3, 2, 0], [1, 3]], "plackett-luce", 0)
    printed = np.array([-0.44328117, 0.69506219, -0.67061442, 0.4188334])
    # The printed estimate stops a little short of the maximum.
    np.testing.assert_allclose(score[[0, 1, 2, 3]], printed - printed[0], atol=1e-4)
    at_printed = fit.specification.observation.log_likelihood({"score": printed}).sum()
    assert 0.0 < fit.log_likelihood().sum() - at_printed < 1e-8
    lists = [[0, 1], [1, 2], [2, {0, 1}]]
    score, _ = scores_of(lists, "partitioned-plackett-luce", 0)
    expected = np.array([0.16040395, -0.32080789, 0.16040394])
    np.testing.assert_allclose(score[[0, 1, 2]], expected - expected[0], atol=1e-7)


def test_fruits():
    """Davidson-Luce with ties of two and three, in the documentation of PlackettLuce (R)."""
    data = br.load_dataset("fruits")
    fruits = ["apple", "banana", "orange", "pear"]
    score, parameters, fit = maximum_likelihood(data, "davidson-luce", "apple")
    np.testing.assert_allclose(score[fruits], [0, 0.2942874, -0.7335113, -0.119096], atol=1e-6)
    ties = np.log([parameters["tie[2]"], parameters["tie[3]"]])
    np.testing.assert_allclose(ties, [-1.8619467, -0.7369735], atol=1e-6)
    assert fit.log_likelihood().sum() == pytest.approx(-14.569739289, abs=1e-8)


def test_fruits_with_pseudo_rankings():
    lists = [
        ["apple", "banana"], ["banana", "orange", "apple"], [{"banana", "orange"}, "apple"],
        ["apple", "banana", "orange"], [{"banana", "orange"}, "apple"], ["apple", "orange"],
    ]  # fmt: skip
    lists, weights = with_ghost(lists, ["apple", "banana", "orange"])
    score, fit = scores_of(lists, "davidson-luce", "apple", weights=weights)
    np.testing.assert_allclose(score[["banana", "orange"]], [0.2867987, -0.4636687], atol=1e-6)
    assert np.log(fit.parameters()["mean"]["tie[2]"]) == pytest.approx(-1.0701129, abs=1e-6)


def test_pudding_as_rankings_of_two(pudding):
    """Davidson-Luce with two slots is Davidson."""
    lists, weights = [], []
    for left, right, counts in zip(pudding.left, pudding.right, pudding.counts, strict=True):
        a, b = pudding.items[left], pudding.items[right]
        lists += [[a, b], [b, a], [{a, b}]]
        weights += counts.tolist()
    score, fit = scores_of(lists, "davidson-luce", "1", weights=weights)
    expected, parameters, _ = maximum_likelihood(pudding, "davidson", "1")
    np.testing.assert_allclose(score[pudding.items], expected[pudding.items], atol=1e-7)
    assert fit.parameters()["mean"]["tie[2]"] == pytest.approx(parameters["nu"], rel=1e-7)
    assert fit.log_likelihood().sum() == pytest.approx(-809.70951, abs=1e-5)
