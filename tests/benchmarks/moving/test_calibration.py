"""Whether true values are where posteriors say."""

import numpy as np
import pytest

import bayesrank as br
from benchmarks.moving import calibration


def test_the_truth_is_relative_to_who_is_seen():
    model = br.Specification(calibration.design("davidson"), "davidson", scores="walk")
    true = calibration._relative(model, np.arange(len(model.states), dtype=float))
    assert len(true) == len(model.states) < calibration.ITEMS * calibration.TIMES
    first = [value for (_, time), value in true.items() if time == 2000.0]
    assert len(first) == 4 and sum(first) == pytest.approx(0.0)


@pytest.mark.parametrize("likelihood", calibration.LIKELIHOODS)
def test_wide_intervals_hold_the_truth(likelihood, monkeypatch):
    monkeypatch.setattr(calibration, "LEVELS", (0.5, 0.9999))
    model = br.Specification(calibration.design(likelihood), likelihood, scores="walk")
    found = np.array([calibration.covered(model, "laplace", seed) for seed in range(4)])
    assert found[:, 0].mean() < 0.9 < found[:, 1].mean()


def test_ranks_have_a_verdict(monkeypatch, capsys):
    monkeypatch.setattr(calibration, "LIKELIHOODS", ("davidson",))
    monkeypatch.setattr(calibration, "METHODS", ("laplace",))
    table = calibration.ranks(6, processes=1)
    assert table["replicates"].tolist() == [6, 6] and "davidson" in capsys.readouterr().out
