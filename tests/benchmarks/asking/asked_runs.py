"""Made runs: shares that fall by a known rule."""

import numpy as np
import pandas as pd


def made_runs(part="pairs-20", truth="prior", replicates=6):
    """Return runs in which each strategy is right after so many questions, give or take a few."""
    found = []
    rng = np.random.default_rng(1)
    for strategy, slow in (
        ("random", 100.0), ("round robin", 100.0), ("ASAP", 80.0), ("suggest order", 50.0),
        ("suggest best", 40.0),
    ):  # fmt: skip
        asked = np.arange(20, 620, 20)
        for replicate in range(replicates):
            pace = slow * np.exp(rng.normal(scale=0.1))
            wrong = 0.5 * np.exp(-asked / pace)
            one = {"asked": asked, "distance": wrong, "found": 1.0 - wrong, "error": wrong}
            found.append(pd.DataFrame(one).assign(strategy=strategy, replicate=replicate))
    about = {"part": part, "likelihood": "davidson", "items": 20, "size": 2, "truth": truth}
    return pd.concat(found, ignore_index=True).assign(**about)
