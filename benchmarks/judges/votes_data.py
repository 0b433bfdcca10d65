"""Votes of judges: on answers of language models, and simulated ones of known kinds of judges."""

import numpy as np
import pandas as pd

import bayesrank as br
from models.study import data_folder

__all__ = ["JUDGES", "LABELS", "compared", "llm_votes", "simulated"]

# How many judges there are of each kind.
JUDGES = {"good": 20, "random": 5, "contrarian": 3, "ties": 3}
# Votes of a judge: smallest, quartiles, and so on of the 124 who judged language models.
SIZES = (7, 7, 14, 21, 40, 72, 150, 343)
OUTCOMES = ("left", "right", "tie")
LABELS = {"left": "left", "right": "right", "outcome": "outcome", "agent": "worker"}


def llm_votes():
    """Return 8,931 votes on answers of language models, or simulated ones without the data.

    Returns
    -------
    DataFrame
        id (of the two answers), prompt, worker, left, right and outcome.
    bool
        Whether these are the true votes.
    """
    folder = data_folder("llm-votes")
    if folder is None:
        return simulated(0), False
    table = pd.read_csv(folder / "llmfao.csv").rename(columns={"winner": "outcome"})
    return table[["id", "prompt", "worker", "left", "right", "outcome"]], True


def simulated(seed, judges=JUDGES, sizes=SIZES, items=20, prompts=5):
    """Return votes of judges of known kinds; each pair of answers is seen by four or so.

    The good ones differ in how sharply they tell items apart, in how often they tie and in which
    side they favour; the random ones do not look at the items, the contrarian ones turn the order
    round, and the last kind says of all that they tie.
    """
    rng = np.random.default_rng(seed)
    kind = np.repeat(list(judges), list(judges.values()))
    score = rng.normal(size=items) + 0.5 * rng.normal(size=(prompts, items))
    sharp = np.exp(rng.normal(0.0, 0.3, len(kind)))
    sharp[kind == "random"] = 0.0
    sharp[kind == "contrarian"] *= -1.0
    ties, side = rng.normal(0.0, 1.0, len(kind)), rng.normal(0.0, 0.3, len(kind))
    worker = np.repeat(np.arange(len(kind)), rng.choice(sizes, len(kind)))
    answers = max(2, len(worker) // 4)
    one = rng.integers(0, items, answers)
    two = (one + rng.integers(1, items, answers)) % items
    asked = rng.integers(0, prompts, answers)
    chosen = rng.integers(0, answers, len(worker))
    left, right, prompt = one[chosen], two[chosen], asked[chosen]
    lead = sharp[worker] * (score[prompt, left] - score[prompt, right]) + side[worker]
    # Davidson's model: a tie has the odds of the geometric mean of both sides' worths.
    logits = np.stack([lead / 2.0, -lead / 2.0, ties[worker]], axis=1)
    logits[kind[worker] == "ties", 2] = np.inf
    noisy = logits + rng.gumbel(size=logits.shape)
    return pd.DataFrame(
        {
            "id": chosen, "prompt": prompt, "worker": worker, "kind": kind[worker],
            "left": [f"item {k:02d}" for k in left], "right": [f"item {k:02d}" for k in right],
            "outcome": np.array(OUTCOMES)[noisy.argmax(axis=1)],
        }
    )  # fmt: skip


def compared(table):
    """Return the votes as comparisons with judges and prompts."""
    return br.Comparisons.from_frame(table, **LABELS, category="prompt")
