"""Graded documents: features made ready on the training set, and folds."""

import numpy as np
import pytest

from models.ordered_partitions import graded_documents


def test_features_are_prepared_on_the_training_set():
    train, test = (graded_documents.simulated(30, 5, np.random.default_rng(k)) for k in (1, 2))
    train.values[:, 3] = train.query  # the same throughout each query
    ready, other = graded_documents.prepared(train, test, threshold=0.15)
    assert "f4" not in ready.columns and "f2 x f3" in ready.columns
    assert graded_documents.spread_within(ready.values, ready.query) == pytest.approx(1.0)
    unit = graded_documents.spread_within(train.values, train.query)[0]
    expected = (test.values[:, 0] - train.values[:, 0].mean()) / unit
    np.testing.assert_allclose(other.values[:, 0], expected)
    z = (train.values - train.values.mean(axis=0)) / train.values.std(axis=0)
    both = {"f2 x f3": z[:, 1] * z[:, 2], "f1 x f5": z[:, 0] * z[:, 4]}
    for name, product in both.items():
        plain = np.corrcoef(product, train.relevance)[0, 1]
        assert graded_documents.correlation(product[:, None], train.relevance)[0] == pytest.approx(
            plain
        )
        assert (name in ready.columns) == (abs(plain) > 0.15)


def test_folds_are_letor_s(monkeypatch):
    """Each query is tested once, and never among those that the fold was trained on."""
    monkeypatch.setattr(graded_documents, "data_folder", lambda name: None)
    label, folds = graded_documents.folds_of("mq2008", False, 0)
    assert label == "mq2008, simulated" and len(folds) == 5
    tested = [test.values[:, 0] for _, test in folds]
    assert np.unique(np.concatenate(tested)).size == sum(map(len, tested))
    for (train, _), own in zip(folds, tested, strict=True):
        assert len(train.queries) == 3 * 157
        assert not np.isin(own, train.values[:, 0]).any()
