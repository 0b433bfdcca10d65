"""The normal approximation of scores that move, against dense matrices by brute force."""

import numpy as np
import pytest
from scipy.special import expit

from bayesrank.inference import moving_normal
from bayesrank.inference.moving_normal import MovingNormal
from bayesrank.kernels.tridiagonal import states_of
from bayesrank.model.specification import Specification
from tests.model.moving_data import games_over_time

DATA = games_over_time(ties=False)


def closed_form(specification, scale, rate):
    """Return the prior covariance of the states by its definition."""
    states = specification.states
    year = states.years[states.time]
    same = states.item[:, None] == states.item
    if specification.moves.name == "persistence":
        return same * scale**2 * rate ** np.abs(np.subtract.outer(year, year))
    since = year - states.years[states.time[states.first]][states.item]
    return same * (scale**2 + rate**2 * np.minimum.outer(since, since))


def brute_force(specification, scale, rate):
    """Return mode, covariance and log evidence (but for a constant) of Bradley-Terry's model."""
    data, n = specification.results, len(specification.states)
    prior = np.linalg.inv(closed_form(specification, scale, rate))
    games, wins = data.counts.sum(axis=1), data.counts[:, 0]
    rows = np.arange(len(data))
    design = np.zeros((len(data), n))
    design[rows, data.left], design[rows, data.right] = 1.0, -1.0
    s = np.zeros(n)
    for _ in range(50):
        p = expit(design @ s)
        precision = prior + design.T @ ((games * p * (1 - p))[:, None] * design)
        s = s + np.linalg.solve(precision, design.T @ (wins - games * p) - prior @ s)
    p = expit(design @ s)
    value = wins @ np.log(p) + (games - wins) @ np.log1p(-p) - 0.5 * s @ prior @ s
    precision = prior + design.T @ ((games * p * (1 - p))[:, None] * design)
    volume = 0.5 * np.linalg.slogdet(prior)[1] - 0.5 * np.linalg.slogdet(precision)[1]
    return s, np.linalg.inv(precision), value + volume


RATES = {"walk": ("drift", 0.6, 0.2), "mean-reverting": ("persistence", 0.4, 0.9)}


def approximated(scores, scale, rate):
    name = RATES[scores][0]
    given = {"scores": scores, "scale": scale, name: rate}
    specification = Specification(DATA, "bradley-terry", **given)
    return specification, MovingNormal(specification, np.zeros(0))


@pytest.mark.parametrize("scores", RATES)
def test_mode_covariance_and_evidence_are_those_of_brute_force(scores):
    evidence = []
    for scale, rate in ((0.9, RATES[scores][1]), (1.7, RATES[scores][2])):
        specification, normal = approximated(scores, scale, rate)
        mode, covariance, wanted = brute_force(specification, scale, rate)
        assert states_of(normal.left, normal.stretch, normal.mode) == pytest.approx(mode, abs=1e-8)
        units = np.eye(normal.size)
        moves = [normal.draw(unit) - normal.mode for unit in units]
        columns = np.array([states_of(normal.left, normal.stretch, move) for move in moves]).T
        assert columns @ columns.T == pytest.approx(covariance, abs=1e-8)
        evidence.append((normal.log_evidence, wanted))
    (one, its), (other, others) = evidence
    assert one - other == pytest.approx(its - others, abs=1e-8)


@pytest.mark.parametrize("scores", RATES)
def test_large_problems_agree_with_dense_ones(scores, monkeypatch):
    """Lanczos' method is used beyond a size; here on what is small enough for both."""
    _, normal = approximated(scores, 0.9, RATES[scores][1])
    volume = normal.log_volume
    noise = np.random.default_rng(0).normal(size=(2000, normal.size))
    wanted = np.cov(np.array([normal.draw(row) for row in noise]).T)
    monkeypatch.setattr(moving_normal, "DENSE", 0)
    monkeypatch.setattr(moving_normal, "_PROBES", 400)
    # Of random signs: the error of their mean.
    assert normal.log_volume == pytest.approx(volume, abs=0.2)
    found = np.cov(np.array([normal.draw(row) for row in noise]).T)
    width = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    # Noise is turned another way, so that two samples of 2 000 differ.
    assert np.abs(found - wanted).max() < 5 * np.sqrt(2 / 2000) * width.max()
