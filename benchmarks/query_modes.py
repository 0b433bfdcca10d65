"""The mode of the multinomial preference model for each query of MQ2008-agg, on one core."""

import time

import numpy as np
from threadpoolctl import threadpool_limits

import bayesrank as br
from bayesrank.data import read_letor
from bayesrank.progress import progress_bar
from benchmarks.lines import limit
from models.multinomial_preference.list_methods import LISTS, simulated
from models.study import data_folder, few_links

__all__ = ["lists_of_queries", "run"]

LIMIT = 5e-3
NOTE = (
    "lists are rankings already; of one query a call, the median and the range are over queries, "
    "not over rounds"
)
# The model as a user gets it, and with the lists' adherences given.
CHOICES = {
    "variances and adherences learned": {},
    "variances learned, adherence 1": {"adherence": 1.0},
    "adherence 1 alone": {"variances": False, "adherence": 1.0},
}


def lists_of_queries(quick):
    """Return the lists as rankings, an instance a query, and what they are called."""
    name = "mq2008-agg"
    folder = None if quick else data_folder(name)
    if folder is None:
        queries = 12 if quick else 784
        documents = simulated(LISTS[name], queries, np.random.default_rng(0))
        name = f"{queries} simulated queries"
    else:
        documents = read_letor(sorted(folder.glob("S[1-5].txt*")))
        name = "MQ2008-agg"
    with few_links():  # lists of one document say nothing
        return documents.to_rankings(), name


def run(quick):
    """Return lines for one query a call, and for all queries in one call."""
    data, name = lists_of_queries(quick)
    queries = [data.subset(instances=[label]) for label in data.instances]
    rounds, lines = (1 if quick else 3), []
    with (
        progress_bar("query_modes", len(CHOICES) * rounds * (len(queries) + 1)) as advance,
        threadpool_limits(1),
        few_links(),  # lists do not link all documents, which only the prior then brings together
    ):
        for words, about in CHOICES.items():
            _mode(queries[0], about)
            alone, together = np.empty((rounds, len(queries))), np.empty(rounds)
            for turn in range(rounds):
                for k, query in enumerate(queries):
                    alone[turn, k] = _mode(query, about)
                    advance()
                together[turn] = _mode(data, about) / len(queries)
                advance()
            what = f"MPM mode, {name}, {words}"
            for found, how in (
                (np.median(alone, axis=0), "one query a call"),
                (together, "all in one call, by query"),
            ):
                lines.append(limit("query_modes", f"{what}: {how}", found, LIMIT, note=NOTE))
    return lines


def _mode(data, about):
    start = time.perf_counter()
    br.fit(data, "mpm", method="map", scale=1.0, progress=False, **about)
    return time.perf_counter() - start
