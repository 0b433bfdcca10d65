"""How long NUTS takes with all terms of judges."""

import pytest

from benchmarks.judges import speed


@pytest.mark.filterwarnings("ignore:Do not trust this fit yet")  # of 100 draws
def test_all_terms_are_sampled():
    lines = speed.nuts(quick=True)
    time, ess, rhat, divergences = lines
    assert time.theirs == 60.0 and "4 x 100 draws" in time.what
    assert ess.ours > 20 and rhat.ours < 1.1 and divergences.ours == 1.0
