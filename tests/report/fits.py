"""Fits with made-up draws, which cost nothing, for pages of any size."""

from itertools import pairwise

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.data import Comparisons
from bayesrank.model.specification import Specification
from bayesrank.results.fit import Fit

# Each of these does harm where it is read as anything but a text.
HOSTILE = [
    "<img src=x onerror=\"window.harmed='img'\">",
    "</script><script>window.harmed='script'</script>",
    "{{data}} ${1+1} {title}",
    "=1+1",
    "@SUM(A1)",
    "$x^2$ \\(y\\)",
    "שלום (עולם) 1",
    "🏆 gold, \"silver\" & 'bronze'",
    "\u202eright to left override",
    "two\nlines\u2028three",
    "long " + "x" * 300,
]


def moving_fit(names, *, method="laplace", times=6, leaves=3, **options):
    """Return a fit of games in a ring, one round each year; one item leaves after some rounds.

    The first name starts as the best and ends as the worst but one; the last name is the one
    that leaves, and the one before it comes when it has left.
    """
    n, rows = len(names), []
    for t in range(times):
        here = [k for k in range(n) if not (k == n - 1 and t >= leaves)]
        here = [k for k in here if not (k == n - 2 and t < leaves)]
        for a, b in pairwise([*here, here[0]]):
            better = (a < b) != (0 in (a, b) and t >= times / 2)
            rows += [(names[a], names[b], 1 if better else -1, f"{2000 + t}-01-01")] * 2
            rows += [(names[a], names[b], -1 if better else 1, f"{2000 + t}-01-01")]
    frame = pd.DataFrame(rows, columns=["left", "right", "outcome", "date"])
    data = Comparisons.from_frame(frame, time="date")
    return br.fit(data, scores="walk", method=method, seed=1, progress=False, **options)


def made_fit(names, *, spread=0.3, draws=400, likelihood="bradley-terry", order_effect=False):
    """Return a fit in which scores fall from the first name to the last, with a gap halfway."""
    n = len(names)
    rng = np.random.default_rng(1)
    truth = np.linspace(1.0, -1.0, n) + 1.5 * (np.arange(n) < n // 2)
    score = truth + spread * rng.standard_normal((draws, n))
    score -= score.mean(axis=1, keepdims=True)
    rows = [(names[k], names[(k + 1) % n], 2, 1) for k in range(n)]
    frame = pd.DataFrame(rows, columns=["left", "right", "wins", "losses"])
    frame["ties"] = 1 if likelihood == "davidson" else 0
    data = Comparisons.from_counts(frame)
    positions = [names.index(item) for item in data.items]
    posterior = {"score": score[None][..., positions]}
    if likelihood == "davidson":
        rate = rng.uniform(0.2, 0.4, (1, draws))
        posterior |= {"tie_rate": rate, "nu": 2 * rate / (1 - rate)}
    if order_effect:
        posterior["order_effect"] = rng.normal(0.5, 0.1, (1, draws))
    model = Specification(data, likelihood, scale=1.0, order_effect=order_effect)
    return Fit(model, "laplace", posterior, note="Made up.")
