"""Lists of judged documents, and the ways to join them that `rank_aggregation` compares."""

from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.baselines import borda, coset_permutation, fit_coset_permutation, svp
from bayesrank.data import JudgedDocuments, read_letor
from models.study import data_folder, few_links, gradient_steps

__all__ = ["METHODS", "Case", "adherences", "early_scores", "net_places", "read", "simulated"]

LISTS = {"mq2008-agg": 25, "mq2007-agg": 21}
RATE, STEPS = 0.1, 100  # the paper has 100 steps and does not say the rate


@dataclass(frozen=True, eq=False)
class Case:
    """Judged documents in five parts, read in one direction, with absent ones treated one way."""

    documents: JudgedDocuments
    part: np.ndarray  # of each query, 0 to 4
    best: str = "smallest"
    absent: str = "below"

    @property
    def reading(self):
        """The options of the baselines for direction and absent documents."""
        return {"best": self.best, "absent": self.absent}

    @cached_property
    def rankings(self):
        """The lists as rankings, with one instance per query."""
        unranked = {"below": "below", "ignored": "not offered"}[self.absent]
        with few_links():  # lists of one document say nothing
            return self.documents.to_rankings(best=self.best, unranked=unranked)

    @cached_property
    def counts(self):
        """By how many ranks each document is above each other one, over all lists."""
        return self.rankings.to_comparisons("difference", warn=False)

    def queries(self, kept):
        """Return the case of some queries, by a mask."""
        own = self.documents.of_queries(compress(self.documents.queries, kept))
        return Case(own, self.part[kept], self.best, self.absent)

    @cached_property
    def folds(self):
        """Training case, test case and rows of the test documents, of each fold."""
        folds = []
        for test in range(5):
            train = np.isin(self.part, (np.arange(3) + test + 1) % 5)
            rows = np.flatnonzero(self.part[self.documents.query] == test)
            folds.append((self.queries(train), self.queries(self.part == test), rows))
        return folds

    def in_order(self, data, score):
        """Return scores of a fit's items in the order of the documents."""
        where = [data.instances[q] for q in data.instance]
        index = pd.MultiIndex.from_arrays([where, data.items])
        return pd.Series(score, index=index).reindex(self.documents.index).to_numpy()


