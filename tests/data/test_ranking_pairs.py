"""All pairs of rankings, and their graph, against plain loops."""

import dataclasses
import itertools
from collections import defaultdict

import numpy as np
import pandas as pd
import pytest

from bayesrank.data import Comparisons, Rankings, ranking_pairs
from tests.data.random_instances import RATED, random_ratings
from tests.data.random_rankings import random_rankings


def slow_pairs(data, strength, by_agent):
    """Count wins, losses and ties of each pair, one by one."""
    counts = defaultdict(lambda: np.zeros(3))
    for k in range(len(data)):
        slots = np.flatnonzero(data.offered[k])
        last = data.ranks[k].max()
        for a, b in itertools.permutations(slots, 2):
            i, j = int(data.entries[k, a]), int(data.entries[k, b])
            ranks = [data.ranks[k, slot] or last + 1 for slot in (a, b)]
            if i > j or ranks == [last + 1, last + 1]:
                continue
            difference = ranks[1] - ranks[0]
            if strength == "difference" and data.ratings is not None:
                difference = data.ratings[k, a] - data.ratings[k, b]
            size = abs(difference) if strength == "difference" else 1
            outcome = 0 if difference > 0 else 1 if difference < 0 else 2
            key = (int(data.agent[k]) if by_agent else 0, i, j)
            counts[key][outcome] += data.weights[k] * size
    return {key: row.tolist() for key, row in sorted(counts.items()) if row.any()}


def as_dict(pairs):
    agent = np.zeros(len(pairs), dtype=int) if pairs.agent is None else pairs.agent
    keys = zip(agent.tolist(), pairs.left.tolist(), pairs.right.tolist(), strict=True)
    return dict(zip(keys, pairs.counts.tolist(), strict=True))


@pytest.mark.parametrize(("at_once", "whole"), [(10**6, 10**6), (4, 10**6), (4, 0), (10**6, 0)])
@pytest.mark.parametrize("strength", ["unit", "difference"])
@pytest.mark.parametrize("by_agent", [False, True])
def test_all_pairs(monkeypatch, at_once, whole, strength, by_agent):
    """In one go or some pairs at a time, in a table or as a list of keys."""
    monkeypatch.setattr(ranking_pairs, "AT_ONCE", at_once)
    monkeypatch.setattr(ranking_pairs, "WHOLE", whole)
    for seed in range(3):
        data = random_rankings(seed)
        pairs = data.to_comparisons(strength, by_agent=by_agent, warn=False)
        assert isinstance(pairs, Comparisons) and pairs.items == data.items
        assert as_dict(pairs) == slow_pairs(data, strength, by_agent)
        assert list(as_dict(pairs)) == sorted(as_dict(pairs)) and np.all(pairs.left < pairs.right)
        assert pairs.agents == (data.agents if by_agent else None)
        assert pairs.counts.dtype == np.int64


def test_differences_of_ratings():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "agent": np.repeat(np.arange(6), 5),
            "item": np.tile(np.arange(5), 6),
            "rating": rng.integers(1, 9, 30) / 2,
        }
    )
    data = Rankings.from_ratings(frame)
    pairs = data.to_comparisons("difference", warn=False)
    assert as_dict(pairs) == slow_pairs(data, "difference", False)
    assert pairs.counts.dtype == np.float64 and not pairs.has_ties
    units = data.to_comparisons(warn=False)
    assert as_dict(units) == slow_pairs(data, "unit", False) and units.has_ties


def test_slots_in_any_order():
    """Rankings made from arrays may have their slots unsorted and their padding anywhere."""
    data = random_rankings(4)
    rng = np.random.default_rng(4)
    order = rng.permuted(np.tile(np.arange(data.entries.shape[1]), (len(data), 1)), axis=1)
    mixed = Rankings(
        np.take_along_axis(data.entries, order, 1),
        np.take_along_axis(data.ranks, order, 1),
        data.items,
        weights=data.weights,
    )
    assert mixed.to_comparisons(warn=False).same_as(data.to_comparisons(warn=False))
    assert mixed.connectivity() == data.connectivity()


def test_rankings_of_pairs_are_comparisons_and_longer_ones_warn():
    data = Rankings.from_lists([["a", "b"], [["b", "a"]], ["b", "c"]])
    assert data.to_comparisons().counts.tolist() == [[1, 0, 1], [1, 0, 0]]
    with pytest.warns(UserWarning, match="longest ranking here counts 2 times"):
        Rankings.from_lists([["a", "b", "c", "d"]]).to_comparisons()


def test_what_cannot_be_paired():
    data = Rankings.from_lists([["a", "b"], [["b", "a"]]])
    with pytest.raises(ValueError, match='`strength` must be "unit" or "difference", got \'x\''):
        data.to_comparisons("x")
    with pytest.raises(ValueError, match="these rankings have no agents"):
        data.to_comparisons(by_agent=True)
    with pytest.raises(ValueError, match="All items are tied"):
        data.subset(rankings=[1]).to_comparisons("difference")


