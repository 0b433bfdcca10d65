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
from bayesrank.inference.mode import find_mode, hessian

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
