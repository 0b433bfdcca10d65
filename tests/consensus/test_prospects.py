"""How many more results it takes, against other ways to work it out."""

import numpy as np
import pytest

from bayesrank.consensus.prospects import MOST_ITEMS, _Information, results_needed

FLAT = np.array([np.inf])


def normal_draws(mean, sd, draws=4000, seed=1):
    """Return draws with exactly these means and independent deviations, before centring."""
    noise = np.random.default_rng(seed).standard_normal((draws, len(mean)))
    noise -= noise.mean(axis=0)
    return np.asarray(mean) + sd * noise @ np.linalg.inv(np.linalg.cholesky(np.cov(noise.T))).T


def needed_by_two(mean, sd, seen, prob_z, runs, rng):
    """Return first numbers of results that settle which of two is better, one run at a time."""
    found = []
    truths = rng.normal(mean, sd, runs)
    for truth in truths:
        information, pull, so_far, more = sd**-2.0, mean / sd**2, 0.0, np.ceil(0.005 * seen)
        while more <= 1000 * seen:
            new = (more - so_far) / seen * sd**-2.0  # information that comes in
            pull += new * truth + np.sqrt(new) * rng.standard_normal()
            information += new
            so_far = more
            if abs(pull) / np.sqrt(information) >= prob_z:
                break
            more = np.ceil(1.2 * more)
        found.append(more if more <= 1000 * seen else np.inf)
    return np.sort(found)


@pytest.mark.parametrize("mean", [0.0, 0.1])
def test_two_items_take_as_long_as_a_plain_simulation_says(mean):
    """With 100 truths a quantile is known to 0.05 (one standard error); four of these allowed."""
    sd, seen = 0.1, 200.0
    scores = normal_draws([mean / 2, -mean / 2], sd / np.sqrt(2.0))
    found = results_needed(scores, FLAT, seen, "best", 0.95)
    plain = needed_by_two(mean, sd, seen, 1.6449, 2000, np.random.default_rng(1))
    for quantile, number in zip((0.1, 0.5, 0.9), found, strict=True):
        low, high = np.quantile(plain, [max(quantile - 0.2, 0.0), min(quantile + 0.2, 1.0)],
                                method="inverted_cdf")  # fmt: skip
        assert low <= number <= high


def test_information_is_found_apart_from_the_prior():
    """Draws of a mixture over two scales, given what results say: information and pull."""
    rng = np.random.default_rng(1)
    information, pull = np.array([2.0, 30.0]), np.array([1.5, 9.0])
    variances = np.repeat([0.05, 2.0], 20_000)
    precision = information + 1.0 / variances[:, None]
    along = pull / precision + rng.standard_normal(precision.shape) / np.sqrt(precision)
    vectors = np.linalg.qr(np.array([[1.0, 1.0], [-1.0, 1.0], [0.0, -2.0]]))[0]
    known = _Information(along @ vectors.T, variances)
    # The eigenvector with more spread comes last. Moments of 40 000 draws are known to 1%, and
    # so are these, apart from what the prior adds to the weaker one.
    assert known.information == pytest.approx(information[::-1], rel=0.06)
    assert np.abs(known.pull) == pytest.approx(pull[::-1], rel=0.06)
    # With no results more, the groups are what they are: equally probable, with these spreads.
    noise = rng.standard_normal((len(known.weak), 4000, 2))
    centres, around, weights = known.later(0.0, np.zeros((1, 2)), np.zeros((1, 2)), noise)
    assert weights == pytest.approx(np.full((1, 8), 1 / 8))
    draws = (centres[0][:, None] + around).reshape(-1, 3)
    assert np.cov(draws.T) == pytest.approx(np.cov((along @ vectors.T).T), rel=0.1, abs=0.003)


def test_later_scales_are_weighted_by_how_likely_they_make_the_results():
    """With more results about large true scores, the posterior is as if all had come at once."""
    rng = np.random.default_rng(2)
    variances = np.repeat([0.01, 1.0], 20_000)
    precision = 4.0 + 1.0 / variances[:, None]
    along = rng.standard_normal((40_000, 2)) / np.sqrt(precision)
    vectors = np.linalg.qr(np.array([[1.0, 1.0], [-1.0, 1.0], [0.0, -2.0]]))[0]
    known = _Information(along @ vectors.T, variances)
    truth = np.array([[1.0, -2.0]])
    _, _, weights = known.later(3.0, truth, np.zeros((1, 2)), np.zeros((8, 1, 2)))
    small = weights[0][known.weak > 10.0].sum()
    # By hand: information 16 and pull 12 times the truth, now; 4 and none so far.
    tau = np.array([100.0, 1.0])
    pulls = 12.0 * truth[0]
    now = 0.5 * np.sum(pulls**2) / (16 + tau) - np.log(16 + tau)
    before = -np.log(4 + tau)
    weight = np.exp(now - before - (now - before).max())
    # The information is estimated to some 5%, by which the logarithm of the odds, 12, varies.
    assert np.log(small) == pytest.approx(np.log(weight[0] / weight.sum()), rel=0.1)


def test_what_no_result_is_about_is_never_decided():
    """The results say all of a and b, and nothing of c, of which only the prior is known."""
    difference, other = normal_draws([0.0, 0.0], 1.0).T
    scores = 0.05 * difference[:, None] * np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0)
    scores = scores + other[:, None] * np.array([1.0, 1.0, -2.0]) / np.sqrt(6.0)
    _, median, high = results_needed(scores, np.ones(1), 100.0, "top", k=2)
    assert np.isinf(median) and np.isinf(high)


def test_less_is_needed_for_less():
    scores = normal_draws(np.linspace(0.2, -0.2, 6), 0.1)
    known = [
        [results_needed(scores, FLAT, 100.0, "best", prob, width=width)[1] for prob in (0.8, 0.95)]
        for width in (0.0, 0.1)
    ]
    assert known[0][0] < known[0][1] > known[1][1]
    best = results_needed(scores, FLAT, 100.0, "best")[1]
    assert results_needed(scores, FLAT, 100.0, "order")[1] > best
    # The unit does not matter, but for the first numbers, which are whole.
    more = results_needed(scores, FLAT, 10_000.0, "best")[1]
    assert more / 100.0 == pytest.approx(best, rel=0.2)


def test_too_many_open_items_are_not_looked_at():
    scores = np.random.default_rng(1).normal(0.0, 1.0, size=(4000, MOST_ITEMS + 1))
    assert results_needed(scores, FLAT, 100.0, "best") is None
    # Items that are never first do not count.
    scores[:, 6:] -= 50.0
    assert results_needed(scores, FLAT, 100.0, "best")[1] > 1.0


def test_items_without_any_spread_do_no_harm():
    """As where scores come from features that some items share."""
    column = np.random.default_rng(1).normal(0.1, 0.1, size=4000)
    scores = np.column_stack([column, column, -column, -column])
    with np.errstate(all="raise", under="ignore"):
        assert np.isfinite(results_needed(scores, np.ones(1), 100.0, "top", k=2)[1])
