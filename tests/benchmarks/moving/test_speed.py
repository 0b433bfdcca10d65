"""How long scores that move take."""

import numpy as np
import pytest

from benchmarks.moving import speed


def test_every_item_is_seen_at_every_time():
    data = speed.walking(10, 4)
    assert len(data) == 20 and len(data.times) == 4
    assert len(speed.walking(10, 4, 30)) > 20


def test_modes_beside_what_peers_took():
    seconds = {("simulated matches without ties", "kickscore"): (9.0, {"scale": 1.0, "drift": 0.5})}
    (line,) = speed.modes(True, seconds)
    assert line.ratio == pytest.approx(9.0 / line.ours) and line.asked == 5.0


@pytest.mark.filterwarnings("ignore:Do not trust this fit yet")  # of 200 draws
def test_a_decade_is_sampled():
    found = speed.decade(quick=True)
    assert found["divergences"] == 0 and found["rhat"] < 1.1 and found["ess"] > 20


def test_growth(monkeypatch):
    monkeypatch.setattr(speed, "GROWING", [("states", lambda n: speed.walking(10, n // 20), 200)])
    found = speed.growth(quick=True)
    assert len(found) == 2 and all(np.isfinite(line.ratio) for line in found)
