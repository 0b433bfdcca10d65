"""Thurstone rankings against integrals, Plackett-Luce, sums over orders and finite differences."""

from itertools import pairwise, permutations, product

import numpy as np
import pytest
from scipy import special, stats

from bayesrank.kernels import KERNELS
from bayesrank.kernels.maths.links import tails
from bayesrank.kernels.partitions import partition
from bayesrank.kernels.thurstone.difference_noise import difference_table
from bayesrank.kernels.thurstone.noise_laws import noise_law

thurstone = KERNELS["thurstone"].function


def gumbel_log_density(z):
    return -z - np.exp(-z)


def gumbel_cdf(z):
    return np.exp(-np.exp(-z))


def laplace_log_density(z):
    return -np.abs(z) - np.log(2.0)


GUMBEL = (gumbel_log_density, gumbel_cdf)
LAPLACE = (laplace_log_density, stats.laplace.cdf)
NOISES = {
    "normal": ("normal", stats.norm),
    "logistic": ("logistic", stats.logistic),
    "t-0.5": (("t", 0.5), stats.t(0.5)),
    "t-3": (("t", 3.0), stats.t(3.0)),
    "t-1000": (("t", 1000.0), stats.t(1000.0)),
    "gumbel": (GUMBEL, stats.gumbel_r),
    "laplace": (LAPLACE, stats.laplace),
}
all_noises = pytest.mark.parametrize("name", NOISES)


def run(scores, sizes, name="normal", orders=None):
    """Return values and gradients of rankings of slots in the given orders, by default as is."""
    scores = np.atleast_2d(np.asarray(scores, dtype=float))
    orders = np.atleast_2d(np.arange(scores.shape[1]) if orders is None else orders)
    # Copies: views of one row would be another type of array and compile the kernel again.
    scores, orders = (x.copy() for x in np.broadcast_arrays(scores, orders))
    padded = np.zeros(scores.shape, dtype=np.int64)
    padded[:, : len(sizes)] = sizes
    return thurstone(scores, orders, padded, *noise_law(NOISES[name][0]))


def orders_of(sizes):
    """Return all orders of 0, 1, ... that keep each block together, in its place."""
    ends = np.cumsum([0, *sizes])
    blocks = [permutations(range(a, b)) for a, b in pairwise(ends)]
    return np.array([sum(order, ()) for order in product(*blocks)])


def partitions_of(items, sizes):
    """Return one order for each way to fill blocks of the given sizes."""
    ends = np.cumsum([0, *sizes])
    seen = {}
    for order in permutations(range(items)):
        blocks = tuple(frozenset(order[a:b]) for a, b in pairwise(ends))
        seen.setdefault(blocks, order)
    return np.array(list(seen.values()))


def plackett_luce(scores):
    return sum(scores[i] - special.logsumexp(scores[i:]) for i in range(len(scores)))


