"""Modes of many queries run."""

from benchmarks import query_modes


def test_query_modes_run():
    found = query_modes.run(quick=True)
    assert len(found) == 2 * len(query_modes.CHOICES)
    assert all(line.theirs == 5e-3 and 0.0 < line.ours < 5.0 for line in found)
