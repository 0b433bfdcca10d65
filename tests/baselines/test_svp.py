"""Singular value projection: exact where the matrix is, and against a plain decomposition."""

import numpy as np
import pytest

from bayesrank.baselines.borda import borda
from bayesrank.baselines.svp import _complete, _differences, svp


def some_places(documents, lists, missing, seed):
    rng = np.random.default_rng(seed)
    places = rng.permuted(np.tile(np.arange(1.0, documents + 1), (lists, 1)), axis=1).T
    places[rng.random(places.shape) < missing] = np.nan
    return places


@pytest.mark.parametrize("best", ["smallest", "largest"])
def test_complete_lists_give_borda_s_count(best):
    """Points are n - rank, so the mean rank difference is that of points over lists."""
    places = some_places(7, 4, 0.0, 0)
    query = np.array([0, 1, 0, 1, 0, 1, 0])
    for absent in ("below", "ignored"):
        points = borda(places, query, best=best) / 4
        for q in (0, 1):
            points[query == q] -= points[query == q].mean()
        found = svp(places, query, best=best, absent=absent)
        np.testing.assert_allclose(found, points, atol=1e-9)


def test_absent_below_gives_borda_s_count():
    places = some_places(8, 5, 0.4, 1)
    points = borda(places) / 5
    np.testing.assert_allclose(svp(places, absent="below"), points - points.mean(), atol=1e-9)


def test_differences_by_hand():
    """A document that nobody lists is known to equal itself only where it is listed."""
    nan = np.nan
    y, known = _differences(np.array([[1.0, 2.0], [2.0, nan], [3.0, 1.0], [nan, nan]]))
    np.testing.assert_array_equal(y[:3, :3], [[0, 1, 0.5], [-1, 0, 1], [-0.5, -1, 0]])
    assert known[:3, :3].all() and not known[3].any() and not known[:, 3].any()


def test_lists_of_few_documents_stay_finite():
    """Known pairs come in blocks: two of ten, three of six."""
    for listed, documents in ((2, 10), (3, 6), (2, 32)):
        places = np.full((documents, 1), np.nan)
        places[:listed, 0] = np.arange(listed)
        found = svp(places, steps=300)
        assert np.abs(found).max() <= documents
        assert (np.diff(found[:listed]) < 0).all() and (found[listed:] == 0).all()


def test_each_step_is_the_nearest_and_never_further():
    """Against the two largest singular values of a full decomposition."""
    for seed in range(20):
        y, known = _differences(some_places(7, 3, 0.5, seed))
        x, before = np.zeros_like(y), np.inf
        for steps in range(1, 8):
            u, d, v = np.linalg.svd(np.where(known, y, x))
            found = _complete(y, known, steps, 0.0)
            # Where two pairs of singular values are equal there are two nearest.
            if d[1] > d[2] + 1e-6:
                np.testing.assert_allclose(found, (u[:, :2] * d[:2]) @ v[:2], atol=1e-8)
            x, error = found, np.linalg.norm((y - found)[known])
            assert error <= before + 1e-9
            before = error
        np.testing.assert_allclose(x, -x.T, atol=1e-9)


def test_missing_pairs_are_completed():
    """Two documents that no list has together: rank two leaves one answer, found from others."""
    s = np.array([3.0, 1.5, 0.5, -1.0, -1.5, -2.5])
    y = s[:, None] - s
    known = np.ones(y.shape, dtype=bool)
    known[0, 5] = known[5, 0] = known[1, 3] = known[3, 1] = False
    found = _complete(np.where(known, y, 0.0), known, 2000, 1e-12)
    np.testing.assert_allclose(found, y, atol=1e-6)


def test_the_answer_is_skew_and_of_rank_two():
    places = some_places(6, 3, 0.3, 5)
    x = _complete(*_differences(places), 100, 1e-6)
    np.testing.assert_allclose(x, -x.T, atol=1e-9)
    assert np.linalg.matrix_rank(x, tol=1e-8) == 2


def test_bad_arguments():
    with pytest.raises(ValueError, match='`best` must be "smallest" or "largest", got 3'):
        svp([[1.0]], best=3)
    with pytest.raises(ValueError, match="`absent` must be"):
        svp([[1.0]], absent="last")
    with pytest.raises(ValueError, match=r"`places` must have a row .* got shape \(0, 2\)"):
        svp(np.zeros((0, 2)))
    with pytest.raises(ValueError, match="`query` must hold one label for each of the 1 documents"):
        svp([[1.0]], [1, 2])
