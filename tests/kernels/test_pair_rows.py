"""Pair kernels far from everyday values, against high-precision arithmetic."""

import mpmath as mp
import numpy as np
import pytest

from bayesrank.kernels import KERNELS
from bayesrank.kernels.thurstone.difference_noise import difference_table

DIFFERENCES = [-700.0, -37.0, -1.3, 0.0, 1e-9, 0.6, 5.0, 37.0, 700.0]
TIES = [1e-12, 1e-3, 0.7, 30.0, 1e12]
COUNTS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [3, 2, 4]]
EMPTY = np.empty((3, 0, 0))


def run(kernel, difference, tie, counts, *structure):
    arrays = (np.array([difference]), np.array([tie]), np.array([counts], dtype=float).T)
    return [output[0] for output in KERNELS[kernel].function(*arrays, *structure)]


def exact(kernel, difference, tie, counts):
    """Return the log-probability with mpmath's digits, straight from the definition."""
    d, t = mp.mpf(difference), mp.mpf(tie)
    if kernel == "davidson":
        weights = [mp.exp(d / 2), mp.exp(-d / 2), t]
        total = sum(weights)
        p = [w / total for w in weights]
    else:
        cdf = (lambda x: 1 / (1 + mp.exp(-x))) if kernel == "rao_kupper" else mp.ncdf
        left, right = cdf(d - t), cdf(-d - t)
        p = [left, right, cdf(d + t) - left]
    return sum(count * mp.log(q) for count, q in zip(counts, p, strict=True) if count)


@pytest.mark.parametrize("kernel", ["davidson", "rao_kupper", "cumulative"])
@pytest.mark.parametrize("counts", COUNTS, ids=str)
def test_extremes_match_high_precision(kernel, counts):
    structure = (EMPTY,) if kernel == "cumulative" else ()
    for difference in DIFFERENCES:
        for tie in TIES:
            value, *slopes = run(kernel, difference, tie, counts, *structure)
            assert np.isfinite(value) and np.isfinite(slopes).all()
            if tie > 50 and kernel != "davidson":
                continue  # e^(-1e12) is beyond any number of digits: finite is all one can ask
            if abs(difference) > 50 and kernel == "cumulative":
                continue  # and so is a normal tail at 700
            # Two cdfs at 700 agree in their first 304 digits, and a tie is their difference.
            with mp.workdps(400 if tie > 20 or abs(difference) > 30 else 60):
                expected = exact(kernel, difference, tie, counts)
            assert float(abs(value - expected)) <= 1e-12 * max(1.0, float(abs(expected)))


@pytest.mark.parametrize("noise", ["normal", "logistic", ("t", 2.5)], ids=str)
def test_tails_stay_finite_for_every_noise(noise):
    table = difference_table(noise)
    for difference in DIFFERENCES:
        for tie in TIES:
            for counts in COUNTS:
                assert np.isfinite(run("cumulative", difference, tie, counts, table)).all()


@pytest.mark.parametrize("kernel", ["davidson", "rao_kupper", "cumulative"])
@pytest.mark.parametrize("tie", [1e-6, 0.02, 0.7, 4.0])
def test_gradients_match_finite_differences(kernel, tie):
    structure = (EMPTY,) if kernel == "cumulative" else ()
    for difference in (-9.0, -0.3, 0.0, 2.0, 20.0):
        for counts in COUNTS:
            _, by_difference, by_tie = run(kernel, difference, tie, counts, *structure)
            for slope, shift in ((by_difference, (1e-5, 0.0)), (by_tie, (0.0, 1e-4 * tie))):
                up = run(kernel, difference + shift[0], tie + shift[1], counts, *structure)[0]
                down = run(kernel, difference - shift[0], tie - shift[1], counts, *structure)[0]
                numeric = (up - down) / (2 * sum(shift))
                scale = max(1.0, abs(up) * 1e-6)  # what rounding of the value leaves of the slope
                assert slope == pytest.approx(numeric, rel=1e-5, abs=1e-5 * scale)


def test_without_ties_the_tie_parameter_may_reach_its_limit():
    for kernel, structure in (("davidson", ()), ("rao_kupper", ()), ("cumulative", (EMPTY,))):
        value, *slopes = run(kernel, 0.4, 0.0, [2, 1, 0], *structure)
        assert np.isfinite(value) and np.isfinite(slopes).all()
        assert run(kernel, 0.4, 0.0, [0, 0, 1], *structure)[0] == -np.inf


def test_rows_do_not_depend_on_their_neighbours():
    """Vectorised stretches, their remainders, and one tie parameter a row give the same."""
    rng = np.random.default_rng(0)
    rows = 1000
    difference = rng.normal(size=rows) * 3
    counts = rng.integers(0, 4, size=(3, rows)).astype(float)
    for kernel in ("davidson", "rao_kupper", "cumulative"):
        structure = (EMPTY,) if kernel == "cumulative" else ()
        function = KERNELS[kernel].function
        shared = function(difference, np.array([0.6]), counts, *structure)
        own = function(difference, np.full(rows, 0.6), counts, *structure)
        for row in (0, 255, 256, 511, 999):
            alone = run(kernel, difference[row], 0.6, counts[:, row], *structure)
            for together, repeated, single in zip(shared, own, alone, strict=True):
                assert together[row] == pytest.approx(single, rel=1e-13, abs=1e-13)
                assert repeated[row] == pytest.approx(single, rel=1e-13, abs=1e-13)


def turned(kernel, difference, tie, counts, along, *structure):
    arrays = (np.array([difference]), np.array([tie]), np.array([counts], dtype=float).T)
    directions = [np.array([step]) for step in along]
    return [by[0] for by in KERNELS[kernel].turn(*arrays, *structure, *directions)]


@pytest.mark.parametrize("noise", ["normal", "logistic", ("t", 2.5)], ids=str)
@pytest.mark.parametrize("tie", [0.004, 0.7, 4.0])
def test_second_derivatives_match_finite_differences(noise, tie):
    table = difference_table(noise)
    rows = [("cumulative", (table,))]
    if noise == "normal":
        rows += [("davidson", ()), ("rao_kupper", ())]
    for kernel, structure in rows:
        for difference in (-9.0, -0.3, 0.0, 2.0, 20.0):
            for counts in COUNTS:
                for along, step in (((1.0, 0.0), 1e-5), ((0.0, 1.0), 1e-4 * tie)):
                    up, down = (
                        run(kernel, difference + s * along[0], tie + s * along[1], counts,
                            *structure)[1:]
                        for s in (step, -step)
                    )  # fmt: skip
                    numeric = (np.array(up) - down) / (2.0 * step)
                    found = turned(kernel, difference, tie, counts, along, *structure)
                    # What rounding of the first derivatives leaves of the second.
                    scale = max(1.0, *np.abs(up)) * 1e-14 / step
                    assert found == pytest.approx(numeric, rel=1e-4, abs=1e-5 + scale)


def test_second_derivatives_end_where_outcomes_are_certain():
    for kernel, structure in (("davidson", ()), ("rao_kupper", ()), ("cumulative", (EMPTY,))):
        for difference, tie in ((np.inf, 0.7), (-1e200, 0.7), (0.3, np.inf)):
            assert turned(kernel, difference, tie, [1, 1, 1], (1.0, 1.0), *structure) == [0, 0]
        value = turned(kernel, 0.4, 0.0, [2, 1, 0], (1.0, 1.0), *structure)
        assert np.isfinite(value).all()
