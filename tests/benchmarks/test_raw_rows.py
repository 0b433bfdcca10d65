"""Raw rows: drawn from the model, and peers that must agree."""

import numpy as np
import pytest

from benchmarks import raw_rows


def test_raw_rows_are_drawn_from_the_model():
    """Ties over the geometric mean of wins are the tie parameter, within four standard errors."""
    frame = raw_rows.raw_frame(20_000, items=2)
    for left in ("model-000", "model-001"):
        counts = frame.loc[frame["left"] == left, "outcome"].value_counts()
        found = np.log(counts["tie"]) - np.log(counts[["left", "right"]]).mean()
        error = np.sqrt(1 / counts["tie"] + (1 / counts[["left", "right"]]).sum() / 4)
        assert abs(found - np.log(0.7)) < 4 * error


def test_raw_rows_run(monkeypatch):
    """All that is installed is compared; estimates that differ would raise."""
    monkeypatch.setattr(raw_rows, "ROWS", {True: 4000})
    found = raw_rows.run(quick=True)
    peers = ["evalica", "choix", "arena-rank"]
    expected = [name for name in peers if raw_rows.installed(name)]
    assert list(dict.fromkeys(line.peer.split()[0] for line in found)) == expected


def test_estimates_that_differ_are_refused():
    fit = raw_rows.our_mode(raw_rows.raw_frame(500, items=4))
    score = fit.scores()[0]
    raw_rows.require_same_scores("peer", fit, score + 7.0)
    with pytest.raises(AssertionError, match=r"peer: scores differ by up to 0\.0[67]"):
        raw_rows.require_same_scores("peer", fit, score + 0.1 * np.eye(4)[0])
