"""Documents of several queries, with scores and grades."""

import numpy as np


def documents(seed=0, n=60, levels=None):
    """Documents of eight queries in mixed order."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n) if levels is None else rng.integers(levels, size=n).astype(float)
    return score, rng.integers(0, 4, size=n), rng.choice([f"q{k}" for k in range(8)], size=n)
