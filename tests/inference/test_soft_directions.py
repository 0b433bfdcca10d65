"""Soft directions: what no result says, how high all items are that meet at some time."""

import numpy as np
import pandas as pd
import pytest
from scipy import linalg

import bayesrank as br
from bayesrank.inference import moving_normal, soft_directions
from bayesrank.inference.moving_normal import MovingNormal
from bayesrank.kernels.tridiagonal import states_of
from bayesrank.model.specification import Specification
from tests.model.moving_data import games_over_time, often

# Two leagues of three clubs each, which never meet.
LEAGUES = often(games_over_time(rows=90, items=3, seed=3), 100)


def two_leagues():
    frame = LEAGUES.to_frame()
    other = frame.assign(left=frame["left"] + "2", right=frame["right"] + "2")
    other["wins"], other["losses"] = frame["losses"], frame["wins"]
    return br.Comparisons.from_counts(pd.concat([frame, other]), time="time")


def normal_of(data):
    specification = Specification(data, "davidson", scores="walk", scale=1.0, drift=0.3)
    return MovingNormal(specification, np.zeros(0))


def left_over(normal):
    """Return the bends once the soft directions are straightened."""
    bends, axes = normal.soft
    straight = np.eye(normal.size) + axes.T @ np.diag(bends**-0.5 - 1.0) @ axes
    return linalg.eigvalsh(straight @ normal.hessian @ straight)


@pytest.mark.parametrize("data", [LEAGUES, two_leagues()], ids=["one league", "two leagues"])
def test_nothing_is_soft_once_these_are_straightened(data, monkeypatch):
    normal = normal_of(data)
    softest = linalg.eigvalsh(normal.hessian)[0]
    assert softest < 2e-3
    assert left_over(normal) == pytest.approx(np.ones(normal.size), abs=1e-6)
    monkeypatch.setattr(soft_directions, "DENSE", 0)
    for most, least in ((200, 0.5), (4 if data is LEAGUES else 8, 0.15)):
        # With fewer directions, levels change in steps of time that are longer.
        monkeypatch.setattr(soft_directions, "_MOST", most)
        del normal.soft
        assert left_over(normal)[0] > least


def test_draws_of_large_problems_are_as_wide_as_those_of_small_ones(monkeypatch):
    """Levels have no result to say how high they are, which a few products do not find out."""
    normal, noise = normal_of(LEAGUES), np.random.default_rng(0)
    noise = noise.normal(size=(1000, normal.size))

    def widths():
        moves = [normal.draw(row)[: normal.n] for row in noise]
        states = [states_of(normal.left, normal.stretch, np.ascontiguousarray(x)) for x in moves]
        return np.std(states, axis=0)

    wanted = widths()
    for module in (moving_normal, soft_directions):
        monkeypatch.setattr(module, "DENSE", 0)
    monkeypatch.setattr(moving_normal, "_DEPTH", 4)
    assert widths() == pytest.approx(wanted, rel=0.15)  # of a thousand draws each
