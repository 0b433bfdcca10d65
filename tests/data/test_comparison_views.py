"""Subsets and all pairs of comparisons with several instances, against plain loops."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from bayesrank.data import Comparisons
from tests.data.random_instances import COLUMNS, as_dict, random_counts, summed


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


def known():
    """Return comparisons of which all is known that can be."""
    frame = pd.DataFrame(
        [["a", "b", 1, 2, 0, 3, "p", "s", 1.5, 2020], ["b", "a", 0, 1, 1, 5, "p", "t", -2.0, 2021],
         ["a", "c", 2, 0, 0, 0, "q", "t", 0.0, 2020], ["c", "b", 0, 0, 0, 7, "q", "u", 4.0, 2020]],
        columns=["left", "right", "wins", "losses", "ties", "both_bad", "who", "topic", "x", "t"],
    )  # fmt: skip
    return Comparisons.from_counts(frame, agent="who", category="topic", features=["x"], time="t")


def test_what_is_known_is_said():
    assert repr(known()).splitlines()[0] == (
        "Comparisons: 3 items, 4 ordered pairs, 2 agents, 2 times from 2020 to 2021, 3 categories, "
        "7 comparisons, 1 ties (14%), 15 votes that both are bad, kept apart, features x"
    )
    assert known().coords["category"] == ["s", "t", "u"] and known().coords["feature"] == ["x"]
    labels = ["a vs b (p, s, 2020)", "a vs c (q, t, 2020)", "b vs a (p, t, 2021)"]
    assert sorted(known().coords["pair"])[:3] == labels
    one = known().subset(categories=["t"])
    assert ", 1 category, " in repr(one) and "both are bad" in repr(one)
    assert "both are bad" not in repr(one.subset(["a", "c"]))


def test_what_is_known_stays_with_its_row():
    data = known()
    frame = data.to_frame()
    again = Comparisons.from_counts(
        frame, agent="agent", category="category", time="time", features=["x"]
    )
    assert again.same_as(data)
    part = data.subset(["a", "b"])
    assert part.categories == ["s", "t", "u"] and part.feature_names == ["x"]
    assert part.to_frame().equals(frame[~frame.eq("c").any(axis=1)].reset_index(drop=True))
    part = data.subset(categories=["u", "t"])
    assert part.categories == ["t", "u"] and part.both_bad.tolist() == [0, 5, 7]
    assert part.to_frame().equals(frame[frame["category"] != "s"].reset_index(drop=True))
    assert data.subset(agents=["q"], categories=["u"]).features.tolist() == [[4.0]]
    assert data.subset(min_count=3).both_bad.tolist() == [3, 5]  # c wins two, and 7 are kept apart
    other = data.with_outcomes(2 * data.counts)
    assert other.both_bad.tolist() == data.both_bad.tolist() and other.features is data.features
    with pytest.raises(ValueError, match="`categories` has labels that do not occur: v"):
        data.subset(categories=["v"])
    with pytest.raises(ValueError, match="`categories` was given, but these comparisons have no c"):
        data.completed().subset(categories=["s"])


def test_sides_that_are_exchanged():
    data, turned = known(), known().swapped()
    assert turned.features.tolist() == [[-x] for x in data.features[:, 0].tolist()]
    assert turned.both_bad.tolist() == data.both_bad.tolist()
    assert turned.category.tolist() == data.category.tolist()
    assert turned.swapped().same_as(data) and not turned.same_as(data)


def test_completed_forgets_what_was_of_single_rows():
    full = known().completed()
    frame = full.to_frame()
    assert "category" not in frame and "x" not in frame and full.time is None
    votes = frame.set_index(["agent", "left", "right"])["both_bad"]
    assert votes["p", "a", "b"] == 8 and votes["q", "b", "c"] == 7 and votes.sum() == 15


def test_what_makes_two_data_differ():
    data = known()
    for name, value in (("both_bad", data.both_bad + 1), ("features", data.features + 1),
                        ("feature_names", ["y"]), ("categories", ["s", "t", "v"]),
                        ("category", data.category[::-1]), ("both_bad", None)):  # fmt: skip
        assert not dataclasses.replace(data, **{name: value}).same_as(data)
    assert dataclasses.replace(data).same_as(data)
