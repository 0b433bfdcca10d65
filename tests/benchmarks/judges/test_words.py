"""The table of kinds of judges by words."""

import pytest

from benchmarks.judges import words
from benchmarks.judges.votes_data import JUDGES


def test_judges_are_counted_by_kind_and_words(monkeypatch):
    monkeypatch.setattr(words, "MODELS", {"Davidson": {}})
    table = words.run(2, processes=1)
    shares = table.drop(columns="judges")
    assert shares.sum(axis=1).to_numpy() == pytest.approx(100.0, abs=0.3)
    assert table["judges"].groupby("kind", observed=True).sum().to_dict() == {
        kind: 2 * count for kind, count in JUDGES.items()
    }
    good = shares.xs("good", level="kind")["follows the ranking"]
    assert good.max() > 60.0
    assert (shares.xs("ties", level="kind")["nearly always ties"] == 100.0).all()
