"""Subsets, pairs, links and files of several instances, against plain loops."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.data import Comparisons, Rankings
from bayesrank.results import files
from tests.data.random_instances import (
    COLUMNS,
    RATED,
    as_dict,
    random_counts,
    random_ratings,
    summed,
)


def test_subsets_of_comparisons():
    rows = random_counts(4)
    data = Comparisons.from_counts(pd.DataFrame(rows), **COLUMNS)
    part = data.subset(instances=[9, 7])
    assert part.instances == [7, 9] and part.agents == data.agents
    assert as_dict(part) == {key: row for key, row in summed(rows).items() if key[0] in (7, 9)}
    # A label stands for the items of that name in all instances; 8 and 10 have none of them.
    some = ["d10", "d12", "d13"]
    part = data.subset(some, agents=["agent 1"])
    assert part.instances == [7, 9] and set(part.items) == set(some)
    assert as_dict(part) == {
        key: row
        for key, row in summed(rows).items()
        if key[1] == "agent 1" and {*key[2:]} <= {*some}
    }
    one = data.subset(instances=[8])
    assert one.instance is None and one.instances is None and "instance" not in one.coords
    assert one.coords["item"] == one.items
    frame = pd.DataFrame(rows)
    expected = Comparisons.from_counts(frame[frame["query"] == 8], agent="agent")
    assert one.to_frame().equals(expected.to_frame())
    with pytest.raises(ValueError, match="`instances` has labels that do not occur: 3"):
        data.subset(instances=[8, 3])


def test_subsets_of_rankings():
    frame = pd.DataFrame(random_ratings(3))
    data = Rankings.from_ratings(frame, **RATED)
    part = data.subset(instances=["q3", "q1"])
    assert part.same_as(Rankings.from_ratings(frame[frame["query"].isin(["q1", "q3"])], **RATED))
    one = data.subset(instances=["q2"])
    assert one.instances is None and one.names == [f"q2 / {k}" for k in range(4)]
    only = frame[frame["query"] == "q2"].drop(columns="query")
    rated = {name: column for name, column in RATED.items() if name != "instance"}
    assert np.array_equal(one.entries, Rankings.from_ratings(only, **rated).entries)
    both = data.subset(agents=[1], rankings=np.arange(10), instances=["q0", "q1"])
    assert both.names == ["q0 / 1", "q1 / 1"] and both.agents == [1]
    with pytest.raises(ValueError, match="`instances` has labels that do not occur: q9"):
        data.subset(instances=["q9"])
    with pytest.raises(ValueError, match="there is only one instance"):
        one.subset(instances=["q2"])


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


@pytest.mark.parametrize("agents", [True, False])
@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("share", [1, 0.1])
def test_completed_has_every_pair_once(agents, several, share):
    frame = pd.DataFrame(random_counts(5)).assign(
        agent=lambda rows: rows["agent"] if agents else "x"
    )
    if not several:
        frame = frame[frame["query"] == 8].assign(query="q")
    frame[["wins", "losses", "ties"]] *= share
    data = Comparisons.from_counts(
        frame, instance="query" if several else None, agent="agent" if agents else None
    )
    full = data.completed()
    where = data.instance if several else np.zeros(len(data.items), dtype=int)
    expected = {}
    for agent in range(len(data.agents) if agents else 1):
        for i in range(len(data.items)):
            for j in range(i + 1, len(data.items)):
                if where[i] == where[j]:
                    expected[agent, i, j] = np.zeros(3)
    who = data.agent if agents else np.zeros(len(data), dtype=int)
    for agent, i, j, counts in zip(who, data.left, data.right, data.counts, strict=True):
        expected[agent, min(i, j), max(i, j)] += counts if i < j else counts[[1, 0, 2]]
    assert full.left.tolist() == [i for _, i, _ in expected]
    assert full.right.tolist() == [j for _, _, j in expected]
    assert np.array_equal(full.counts, list(expected.values()))
    assert full.counts.dtype == data.counts.dtype and not full.derived
    if agents:
        assert full.agent.tolist() == [agent for agent, _, _ in expected]
    else:
        assert full.agent is None
    assert full.completed().same_as(full) and full.instances == data.instances


def test_connectivity_looks_at_each_instance():
    def linked(*games):
        rows = pd.DataFrame(games, columns=["query", "left", "right", "outcome"])
        data = Comparisons.from_frame(rows, instance="query")
        return data, data.connectivity()

    round_one = [("q1", "a", "b", "a"), ("q1", "b", "c", "b"), ("q1", "c", "a", "c")]
    data, both = linked(*round_one, ("q2", "a", "b", "tie"))
    assert both.strong and both.connected and both.n_instances == 2
    assert both.components == [["q1 / a", "q1 / b", "q1 / c"], ["q2 / a", "q2 / b"]]
    assert str(both).startswith("connected: in each of the 2 instances")
    alone = data.subset(["a"])
    assert alone.instances == ["q1", "q2"] and alone.connectivity().strong
    data, one_way = linked(*round_one, ("q2", "a", "b", "b"))
    assert one_way.connected and not one_way.strong
    assert one_way.loose == ["q2"] and one_way.split == []
    assert one_way.never_lose == ["q2 / b"] and one_way.never_win == ["q2 / a"]
    assert str(one_way) == (
        "wins do not lead from all to all in 1 of 2 instances (q2); never beaten: q2 / b; "
        "never won: q2 / a"
    )
    data, apart = linked(*round_one, ("q2", "a", "b", "tie"), ("q2", "c", "d", "tie"))
    assert not apart.connected and apart.split == apart.loose == ["q2"]
    assert str(apart) == "groups never meet in 1 of 2 instances (q2)"
    assert not data.subset(instances=["q2"]).connectivity().connected
    many = [(f"q{k}", *pair, "tie") for k in range(7) for pair in (("a", "b"), ("c", "d"))]
    data, apart = linked(*many)
    assert "never meet in 7 of 7 instances (q0, q1, q2, q3, q4 and 2 more)" in str(apart)


@pytest.mark.parametrize("seed", range(4))
def test_connectivity_of_rankings_is_that_of_each_instance(seed):
    frame = pd.DataFrame(random_ratings(seed, queries=4, agents=1 + seed // 2, docs=4))
    data = Rankings.from_ratings(frame, **RATED)
    whole = data.connectivity()
    parts = {query: data.subset(instances=[query]).connectivity() for query in data.instances}
    assert whole.split == [query for query, part in parts.items() if not part.connected]
    assert whole.loose == [query for query, part in parts.items() if not part.strong]
    assert whole.connected == (not whole.split) and whole.strong == (not whole.loose)
    for name in ("never_lose", "never_win"):
        texts = [
            f"{query} / {item}" for query, part in parts.items() for item in getattr(part, name)
        ]
        assert getattr(whole, name) == texts
    assert len(whole.components) == sum(len(part.components) for part in parts.values())


def test_storage_knows_every_field():
    observed = {"Comparisons": {"counts"}, "Rankings": {"ranks", "features"}}
    for kind in (Comparisons, Rankings):
        name = kind.__name__
        stored = {*files.FIELDS[name], *files.LABELS[name]} - {"entry_features"}
        assert {field.name for field in fields(kind)} == stored | observed[name]


def test_instances_are_saved_and_loaded(tmp_path):
    lists = [["a", "b", "c"], ["c", "b", "a"], ["b", "a"], ["a", "b"]]
    ranked = Rankings.from_lists(lists, instances=["q", "q", "p", "p"], agents=list("xyxy"))
    pairs = ranked.to_comparisons(by_agent=True, warn=False)
    for data, likelihood in ((ranked, "plackett-luce"), (pairs, "bradley-terry")):
        br.fit(data, likelihood, method="map", scale=1.0).save(tmp_path / "run.nc")
        again = br.Fit.load(tmp_path / "run.nc").specification.data
        assert again.same_as(data) and again.instances == ["p", "q"]
    assert again.derived
