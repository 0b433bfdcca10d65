"""Whether ``fit.agents()`` finds the right words for simulated judges of known kinds."""

import warnings
from contextlib import closing

import pandas as pd

import bayesrank as br
from bayesrank.inference.process_pool import on_processes
from bayesrank.progress import progress_bar
from benchmarks.judges.votes_data import JUDGES, LABELS, simulated

__all__ = ["MODELS", "run", "said"]

MODELS = {
    "Davidson": {},
    "with terms by agent": {"discrimination": "by-agent", "ties": "by-agent"},
}
MANY = 40  # votes from which on a judge can be known


def said(seed, arguments):
    """Return the kind, the number of votes and the words of each judge of one data set."""
    table = simulated(seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The data do not link")
        fit = br.fit(br.Comparisons.from_frame(table, **LABELS), "davidson", method="laplace",
                     draws=250, chains=1, seed=seed, progress=False, **arguments)  # fmt: skip
    kind = table.groupby("worker")["kind"].first()
    found = fit.agents()
    return found[["votes", "words"]].assign(kind=kind.reindex(found.index))


def run(n, processes=None):
    """Return a table of kinds of judges by words for them, in percent."""
    tasks = {
        (name, seed): (seed, arguments) for name, arguments in MODELS.items() for seed in range(n)
    }
    tables = []
    with (
        progress_bar("judges", len(tasks)) as advance,
        closing(on_processes(said, tasks, processes)) as results,
    ):
        for (name, _), found in results:
            tables.append(found.assign(model=name))
            advance()
    table = pd.concat(tables)
    few = {True: f"{MANY} votes or more", False: f"under {MANY}"}
    table["of"] = (table["votes"] >= MANY).map(few)
    table["kind"] = pd.Categorical(table["kind"], JUDGES)
    index = [table["model"], table["of"], table["kind"]]
    counted = pd.crosstab(index, table["words"])
    shares = (100.0 * counted.div(counted.sum(axis=1), axis=0)).round(1)
    return shares.assign(judges=counted.sum(axis=1))
