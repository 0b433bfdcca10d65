"""Draws of scores of many kinds, for comparisons with brute force."""

import numpy as np

__all__ = ["KINDS", "POSTERIORS", "posterior"]


def _correlated(rng, draws, n):
    return rng.normal(size=(draws, n)) @ rng.normal(size=(n, n))


def _twins(rng, draws, n):
    scores = rng.normal(size=(draws, n))
    scores[:, -1] = scores[:, 0]
    return scores


def _cyclic(rng, draws, n):
    """Majorities in a circle: each draw is a turn of the same order."""
    turned = (np.arange(n) + rng.integers(n, size=draws)[:, None]) % n
    return turned + 0.1 * rng.normal(size=(draws, n))


KINDS = {
    "independent": lambda rng, draws, n: rng.normal(size=(draws, n)),
    "correlated": _correlated,
    "skewed": lambda rng, draws, n: rng.exponential(size=(draws, n)),
    "heavy tails": lambda rng, draws, n: rng.standard_t(1.5, size=(draws, n)),
    "ties": lambda rng, draws, n: np.round(rng.normal(size=(draws, n))),
    "two values": lambda rng, draws, n: rng.integers(2, size=(draws, n)).astype(float),
    "twins": _twins,
    "all equal": lambda rng, draws, n: np.repeat(rng.normal(size=(draws, 1)), n, axis=1),
    "one order": lambda rng, draws, n: np.tile(rng.normal(size=n), (draws, 1)),
    "cycles": _cyclic,
}


def posterior(kind, seed, draws=None, n=None, spread=None):
    """Return draws by items; the numbers of both and the spread of the means vary by seed."""
    rng = np.random.default_rng([seed, *kind.encode()])
    draws = draws or int(rng.choice([2, 3, 10, 40]))
    n = n or int(rng.integers(2, 6))
    spread = rng.choice([0.0, 0.5, 3.0]) if spread is None else spread
    means = spread * rng.normal(size=n)
    if kind in ("ties", "two values"):
        means = np.round(means)
    scale = rng.choice([1e-8, 1.0, 1e8])
    return scale * (means + KINDS[kind](rng, draws, n))


POSTERIORS = [(kind, seed) for kind in KINDS for seed in range(4)]
