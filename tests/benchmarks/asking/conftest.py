"""Fewer samples of replicates than a study takes."""

import pytest

from benchmarks.asking import needed


@pytest.fixture(autouse=True)
def few_samples(monkeypatch):
    monkeypatch.setattr(needed, "_RESAMPLED", 60)
