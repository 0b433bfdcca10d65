"""How well the votes in the arena are described: whether models differ in how often they tie."""

import time

import numpy as np
import pandas as pd

import bayesrank as br
from benchmarks.judges.votes_data import simulated
from models.study import data_folder

__all__ = ["MODELS", "described", "run", "votes"]

FLAT = 30.0  # standard deviation of priors that say next to nothing
MODELS = {
    "Davidson": ("davidson", {}, 1.01001),
    "Rao-Kupper": ("rao-kupper", {}, 1.00948),
    "Davidson, ties by item": (
        "davidson", {"ties": "by-item", "spreads": {"ties_by_item": FLAT}}, 1.00721,
    ),
}  # fmt: skip


def votes(quick):
    """Return the counts of votes between language models, and whether these are the true ones."""
    folder = None if quick else data_folder("arena")
    if folder is None:
        table = simulated(0, judges={"good": 40})
        return br.Comparisons.from_frame(table, outcome="outcome"), False
    table = pd.read_csv(folder / "votes.csv.gz")
    names = {"left": "model_a", "right": "model_b", "wins": "wins_a", "losses": "wins_b"}
    return br.Comparisons.from_counts(table, **names, ties="ties", both_bad="both_bad"), True


def described(data, likelihood, **arguments):
    """Return the mean log-loss of the votes at the mode."""
    fit = br.fit(data, likelihood, method="map", scale=FLAT, progress=False, **arguments)
    p = fit.specification.observation.outcome_probabilities(fit.values(0))
    return -(data.counts * np.log(p)).sum() / data.counts.sum()


def run(quick):
    """Return a row for each model: its log-loss, what is known of it, and the time."""
    data, true = votes(quick)
    rows = []
    for name, (likelihood, arguments, known) in MODELS.items():
        start = time.perf_counter()
        loss = described(data, likelihood, **arguments)
        rows.append(
            {
                "model": name, "votes": int(data.counts.sum()), "log-loss": loss,
                "known": known if true else np.nan, "seconds": time.perf_counter() - start,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