def test_two_normal_items_are_a_probit():
    for d in (-600.0, -40.0, -7.0, -0.3, 0.0, 2.0, 15.0, 40.0):
        value, gradient = run([d, 0.0], [1, 1], "normal")
        exact = special.log_ndtr(d / np.sqrt(2.0))
        slope = np.exp(stats.norm.logpdf(d, scale=np.sqrt(2.0)) - exact)
        assert value[0] == pytest.approx(exact, rel=1e-12, abs=1e-10)
        np.testing.assert_allclose(gradient[0], [slope, -slope], rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("noise", ["logistic", ("t", 3.0), ("t", 1000.0)])
def test_two_items_are_a_pair(noise):
    """The pair model has its own table of the difference of two noises, right to 1e-10."""
    table = difference_table(noise)
    for d in (-40.0, -7.0, -0.3, 0.0, 2.0, 15.0):
        below, _, above, _ = tails(abs(d), table)
        value, _ = thurstone(
            np.array([[d, 0.0]]),
            np.array([[0, 1]]),
            np.ones((1, 2), dtype=np.int64),
            *noise_law(noise),
        )
        assert value[0] == pytest.approx(above if d > 0.0 else below, rel=1e-9, abs=1e-9)


def test_two_cauchy_items_have_a_cauchy_difference():
    law = noise_law(("t", 1.0))
    for d in (-1e6, -300.0, -2.0, 0.0, 1.0, 40.0):
        expected = np.log(np.arctan2(1.0, -d / 2.0) / np.pi)
        value, _ = thurstone(
            np.array([[d, 0.0]]), np.array([[0, 1]]), np.ones((1, 2), dtype=np.int64), *law
        )
        assert value[0] == pytest.approx(expected, abs=1e-10)


@all_noises
def test_three_items_are_one_integral(name):
    """P(a > b > c) is the integral of p_b F_c (1 - F_a), here with the trapezoid rule in asinh."""
    law = NOISES[name][1]
    w = np.linspace(-80.0, 80.0, 160_001)
    for scores in ([0.4, 0.1, -1.0], [-1.5, 0.7, 2.0], [0.0, 9.0, 4.0]):
        a, b, c = scores
        y = b + np.sinh(w)
        with np.errstate(under="ignore", over="ignore"):
            integrand = law.pdf(y - b) * law.cdf(y - c) * law.sf(y - a) * np.cosh(w)
        expected = np.log(np.nansum(integrand) * (w[1] - w[0]))
        # The trapezoid rule stops at kinks, which Laplace noise has at every score.
        tolerance = 1e-6 if name == "laplace" else 1e-10
        assert run(scores, [1, 1, 1], name)[0][0] == pytest.approx(expected, abs=tolerance)


def test_five_normal_items_are_an_orthant():
    scores = np.array([0.3, 1.1, -0.4, 0.2, -1.0])
    differences = np.diff(np.eye(5), axis=0)  # each row is the next item minus this one
    normal = type(stats.multivariate_normal)(seed=0)
    # SciPy integrates by quasi Monte Carlo, which gets this far.
    expected = normal.cdf(
        np.zeros(4), differences @ scores, differences @ differences.T,
        abseps=1e-9, maxpts=2_000_000,
    )  # fmt: skip
    assert np.exp(run(scores, [1] * 5)[0][0]) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("scale", [0.0, 1.0, 10.0, 100.0])
def test_gumbel_noise_is_plackett_luce(scale):
    scores = scale * np.random.default_rng(1).normal(size=12)
    value, gradient = run(scores, [1] * 12, "gumbel")
    assert value[0] == pytest.approx(plackett_luce(scores), rel=1e-12, abs=1e-9)
    expected = np.ones(12)
    expected[-1] = 0.0
    for i in range(11):
        expected[i:] -= special.softmax(scores[i:])
    np.testing.assert_allclose(gradient[0], expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("sizes", [[2, 3, 1], [1, 2, 2], [3, 3]], ids=str)
def test_gumbel_blocks_are_sums_of_plackett_luce(sizes):
    scores = np.random.default_rng(2).normal(size=sum(sizes))
    expected = special.logsumexp([plackett_luce(scores[order]) for order in orders_of(sizes)])
    assert run(scores, sizes, "gumbel")[0][0] == pytest.approx(expected, abs=1e-9)


@all_noises
@pytest.mark.parametrize("scale", [1.0, 30.0, 300.0])
def test_all_orders_and_all_partitions_sum_to_one(name, scale):
    scores = scale * np.array([0.9, -1.0, 0.2, 1.0, 0.25])
    cases = [(permutations(range(4)), scores[:4], [1, 1, 1, 1])]
    for sizes in ([2, 1, 2], [1, 3, 1], [1, 4]):
        cases.append((partitions_of(5, sizes), scores, sizes))
    for orders, some, sizes in cases:
        value, gradient = run(some, sizes, name, np.array(list(orders)))
        assert np.isfinite(value).all() and np.isfinite(gradient).all()
        assert np.exp(value).sum() == pytest.approx(1.0, abs=1e-10)
        # The sum stays one when scores change.
        np.testing.assert_allclose(np.exp(value) @ gradient, 0.0, atol=1e-9)


@all_noises
@pytest.mark.parametrize("sizes", [[2, 2], [1, 3, 1], [2, 3, 2], [1, 7, 1]], ids=str)
def test_a_block_is_the_sum_of_its_orders(name, sizes):
    """Among other blocks three items go through their subsets, seven mostly through pairs."""
    scores = np.random.default_rng(3).normal(size=sum(sizes))
    orders = orders_of(sizes)
    parts, gradients = run(scores, [1] * sum(sizes), name, orders)
    value, gradient = run(scores, sizes, name)
    expected = special.logsumexp(parts)
    assert value[0] == pytest.approx(expected, abs=2e-10)
    np.testing.assert_allclose(
        gradient[0], np.exp(parts - expected) @ gradients, rtol=1e-8, atol=1e-9
    )


@all_noises
@pytest.mark.parametrize("sizes", [[1, 1, 1, 1, 1], [2, 3], [1, 3, 1], [2, 8, 2]], ids=str)
@pytest.mark.parametrize("scale", [1.0, 12.0])
def test_gradients_match_finite_differences(name, sizes, scale):
    scores = scale * np.random.default_rng(4).normal(size=sum(sizes))
    value, gradient = run(scores, sizes, name)
    step = 1e-3
    shifts = step * np.eye(scores.size)
    near = [run(scores + k * shifts, sizes, name)[0] for k in (-2, -1, 1, 2)]
    numeric = (near[0] - 8 * near[1] + 8 * near[2] - near[3]) / (12 * step)
    # What rounding of the value, and the fifth derivative, leave of the difference.
    tolerance = 1e-7 * max(1.0, abs(value[0]) * 1e-3)
    np.testing.assert_allclose(gradient[0], numeric, rtol=1e-6, atol=tolerance)


@all_noises
def test_absurd_orders_stay_finite(name):
    rng = np.random.default_rng(5)
    for sizes in ([1] * 6, [1, 2, 1, 2], [3, 1, 2]):
        for scale in (30.0, 300.0, 1e5):
            scores = scale * rng.normal(size=(8, 6))
            value, gradient = run(scores, sizes, name)
            assert np.isfinite(value).all() and np.isfinite(gradient).all()
            assert (value < 1e-9).all()


@pytest.mark.parametrize("items", [40, 150])
def test_equal_scores_make_all_orders_equally_likely(items):
    for name in ("normal", "logistic", "t-3"):
        value, gradient = run(np.full(items, 0.7), [1] * items, name)
        assert value[0] == pytest.approx(-special.gammaln(items + 1), abs=1e-9)
        assert gradient[0].sum() == pytest.approx(0.0, abs=1e-8)
        # Whoever comes first gains by a higher score, as its mirror image loses.
        np.testing.assert_allclose(gradient[0], -gradient[0][::-1], atol=1e-8)
        for sizes in ([items // 2, items // 2], [5, 20, items - 25]):
            value, _ = run(np.zeros(items), sizes, name)
            orders = special.gammaln(np.array(sizes) + 1).sum()
            assert value[0] == pytest.approx(orders - special.gammaln(items + 1), abs=1e-9)


@all_noises
def test_only_differences_matter(name):
    scores = np.array([0.3, -1.2, 2.0, 0.4])
    value, gradient = run(scores, [1, 2, 1], name)
    shifted, same = run(scores + 1000.0, [1, 2, 1], name)
    assert shifted[0] == pytest.approx(value[0], abs=1e-10)
    np.testing.assert_allclose(same, gradient, atol=1e-9)
    assert gradient.sum() == pytest.approx(0.0, abs=1e-9)


def test_padding_and_unranked_slots():
    scores = np.array([[0.5, 9.0, -0.2, 1.0], [0.5, 9.0, -0.2, 1.0], [3.0, 9.0, 1.0, 2.0]])
    # Slot 1 is not offered; then one ranked and two unranked; then a single block; then nothing.
    scores = np.vstack([scores, scores[:1]])
    ranks = np.array([[2, -1, 3, 1], [0, -1, 0, 1], [1, -1, 1, 1], [-1, -1, -1, -1]])
    order, sizes, possible = partition(ranks, ranks >= 0)
    assert possible.all()
    value, gradient = thurstone(scores, order, sizes, *noise_law("normal"))
    alone, by_alone = run([1.0, 0.5, -0.2], [1, 1, 1])
    assert value[0] == pytest.approx(alone[0], abs=1e-12)
    np.testing.assert_allclose(gradient[0], by_alone[0][[1, 0, 2, 0]] * [1, 0, 1, 1], atol=1e-12)
    best, by_best = run([1.0, 0.5, -0.2], [1, 2])
    assert value[1] == pytest.approx(best[0], abs=1e-12)
    np.testing.assert_allclose(gradient[1], by_best[0][[1, 0, 2, 0]] * [1, 0, 1, 1], atol=1e-12)
    np.testing.assert_array_equal(value[2:], 0.0)
    np.testing.assert_array_equal(gradient[2:], 0.0)


def test_scores_that_are_not_numbers_give_none():
    value, gradient = run([0.0, np.nan, 1.0], [1, 1, 1])
    assert np.isnan(value).all() and np.isnan(gradient).all()
    for bad in (np.inf, -np.inf):
        value, gradient = run([0.0, bad, 1.0], [1, 1, 1])
        assert (value == -np.inf).all() and (gradient == 0.0).all()