@pytest.mark.parametrize("seed", range(20))
def test_the_graph_links_the_same_items_as_all_pairs(seed):
    data = random_rankings(seed, items=9, rankings=1 + seed // 4)
    sparse, full = data.connectivity(), data.to_comparisons(warn=False).connectivity()
    assert sorted(map(sorted, sparse.components)) == sorted(map(sorted, full.components))
    assert sorted(map(sorted, sparse.islands)) == sorted(map(sorted, full.islands))
    assert sparse.never_lose == full.never_lose and sparse.never_win == full.never_win
    sizes = [len(component) for component in sparse.components]
    assert sizes == sorted(sizes, reverse=True)


def test_unranked_items_do_not_link_each_other():
    top = Rankings.from_lists([["a"]], items="abc", unranked="below").connectivity()
    assert len(top.components) == 3 and top.connected
    assert top.never_lose == ["a"] and top.never_win == ["b", "c"]
    tied = Rankings.from_lists([["a", ["b", "c"]]]).connectivity()
    assert sorted(map(len, tied.components)) == [1, 2] and tied.never_win == []


@pytest.mark.parametrize("strength", ["unit", "difference"])
def test_sums_must_be_finite(strength):
    """Each weight is finite and so is their sum, but not what they add to the three pairs."""
    data = Rankings.from_lists([["a", "b", "c"]], weights=[1.5e308])
    with pytest.raises(ValueError, match="Counts must have a finite sum"):
        data.to_comparisons(strength, warn=False)


def test_large_counts_stay_as_they_are():
    data = Rankings.from_lists([["a", "b"]], weights=[1e30])
    assert data.to_comparisons().counts.tolist() == [[1e30, 0, 0]]


@pytest.mark.parametrize("strength", ["unit", "difference"])
def test_pairs_of_rankings_keep_their_instances(strength):
    frame = pd.DataFrame(random_ratings(4))
    data = Rankings.from_ratings(frame, **RATED)
    pairs = data.to_comparisons(strength, by_agent=True, warn=False)
    assert pairs.derived and pairs.instances == data.instances and pairs.items == data.items
    assert "made from rankings" in repr(pairs)
    for query in data.instances:
        alone = data.subset(instances=[query]).to_comparisons(strength, by_agent=True, warn=False)
        assert pairs.subset(instances=[query]).same_as(alone)
        # derived stays, whatever is done
        assert alone.derived and alone.swapped().derived and alone.completed().derived
    assert pairs.counts.sum() == sum(
        pairs.subset(instances=[query]).counts.sum() for query in data.instances
    )
    plain = Comparisons.from_counts(pairs.to_frame(), agent="agent", instance="instance")
    assert not plain.derived and not plain.same_as(pairs)


@pytest.mark.parametrize(
    "apart",
    [c for n in range(4) for c in itertools.combinations(("agent", "category", "time"), n)],
    ids=" ".join,
)
@pytest.mark.parametrize("whole", [50_000_000, 0], ids=["table", "list"])
def test_what_is_kept_apart(apart, whole, monkeypatch):
    """Pairs of all are the pairs of each part, added up in the same way."""
    monkeypatch.setattr(ranking_pairs, "WHOLE", whole)
    rng, n = np.random.default_rng(3), 30
    about = {"agent": rng.choice(list("pqr"), n), "category": rng.choice(list("st"), n),
             "time": rng.integers(2020, 2023, n)}  # fmt: skip
    lists = [rng.permutation(list("abcd"))[: rng.integers(2, 5)].tolist() for _ in range(n)]
    data = Rankings.from_lists(lists, agents=about["agent"], categories=about["category"],
                               times=about["time"], unranked="not offered")  # fmt: skip
    found = data.to_comparisons(warn=False, **{f"by_{name}": True for name in apart})
    expected = defaultdict(lambda: np.zeros(3))
    for k, ranking in enumerate(lists):
        for better, worse in itertools.combinations(ranking, 2):
            key = (*sorted((better, worse)), *(about[name][k] for name in apart))
            expected[key] += [better < worse, better > worse, 0]
    frame = found.to_frame()
    keys = zip(*(frame[name] for name in ("left", "right", *apart)), strict=True)
    counts = frame[["wins", "losses", "ties"]].to_numpy()
    assert dict(zip(keys, counts.tolist(), strict=True)) == {
        key: row.tolist() for key, row in expected.items()
    }
    again = Comparisons.from_counts(frame, **{name: name for name in apart})
    assert again.same_as(dataclasses.replace(found, derived=False))


@pytest.mark.parametrize(("name", "what"), [("agent", "agents"), ("category", "categories"),
                                            ("time", "times")])  # fmt: skip
def test_what_is_not_there_cannot_be_kept_apart(name, what):
    with pytest.raises(ValueError, match=f"`by_{name}` was asked for.*have no {what}"):
        Rankings.from_lists([["a", "b"]]).to_comparisons(**{f"by_{name}": True})
