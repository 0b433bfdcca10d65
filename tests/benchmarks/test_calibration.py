"""The study of calibration: that it runs, its designs, and what it says."""

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.model.likelihoods import LIKELIHOODS


def test_the_calibration_study_runs(capsys, tmp_path, monkeypatch):
    from benchmarks import calibration

    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{calibration.START}\nold\n{calibration.END}\nafter\n")
    monkeypatch.setattr(calibration, "HERE", tmp_path)
    monkeypatch.setattr(calibration, "TABLE", tmp_path / "calibration.csv")
    monkeypatch.setattr(calibration, "PICTURE", tmp_path / "calibration.png")
    monkeypatch.setattr(calibration, "RANKS", tmp_path / "calibration.npz")
    arguments = ["--only", "davidson", "--methods", "laplace", "--n", "12", "--save"]
    first = calibration.main(arguments)
    assert "| `davidson` |" in capsys.readouterr().out
    # What is done is not done again.
    monkeypatch.setattr(calibration, "study", None)
    pd.testing.assert_frame_equal(calibration.main(arguments), first)
    assert "old" not in readme.read_text()
    assert "| `davidson` |" in readme.read_text()
    assert (tmp_path / "calibration.png").stat().st_size > 1000


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_the_calibration_study_has_a_design_for(likelihood):
    from benchmarks.calibration import design

    model = br.Specification(design(likelihood), likelihood)
    values = {name: value[0] for name, value in model.prior(1, seed=1).items()}
    assert model.observation.draw(values, np.random.default_rng(1)).sum() > 0


def test_what_the_calibration_study_says():
    from benchmarks.calibration import verdict

    rows = {"p_adjusted": [0.001, 0.002, 0.5], "shift": [0.0, -0.2, 0.0], "spread": [1.3, 1.0, 1.0]}
    table = pd.DataFrame(rows, index=["scale", "score[0]", "nu"])
    assert verdict(table) == "scale too narrow, score[0] too high"
    assert verdict(table.iloc[2:]) == "calibrated"
