"""Partitioned Plackett-Luce where it is hardest: large blocks, extreme scores, many items."""

import mpmath
import numpy as np
import pytest
from scipy import special

from bayesrank.kernels import KERNELS
from bayesrank.kernels.partitions import partition

partitioned = KERNELS["partitioned"].function


def block_above_rest(score, size, nodes=64):
    """Return log P(the first items are above the rest) and its gradient."""
    ranks = np.where(np.arange(len(score)) < size, 1, 2)[None]
    order, sizes, _ = partition(ranks, np.ones(ranks.shape, dtype=bool))
    logp, by_score = partitioned(score[None], order, sizes, np.array([float(nodes)]))
    return logp[0], by_score[0]


def by_subsets(block, rest):
    """Return log P by adding up who comes next, over all subsets that have come already."""
    size = len(block)
    log_p = np.full(2**size, -np.inf)
    log_p[0] = 0.0
    for come in range(2**size):
        left = [i for i in range(size) if not come >> i & 1]
        total = np.logaddexp.reduce([*block[left], rest])
        for i in left:
            after = come | 1 << i
            log_p[after] = np.logaddexp(log_p[after], log_p[come] + block[i] - total)
    return log_p[-1]


def in_high_precision(score, size):
    """Return log P by adaptive quadrature with 30 digits, panel by panel over log t."""
    with mpmath.workdps(30):
        rest = mpmath.fsum(mpmath.exp(mpmath.mpf(f)) for f in score[size:])
        rate = [mpmath.exp(mpmath.mpf(f)) / rest for f in score[:size]]

        def log_integrand(u):
            t = mpmath.exp(u)
            return u - t + mpmath.fsum(mpmath.log(-mpmath.expm1(-r * t)) for r in rate)

        grid = [mpmath.mpf(u) for u in np.arange(-20.0, 12.0, 0.5)]
        heights = [log_integrand(u) for u in grid]
        peak = max(heights)
        used = [u for u, h in zip(grid, heights, strict=True) if h > peak - 60]
        panels = [used[0] - 0.5, *used, used[-1] + 0.5]

        def relative(u):
            return mpmath.exp(log_integrand(u) - peak)

        total = mpmath.quad(relative, panels, maxdegree=4, method="gauss-legendre")
        return float(peak + mpmath.log(total))


@pytest.mark.parametrize("spread", [1.0, 5.0, 15.0, 300.0])
def test_partitioned_blocks_up_to_seven(spread):
    rng = np.random.default_rng(1)
    for _ in range(60):
        size = rng.integers(2, 8)
        score = rng.uniform(-spread, spread, size=size + rng.integers(1, 5))
        expected = by_subsets(score[:size], np.logaddexp.reduce(score[size:]))
        value, gradient = block_above_rest(score, size)
        assert value == pytest.approx(expected, rel=0, abs=1e-10)
        assert gradient.sum() == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize(("size", "rest"), [(50, 1000), (500, 10_000)])
def test_partitioned_large_blocks(size, rest):
    """Equal scores have a closed form; unequal ones are integrated with 30 digits."""
    value, gradient = block_above_rest(np.zeros(size + rest), size)
    expected = special.gammaln(size + 1) + special.gammaln(rest + 1)
    expected -= special.gammaln(size + rest + 1)
    assert value == pytest.approx(expected, rel=0, abs=1e-8)
    assert np.ptp(gradient[:size]) < 1e-10
    score = np.random.default_rng(2).normal(scale=2.0, size=size + rest)
    value, gradient = block_above_rest(score, size)
    assert value == pytest.approx(in_high_precision(score, size), rel=0, abs=1e-8)
    for k in (0, 7, size + 3):
        step = np.zeros(len(score))
        step[k] = 1e-3
        slope = block_above_rest(score + step, size)[0] - block_above_rest(score - step, size)[0]
        # The second term of the difference's expansion is below 1e-7.
        assert gradient[k] == pytest.approx(slope / 2e-3, rel=1e-6, abs=1e-6 * abs(gradient).max())


@pytest.mark.parametrize("size", [300, 3000, 12_000])
def test_partitioned_blocks_that_lead_or_trail(size):
    """Equal scores inside have a closed form: a ratio of gamma functions."""
    for lead in (-12.0, 0.0, 8.0, 12.0):
        score = np.append(np.full(size, lead), 0.0)
        # P = Gamma(1 + 1/r) Gamma(n + 1) / Gamma(n + 1 + 1/r) with r the ratio of the rates.
        power = np.exp(-lead)
        expected = log_gamma_ratio(1.0, power) - log_gamma_ratio(size + 1.0, power)
        value, gradient = block_above_rest(score, size)
        assert value == pytest.approx(expected, rel=1e-11, abs=1e-9)
        assert np.isfinite(gradient).all()


def log_gamma_ratio(a, b):
    """Return log(Gamma(a + b) / Gamma(a)) with 40 digits."""
    with mpmath.workdps(40):
        return float(mpmath.loggamma(mpmath.mpf(a) + mpmath.mpf(b)) - mpmath.loggamma(a))


def test_partitioned_gradient():
    """Against the exact sum over subsets, whose differences have no error of quadrature."""
    rng = np.random.default_rng(3)
    for spread in (1.0, 15.0):
        score = rng.uniform(-spread, spread, size=6)
        _, gradient = block_above_rest(score, 4)

        def log_p(x):
            return by_subsets(x[:4], np.logaddexp.reduce(x[4:]))

        for k in range(6):
            step = np.zeros(6)
            step[k] = 1e-3
            # Fourth order: an error below 1e-11.
            slope = 8 * (log_p(score + step) - log_p(score - step))
            slope -= log_p(score + 2 * step) - log_p(score - 2 * step)
            assert gradient[k] == pytest.approx(slope / 12e-3, rel=1e-6, abs=1e-9)


def equidistant_rule(score, size, intervals):
    """Return log P by the rule of Ma and others (2021): v = e^(-Lambda t) in equal steps."""
    rest = np.logaddexp.reduce(score[size:])
    v = np.linspace(0.0, 1.0, intervals + 1)[1:]
    power = np.exp(score[:size] - rest)
    with np.errstate(divide="ignore"):
        log_f = np.log(-np.expm1(power[:, None] * np.log(v))).sum(axis=0)
    return np.logaddexp.reduce(log_f) - np.log(intervals)


def test_partitioned_beats_the_equidistant_rule():
    """Ten thousand steps of it are off by more than a thousand nats; 24 nodes of ours by 1e-6."""
    size, rest = 500, 10_000
    exact = special.gammaln(size + 1) + special.gammaln(rest + 1)
    exact -= special.gammaln(size + rest + 1)
    score = np.zeros(size + rest)
    assert abs(equidistant_rule(score, size, 10_000) - exact) > 1000.0
    assert abs(block_above_rest(score, size, nodes=24)[0] - exact) < 1e-6
    # On a block of two it works, which shows that it is the rule that is meant.
    small = np.array([0.3, -0.4, 0.1])
    assert equidistant_rule(small, 2, 100_000) == pytest.approx(
        block_above_rest(small, 2)[0], abs=1e-4
    )