def simulated(lists, queries, rng):
    """Return queries whose lists find relevant documents early, some lists better than others."""
    quality = np.sort(rng.uniform(0.0, 0.8, lists))
    parts = []
    for _ in range(queries):
        n = int(rng.integers(8, 25))
        grade = rng.choice(3, n, p=[0.7, 0.2, 0.1])
        shared = rng.normal(0.0, 0.15, (n, 1))  # errors that all lists share
        seen = quality * grade[:, None] + shared + rng.normal(size=(n, lists))
        place = np.argsort(np.argsort(-seen, axis=0), axis=0) + 1.0
        # A list ends somewhere, and its places have gaps where others' documents would be.
        place[place > rng.integers(n // 3, n + 1, lists)] = np.nan
        parts.append((np.cumsum(rng.integers(1, 6, n))[np.nan_to_num(place, nan=1).astype(int) - 1]
                      + 0.0 * place, grade))  # fmt: skip
    grade = np.concatenate([grade for _, grade in parts])
    sizes = [len(grade) for _, grade in parts]
    query = np.repeat(np.arange(queries), sizes)
    return JudgedDocuments(
        query, list(range(queries)), [k for size in sizes for k in range(size)],
        np.concatenate([place for place, _ in parts]), list(range(1, lists + 1)),
        relevance=grade, relevant=np.bincount(query, grade > 0).astype(int),
    )  # fmt: skip


def read(name, quick, rng):
    """Return documents, the part of each query, and whether these are all of LETOR's."""
    if quick:
        print(f"{name}: simulated, to be quick")
    folder = None if quick else data_folder(name)
    if folder is None:
        queries = 30 if quick else 800
        return simulated(LISTS[name], queries, rng), np.arange(queries) % 5, False
    paths = sorted(folder.glob("S[1-5].txt*"))
    part = np.repeat(np.arange(5), [len(read_letor(path).queries) for path in paths])
    return read_letor(paths), part, True


def mode(case, likelihood, data=None, **about):
    """Return the scores at the posterior mode, of all queries in one fit."""
    data = case.rankings if data is None else data
    # Lists do not link all documents; the prior holds the others together.
    with few_links():
        fit = br.fit(data, likelihood, method="map", scale=1.0, progress=False, **about)
    return case.in_order(data, fit.scores()[0])


def early_scores(case, adherence, rate=RATE, steps=STEPS):
    """Return the scores of the paper's fit with variances: plain steps from zero.

    Each query's log-likelihood is divided by its number of counts, so that one rate suits all.
    """
    data, counts = case.rankings, case.counts
    specification = br.Specification(
        data, "mpm", scale=np.inf, variances=True, adherence=adherence, weight=1.0
    )
    items = np.bincount(data.instance)
    where = data.instance[counts.left]
    total = np.bincount(where, counts.counts.sum(axis=1), minlength=items.size)
    # Scores and log-variances sum to zero in each query, so each has one free number less.
    unit = np.tile(np.repeat(rate / np.maximum(total, 1.0), items - 1), 2)
    x = gradient_steps(specification.objective, np.zeros(specification.size), unit, steps)
    return case.in_order(data, specification.constrain(x)["score"])


def adherences(case):
    """Return how far each list agrees with the labels: the paper's supervised theta."""
    documents = case.documents
    labels = pd.Series(documents.relevance, index=documents.index)
    data = case.rankings
    where = [data.instances[q] for q in data.instance]
    with few_links():  # lists without any labelled document
        found = br.agreement(
            data, labels[pd.MultiIndex.from_arrays([where, data.items])].to_numpy()
        )
    return found.fillna(0.5)


def _by_fold(case, learn, apply):
    """Return scores of each fold's test documents, learned from its training documents."""
    score = np.empty(len(case.documents))
    for train, test, rows in case.folds:
        score[rows] = apply(test, learn(train))
    return score


def _supervised(apply):
    return lambda case: _by_fold(case, adherences, apply)


def _stagewise(distance, negative=False):
    def learn(train):
        own = train.documents
        return fit_coset_permutation(
            own.values, own.relevance, own.query, distance=distance, negative=negative,
            **train.reading,
        )  # fmt: skip

    def apply(test, theta):
        own = test.documents
        return coset_permutation(
            own.values, own.query, weights=theta, distance=distance, **test.reading
        )

    return lambda case: _by_fold(case, learn, apply)


def _plain_mpm(case, adherence=1.0):
    return mode(case, "mpm", variances=False, adherence=adherence, weight=1.0)


def net_places(case):
    """Return the net counts of MPM for differences of the places themselves, with their gaps.

    The maximum-likelihood scores of MPM without variances are in the order of net counts.
    """
    places = case.documents.values * (1.0 if case.best == "smallest" else -1.0)
    query = case.documents.query
    if case.absent == "below":
        last = pd.DataFrame(places).groupby(query).transform("max").to_numpy()
        places = np.where(np.isnan(places), last + 1.0, places)
    group = pd.DataFrame(places).groupby(query)
    apart = group.transform("sum").to_numpy() - group.transform("count").to_numpy() * places
    return np.nansum(apart, axis=1)


METHODS = {
    "Borda": lambda case: borda(case.documents.values, case.documents.query, **case.reading),
    "Bradley-Terry": lambda case: mode(case, "bradley-terry", case.counts),
    "Plackett-Luce": lambda case: mode(case, "partitioned-plackett-luce"),
    "SVP": lambda case: svp(case.documents.values, case.documents.query, **case.reading),
    "MPM": _plain_mpm,
    "MPM, places with gaps": net_places,
    # Weights are given, since the default of a mode is 1 without variances, "effective" with them.
    "MPM, our weight": lambda case: mode(
        case, "mpm", variances=False, adherence=1.0, weight="effective"
    ),
    "MPM, variances": lambda case: mode(
        case, "mpm", variances=True, adherence=1.0, weight="effective"
    ),
    "MPM, variances, 100 steps": lambda case: early_scores(case, 1.0),
    "θ-MPM": _supervised(_plain_mpm),
    "θ-MPM, variances": _supervised(
        lambda test, theta: mode(test, "mpm", variances=True, adherence=theta, weight="effective")
    ),
    "θ-MPM, variances, 100 steps": _supervised(early_scores),
    "MPM, learned θ": lambda case: mode(
        case, "mpm", variances=False, adherence="learned", weight="effective"
    ),
    "MPM, variances, learned θ": lambda case: mode(
        case, "mpm", variances=True, adherence="learned", weight="effective"
    ),
    "CPS, Kendall": _stagewise("kendall"),
    "CPS, Spearman": _stagewise("spearman"),
    "CPS, footrule": _stagewise("footrule"),
    "CPS, Kendall, any sign": _stagewise("kendall", negative=True),
}
