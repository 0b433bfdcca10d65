"""Runs of sessions: how near the truth each strategy comes, by how much it has asked."""

import time
import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmarks.asking.sessions import Session, truth_of
from benchmarks.asking.strategies import BLIND, STRATEGIES

__all__ = ["MEASURES", "Setting", "curves"]

MEASURES = ("distance", "found", "error")
_STEP = 1.05  # from one look at a strategy that does not look itself to the next


@dataclass(frozen=True)
class Setting:
    """What is asked about.

    Attributes
    ----------
    part : str
    likelihood : str
    items, size, batch : int
        How many there are, are in a question, and how many questions are asked at once.
    truth : str
        See `truth_of`.
    budgets : dict of int
        Questions by strategy.
    replicates : int
    """

    part: str
    likelihood: str
    items: int
    size: int
    batch: int
    truth: str
    budgets: dict
    replicates: int

    @property
    def name(self):
        """What it is called in tables."""
        of = f", {self.size} at a time" if self.size > 2 else ""
        return f"{self.likelihood}, {self.items} items{of}, {self.truth}"


def run(setting, strategy, replicate):
    """Return the measures of one session, one row for each look."""
    seed = [setting.items, setting.size, replicate]
    scores = truth_of(setting.truth, setting.items, np.random.default_rng([*seed, 1]))
    session = Session(scores, setting.likelihood, setting.size, seed)
    rows = [(session.asked, *session.measures())]
    budget = setting.budgets[strategy]
    while session.asked < budget:
        n = setting.batch
        if strategy in BLIND:
            n = max(n, int((_STEP - 1.0) * session.asked))
        session.ask(STRATEGIES[strategy](session, n))
        rows.append((session.asked, *session.measures()))
    return pd.DataFrame(rows, columns=["asked", *MEASURES])


def curves(setting, replicates=None, report=print):
    """Return the measures of all strategies and replicates, one row for each look."""
    found = []
    for strategy in setting.budgets:
        start = time.process_time()
        for replicate in range(replicates or setting.replicates):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that nothing is open any more
                one = run(setting, strategy, replicate)
            found.append(one.assign(strategy=strategy, replicate=replicate))
        spent = time.process_time() - start
        report(f"    {setting.name}: {strategy}, {spent:.0f} s", flush=True)
    return pd.concat(found, ignore_index=True).assign(
        part=setting.part, likelihood=setting.likelihood, items=setting.items, size=setting.size,
        truth=setting.truth,
    )  # fmt: skip
