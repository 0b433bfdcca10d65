"""What holds for every distribution at any scores, by functions that are compiled once."""

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.distributions import pair_cases, ranking_cases
from tests.distributions.ranking_cases import outcomes
from tests.modes import AS_WRITTEN

# Whole eighths: differences and shifts of them are exact, so that nothing is left to rounding.
eighths = st.integers(-400, 400).map(lambda k: k / 8)
ONE_GAME = np.eye(3, dtype=int)


@pytest.fixture(scope="module", params=pair_cases.CASES, ids=lambda case: case.name)
def pair(request):
    """Return a function of two scores: the log-probabilities of a win, a loss and a tie."""
    left, right = pt.dscalars("left", "right")
    logp = pm.logp(request.param.dist(left, right, n=1), ONE_GAME)
    return pytensor.function([left, right], logp, mode=AS_WRITTEN)


@pytest.fixture(scope="module", params=ranking_cases.CASES, ids=lambda case: case.name)
def ranking(request):
    """Return the case, and a function of scores and of ranks, rankings by items: their logp."""
    score, ranks = pt.dvector("score"), pt.lmatrix("ranks")
    logp = pm.logp(request.param.dist(score), ranks)
    return request.param, pytensor.function([score, ranks], logp, mode=AS_WRITTEN)


@given(left=eighths, right=eighths, shift=eighths)
def test_pairs(pair, left, right, shift):
    logp = pair(left, right)
    assert np.exp(logp).sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_array_equal(pair(left + shift, right + shift), logp)
    # The left item's win is the right item's loss.
    np.testing.assert_allclose(pair(right, left), logp[[1, 0, 2]], rtol=1e-12)
    if left != right:
        assert (logp[0] > logp[1]) == (left > right)


@settings(max_examples=settings.default.max_examples // 2)
@given(score=arrays(float, st.integers(2, 4), elements=eighths), shift=eighths, data=st.data())
def test_rankings(ranking, score, shift, data):
    case, logp_of = ranking
    parts = outcomes(case, len(score))
    ranks = np.concatenate(parts)
    logp = logp_of(score, ranks)
    for part in np.split(np.exp(logp), np.cumsum([len(part) for part in parts])[:-1]):
        assert part.sum() == pytest.approx(1.0, abs=1e-10)
    close = {"rtol": 1e-10, "atol": 1e-10}
    np.testing.assert_allclose(logp_of(score + shift, ranks), logp, **close)
    order = list(data.draw(st.permutations(range(len(score)))))
    np.testing.assert_allclose(logp_of(score[order], ranks[:, order]), logp, **close)
