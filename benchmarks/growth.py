"""How the cost of a value and gradient grows: the exponent of time against size."""

import numpy as np

from bayesrank.data import Comparisons, Rankings
from bayesrank.inference.threads import one_blas_thread
from bayesrank.model.specification import Specification
from bayesrank.progress import progress_bar
from benchmarks.lines import Line, take_turns

__all__ = ["exponent", "one_ranking", "resampled", "run", "sizes_of"]

LIMIT = 1.1
NOTE = (
    "slope of log time on log size, by least squares on medians, three sizes a decade; the range "
    "is that of rounds drawn again at random"
)


def exponent(sizes, seconds):
    """Return the slope of log time on log size.

    Parameters
    ----------
    sizes : array
    seconds : array, ... by sizes
        Times, or rounds of times.
    """
    x = np.log(sizes) - np.log(sizes).mean()
    return np.log(seconds) @ x / (x @ x)


def resampled(sizes, seconds, times=200):
    """Return exponents of rounds drawn again: one round alone may say anything on a busy machine.

    None is below a hundredth, where time hardly depends on size.
    """
    drawn = np.random.default_rng(0).integers(0, len(seconds), (times, len(seconds)))
    return np.maximum(exponent(sizes, np.median(seconds[drawn], axis=1)), 0.01)


def sizes_of(first, decades=2):
    """Return sizes from the first on, three a decade."""
    return np.round(first * 10.0 ** (np.arange(3 * decades + 1) / 3)).astype(int)


def one_ranking(blocks):
    """Return one ranking of items in no particular order, in blocks of the given sizes."""
    n = int(np.sum(blocks))
    entries = np.random.default_rng(0).permutation(n)[None]
    ranks = np.repeat(np.arange(1, len(blocks) + 1), blocks)[None]
    return Rankings(entries, ranks, list(range(n)))


def pair_counts(rows, items=150):
    """Return pairs with thirty results each; pairs may occur in several rows."""
    rng = np.random.default_rng(0)
    left = rng.integers(0, items, rows)
    right = (left + 1 + rng.integers(0, items - 1, rows)) % items
    return Comparisons(left, right, rng.multinomial(30, [0.4, 0.4, 0.2], rows), list(range(items)))


# What grows, the likelihood, the data of a size, and the first size.
CASES = [
    ("additive PMOP, one strict ranking, in its items", "pmop",
     lambda n: one_ranking(np.ones(n, dtype=int)), 1000),
    ("additive PMOP, one ranking in five levels, in its items", "pmop",
     lambda n: one_ranking([n - 4 * (n // 5), *[n // 5] * 4]), 1000),
    ("partitioned PL, in the block's size above 1 000 others", "partitioned-plackett-luce",
     lambda n: one_ranking([n, 1000]), 1000),
    *(("partitioned PL, in the number of others below 100", "partitioned-plackett-luce",
       lambda n: one_ranking([100, n]), first) for first in (1000, 10_000)),
    *((f"{words}, 150 items, in rows", likelihood, pair_counts, first)
      for words, likelihood in (("Davidson", "davidson"), ("Rao-Kupper", "rao-kupper"),
                                ("Thurstone pairs with ties", "glenn-david"))
      for first in (1000, 10_000)),
]  # fmt: skip


def run(quick):
    """Return a line for each thing that grows, over two decades; in quick runs over one."""
    rounds, lines = (5 if quick else 60), []
    with progress_bar("growth", len(CASES)) as advance:
        for what, likelihood, data_of, first in CASES:
            sizes = sizes_of(first, 1 if quick else 2)
            tasks = {n: _value_and_gradient(data_of(n), likelihood) for n in sizes.tolist()}
            with one_blas_thread():  # as the optimiser and the sampler call it
                seconds = np.stack(list(take_turns(tasks, rounds).values()), axis=1)
            slope = float(exponent(sizes, np.median(seconds, axis=0)))
            low, high = np.quantile(LIMIT / resampled(sizes, seconds), [0.1, 0.9])
            found = f"{what}, from {sizes[0]:,} to {sizes[-1]:,}"
            lines.append(
                Line("growth", found, "", slope, LIMIT, "x", LIMIT / slope, low, high, 1.0, NOTE)
            )
            advance()
    return lines


def _value_and_gradient(data, likelihood):
    specification = Specification(data, likelihood, scale=1.0)
    x = np.random.default_rng(1).normal(size=specification.size)
    return lambda: specification.objective(x)
