"""The reference problems of the suite: data, a likelihood's name, and arrays for the peers.

Data that are not shipped are looked for as the studies in ``models/`` do; where they are absent
data of the same shape are simulated, and the note of every line says so.
"""

import io
import warnings
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

import bayesrank as br
from bayesrank.data import Comparisons, Rankings, read_letor
from bayesrank.model.specification import Specification
from models.ordered_partitions.graded_documents import prepared, simulated
from models.study import data_folder

__all__ = [
    "POSTERIORS",
    "PROBLEMS",
    "Problem",
    "davidson",
    "graded_documents",
    "nascar",
    "one_large_block",
    "one_query",
    "simulate_pairs",
    "votes",
]


@dataclass(frozen=True)
class Problem:
    """Data and a likelihood, the same for us and for every peer.

    Attributes
    ----------
    name : str
        By which a peer remembers what it has compiled.
    what : str
        What the table calls it.
    data : Comparisons or Rankings
    likelihood : str
    note : str
        What a reader has to know of the data.
    reference : bool
        Whether something is asked of the speed of its gradient.
    """

    name: str
    what: str
    data: object
    likelihood: str
    note: str = ""
    reference: bool = False

    @cached_property
    def specification(self):
        """Our model of it, with the priors it has by default."""
        return Specification(self.data, self.likelihood)

    @cached_property
    def arrays(self):
        """What a peer works with: numbers of items, indices and counts as plain arrays."""
        if self.likelihood == "davidson":
            return _pair_arrays(self.data)
        if self.likelihood == "mpm":
            return _preference_arrays(self.specification.observation)
        if self.likelihood == "pmop":
            return _graded_arrays(self.specification.observation)
        return _slot_arrays(self.specification.observation)


def _pair_arrays(data):
    """Return who was compared, wins less losses, ties and comparisons of each row."""
    wins, losses, ties = np.asarray(data.counts, dtype=float).T
    return {
        "items": len(data.items), "left": data.left, "right": data.right, "net": wins - losses,
        "ties": ties, "total": wins + losses + ties,
    }  # fmt: skip


def _slot_arrays(observation):
    """Return slots from best to worst; empty ones point at the first item and are not ``held``."""
    data = observation.data
    held = np.arange(data.n_slots) < data.sizes[:, None]
    slots = np.zeros(held.shape, dtype=np.int64)
    slots[held] = data.entry_item[observation.order]
    return {
        "items": len(data.items), "held": held, "slots": slots, "first": observation.sizes[0],
    }  # fmt: skip


def _graded_arrays(observation):
    """Return features of the entries, and the block that each is in; some blocks are not used.

    Blocks of all rankings are numbered in one row, as many for each ranking.
    """
    sizes, known = observation.block_sizes, observation.features
    sizes = sizes[:, : (sizes > 0).sum(axis=1).max()]
    features = (known.matrix[observation.order] - known.centre) / known.spread
    return {
        "features": np.ascontiguousarray(features), "used": sizes > 0,
        "block": np.repeat(np.arange(sizes.size), sizes.ravel()),
    }  # fmt: skip


def _preference_arrays(observation):
    """Return all pairs of items, and net counts by ballot and pair."""
    ballots, items = observation.ballots, len(observation.data.items)
    start, better, worse, difference = ballots.cells
    ballot = np.repeat(np.arange(len(ballots)), np.diff(start))
    net = np.zeros((len(ballots), items, items))
    np.add.at(net, (ballot, better, worse), difference)
    left, right = np.tril_indices(items, -1)
    return {
        "items": items, "left": left, "right": right,
        "net": net[:, left, right] - net[:, right, left], "total": ballots.total,
        "weight": observation.weight, "agent": ballots.agent, "agents": len(observation.agents),
    }  # fmt: skip


def _folder(name):
    """Return the folder of a data set or None; that it is absent is for a line's note to say."""
    with redirect_stdout(io.StringIO()):
        return data_folder(name)


