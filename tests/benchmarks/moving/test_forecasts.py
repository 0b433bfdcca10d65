"""What each method says of matches that it has not seen."""

import numpy as np
import pytest

from benchmarks.moving.forecasts import ours
from benchmarks.moving.matches import simulated

CONSTANTS = {"scale": 1.0, "drift": 0.5}


@pytest.mark.parametrize("ties", [True, False])
def test_all_outcomes_are_predicted(ties):
    """A match is predicted whichever way it ends, and the probabilities of all ways are one."""
    matches, total = simulated(ties), 0.0
    future = matches.future
    for outcome in ("left", "right", "tie")[: 3 if ties else 2]:
        matches.future = future.assign(outcome=outcome)
        total += ours(matches, draws=100)[0]
    np.testing.assert_allclose(total, 1.0, atol=1e-9)


@pytest.mark.parametrize("ties", [True, False])
@pytest.mark.parametrize("package", ["kickscore", "trueskillthroughtime"])
def test_peers_say_much_the_same(package, ties):
    pytest.importorskip(package)
    from benchmarks.moving.forecasts import PEERS

    matches = simulated(ties, per_year=150)
    mine, _ = ours(matches, draws=300)
    theirs, evidence, seconds = PEERS[package](matches, **CONSTANTS)
    assert np.corrcoef(mine, theirs)[0, 1] > 0.9
    assert abs(np.log(mine).mean() - np.log(theirs).mean()) < 0.05
    assert evidence < 0.0 < seconds


def test_whoever_is_new_comes_from_the_prior():
    matches = simulated(False)
    new = matches.future.assign(left="nobody yet", right="nobody either")
    matches.future = new
    assert ours(matches, draws=1000)[0] == pytest.approx(np.full(len(new), 0.5), abs=0.03)
