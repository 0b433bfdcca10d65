"""Memory that a fit takes beside its frame."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks import memory, raw_rows


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="Linux's own account")
def test_memory_is_measured_beside_the_frame(monkeypatch):
    """What a fit takes for a while and gives back is seen: here 80 MB, give or take a tenth."""
    monkeypatch.setattr(memory, "our_mode", lambda frame: np.ones(10_000_000).sum())
    found = memory.measure("pandas, str", 20_000)
    assert found["frame"] == raw_rows.raw_frame(20_000).memory_usage(deep=True).sum()
    assert found["rise"] == pytest.approx(80e6, rel=0.1)