def simulate_pairs(items, rows, per_row, seed=0):
    """Return pair counts simulated from a Davidson model."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, items, rows)
    right = (left + 1 + rng.integers(0, items - 1, rows)) % items
    score = rng.normal(size=items)
    difference = score[left] - score[right]
    weights = np.stack([np.exp(difference / 2), np.exp(-difference / 2), np.full(rows, 0.7)], 1)
    counts = rng.multinomial(per_row, weights / weights.sum(axis=1, keepdims=True))
    return Comparisons(left, right, counts, list(range(items)))


def davidson(quick=False):
    """Return the Davidson reference, simulated from the model."""
    items, rows = (30, 400) if quick else (150, 8000)
    data = simulate_pairs(items, rows, 30)
    return Problem(
        "davidson", f"Davidson, {items} items, {rows:,} rows", data, "davidson", reference=True
    )


def votes(quick=False):
    """Return the votes on answers of language models, with ties, under Davidson."""
    folder = _folder("llm-votes")
    if folder is None:
        data, note = simulate_pairs(59, 1208, 7), "simulated, in the shape of the votes"
    else:
        frame = pd.read_csv(folder / "llmfao.csv")
        frame = frame[["left", "right", "winner"]].head(3000 if quick else None)
        data, note = Comparisons.from_frame(frame, outcome="winner"), ""
    what = f"Davidson, {data.counts.sum():,} votes on {len(data.items)} language models"
    return Problem("votes", what, data, "davidson", note)


def nascar(quick=False):
    """Return the NASCAR races under Plackett-Luce; they are small already."""
    data = br.load_dataset("nascar")
    what = f"Plackett-Luce, {len(data)} races of {len(data.items)} drivers"
    return Problem("nascar", what, data, "plackett-luce")


def graded_documents(quick=False):
    """Return the graded documents of MQ2008, training parts of fold 1, under additive PMOP."""
    folder = _folder("mq2008")
    if folder is None:
        rng, note = np.random.default_rng(0), "simulated, in the shape of MQ2008"
        documents = simulated(60 if quick else 471, 46, rng)
    else:
        documents = read_letor([folder / f"S{part}.txt.gz" for part in (1, 2, 3)])
        note = ""
        if quick:
            documents = documents.of_queries(documents.queries[:40])
    documents, _ = prepared(documents, documents)
    data = documents.to_graded_rankings()
    what = f"additive PMOP, {len(data)} queries, {len(documents):,} documents of MQ2008, fold 1"
    return Problem("graded_documents", what, data, "pmop", note)


def one_large_block(quick=False):
    """Return one ranking, a large block above the many others, under partitioned Plackett-Luce."""
    size, items = (50, 1000) if quick else (500, 10_000)
    rng = np.random.default_rng(0)
    entries = np.argsort(-rng.normal(size=items) - rng.gumbel(size=items))[None]
    ranks = np.where(np.arange(items) < size, 1, 2)[None]
    what = f"partitioned Plackett-Luce, {size} of {items:,} items above the others"
    data = Rankings(entries, ranks, list(range(items)))
    return Problem("one_large_block", what, data, "partitioned-plackett-luce")


def one_query(quick=False):
    """Return the lists that engines give for one query of MQ2008, under MPM with variances."""
    wanted, note = (20 if quick else 100), ""
    folder = _folder("mq2008-agg")
    if folder is None:
        rng, note = np.random.default_rng(0), "simulated, in the shape of a query of MQ2008-agg"
        quality, engines = rng.normal(size=wanted), 24
        seen = quality + rng.gumbel(size=(engines, wanted))
        order = [rng.permutation(wanted)[: 1 + wanted // 2] for _ in range(engines)]
        lists = [chosen[np.argsort(-row[chosen])] for row, chosen in zip(seen, order, strict=True)]
        data = Rankings.from_lists([chosen.tolist() for chosen in lists], unranked="not offered")
    else:
        documents = read_letor(sorted(folder.glob("S*.txt.gz")))
        nearest = np.argmin(np.abs(np.bincount(documents.query) - wanted))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # lists of one document say nothing, and are named
            data = documents.of_queries([documents.queries[nearest]]).to_rankings()
    what = f"MPM with variances, {len(data)} lists of {len(data.items)} documents"
    return Problem("one_query", what, data, "mpm", note)


PROBLEMS = (davidson, votes, nascar, graded_documents, one_large_block, one_query)
POSTERIORS = (davidson, votes, nascar)
