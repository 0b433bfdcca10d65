"""Whether true values are where posteriors of scores that move say, by simulation.

Parameters are drawn from the prior and data from the model. The rank of each true value among its
posterior draws is noted (`bayesrank.calibrate`), and how often intervals of ``fit.history`` hold
the true score, relative to the others at that time.
"""

from contextlib import closing
from itertools import product

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.calibration.simulation import with_new_data
from bayesrank.inference import fit_specification
from bayesrank.inference.process_pool import on_processes
from bayesrank.progress import progress_bar
from benchmarks.calibration import verdict

__all__ = ["LIKELIHOODS", "MOVES", "coverage", "design", "ranks"]

LIKELIHOODS = ("davidson", "plackett-luce", "partitioned-plackett-luce")
MOVES = ("walk", "mean-reverting")
METHODS = ("nuts", "laplace")
LEVELS = (0.8, 0.95)
ITEMS, TIMES = 5, 4


def design(likelihood, rankings=6, games=3):
    """Return data of four times, half a year apart, whose design and not whose results are used.

    Of pairs the last item is there from the third time on, and the first one only until then.
    """
    years = 2000.0 + 0.5 * np.arange(TIMES)
    if likelihood == "davidson":
        left, right = np.triu_indices(ITEMS, 1)
        frame = pd.concat(
            [pd.DataFrame({"left": left, "right": right, "year": year}) for year in years]
        )
        early = (frame["year"] < years[2]) & (frame["right"] == ITEMS - 1)
        late = (frame["year"] > years[2]) & (frame["left"] == 0)
        frame = frame[~early & ~late].assign(wins=games // 2 + 1, losses=games // 2)
        return br.Comparisons.from_counts(
            frame, left="left", right="right", wins="wins", losses="losses", time="year"
        )
    rng, lists, times = np.random.default_rng(1), [], []
    for year, k in product(years, range(rankings)):
        chosen = [f"item {item}" for item in rng.permutation(ITEMS)[:4]]
        tied = likelihood != "plackett-luce" and k % 2
        lists.append([chosen[:2], *chosen[2:]] if tied else chosen)
        times.append(year)
    return br.Rankings.from_lists(lists, unranked="not offered", times=times)


def ranks(n, processes=None):
    """Return a verdict for each likelihood, move and method, from the ranks of true values."""
    rows = []
    for likelihood, move, method in product(LIKELIHOODS, MOVES, METHODS):
        model = br.Specification(design(likelihood), likelihood, scores=move)
        found = br.calibrate(model, n, method=method, seed=2026, processes=processes)
        table = found.table()
        rows.append(
            {
                "likelihood": likelihood, "scores": move, "method": method,
                "replicates": len(found.ranks), "failed": len(found.failures),
                "quantities": len(found.names), "least uniform": table.index[0],
                "p, for all": table["p_adjusted"].iloc[0], "verdict": verdict(table),
            }
        )  # fmt: skip
        print(pd.DataFrame(rows[-1:]).to_string(index=False, header=len(rows) == 1), flush=True)
    return pd.DataFrame(rows)


def coverage(n, processes=None):
    """Return how often intervals of ``fit.history`` hold the true score, with standard errors."""
    rows = []
    for likelihood, move, method in product(LIKELIHOODS, MOVES, METHODS):
        model = br.Specification(design(likelihood), likelihood, scores=move)
        tasks = {k: (model, method, k) for k in range(n)}
        found = []
        with (
            progress_bar("coverage", n) as advance,
            closing(on_processes(covered, tasks, processes)) as results,
        ):
            for _, one in results:
                found.append(one)
                advance()
        shares = np.array(found)
        error = shares.std(axis=0, ddof=1) / np.sqrt(len(shares))
        row = {"likelihood": likelihood, "scores": move, "method": method, "replicates": n}
        for k, level in enumerate(LEVELS):
            row[f"of {level:.0%}"] = shares[:, k].mean()
            row[f"error of {level:.0%}"] = error[k]
        rows.append(row)
        print(pd.DataFrame(rows[-1:]).round(3).to_string(index=False, header=len(rows) == 1),
              flush=True)  # fmt: skip
    return pd.DataFrame(rows)


def covered(model, method, seed):
    """Return the share of a history's intervals that hold the true score, for each level."""
    true = {name: value[0] for name, value in model.prior(1, seed=seed).items()}
    simulated = with_new_data(model, true, np.random.default_rng([seed, 1]))
    chains = {"draws": 500, "chains": 2} if method == "nuts" else {}
    fit = fit_specification(simulated, method, seed=seed, **chains)
    truth = _relative(model, true["score"])
    found = []
    for level in LEVELS:
        # Only at times when an item is seen: between them there is no score of the model.
        table = fit.history(prob=level, window=0.0)
        value = np.array([truth[row.item, row.time] for row in table.itertuples()])
        found.append(np.mean((table["low"] <= value) & (value <= table["high"])))
    return found


def _relative(model, score):
    """Return true scores by item and time, relative to the mean of all that are seen then."""
    states, data = model.states, model.data
    found = {}
    for k, time in enumerate(data.times):
        here = np.flatnonzero(states.time == k)
        for state in here:
            found[data.items[states.item[state]], time] = score[state] - score[here].mean()
    return found
